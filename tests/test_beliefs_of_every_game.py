"""Do supposed hands agree with what is seen, and are they as likely as the network of the game says?"""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from card_masks import mask_of_text
from supposed_hands import apart, hands_in, position_of, redealt

from banakil_env.agents import choose, make_player
from banakil_env.agents.search import SearchPlayer
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.engine import believe
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Entry, Library, read, written
from banakil_env.core.kernels import kernels_of
from banakil_env.core.playouts import outcomes
from banakil_env.core.scratch import scratch
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find
from banakil_env.kit import beliefs
from banakil_env.kit.beliefs import MASKS_SEEN
from banakil_env.kit.books import kinds
from banakil_env.kit.bound import describe, exchange, hidden_card, log_odds, read_seen
from banakil_env.kit.cards import SUITS
from banakil_env.kit.contracts.table import CALL
from banakil_env.kit.held import form_of
from banakil_env.kit.melds import joker_melds, one_wild_melds
from banakil_env.kit.melds.wild_meld_texts import parse_meld
from banakil_env.kit.melds.wild_melds import LONGEST
from banakil_env.kit.pack52 import FACES, RANKS
from banakil_env.kit.plain import Plain
from train import beliefs as training
from train import calibration

LEARNED = [name for name in GAMES if name != "banakil" and find(name).search.believes]
FORMS = ["gin", "yaniv", "canasta"]  # a game for each form of hands
UNLIKELY = 5.0
SEEN_BY_ALL = beliefs.OF_ROUND + beliefs.PHASES  # the last numbers of a description


def positions_of(game: Game) -> list[tuple[Any, int]]:
    """States along one round of the rule-based player at every table of the game, and the seats to move."""
    plain, player, found = Plain(game), make_player("greedy", game), []
    for number, table in enumerate(game.tables):
        state, moves = plain.new(seed=number, **{**table.options, "episode": "round"}), 0
        while (seat := plain.seat_to_move(state)) is not None and moves < 150:
            if moves % 13 == 5:
                found.append((state.copy(), seat))
            plain.apply(state, choose(player, plain.observe(state, seat)))
            moves += 1
    return found


def supposed(game: Game, state: Any, seat: int, deals: int, **options: Any) -> npt.NDArray[Any]:
    """`deals` deals, supposed as a search does."""
    search, seen = SearchPlayer("1", game, **options), Plain(game).observe(state, seat)
    rng = np.random.default_rng(0)
    search.suppose(seen["observation"].view(game.observation), rng)
    search.margins(np.empty(0, np.int64), rng, deals)
    return search.supposed


@pytest.mark.parametrize("name", LEARNED)
def test_likely_hands_agree_with_what_is_seen(name: str) -> None:
    """Each deal is a sound state in which seat 0 sees the same, with the same choices."""
    game, plain = find(name), Plain(find(name))
    seen, mask = np.empty(1, game.observation), np.empty(game.num_actions, np.int8)
    for state, seat in positions_of(game):
        own = plain.observe(state, seat)
        for deal in supposed(game, state, seat, 3):
            assert plain.check(deal) is None
            kernels_of(game).observe_one(deal.reshape(1), 0, seen, mask)
            assert seen.tobytes() == own["observation"].tobytes()
            assert (mask == own["action_mask"]).all()


def test_a_search_in_a_match_supposes_hands_of_a_match() -> None:
    """`expert` of gin knocks earlier in a match, so that other hands are likely there."""
    game = find("gin")
    plain, player = Plain(game), make_player("expert", game)
    state = plain.new(seed=1, episode="match", rules="common")
    for _ in range(12):
        plain.apply(state, choose(player, plain.observe(state, plain.seat_to_move(state))))
    seat, alone = plain.seat_to_move(state), state.copy()
    alone["episode"] = 0
    match, single = (supposed(game, each, seat, 20, models=["expert"], exchanges=100) for each in (state, alone))
    assert set(match["episode"]) == set(single["episode"]) == {0}  # playouts end with the round
    assert (match["hands"] != single["hands"]).any()


def _exchange_and_back(states: Any, seat: int) -> int:
    """0: nothing was hidden."""
    card = hidden_card(states[0], seat)
    if card < 0:
        return 0
    other = np.int64(states[0].stock[0])
    exchange(states[0], seat, card, 0)
    exchange(states[0], seat, other, 0)
    return 1


@pytest.mark.parametrize("name", FORMS)
def test_an_exchange_can_be_taken_back(name: str) -> None:
    game = find(name)
    form = form_of(game.state)
    declared = {"states": written(game.state, 1), "seat": INT}
    how = {"hidden_card": form.hidden_card, "exchange": form.exchange}
    there_and_back = Library(f"{name}_there_and_back").entry(_exchange_and_back, declared, result=True, **how)
    done = 0
    for state, seat in positions_of(game):
        states = np.asarray(state).reshape(1).copy()
        before = states.copy()
        done += there_and_back(states, (seat + 1) % int(states[0]["num_players"]))
        states["rng"] = before["rng"]
        assert states.tobytes() == before.tobytes()
    assert done > 0


def _chain(states: Any, deals: Any, exchanges: int, kinds: Any, likelihoods: Any) -> None:
    for i in range(deals.shape[0]):
        believe(states[0], kinds, likelihoods, exchanges, states, states, states, states)
        deals[i] = states[0]


def empty_network() -> beliefs.Network:
    """The network for which all hands are as likely."""
    return beliefs.Network(*(np.zeros(shape, np.float32) for shape in beliefs.SHAPES))


def chain(
    game: Game, state: Any, seat: int, network: beliefs.Network, deals: int, player: str = "greedy"
) -> npt.NDArray[Any]:
    """Deals of a chain that takes the others for a player, with this network of `greedy`, the first ones left out."""
    networks = beliefs.stacked({"greedy": network}, game.players)
    by = beliefs.believing(game.name, game.state, game.observation_fields, networks)
    of_seats = {"kinds": read("i8", game.max_seats), "likelihoods": read("f8", game.max_seats)}
    declared = {"states": written(game.state, 1), "deals": written(game.state, "deals"), "exchanges": INT, **of_seats}
    walk = Library(f"{game.name}_chain").entry(_chain, declared, believe=by)
    found = np.zeros(deals, game.state)
    start = supposed(game, state, seat, 1, beliefs=False)
    walk(start, found, 60, np.full(game.max_seats, game.kinds[player]), np.zeros(game.max_seats))
    return found[10:]


@pytest.mark.parametrize("name", FORMS)
def test_a_network_that_knows_nothing_leaves_deals_uniform(name: str) -> None:
    """The exchanges themselves prefer no card."""
    game = find(name)
    state, seat = position_of(game)
    nothing = empty_network()
    uniform = hands_in(game, redealt(game, state, seat, 400), seat)
    assert apart(hands_in(game, chain(game, state, seat, nothing, 410), 0), uniform).max() < UNLIKELY


def test_a_network_that_likes_a_rank_finds_it_by_its_odds() -> None:
    """In gin: each Queen in the hand makes it twice as likely, and the mean number of Queens is what follows."""
    game = find("gin")
    state, seat = position_of(game)
    network, queen = empty_network(), 11
    network.first[queen, 0], network.second[0, 0], network.last[0] = 1, 1, np.log(2)
    found = hands_in(game, chain(game, state, seat, network, 2010), 0)[:, queen::13].sum(axis=1)
    uniform = hands_in(game, redealt(game, state, seat, 4000), seat)[:, queen::13].sum(axis=1)
    expected = (uniform * 2.0**uniform).sum() / (2.0**uniform).sum()
    assert abs(found.mean() - expected) < 0.1 < expected - uniform.mean()
    of_another = hands_in(game, chain(game, state, seat, network, 2010, "expert"), 0)[:, queen::13].sum(axis=1)
    assert abs(of_another.mean() - uniform.mean()) < 0.1  # the network is of `greedy` alone


def _odds_of_first(states: Any, seat: int, kind: int, out: Any) -> None:
    seen = scratch(MASKS_SEEN)
    read_seen(states[0], seen)
    out[0] = log_odds(states[0], 0, seat, kind, seen)


def test_compiled_code_has_the_odds_of_the_network() -> None:
    """For any network: the one that the trainer fits is the one that the chain walks by."""
    game, rng = find("gin"), np.random.default_rng(4)
    network = beliefs.Network(*(rng.normal(0, 0.2, shape).astype(np.float32) for shape in beliefs.SHAPES))
    describe = beliefs.description_of("gin", game.state, game.observation_fields)
    layers = beliefs.stacked({"expert": network}, game.players)
    odds = beliefs.log_odds_of("gin", describe, layers)
    states = Plain(game).new(seed=1).copy().reshape(1)
    reading = beliefs.reading_of("gin", game.state, game.observation_fields)
    declared = {"states": read(game.state, 1), "seat": INT, "kind": INT, "out": written("f8", 1)}
    asked = Library("gin_odds_of_first").entry(_odds_of_first, declared, log_odds=odds, read_seen=reading)
    out, by_hand = np.empty(1), network.log_odds(np.array([description(game, states)]))[0]
    for player, expected in (("expert", by_hand), ("greedy", 0)):
        asked(states, 1, game.kinds[player], out)
        assert out[0] == pytest.approx(expected, rel=1e-4)


def test_deals_are_as_alike_as_few_exchanges_make_them() -> None:
    """Without an exchange between two deals, all deals of a model have the same hand."""
    game = find("gin")
    state, seat = position_of(game)
    alike, others = (supposed(game, state, seat, 20, models=["expert"], exchanges=number) for number in (0, 200))
    assert len({hand.tobytes() for hand in alike["hands"][:, 1]}) == 1
    assert len({hand.tobytes() for hand in others["hands"][:, 1]}) > 10


@pytest.mark.parametrize("name", ["gin", "yaniv"])  # where suits do not matter, a search supposes any suits in melds
def test_with_the_true_hands_a_supposed_deal_ends_as_the_true_one(name: str) -> None:
    """What a search supposes is the whole position but for the hidden cards: nothing else can make forecasts wrong."""
    game = find(name)
    for state, seat in positions_of(game):
        true, players = np.asarray(state).reshape(1).copy(), int(state["num_players"])
        deal = supposed(game, state, seat, 1, beliefs=False).copy()
        for place in range(players):
            deal["hands"][0, place] = true["hands"][0, (seat + place) % players]
        deal["stock"] = true["stock"]
        came, forecast = np.zeros((2, 1, game.max_seats), np.float32)
        for states, out in ((true, came), (deal, forecast)):
            outcomes(game, states, np.array([0]), "greedy", "margin", out, orders=4, seeds=np.array([7], np.uint64))
        assert forecast[0, 0] == came[0, seat]


def test_a_player_that_the_game_does_not_have_is_refused() -> None:
    for wrong in ({"player": "nobody"}, {"models": ["greedy", "nobody"]}):
        with pytest.raises(ValueError, match=r"gin has no rule-based player 'nobody': it has random, greedy, expert"):
            SearchPlayer("1", "gin", **wrong)


# Where the numbers about a hand alone end, but for the steps of deadwood.
END_OF_HAND = beliefs.RANK_CELLS + beliefs.OF_HAND - len(beliefs.DEADWOODS)
ABOUT_ROUND = beliefs.INPUTS - beliefs.PHASES - beliefs.OF_ROUND  # where the numbers about the round begin


def _describe_first(states: Any, observer: int, seat: int, out: Any) -> None:
    seen = scratch(MASKS_SEEN)
    read_seen(states[0], seen)
    describe(states[0], observer, seat, seen, out)


@functools.cache
def _describing(game: Game) -> Entry:
    about = game.name, game.state, game.observation_fields
    declared = {"states": read(game.state, 1), "observer": INT, "seat": INT, "out": written("f8", beliefs.INPUTS)}
    how = {"describe": beliefs.description_of(*about), "read_seen": beliefs.reading_of(*about)}
    return Library(f"{game.name}_descriptions").entry(_describe_first, declared, **how)


def description(game: Game, state: Any, observer: int = 0, seat: int = 1) -> list[int]:
    """The numbers about the hand of a seat, as another sees it."""
    out = np.empty(beliefs.INPUTS)
    _describing(game)(np.ascontiguousarray(state), observer, seat, out)
    assert (out == out.astype(int)).all()
    return out.astype(int).tolist()


def test_a_description_says_what_goes_together() -> None:
    """Of a hand of gin: cards by rank; pairs, neighbours, cards in no meld, and the deadwood."""
    game = find("gin")
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1] = mask_of_text("3c 4c 5c 7d 7h 7s Kc Qc 2d Jh")
    out = description(game, state)
    assert out[: len(RANKS)] == [0, 1, 1, 1, 1, 0, 3, 0, 0, 0, 1, 1, 1]
    numbers = out[beliefs.RANK_CELLS :]
    pairs, triples, neighbors, _, middles, twice, loose, points = numbers[:8]
    assert (pairs, triples, neighbors, middles, twice) == (1, 1, 3, 1, 0)
    assert (loose, points, numbers[10]) == (4, 32, 32)


@pytest.mark.parametrize(
    ("hand", "steps"),
    [
        ("7d 7h 7s 8c 9c Tc Jc 2d 2h 2s", [1, 1, 1, 1]),
        ("7d 7h 7s 8c 9c Tc Jc Ad Ah", [0, 1, 1, 1]),
        ("7d 7h 7s 8c 9c Tc Jc 4d", [0, 0, 1, 1]),
        ("7d 7h 7s Kc", [0, 0, 0, 1]),
        ("7d 7h 7s Kc Ac", [0, 0, 0, 0]),
    ],
)
def test_a_description_says_whether_little_deadwood_is_left(hand: str, steps: list[int]) -> None:
    """In gin 0, 2, 4, 10 and 11 points, in steps of 0, 3, 6 and 10: who has none goes gin."""
    game = find("gin")
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1] = mask_of_text(hand)
    assert description(game, state)[END_OF_HAND : END_OF_HAND + len(steps)] == steps


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("gin", {}, [0, 0, 0, 0]),
        ("gin", {"rules": "common", "episode": "match"}, [1, 0, 0, 0]),
        ("hand", {"num_players": 4, "partners": True}, [0, 1, 0, 0]),
        ("hand", {"num_players": 4, "partners": False}, [0, 0, 0, 0]),
        ("contract", {"rules": "contract=2"}, [0, 0, 1, 1]),
        ("kalooki", {"rules": "contract=9"}, [0, 0, 0, 4]),
    ],
)
def test_a_description_says_what_the_seats_play_for(name: str, options: dict[str, Any], said: list[int]) -> None:
    """A match or a round, partners or everybody alone, and the sets and runs of the contract: players heed these."""
    game, end = find(name), ABOUT_ROUND + beliefs.OF_ROUND
    state = Plain(game).new(seed=1, **options).copy().reshape(1)
    assert description(game, state)[end - 4 : end] == said


def test_a_description_says_what_goes_with_known_cards_of_others() -> None:
    """In gin seat 0 is known to hold 8h and 8s; its player may want 8c, and 7h and 9s too, which seat 1 holds."""
    game, last = find("gin"), END_OF_HAND - 1
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1] = mask_of_text("7h 9s 8c Kc")
    assert description(game, state)[last - 2 : last] == [0, 0]
    state["hands"][0, 0] = state["known"][0, 0] = mask_of_text("8h 8s")
    assert description(game, state)[last - 2 : last] == [2, 2]
    state["known"][0, :2, 0] = 0, mask_of_text("8c")  # its own known card goes with no other's
    assert description(game, state)[last - 2 : last] == [0, 0]


def test_a_description_counts_cards_that_may_not_be_discarded() -> None:
    """In Oklahoma Rummy the Queen of spades (O7.1), of which there are two."""
    game, place = find("oklahoma"), END_OF_HAND - 1
    state = Plain(game).new(seed=1).copy().reshape(1)
    for cards, twice, counted in (("Qh Ks", "", 0), ("Qs Ks", "", 1), ("Qs Ks", "Qs", 2)):
        state["hands"][0, 1] = mask_of_text(cards), mask_of_text(twice), 0, 0
        assert description(game, state)[place] == counted


def test_a_description_says_what_goes_with_discards_and_what_may_still_come() -> None:
    """In gin, Jc was turned up, and the seats discarded in turns: seat 1 let 6d and 9h go, and left Jc and Ks."""
    game = find("gin")
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1] = mask_of_text("7d 7h Kc Qc 2c")
    pile = FACES.parse_all("Jc 6d Ks 9h")
    state["pile"][0, : len(pile)], state["pile_size"] = pile, len(pile)
    first = beliefs.RANK_CELLS + beliefs.OF_HAND + 2 * beliefs.DISCARDS * beliefs.OF_PILE_CARD
    near_let_go, of_its_ranks = [1, 0]  # 7d goes with 6d
    near_left, of_left_ranks = [1, 1]  # Qc with Jc, Kc with Ks
    still_there, gone = [2, 1]  # of the cards that make melds with two: 7c and 7s; Jc
    assert description(game, state)[first : first + beliefs.OF_PILE] == [
        *(near_let_go, of_its_ranks, near_left, of_left_ranks, still_there, gone),
        *(still_there, 2),  # with two cards that are in no meld; with pairs
    ]


MELDS_ON_THE_TABLE = {
    "rummy500": (parse_meld("7h 8h 9h", LONGEST)[0], "6h Th", [2, 2, 16]),
    "oklahoma": (parse_meld("7h 8h 9h", LONGEST)[0], "6h Th", [2, 2, 16]),
    "hand": (one_wild_melds.parse_meld("7h 8h 9h"), "6h Th", [2, 2, 16]),
    "kalooki": (joker_melds.parse_meld("7h 8h 9h Th"), "6h Jh", [1, 1, 10]),  # grows at its high end (K6.2)
    "contract": (joker_melds.parse_meld("7h 8h 9h Th"), "6h Jh", [2, 2, 16]),
    "rummy": (mask_of_text("7h 8h 9h"), "6h Th", [2, 2, 16]),
    "tonk": (mask_of_text("7h 8h 9h"), "6h Th", [2, 2, 16]),
}


@pytest.mark.parametrize("name", MELDS_ON_THE_TABLE)
def test_a_description_counts_cards_that_fit_melds(name: str) -> None:
    """Faces that melds take, those of them in the hand, and their points."""
    game, (meld, fitting, counted) = find(name), MELDS_ON_THE_TABLE[name]
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["melds"][0, 0], state["meld_owner"][0, 0], state["num_melds"] = meld, 1, 1
    if name == "oklahoma":
        state["fits"][0, 1] = mask_of_text(fitting)  # noted in the state when a meld changes
    state["hands"][0, 1] = mask_of_text(f"3c {fitting} Kc 4d"), *[0] * (state["hands"].shape[2] - 1)
    last = END_OF_HAND - 3
    assert description(game, state)[last - 3 : last] == counted
    state["meld_owner"][0, 0] = 0
    down = name not in ("contract", "kalooki")  # a seat without a meld of its own may add nothing there
    assert description(game, state)[last - 3 : last] == (counted if down else [0, 0, 0])


@pytest.mark.parametrize("name", ["rummy", "tonk", "rummy500", "oklahoma", "hand", "contract", "kalooki"])
def test_a_description_says_who_has_melded(name: str) -> None:
    """Whether the seat has melded, and how many seats have."""
    game, melded = find(name), ABOUT_ROUND + 6
    state = Plain(game).new(seed=1).copy().reshape(1)
    for owners in ([], [0], [1], [0, 1]):
        state["melds"][0, :2], state["num_melds"] = MELDS_ON_THE_TABLE[name][0], len(owners)
        state["meld_owner"][0, : len(owners)] = owners
        if name in ("rummy", "tonk", "rummy500"):  # noted in the state
            field = "laid" if name == "rummy500" else "played"
            state[field][0, :2] = [0 in owners, 1 in owners]
        assert description(game, state)[melded : melded + 2] == [1 in owners, len(owners)]


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("contract", {"active": 2, "phase": CALL}),
        ("kalooki", {"active": 2, "phase": CALL}),
        ("tonk", {"after": 2}),
        ("rummy500", {"discarder": 1}),
        ("gin", {}),
    ],
)
def test_a_discard_is_described_as_that_of_its_player(name: str, turn: dict[str, int]) -> None:
    """Seat 1 let 6d go, after 9h had been let go. Then it is the turn of seat 2, and seat 0 is asked about the upcard.

    In gin there is nobody else, and it is the turn of seat 0.
    """
    game, first = find(name), beliefs.RANK_CELLS + beliefs.OF_HAND
    players = 2 if name == "gin" else 3
    state = Plain(game).new(seed=1, num_players=players).copy().reshape(1)
    for field, value in {**turn, "seat": 0, "turns": 5}.items():
        state[field] = value
    state["hands"][0, 1, 0] = mask_of_text("7d Kc 2s")
    pile = FACES.parse_all("Qc 9h 6d")
    state["pile"][0, : len(pile)], state["pile_size"] = pile, len(pile)
    numbers = description(game, state)
    of_its_discard, of_the_card_below = numbers[first + 1], numbers[first + beliefs.OF_PILE_CARD + 1]
    assert (of_its_discard, of_the_card_below) == (1, 0)  # 7d goes with 6d, nothing with 9h
    of_all = first + 2 * beliefs.DISCARDS * beliefs.OF_PILE_CARD
    let_go = 2 if players == 2 else 1  # of two players, seat 1 let Qc go too, which goes with Kc
    assert (numbers[of_all], numbers[of_all + 2]) == (let_go, 0)


@pytest.mark.parametrize("name", LEARNED)
def test_what_all_can_see_is_described_alike_in_a_supposed_deal(name: str) -> None:
    """The numbers about the round: sizes, turns, players, who has melded, and the phase."""
    game = find(name)
    for state, seat in positions_of(game)[::3]:
        deal, players = supposed(game, state, seat, 1), int(state["num_players"])
        for away in range(1, players):
            true = description(game, state.copy().reshape(1), seat, (seat + away) % players)
            assert description(game, deal, 0, away)[-SEEN_BY_ALL:] == true[-SEEN_BY_ALL:]


def test_where_only_ranks_matter_singles_and_pairs_are_told_apart() -> None:
    """Of a hand of Mille: low and high singles and pairs, those without a card in the pile, and cards the pile has."""
    game = find("mille")
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1], state["melds"][0] = 0, 0
    for rank, cards in (("3", 1), ("5", 2), ("J", 1), ("K", 2)):
        state["hands"][0, 1, kinds.RANKS.index(rank)] = cards
    state["pile_size"], state["pile"][0, 0] = 1, 4 * kinds.RANKS.index("K")
    state["melds"][0, 0, kinds.RANKS.index("5")] = 3
    first = beliefs.RANK_CELLS + 7
    singles_and_pairs, out_of_pile, in_pile, of_observer = [1, 1, 1, 1], [2, 1], 2, [2, 1]
    assert description(game, state)[first : first + 9] == [*singles_and_pairs, *out_of_pile, in_pile, *of_observer]


def test_a_description_counts_cards_worth_more_than_their_rank_and_sees_clean_melds() -> None:
    """In Mille Jd and Qs (M1.3); melds without a wild Two are paid twice (M6.3)."""
    game, first = find("mille"), beliefs.RANK_CELLS + 16
    state = Plain(game).new(seed=1).copy().reshape(1)
    state["hands"][0, 1], state["melds"][0] = 0, 0
    for card, rank in (("Jc", "J"), ("Jd", "J"), ("Qh", "Q"), ("Qs", "Q"), ("Qs", "Q")):
        state["hands"][0, 1, kinds.RANKS.index(rank)] += kinds.one_card(SUITS.index(card[1]))
    assert description(game, state)[first : first + 3] == [1, 2, 1]
    state["wild"][0, 1, kinds.RANKS.index("5")] = 1
    assert description(game, state)[first : first + 3] == [1, 2, 0]


def sample_of(true: Any, others: Any, seats: int = 1, of: Any = None) -> training.Sample:
    """A sample of these hands in play and as many others, each position with the hands of `seats` seats."""
    return training.Sample(np.stack([true, others], 1), np.arange(len(true)) // seats, of)


def test_a_network_ignores_what_never_varied_in_training() -> None:
    """Here the third input decides; the second is always 7, and may be anything later."""
    rng = np.random.default_rng(1)
    true, others = (rng.normal(mean, 1, (4000, beliefs.INPUTS)).astype(np.float32) for mean in (0, 0))
    true[:, 2] += 2
    true[:, 1] = others[:, 1] = 7
    network = training.fit([sample_of(true, others)], seed=1)
    odds = network.log_odds(true[:50])
    assert odds.mean() > network.log_odds(others).mean() + 2
    true[:, 1] = 0
    assert (network.log_odds(true[:50]) == odds).all()


def test_only_deals_of_one_position_are_compared() -> None:
    """The true deal has a second input larger by 1 than the other deal of its position.

    Over all hands the first input hides this: a fit that compared all of them would have a loss of 0.31.
    """
    rng = np.random.default_rng(3)
    true, others = np.zeros((2, 8000, beliefs.INPUTS), np.float32)
    true[:, 0] = others[:, 0] = rng.normal(size=8000)
    others[:, 1] = true[:, 0] + rng.normal(size=8000)
    true[:, 1] = others[:, 1] + 1
    sample = sample_of(true, others)
    network = training.fit([sample], seed=1)
    assert training.log_loss(network, sample) < 0.1


def test_the_hands_of_a_deal_count_together() -> None:
    """Both hands of a deal have the same third input, normal with mean 1 in play, so that each adds half of its odds.

    A fit that took hands one by one would find the whole odds in each, and count them twice.
    """
    rng = np.random.default_rng(4)
    true, others = np.zeros((2, 16_000, beliefs.INPUTS), np.float32)
    true[:, 2], others[:, 2] = (np.repeat(rng.normal(mean, 1, 8000), 2) for mean in (1, 0))
    network = training.fit([sample_of(true, others, seats=2)], seed=1)
    at = np.zeros((2, beliefs.INPUTS), np.float32)
    at[1, 2] = 1
    less, more = network.log_odds(at)
    assert 0.35 < more - less < 0.65


def test_networks_learn_from_all_contracts_and_from_matches() -> None:
    """The standing tables, and those at which the values of `expert` were fitted, none twice."""
    assert [table.get("episode") for table in training.tables_of(find("gin"))] == ["round", "match"]
    for name in ("contract", "kalooki"):
        rules = [table["rules"] for table in training.tables_of(find(name))]
        assert rules == ["denexa", "denexa", "denexa", "contract=any", "contract=any"]


def test_hands_of_a_chain_are_as_likely_as_its_network_says() -> None:
    """If the network of the chain is right, nothing tells its hands from hands in play, and the fit keeps its odds."""
    rng = np.random.default_rng(2)
    known = empty_network()
    known.first[2, 0], known.second[0, 0], known.last[0] = 1, 1, 1  # log odds: the third input, where positive
    dealt, true, others = np.zeros((3, 8000, beliefs.INPUTS), np.float32)
    dealt[:, 2] = rng.normal(size=8000)
    chances = np.exp(known.log_odds(dealt))
    for sample in (true, others):
        sample[:, 2] = rng.choice(dealt[:, 2], 8000, p=chances / chances.sum())
    network = training.fit([sample_of(true, others, of=known)], seed=1)
    assert np.corrcoef(network.log_odds(dealt), known.log_odds(dealt))[0, 1] > 0.9


@pytest.mark.parametrize("name", ["gin", "yaniv", "canasta"])
def test_the_beliefs_tell_hands_of_play_from_hands_dealt_again(name: str) -> None:
    """On deals that the training did not see."""
    game = find(name)
    networks = beliefs.read_networks(training.path_of(game))
    assert list(networks) == ["greedy", "expert"]
    for player, network in networks.items():
        sample = training.collect(game, player, 1000, np.random.default_rng(99))
        assert training.log_loss(network, sample) < np.log(2) - 0.03


def test_in_gin_forecasts_come_true_with_beliefs_and_not_without() -> None:
    found = calibration.measure(TableOptions(game="gin"), 200, seed=7, deals=24)
    assert found["uniform"].bias.mean > 5
    assert abs(found["beliefs"].bias.mean) < 4
    assert found["beliefs"].error < 0.8 * found["uniform"].error
    assert (found["beliefs"].scores - found["uniform"].scores).mean() > 0.5


def test_forecasts_are_measured_in_games_between_several_players() -> None:
    """Each player moves at its own seats only: by turns, beginning one seat later at each table."""
    tables = Tables(calibration.TABLES, game="gin")
    tables.reset(3)
    tables.step(CompiledPlayer("greedy", find("gin")).act(tables.observations, tables.masks, np.zeros(64, np.uint64)))
    asked = {name: CompiledPlayer(name, find("gin")) for name in ("random", "greedy", "expert")}
    players = list(asked.values())
    moves, again, other = (calibration.moves(players, tables, np.random.default_rng(seed)) for seed in (0, 0, 1))
    for row, seat in enumerate(tables.seats):
        player = players[(row + int(seat)) % 3]
        alone = tables.observations[row : row + 1], tables.masks[row : row + 1], np.zeros(1, np.uint64)
        if player.name != "random":
            assert moves[row] == player.act(*alone)[0]
        assert tables.masks[row, moves[row]]
    assert moves.tolist() == again.tolist()
    at_random = (np.arange(calibration.TABLES) + tables.seats) % 3 == 0
    assert (moves != other)[at_random].any()  # each row has dice of its own
    assert (moves == other)[~at_random].all()


def test_the_commands_write_a_network_and_print_a_row(tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / "beliefs.json"
    assert training.main(["--game", "gin", "--hands", "500", "--out", str(path)]) == 0
    assert set(beliefs.read_networks(path)) == {"greedy", "expert"}
    assert json.loads(path.read_text())["expert"]["exchanges"] == training.EXCHANGES
    more = ["--game", "gin", "--hands", "500", "--of", "expert", "--exchanges", "300", "--out", str(path)]
    assert training.main(more) == 0
    assert [network["exchanges"] for network in json.loads(path.read_text()).values()] == [training.EXCHANGES, 300]
    assert calibration.main(["--game", "gin", "--positions", "4", "--deals", "4"]) == 0
    assert "| gin | 4 |" in capsys.readouterr().out
    of = ["--of", "greedy", "expert", "random"]
    assert calibration.main(["--game", "gin", "--positions", "4", "--deals", "4", *of]) == 0
    assert "| gin | 4 |" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        calibration.main(["--game", "gin", "--positions", "4", "--of", "nobody"])
    assert "nobody" in capsys.readouterr().err


def test_a_network_of_another_shape_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "beliefs.json"
    for text in (
        '{"greedy": {"first": [[1, 2]], "second": [[1]], "last": [3]}}',
        '{"greedy": {"first": [[1, 2], [3]], "second": [[1]], "last": [3]}}',
        '{"greedy": {"first": [[1, 2]], "last": [3]}}',
        '{"game": "gin", "first": [[1, 2]], "last": [3]}',
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"delete the file and train again"):
            beliefs.read_networks(path)
    assert beliefs.read_networks(tmp_path / "nowhere.json") == {}
