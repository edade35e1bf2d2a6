"""Does a seat see anything that it should not? Its observation must be the same to the byte after hidden cards are
dealt again.

`redeal_hidden` is what the engine holds to be hidden; that it deals everything hidden again, and only that, is checked
here too, or the first test would prove nothing.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from tables import any_table, counts, small_table, walk

from banakil_env.core import engine
from banakil_env.core.random import seed_word
from banakil_env.games import banakil
from banakil_env.games.banakil.faces import NO_FACE, TWO
from banakil_env.kit.table_state import CHOOSE, OVER

Places = dict[str, list[int]]  # cards of each face by place, see `counts`

# Every seventh state of random games, so that all phases come up and no two are of one turn.
EVERY = 7


def look(state: Any, seat: int) -> bytes:
    seen = banakil.observe(state, seat)
    return seen["observation"].tobytes() + seen["action_mask"].tobytes()


def hidden_from(state: Any, seat: int) -> list[bytes]:
    """The hands of the others and the stock."""
    hands = [state.hands[other].tobytes() for other in range(state.num_players) if other != seat]
    return [*hands, state.stock.tobytes()]


def check_seat(state: Any, before: Places, seat: int, seed: int) -> None:
    other = banakil.redeal_hidden(state, seat, seed)
    assert look(other, seat) == look(state, seat), f"seat {seat} sees a difference\n{banakil.to_text(state)}"
    if state.stock_size >= 20:
        assert hidden_from(other, seat) != hidden_from(state, seat), "nothing was dealt again"
    check_same_table(state, before, other, seat)


def check_same_table(state: Any, before: Places, other: Any, seat: int) -> None:
    """The new table has the same cards and agrees with all public knowledge; `before` are the counts of `state`."""
    after = counts(other)
    pack, total = (np.sum(list(places.values()), axis=0) for places in (before, after))
    assert (total == pack).all(), f"not the cards of the pack: {total - pack}"
    for place, cards in before.items():
        assert sum(after[place]) == sum(cards), f"another number of cards: {place}"
        if place in (f"hand {seat}", "pile") or place.startswith("melds"):
            assert after[place] == cards, f"{place} is not a secret to seat {seat}"
    assert other.known.tobytes() == state.known.tobytes()
    assert not (other.known & ~(other.hands | np.roll(other.hands, -1, axis=1))).any()
    for relative in range(state.num_players):
        assert (other.known[relative, 0] & ~other.hands[relative, 0]) == 0, "a known card has left its hand"
        assert (other.known[relative, 1] & ~other.hands[relative, 1]) == 0, "a known card has left its hand"
    assert banakil.is_over(other) or banakil.legal_actions(other), "nobody can go on"


def check_walk(options: dict[str, Any], seed: int, moves: int) -> None:
    for number, state in enumerate(walk(options, seed, moves)):
        if number % EVERY == 0 or state.phase in (CHOOSE, OVER):
            before = counts(state)
            for seat in range(state.num_players):
                check_seat(state, before, seat, number)


@pytest.mark.parametrize("number", range(10))
def test_no_seat_sees_hidden_cards_under_any_switches(number: int, long: bool) -> None:
    """The presets are tables of the contract tests; with a cut (B9.2) everybody knows of the lowest card."""
    dice = random.Random(number)
    for table in (any_table(dice), small_table(dice)):
        check_walk(table, number, 10_000 if long else 300)


def test_the_lowest_card_of_a_cut_stock_stays_a_natural() -> None:
    """B9.2: the cutter has taken the wild cards at the place of the cut."""
    state = banakil.new(num_players=4, rules="pagat cutter_takes_wilds=yes", seed=3)
    lowest = {int(banakil.redeal_hidden(state, 0, seed).stock[0]) for seed in range(200)}
    assert max(lowest) < TWO
    assert len(lowest) > 30


def test_cards_taken_from_the_pile_stay_where_everybody_saw_them_go() -> None:
    state = banakil.from_text("turn: seat 0, play\nhand 0: 3c 9d JK 4h\nhand 1: Kd\nknown 0: 9d JK")
    for seed in range(20):
        hand = banakil.to_text(banakil.redeal_hidden(state, 1, seed)).splitlines()
        cards = next(line for line in hand if line.startswith("hand 0")).split()
        assert {"9d", "JK"} <= set(cards)
    seen = {banakil.redeal_hidden(state, 1, seed).hands[0].tobytes() for seed in range(40)}
    assert len(seen) > 1


def test_the_ban_is_no_secret_of_the_seat_to_move_but_its_reason_is() -> None:
    """B2.4: a card taken may be discarded if one of its face was in the hand before; the others must not learn that."""
    rest = "hand 1: Kd Qd\npile: 4h 7h"
    held = banakil.from_text(f"turn: seat 0, draw\nhand 0: 7h 9c\n{rest}")
    bare = banakil.from_text(f"turn: seat 0, draw\nhand 0: 8h 9c\n{rest}")
    for state in (held, bare):
        banakil.apply(state, banakil.parse_action("take 1"))
    own = [banakil.fields(banakil.observe(state, 0)["observation"]).banned for state in (held, bare)]
    others = [banakil.fields(banakil.observe(state, 1)["observation"]).banned for state in (held, bare)]
    assert (own[0], own[1] > 0) == (0, True)
    assert others == [0, 0]


@pytest.mark.parametrize(
    ("turn", "hand", "melds", "banned"),
    [
        ("play, taken Kh", "Kh Kh", "", False),  # one of the two was there before the other was taken
        ("play, taken Kh, played", "Kh", "", False),  # the turn could not be ended with a ban
        ("play, taken Ks, played", "Ks", "melds 1: 6h 7h 8h", False),
        ("play, taken Kh, played", "Kh", "melds 1: Th Jh Qh", True),  # it can be laid off
        ("choose add 9h, taken Ks, played", "9h Ks", "melds 1: 6h 7h 8h | Th Jh Qh", False),
    ],
)
def test_a_redeal_bans_no_card_without_which_the_turn_cannot_be_ended(
    turn: str, hand: str, melds: str, banned: bool
) -> None:
    """B2.4 and B2.5: whether the card taken may be discarded is private, but not where the public cards decide it."""
    state = banakil.from_text(f"turn: seat 1, {turn}\nhand 0: 3c 4c 5c\nhand 1: {hand}\nknown 1: {hand}\n{melds}")
    supposed = np.zeros(1, banakil.GAME.state)
    for seed in range(5):
        engine.suppose(banakil.fields(banakil.observe(state, 0)["observation"]), seed_word(seed), supposed[0])
        for other in (banakil.redeal_hidden(state, 0, seed), supposed[0]):
            assert banakil.legal_actions(other)
            assert (other.banned != NO_FACE) == banned


def test_a_redeal_is_as_likely_to_put_a_card_anywhere_hidden() -> None:
    """18 of the 87 cards that seat 0 cannot see are in the other hand; each face comes there as often as any other."""
    state = banakil.new(seed=3)
    trials = 3_000
    held = np.zeros(53)
    for seed in range(trials):
        held += counts_of_hand(banakil.redeal_hidden(state, 0, seed), 1)
    unseen = 2 - counts_of_hand(state, 0) - np.array(counts(state)["pile"])
    expected = trials * unseen * 18 / unseen.sum()
    spread = np.sqrt(trials * 18 / unseen.sum() * np.maximum(unseen, 1))
    assert (np.abs(held - expected) < 5 * spread).all()


def counts_of_hand(state: Any, seat: int) -> Any:
    faces = np.arange(53)
    return (state.hands[seat, 0] >> faces & 1) + (state.hands[seat, 1] >> faces & 1)
