"""Is the engine right? It plays against the referee: random games, random late positions, hard ones set up by hand.

At every state both must offer the same moves, and every move must lead both to the same game.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations

import pytest
from positions import Table, fill, random_position
from referee import NATURALS, RANKS, TWOS, Meld, Referee, grow, is_meld, openings
from tables import small_table

from banakil_env.games import banakil

PRESETS = ["pagat", "jawaker", "gamefarm"]
TABLES = {"two": (2, False), "three": (3, False), "partners": (4, True), "individuals": (4, False)}
SWITCHES = [
    "partner_scoring=sum",
    "cutter_takes_wilds=yes",
    "unplayed_score_zero=yes",
    "upcard=no",
    "wilds=fixed",
    "ace_value=1",
    "hand_bonus=51/101",
    "discard_taken=yes",
    "set_joker_exchange=no",
    "score_exhausted=yes",
    "target=30",
    "max_turns=40",
    "max_rounds=2",
]


# Random games


class Player:
    """Chooses at random, in one of several habits, so that rare things come about often."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.eager = rng.choice((0.0, 0.5, 0.9, 0.99))  # to play cards to the table
        self.greedy = rng.choice((0.0, 0.3, 0.9))  # to take from the pile
        self.deep = rng.random()  # to take more than the top

    def choose(self, legal: set[str]) -> str:
        actions = sorted(legal)
        takes = [action for action in actions if action.startswith("take")]
        plays = [action for action in actions if action.startswith(("open", "add", "swap"))]
        if takes and self.rng.random() < self.greedy:
            return self.rng.choice(takes) if self.rng.random() < self.deep else "take 1"
        if plays and self.rng.random() < self.eager:
            return self.rng.choice(plays)
        rest = [action for action in actions if action not in takes and action not in plays]
        return self.rng.choice(rest or actions)


def walk(new_table, rng: random.Random, states: int) -> None:
    """Play this many moves, from a new table each time that a game ends or has gone on for long."""
    table, player, left = None, None, 0
    for _ in range(states):
        if left == 0 or not table.legal():
            table, player, left = new_table(), Player(rng), 1500
        table.play(player.choose(table.legal()))
        left -= 1


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("seating", TABLES)
@pytest.mark.parametrize("rules", PRESETS)
def test_random_games_of_the_presets(rules, seating, episode, long):
    rng = random.Random(f"{rules} {seating} {episode}")
    players, partners = TABLES[seating]

    def new_table():
        return Table(banakil.new(players, partners=partners, rules=rules, episode=episode, seed=rng.randrange(2**32)))

    walk(new_table, rng, 20_000 if long else 2_000)


@pytest.mark.parametrize("number", range(20))
def test_random_games_of_any_switches(number, long):
    rng = random.Random(number)

    def new_table():
        rules = " ".join([rng.choice(PRESETS), *rng.sample(SWITCHES, rng.randrange(1, 6))])
        players, partners = rng.choice(list(TABLES.values()))
        episode = rng.choice(("round", "match"))
        return Table(banakil.new(players, partners=partners, rules=rules, episode=episode, seed=rng.randrange(2**32)))

    walk(new_table, rng, 15_000 if long else 1_500)


@pytest.mark.parametrize("number", range(20))
def test_random_games_of_smaller_packs(number, long):
    rng = random.Random(number)
    walk(lambda: Table(banakil.new(**small_table(rng), seed=rng.randrange(2**32))), rng, 15_000 if long else 1_000)


@pytest.mark.parametrize("number", range(20))
def test_random_late_positions(number, long):
    """Few cards in hand, long melds on the table: bans that matter, exchanges, thirteenth cards, going out."""
    rng = random.Random(number + 1000)
    for _ in range(1_500 if long else 150):
        players, partners = rng.choice(list(TABLES.values()))
        seating = {2: [], 3: [], 4: ["partners" if partners else "individuals"]}[players]
        rules = " ".join([rng.choice(PRESETS), *seating, *rng.sample(SWITCHES, rng.randrange(4))])
        episode = rng.choice(("round", "match"))
        table, player = Table.at(random_position(rng, rules, players, episode)), Player(rng)
        for _ in range(12):
            if not table.legal():
                break
            table.play(player.choose(table.legal()))


# What can come to lie on the table


@cache
def all_sequences_by_cards() -> set[Meld]:
    """Every legal sequence of diamonds with free wilds, any Two written 2s."""
    suit = [r + "d" for r in RANKS]
    wilds = ((), ("2s",), ("JK",), ("2s", "JK"))
    groups = [naturals + wild for n in range(1, 13) for naturals in combinations(suit, n) for wild in wilds]
    return {cards for cards in (tuple(sorted(group)) for group in groups) if is_meld(cards, fixed=False)}


def all_sequences_by_place() -> set[Meld]:
    """Every legal sequence of diamonds with fixed wilds: all runs with a Two or a Joker at any place."""
    found = set()
    for low in range(12):
        for high in range(low + 3, 13):
            run = tuple(r + "d" for r in RANKS[low:high])
            for two in (None, *range(len(run))):
                for joker in (None, *range(len(run))):
                    if two is None or two != joker:
                        wild = {two: "2s", joker: "JK"}
                        found.add(tuple(wild.get(i, card) for i, card in enumerate(run)))
    return found | {(*(r + "d" for r in RANKS), "2s")}


def reached(faces: Meld, fixed: bool) -> set[Meld]:
    """All melds that openings of three and additions make of these faces."""
    melds = set()
    for action in openings(faces, fixed):
        cards = tuple("2s" if card == "2" else card for card in action.split()[1:])
        melds.add(cards if fixed else tuple(sorted(cards)))
    new = list(melds)
    while new:
        meld = new.pop()
        for face in faces:
            for end in ("low", "high") if face in ("2", "JK") else ("",):
                more = grow(meld, "2s" if face == "2" else face, end, fixed)
                if more and more not in melds:
                    melds.add(more)
                    new.append(more)
    return melds


@pytest.mark.parametrize("fixed", [False, True])
def test_every_sequence_can_be_reached(fixed):
    diamonds = tuple(sorted(r + "d" for r in RANKS))
    expected = all_sequences_by_place() if fixed else all_sequences_by_cards()
    assert reached((*diamonds, "2", "JK"), fixed) == expected
    assert all(is_meld(cards, fixed) for cards in expected)


def test_every_set_can_be_reached():
    for high in "3A":
        faces = tuple(high + suit for suit in "cdhs")
        expected = {c for n in (3, 4) for c in combinations((*faces, "JK"), n)}
        assert {tuple(sorted(c)) for c in expected} == {m for m in reached((*faces, "JK"), False) if m.count("JK") < 2}


# Positions set up by hand

ELEVEN = "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"  # all clubs but the Ace


def plays(table: Table) -> set[str]:
    """What may be played to the table."""
    return {action for action in table.legal() if not action.startswith("discard")}


def at(*lines: str) -> Table:
    return Table.at("\n".join(lines))


def test_a_two_may_be_added_to_eleven_naturals_and_then_the_twelfth():
    table = at(f"melds 0: {ELEVEN}", "hand 0: 2d Ac 5h 9h", "turn: seat 0, play")
    assert plays(table) == {"add 2 high", "add Ac"}
    assert plays(table.play("add 2 high")) == {"add Ac"}
    table.play("add Ac")
    assert len(table.referee.melds[0][1]) == 13


@pytest.mark.parametrize("card", ["2d", "JK"])
@pytest.mark.parametrize("more", ["Ac", "Ac 2h"])
def test_a_wild_card_is_never_added_to_twelve_naturals(more, card):
    table = at(f"melds 0: {ELEVEN} {more}", f"hand 0: {card} 9h", "turn: seat 0, play")
    assert plays(table) == set()


def test_beside_a_joker_the_twelfth_natural_is_only_exchanged():
    table = at(f"melds 0: {ELEVEN} JK", "hand 0: Ac 9h", "turn: seat 0, play")
    assert plays(table) == {"swap Ac"}
    assert "JK" in table.play("swap Ac").referee.hands[0]


def test_twelve_with_both_wilds_take_naturals_only_for_the_joker():
    ten = ELEVEN.replace(" 8c", "")
    table = at(f"melds 0: {ten} 2h JK", "hand 0: Ac 8c 9h", "turn: seat 0, play")
    assert plays(table) == {"swap Ac", "swap 8c"}
    assert plays(table.play("swap 8c")) == {"add Ac"}  # eleven naturals and a Two


def test_the_player_chooses_among_the_melds_that_take_a_card():
    table = at(
        "melds 0: 7h 8h 9h | Jh Qh Kh",
        "melds 1: 7h 8h 9h",
        "order: 0 1 0",
        "hand 0: Th 3s 3s",
        "turn: seat 0, play",
    )
    table.play("add Th")
    assert table.legal() == {"meld 0", "meld 2"}  # never the opponent's
    assert table.referee.known[0]["Th"] == 1  # a card that waits for its meld is public
    table.play("meld 2")
    assert table.melds() == ["7h 8h 9h", "7h 8h 9h", "Jh Kh Qh Th"]


def test_two_words_for_the_same_wild_card_stand_for_different_melds():
    table = at("melds 0: 7h 8h 9h | Qd Kd Ad | 4s 5s 6s", "hand 0: 2h 2c 9c 3d", "turn: seat 0, play")
    assert plays(table) == {"add 2 high", "add 2 low"}
    low = table.copy().play("add 2 low")
    assert low.melds()[1] == "2c Ad Kd Qd"  # the lowest suit, at once
    assert table.play("add 2 high").legal() == {"meld 0", "meld 2"}
    assert +table.referee.known[0] == {"2c": 1}


def test_the_banned_card_may_not_be_the_last():
    table = at("melds 0: 7h 8h 9h", "hand 0: Th", "pile: 3s Kc", "turn: seat 0")
    table.play("take 1")
    assert table.legal() == {"discard Th"}  # B2.5: add Th would leave Kc


def test_the_banned_card_may_be_the_last_if_it_can_be_laid():
    table = at("melds 0: 7h 8h 9h | Tc Jc Qc", "hand 0: Th", "pile: 3s Kc", "turn: seat 0")
    table.play("take 1")
    assert table.legal() == {"add Th", "add Kc", "discard Th"}
    table.play("add Th")
    assert table.legal() == {"add Kc"}
    assert table.play("add Kc").referee.over == "out, seat 0"


def test_a_place_that_would_strand_the_banned_card_is_no_place():
    table = at("melds 0: 8h 9h Th | Qh Kh Ah", "hand 0: Jh", "pile: 3s Qh", "turn: seat 0")
    table.play("take 1")
    assert table.legal() == {"add Jh", "discard Jh"}
    table.play("add Jh")  # at once: below the Queen it would leave the other Queen, which may not be discarded
    assert table.melds() == ["8h 9h Jh Th", "Ah Kh Qh"]
    assert table.legal() == {"add Qh"}


def test_the_ban_holds_only_if_no_such_card_was_in_hand():
    table = at("hand 0: Kc 4d", "pile: 3s Kc", "turn: seat 0").play("take 1")
    assert table.legal() == {"discard Kc", "discard 4d"}
    assert (table.referee.banned, table.referee.taken) == ("", "Kc")


def test_two_taken_cards_lift_the_ban():
    table = at("hand 0: 9c 4d", "pile: 3s Kc", "turn: seat 0").play("take 2")
    assert table.legal() == {"discard " + card for card in ("9c", "4d", "3s", "Kc")}


def test_a_banned_joker_that_comes_back_is_still_banned():
    table = at("melds 0: 7h 8h 9h", "hand 0: Th", "pile: 3s JK", "turn: seat 0")
    table.play("take 1", "add JK high")
    assert table.legal() == {"add Th", "swap Th", "discard Th"}  # after the exchange the Joker can be laid again
    assert table.play("swap Th").legal() == {"add JK high"}


def test_no_exchange_for_a_banned_joker_that_then_fits_nowhere():
    table = at("melds 0: Ac Ad Ah", "hand 0: As", "pile: 3s JK", "turn: seat 0")
    table.play("take 1")
    assert table.legal() == {"add JK high", "discard As"}
    assert table.play("add JK high").legal() == {"discard As"}


def test_the_banned_two_is_played_before_the_lowest_suit():
    table = at("hand 0: 2c 5h 6h 9d", "pile: 3s 2h", "turn: seat 0")
    table.play("take 1", "open 5h 6h 2")
    assert table.melds() == ["2h 5h 6h"]
    assert table.referee.hands[0] == ["2c", "9d"]


def test_one_way_to_open_with_free_wilds_and_all_with_fixed():
    lines = ("hand 0: 5h 6h 2c 9d", "turn: seat 0, play")
    assert plays(at(*lines)) == {"open 5h 6h 2"}
    assert plays(at("rules: pagat wilds=fixed", *lines)) == {"open 5h 6h 2", "open 2 5h 6h"}
    lines = ("hand 0: Kh 2c JK 9d", "turn: seat 0, play")
    free = plays(at(*lines))
    assert free == {"open 2 Kh JK", "open 9d 2 JK"}
    ways = {"open 2 Kh JK", "open JK Kh 2", "open 2 JK Kh", "open JK 2 Kh"}
    ways |= {f"open {way}" for way in ("9d 2 JK", "9d JK 2", "2 9d JK", "JK 9d 2", "2 JK 9d", "JK 2 9d")}
    assert plays(at("rules: pagat wilds=fixed", *lines)) == ways


def test_an_exchange_that_fits_when_the_two_moves():
    table = at("melds 0: 4h 2s 6h JK 8h", "hand 0: 5h 7h 3h 9h 6h", "turn: seat 0, play")
    assert {a for a in table.legal() if a.startswith("swap")} == {"swap 5h", "swap 7h"}
    fixed = at("rules: pagat wilds=fixed", "melds 0: 4h 2s 6h JK 8h", "hand 0: 5h 7h 3h 9h 6h", "turn: seat 0, play")
    assert plays(fixed) == {"swap 7h", "add 5h", "add 3h", "add 9h", "open 5h 6h 7h"}


def test_a_card_may_be_added_to_a_set_or_exchanged_for_its_joker():
    lines = ("melds 0: Ah As JK", "hand 0: Ad 9c", "turn: seat 0, play")
    assert plays(at(*lines)) == {"add Ad", "swap Ad"}
    assert at(*lines).play("add Ad").melds() == ["Ad Ah As JK"]
    assert at(*lines).play("swap Ad").melds() == ["Ad Ah As"]
    assert plays(at("rules: pagat set_joker_exchange=no", *lines)) == {"add Ad"}
    assert plays(at("rules: gamefarm", *lines)) == {"add Ad"}
    assert plays(at("rules: pagat wilds=fixed", *lines)) == {"add Ad", "swap Ad"}  # B4.3: it stands for no suit


def test_a_joker_that_was_exchanged_is_known():
    table = at("melds 0: Ah As JK", "hand 0: Ad 9c 3c", "turn: seat 0, play").play("swap Ad")
    assert +table.referee.known[0] == {"JK": 1}


@pytest.mark.parametrize("last", [[], ["discard 9c"]])
def test_a_hand_with_and_without_a_discard(last):
    hand = "7d 8d 9d 9c" if last else "7d 8d 9d"
    table = at(f"hand 0: {hand}", "hand 1: 3s 5c", "turn: seat 0, play").play("open 7d 8d 9d", *last)
    assert (table.referee.over, table.referee.points) == ("out, seat 0", [40, -20])


def test_no_hand_if_something_was_melded_before():
    table = at("melds 0: 3c 3d 3h", "hand 0: 7d 8d 9d", "hand 1: 3s 5c", "turn: seat 0, play").play("open 7d 8d 9d")
    assert table.referee.points == [25, -20]  # 1½ + 3 + 20, rounded up


@pytest.mark.parametrize(
    ("rules", "melds", "points"),
    [
        ("pagat", "", [40, -20, 40, -20]),
        ("pagat", "melds 2: Tc Jc Qc", [23, -42, 23, -42]),  # no flat 40: the partner has 3 - 1
        ("pagat", "melds 1: Tc Jc Qc", [23, 2, 23, 2]),  # (3 - 1) - 20 + 20
        ("pagat partner_scoring=sum", "", [20, -40, 20, -40]),
        ("pagat unplayed_score_zero=yes", "", [40, 0, 40, 0]),
        ("pagat hand_bonus=51/101", "", [101, 0, 101, 0]),
        ("pagat hand_bonus=51/101", "melds 2: Tc Jc Qc", [101, 0, 101, 0]),
        ("pagat hand_bonus=51/101", "melds 1: Tc Jc Qc", [51, 0, 51, 0]),
        ("jawaker", "melds 3: Tc Jc Qc", [51, 0, 51, 0]),
    ],
)
def test_a_hand_in_partnership(rules, melds, points):
    others = [f"hand {seat}: {cards}" for seat, cards in enumerate(["7d 8d 9d", "3s 5c", "4s 6c", "5s 4c"])]
    table = at(f"rules: {rules}", "players: 4", *others, melds, "turn: seat 0, play").play("open 7d 8d 9d")
    assert table.referee.points == points


def test_who_has_had_a_turn_is_no_unplayed_seat():
    lines = ("rules: pagat unplayed_score_zero=yes", "players: 3", "hand 1: 7d 8d 9d", "hand 0: 3s", "hand 2: 3s")
    table = at(*lines, "turn: seat 1, play").play("open 7d 8d 9d")
    assert table.referee.points == [-20, 40, 0]
    table = at(*lines, "turn: seat 1, play", "turns: 4").play("open 7d 8d 9d")
    assert table.referee.points == [-20, 40, -20]


def test_the_partners_melds_only_after_a_meld_of_ones_own():
    lines = ("players: 4", "melds 2: 7h 8h JK", "melds 1: 9h Th Jh", "hand 0: 6h 9h Qh 4d 5d 6d", "turn: seat 0, play")
    table = at(*lines)
    assert plays(table) == {"open 4d 5d 6d"}
    table.play("open 4d 5d 6d")
    assert plays(table) == {"add 6h", "add 9h", "swap 6h", "swap 9h"}  # and nothing on the opponent's
    table.play("swap 9h")
    assert table.melds() == ["9h Jh Th", "7h 8h 9h", "4d 5d 6d"]
    assert [owner for owner, _ in table.referee.melds] == [1, 2, 0]
    alone = at("rules: pagat individuals", *lines).play("open 4d 5d 6d")
    assert plays(alone) == set()


def test_the_last_card_of_the_stock():
    table = at("hand 0: 4d", "hand 1: 5d", "stock: Kc", "pile: 9s", "turn: seat 0").play("draw")
    assert table.legal() == {"discard 4d", "discard Kc"}
    table.play("discard Kc")
    assert (table.referee.over, table.referee.points) == ("exhausted", [0, 0])


def test_taking_the_pile_leaves_the_last_card_of_the_stock():
    table = at("hand 0: 4d", "hand 1: 5d", "stock: Kc", "pile: 9s", "turn: seat 0").play("take 1", "discard 4d")
    assert table.referee.over == ""
    assert "draw" in table.legal()


def test_going_out_with_the_last_card_of_the_stock_is_scored():
    table = at("melds 0: 9c Tc Jc", "hand 0: Qc", "hand 1: 5d", "stock: Kc", "pile: 9s", "turn: seat 0")
    table.play("draw", "add Qc", "add Kc")
    assert (table.referee.over, table.referee.points) == ("out, seat 0", [25, -20])


def test_an_exhausted_stock_scored():
    lines = ("stock: Kc", "pile: 9s", "melds 0: 7c 8c 9c", "hand 0: 4d", "turn: seat 0")
    table = at("rules: gamefarm", *lines, "hand 1: 5d").play("draw", "discard Kc")
    assert table.referee.points == [3, -20]  # 3 - ½, rounded up
    others = ("melds 1: 9d Td Jd", "hand 1: 3c", "hand 2: 3d", "hand 3: 4c")
    table = at("rules: gamefarm", "players: 4", *lines, *others).play("draw", "discard Kc")
    assert table.referee.points == [-17, -17, -17, -17]  # 2½ - 20 = -17½


def test_the_first_turn_without_an_upcard():
    state = banakil.new(4, rules="jawaker", seed=3)
    table = Table(state)
    assert [len(hand) for hand in table.referee.hands] == [19, 18, 18, 18]
    assert table.referee.pile == []
    assert (table.referee.seat, table.referee.phase) == (0, "play")
    assert all(action.startswith(("open", "discard")) for action in table.legal())
    card = min(action for action in table.legal() if action.startswith("discard"))
    assert table.play(card).legal() == {"draw", "take 1"}


@pytest.mark.parametrize(
    ("meld", "card", "becomes"),
    [
        ("9d 2h Jd", "Td", "2h 9d Td Jd"),  # published: to the low end
        ("3c 2d 5c", "4c", "3c 4c 5c 2d"),  # published: from Three on, to the high end
        ("2d 6c 7c", "5c", "2d 5c 6c 7c"),  # from the low end to the one below
        ("5c 6c 2d", "7c", "2d 5c 6c 7c"),
        ("2d 4c 5c", "3c", "3c 4c 5c 2d"),
        ("Qc Kc 2d", "Ac", "2d Qc Kc Ac"),
        ("3c 2d 5c JK", "4c", "3c 4c 5c JK 2d"),
        ("JK 9d 2h", "Td", "2h JK 9d Td"),
        ("2d 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "3c", "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 2d"),
        ("3c 4c 5c 2d 7c 8c 9c Tc Jc Qc Kc Ac", "6c", "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d"),  # the thirteenth
        ("2d 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "3c", "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d"),
        ("3c 4c JK 2d 7c 8c 9c Tc Jc Qc Kc Ac", "6c", None),  # full, with a Joker
    ],
)
def test_a_fixed_two_makes_room_for_its_natural(meld, card, becomes):
    table = at("rules: pagat wilds=fixed", f"melds 0: {meld}", f"hand 0: {card} 9h", "turn: seat 0, play")
    assert plays(table) == ({f"add {card}"} if becomes else set())
    if becomes:
        assert table.play(f"add {card}").melds() == [becomes]


def test_fixed_wilds_are_added_where_there_is_room():
    lines = ("rules: pagat wilds=fixed", "hand 0: 2c JK 9h", "turn: seat 0, play")
    both = {"add 2 low", "add 2 high", "add JK low", "add JK high"}
    assert plays(at(*lines, "melds 0: 5d 6d 7d")) - {"open 9h 2 JK"} >= both
    low = at(*lines, "melds 0: Qd Kd Ad")
    assert {a for a in plays(low) if a.startswith("add")} == {"add 2 low", "add JK low"}
    full = at(*lines, f"melds 0: {ELEVEN} 2h")
    assert {a for a in plays(full) if a.startswith("add")} == set()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_card_that_circles_voids_the_deal(players):
    hands = [f"hand {seat}: {card} 9c" for seat, card in enumerate(["4d", "5d"])]
    scores = "scores: " + "5 " * players
    table = at("rules: gamefarm", f"players: {players}", *hands, "pile: 3s Kh", "turn: seat 0", scores)
    for turn in range(players):
        assert table.referee.circling == turn
        table.play("take 1", "discard Kh")
    assert table.referee.over == ""
    assert (table.referee.turns, table.referee.circling, table.referee.had_turn) == (players, 0, set())
    assert [len(hand) for hand in table.referee.hands] == [18] * players
    assert table.referee.scores == [5] * players
    assert table.referee.seat == 0  # the same dealer


def test_any_other_turn_breaks_the_circle():
    table = at("rules: gamefarm", "hand 0: 4d 9c", "hand 1: 5d 9c", "pile: 3s Kh", "turn: seat 0, draw", "circling: 1")
    assert table.copy().play("take 2", "discard Kh").referee.circling == 0
    assert table.copy().play("take 1", "discard 4d").referee.circling == 0
    assert table.copy().play("draw", "discard 4d").referee.circling == 0


def test_a_round_that_runs_out_of_turns():
    table = at("rules: gamefarm max_turns=40", "turns: 39", "hand 0: 4d", "turn: seat 0").play("draw", "discard 4d")
    assert (table.referee.over, table.referee.points) == ("turns", [0, 0])


def test_a_circle_that_closes_with_the_last_turn_ends_the_round():
    lines = ("rules: gamefarm max_turns=40", "hand 0: 4d 9c", "hand 1: 5d 9c", "pile: 3s Kh", "circling: 1")
    assert at(*lines, "turns: 39", "turn: seat 0").play("take 1", "discard Kh").referee.over == "turns"
    assert at(*lines, "turns: 38", "turn: seat 0").play("take 1", "discard Kh").referee.over == ""


def test_a_tie_at_the_target_goes_on():
    lines = ("rules: pagat target=100 score_exhausted=yes", "players: 3", "episode: match", "scores: 103 100 0")
    lines += ("melds 0: 7d 8d 9d", "melds 1: 7c 8c 9c Tc Jc Qc", "turn: seat 1", "stock: Kh", "pile: 4s")
    table = at(*lines, "hand 0: 4d", "hand 1: 6d").play("draw", "discard Kh")
    assert table.referee.scores == [106, 106, -20]
    assert (table.referee.over, table.referee.dealer, table.referee.seat) == ("", 0, 1)
    table = at(*lines, "hand 0: 9h", "hand 1: 6d").play("draw", "discard Kh")
    assert (table.referee.scores, table.referee.over) == ([105, 106, -20], "match, seat 1")


def test_the_cutter_leaves_a_natural_card_below_the_stock():
    """B9.2: the cutter takes wild cards until a natural shows, which then lies at the bottom."""
    wilds = []
    for seed in range(400):
        game = Referee(banakil.to_text(banakil.new(3, rules="pagat cutter_takes_wilds=yes", seed=seed)))
        assert game.stock[-1] in NATURALS
        assert [len(hand) for hand in game.hands] == [18, 18, 18]
        assert not any(+known for known in game.known)
        wilds.append([sum(card in (*TWOS, "JK") for card in hand) for hand in game.hands])
    seat_0, cutter, dealer = map(sum, zip(*wilds, strict=True))
    assert cutter > max(seat_0, dealer)


# The referee itself


def test_the_referee_refuses_what_is_not_legal():
    referee = Referee(fill("hand 0: 4d 5d\nturn: seat 0"))
    with pytest.raises(ValueError, match="not legal"):
        referee.apply("discard 4d")


def test_the_referee_wants_all_cards():
    with pytest.raises(ValueError, match="missing"):
        Referee("hand 0: 4d 5d\nturn: seat 0")


def test_what_lies_in_some_order_is_what_some_arrangement_makes():
    """The same cards are legal with free wilds as, in some order, with fixed ones."""
    by_place = {tuple(sorted(cards)) for cards in all_sequences_by_place()}
    assert by_place == all_sequences_by_cards()
