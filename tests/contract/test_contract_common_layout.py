"""Does the layout that is common to all games show what lies on the table, and nothing else?

What it should show is read from the table's scene (`common_views`). Hidden cards dealt again leave every form of the
observation the same; that test (`test_contract_hidden`) goes through the form "cards" too.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from common_views import column_of, common_faces, counts, hands_in, stock_of, views_of_seat
from contract_cases import each_case, each_game, each_of_few
from contract_play import Case, layouts_of_play, mover, policy, sampled, seen_by
from test_contract_faces import by_the_interpreter, moves_compared

from banakil_env.core import engine
from banakil_env.core.actions import VERBS
from banakil_env.core.views import encode_cards, observe_rows, open_cards
from banakil_env.envs.forms import FORMS, in_form, observation_space
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

# Games in which a scene names cards by their printed faces, and a wild card has another name in the layout.
RENAMED = ("hand",)


def rows_of(case: Case, long: bool, every: int = 1) -> Any:
    """Sampled states (one in `every`), each seat, and what the seat sees in the common layout."""
    for state in sampled(case, long)[::every]:
        for seat in range(case.num_players):
            yield state, seat, views_of_seat(case, state, seat)


def side_of(case: Case, state: Any, seat: int) -> int:
    return int(engine.side_of(state[0], seat))


# Cards --------------------------------------------------------------------------------------------------------------


@each_of_few
def test_my_hand_the_pile_and_known_cards_are_where_they_lie(case: Case, long: bool) -> None:
    game = case.game
    for state, seat, seen in rows_of(case, long, every=2):
        scene = game.scene(state[0], seat)
        cards, own = seen["cards"], scene.seats[seat]
        held = common_faces(case, [card for group in own.hand or () for card in group])
        assert counts(game, cards, "hand_count") == held
        assert {game.cards.faces[i] for i in np.flatnonzero(cards[:, column_of(game, "hand")])} == set(held)
        [pile] = [area for area in scene.areas if area.name == "pile"]
        if None not in pile.cards and pile.cards:
            assert counts(game, cards, "pile") == common_faces(case, pile.cards)
        for place in range(1, case.num_players):
            other = scene.seats[(seat + place) % case.num_players]
            if other.hand is None:
                assert counts(game, cards, f"known_{place}") == common_faces(case, other.known)


@each_of_few
def test_melds_are_mine_my_partners_or_the_others(case: Case, long: bool) -> None:
    game = case.game
    for state, seat, seen in rows_of(case, long, every=2):
        mine, partners, others = Counter[str](), Counter[str](), Counter[str]()
        scene = game.scene(state[0], seat)
        laid = [(meld.owner, meld.cards) for meld in scene.melds]
        laid += [(area.owner, area.cards) for area in scene.areas if area.title == "red threes"]
        for owner, cards in laid:
            same_side = side_of(case, state, owner) == side_of(case, state, seat)
            by_side = bool(game.cards.used["rules"]) and seen["rules"][rules_column("books")] == 1
            whose = mine if owner == seat or (same_side and by_side) else partners if same_side else others
            whose.update(common_faces(case, cards))
        for name, expected in (("meld_mine", mine), ("meld_partner", partners), ("meld_other", others)):
            assert counts(game, seen["cards"], name) == expected, name


def rules_column(name: str) -> int:
    return [column.name for column in find("gin").cards.arrays[3].columns].index(name)


@each_case
def test_every_card_of_the_pack_is_seen_or_unseen(case: Case, long: bool) -> None:
    """Unseen are the stock, unless its order is public, the feet, and what nobody knows of the other hands."""
    game = case.game
    for state, seat, seen in rows_of(case, long, every=3):
        record, _ = seen_by(game, state, seat)
        scene, names = game.scene(state[0], None), record.dtype.names or ()
        hidden = sum(len(area.cards) for area in scene.areas if area.title in ("stock", "foot"))
        if "seen" in names and record["seen"][0]:
            hidden = 0
        for place in range(1, case.num_players):
            hidden += scene.seats[(seat + place) % case.num_players].size - int(record["known"][0][place].sum())
        assert counts(game, seen["cards"], "unseen_count").total() == hidden


@each_case
def test_all_numbers_are_within_the_bounds_of_the_space(case: Case, long: bool) -> None:
    space = observation_space(case.game, "cards")
    for state, seat, seen in rows_of(case, long):
        assert space.contains(seen), seat
        opened = open_cards(case.game, state, np.array([seat]))
        assert space.contains({name: array[0] for name, array in opened.items()})


@each_of_few
def test_what_lies_in_the_arrays_before_is_written_over(case: Case, long: bool) -> None:
    for state, seat in itertools.product(sampled(case, long)[:4], range(case.num_players)):
        seen, _ = seen_by(case.game, state, seat)
        written = []
        for rubbish in (np.nan, 7.0):
            out = {name: np.full((1, *shape), rubbish, np.float32) for name, shape in case.game.cards.shapes.items()}
            encode_cards(case.game, seen.view(np.uint8).reshape(1, -1), out)
            written.append({name: array.tobytes() for name, array in out.items()})
        assert written[0] == written[1]


@each_of_few
def test_with_all_cards_open_the_layout_has_every_hand_and_the_order_of_the_stock(case: Case, long: bool) -> None:
    game = case.game
    for state in sampled(case, long)[::2]:
        scene = game.scene(state[0], None)
        hands = hands_in(case, scene)
        stock = stock_of(case, state)
        feet = {area.owner: common_faces(case, area.cards) for area in scene.areas if area.title == "foot"}
        for seat in range(case.num_players):
            cards = open_cards(game, state, np.array([seat]))["cards"][0]
            assert counts(game, cards, "hand_count") == hands[seat]
            for place in range(1, case.num_players):
                assert counts(game, cards, f"known_{place}") == hands[(seat + place) % case.num_players]
            nearness = {
                game.cards.faces[face]: float(cards[face, column_of(game, "stock_near")])
                for face in range(len(cards))
                if cards[face, column_of(game, "stock_near")]
            }
            expected: dict[str, float] = {}
            for depth, text in enumerate(stock, 1):
                [face] = common_faces(case, [text])
                expected.setdefault(face, 1 / depth)
            assert nearness == pytest.approx(expected)
            assert counts(game, cards, "foot_mine") == feet.get(seat, Counter())
            others = sum((feet[other] for other in feet if other != seat), Counter[str]())
            assert counts(game, cards, "foot_other") == others


# All games ----------------------------------------------------------------------------------------------------------


def test_the_space_is_the_same_for_all_games() -> None:
    spaces = [observation_space(find(name), "cards") for name in GAMES]
    assert all(space == spaces[0] for space in spaces)


def test_every_column_means_something_in_some_game() -> None:
    """No game has a foot for eight seats: the columns of seats are one."""
    for array in find("gin").cards.arrays[2:]:
        used = {re.sub(r"_\d$", "", each) for name in GAMES for each in find(name).cards.used[array.name]}
        own = {"seat", "partner"} if array.name == "table" else set()
        assert {re.sub(r"_\d$", "", column.name) for column in array.columns} == used | own


@each_game
def test_the_interpreter_writes_the_layout_as_the_compiler_does(name: str, long: bool) -> None:
    _, in_plain_python = by_the_interpreter(name, long)
    assert len(in_plain_python) > moves_compared(long)
    assert layouts_of_play(name, moves_compared(long)) == in_plain_python


# Views of any seat --------------------------------------------------------------------------------------------------


@each_of_few
def test_a_batch_shows_any_seat_and_the_whole_state(case: Case) -> None:
    game = case.game
    batches = [Tables(3, game=case.name, observation=form, **case.options) for form in FORMS]
    for tables in batches:
        tables.reset(seed=case.seed)
    for _ in range(4):
        seats = np.array([row % case.num_players for row in range(3)])
        expected = np.stack(
            [seen_by(game, tables.states[row : row + 1].copy(), seats[row])[0].view(np.uint8) for row in range(3)]
        )
        assert observe_rows(game, tables.states.copy(), seats).tobytes() == expected.tobytes()
        for tables in batches:
            found, wanted = tables.observe(seats), in_form(game, tables.form, expected)
            if isinstance(wanted, dict):
                assert {name: array.tobytes() for name, array in found.items()} == {
                    name: array.tobytes() for name, array in wanted.items()
                }
            else:
                assert found.tobytes() == wanted.tobytes()
            whole = tables.full_observation(seats)
            alone = open_cards(game, tables.states[1:2].copy(), seats[1:2])
            assert all((whole[name][1] == alone[name][0]).all() for name in whole)
        for tables in batches:
            actions = [policy(*seen) if seen[1].any() else 0 for seen in zip(tables.observations, tables.masks)]
            tables.illegal = "report"
            tables.step(np.array(actions))


def test_a_seat_that_is_not_there() -> None:
    tables = Tables([{"num_players": 2}, {"num_players": 3}], game="rummy")
    with pytest.raises(RuntimeError, match=r"^call reset\(\) before looking at the tables$"):
        tables.observe(0)
    tables.reset(seed=1)
    with pytest.raises(ValueError, match=r"^row 0 has no seat 2: 2 play there, seats 0 to 1$"):
        tables.observe(2)
    assert tables.observe([1, 2]).shape == tables.observations.shape
    for wrong in ([0], 0.5, True, [[0, 0]], np.ma.masked_array([0, 0])):
        with pytest.raises(ValueError, match=r"^seat must be a whole number, or 2 of them, not "):
            tables.full_observation(wrong)
    out = tables.full_observation()
    again = tables.full_observation(out=out)
    assert all(again[name] is out[name] for name in out)
    with pytest.raises(ValueError, match=r"^out has no array 'rules': it needs cards, melds, table, rules$"):
        tables.full_observation(out={name: out[name] for name in ("cards", "melds", "table")})


# Actions ------------------------------------------------------------------------------------------------------------


@each_game
def test_every_action_has_a_verb_of_the_family(name: str) -> None:
    game = find(name)
    for action in game.actions:
        assert action.block.family_verb in VERBS
        assert game.described[action.index, : len(VERBS)].sum() == 1
        assert game.described[action.index, VERBS.index(action.block.family_verb)] == 1


@each_game
def test_two_actions_of_a_game_are_described_differently(name: str) -> None:
    texts: dict[bytes, str] = {}
    game = find(name)
    for action in game.actions:
        other = texts.setdefault(game.described[action.index].tobytes(), action.text)
        assert other == action.text


@each_game
def test_a_described_action_names_the_cards_of_its_text(name: str) -> None:
    """Naturals by their faces; a wild card by all faces that it can have, whose parts add up to one card."""
    game = find(name)
    columns = [column.name for column in game.cards.action_columns]
    first = columns.index("card_Ac")
    for action in game.actions:
        named = game.described[action.index, first : first + len(game.cards.faces)] * 4
        words = action.text.split()[1:]
        cut = words[: words.index("to")] if "to" in words else words
        wild = [word for word in cut if word.partition("=")[0] in ("JK", "W", "2")]
        naturals = [word for word in cut if re.fullmatch("[A2-9TJQK][cdhs]", word) or word in KINDS_OF[name]]
        if action.block.subject:
            wild, naturals = [], []
        assert named.sum() == pytest.approx(len(naturals) + len(wild)), action.text
        for word, number in Counter(naturals).items():
            face = word if word in game.cards.faces else f"{word}c"
            assert named[game.cards.faces.index(face)] == pytest.approx(number), action.text


# The words for kinds of cards, in games in which suits do not matter.
KINDS_OF: dict[str, tuple[str, ...]] = dict.fromkeys(GAMES, ()) | dict.fromkeys(
    ("canasta", "hand_and_foot", "mille"), tuple("A3456789TJQK")
)


@each_game
def test_the_faces_of_a_block_are_among_those_described(name: str) -> None:
    game = find(name)
    columns = [column.name for column in game.cards.action_columns]
    card, stands_for = columns.index("card_Ac"), columns.index("for_Ac")
    for action in game.actions:
        vector = game.described[action.index]
        for face in action.cards:
            common = game.cards.face_of[face]
            assert vector[card + common] or vector[stands_for + common], action.text


@each_of_few
def test_a_meld_that_an_action_names_is_a_row_of_melds(case: Case, long: bool) -> None:
    game = case.game
    block = next((block for block in game.actions.blocks if block.subject == "meld"), None)
    if block is None:
        return
    first = game.actions.first(block.name)
    for state in sampled(case, long):
        seat = mover(case, state)
        if seat is None:
            continue
        melds = views_of_seat(case, state, seat)["melds"]
        scene = {meld.number: meld for meld in game.scene(state[0], seat).melds}
        size = [column.name for column in game.cards.arrays[1].columns].index("size")
        for number, meld in scene.items():
            assert number is not None
            assert game.actions[first + number].text == f"meld {number}"
            assert round(float(melds[number, size]) * 14) == len(meld.cards) or case.name in WITHOUT_PLACES
            assert melds[number, 0] == (meld.owner == seat)


# Banakil's melds under free wilds do not say at which place a wild card lies.
WITHOUT_PLACES = ("banakil",)
