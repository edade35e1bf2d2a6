"""Hidden cards while tonks are asked for (T2.3), and millions of random moves."""

from __future__ import annotations

import numpy as np
import pytest
from tonk_tables import at, legal, lines, play

from banakil_env.core import engine
from banakil_env.core.checking import check_states
from banakil_env.core.random import seed_word
from banakil_env.envs.vector import Tables
from banakil_env.games import tonk
from banakil_env.games.tonk.state import is_tonk

TABLES = [(2, "denexa"), (3, "quiet"), (4, "gin"), (4, "plain"), (3, "denexa low_tonk=15 high_tonk=49")]

HIGH, LOW, ELSE = "Tc Td Jh Kh Qs", "Ac 2c Ad 3d 4h", "3c 4c 9d 9h 2s"
ASKED = {
    "the first of two": ("turn: seat 0, tonk", f"hand 0: {HIGH}", f"hand 1: {LOW}", f"hand 2: {ELSE}"),
    "both of two": ("turn: seat 1, tonk", f"hand 0: {HIGH}", f"hand 1: {LOW}", f"hand 2: {ELSE}"),
    "one passed over": ("turn: seat 2, tonk", f"hand 0: {HIGH}", f"hand 1: {ELSE}", f"hand 2: {LOW}"),
    "all": ("turn: seat 2, tonk", f"hand 0: {HIGH}", "hand 1: Ah As 2d 2h 2s", f"hand 2: {LOW}"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("seat", range(3))
def test_a_seat_that_was_asked_has_a_tonk_however_the_cards_are_dealt(asked, seat):
    state = at(*ASKED[asked], "pile: 5s")
    seen = tonk.observe(state, seat)["observation"]
    supposed, hands = np.zeros(1, tonk.STATE), set()
    for seed in range(20):
        other = tonk.redeal_hidden(state, seat, seed)
        engine.suppose(seen.view(tonk.OBSERVATION)[0], seed_word(seed), supposed[0])
        for again, place in ((other, seat), (supposed[0], 0)):
            assert tonk.check(again) is None
            assert tonk.observe(again, place)["observation"].tobytes() == seen.tobytes()
        hands.add(other.hands.tobytes())
    assert len(hands) > 15


def test_every_tonk_is_dealt_as_often():
    """There are only high ones here, five of sixteen cards: each card is in five of sixteen of them."""
    state = at("rules: denexa low_tonk=0", "turn: seat 1, tonk", f"hand 0: {ELSE}", f"hand 1: {HIGH}", "pile: 5s")
    found = [int(tonk.redeal_hidden(state, 0, seed).hands[1, 0]) for seed in range(2000)]
    assert all(is_tonk(state.rules, hand) for hand in found)
    shares = [sum(hand >> face & 1 for hand in found) / len(found) for face in range(52) if face % 13 >= 9]
    assert len(shares) == 16
    assert all(abs(share - 5 / 16) < 0.05 for share in shares)


def test_who_has_passed_is_seen():
    state = play(at(*ASKED["the first of two"], "pile: 5s"), "pass")
    assert tonk.fields(tonk.observe(state, 2)["observation"]).passed.tolist() == [0, 1, 0, 0]
    setup = ("turn: seat 0, play", "hand 0: Qd 4s", "hand 1: 4c 5d", "hand 2: 5h 6h", "hand 3: 7c", "pile: 3c")
    state = play(at(*setup, "melds 1: 9d Td Jd", "held: 2"), "discard Qd", "pass")
    assert lines(state)["turn"] == "seat 3, call, after 0"
    seen = tonk.fields(tonk.observe(state, 3)["observation"])
    assert (seen.passed.tolist(), seen.after.tolist(), seen.held.tolist()) == ([0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1])


def test_a_card_that_was_called_is_seen_to_be_there():
    setup = ("turn: seat 2, call, after 0", "hand 0: 4s", "hand 1: 4c 5d", "hand 2: 5h 6h 8h", "pile: 3c Qd")
    state = play(at(*setup, "melds 1: 9d Td Jd"), "call")
    supposed = np.zeros(1, tonk.STATE)
    for seed in range(5):
        assert legal(tonk.redeal_hidden(state, 0, seed)) == {"add Qd"}
        seen = tonk.observe(state, 0)["observation"].view(tonk.OBSERVATION)
        engine.suppose(seen[0], seed_word(seed), supposed[0])
        assert legal(supposed[0]) == {"add Qd"}


@pytest.mark.parametrize(("players", "rules"), TABLES)
def test_every_round_pays_what_it_takes(players, rules, long):
    """Of random moves, with few drops, so that rounds go on; every state is checked, which counts its cards."""
    tables = Tables(64, game="tonk", num_players=players, rules=rules, episode="match", threads=1)
    tables.reset(seed=players)
    dice, drop = np.random.default_rng(players), tonk.parse_action("drop")
    for _ in range(20_000 if long else 300):
        actions, others = tables.random_actions().copy(), tables.random_actions()
        kept = (actions == drop) & (dice.random(64) < 7 / 8)
        actions[kept] = others[kept]
        tables.step(actions)
        check_states(tonk.GAME, tables.states)
        assert not tables.states["points"].sum(1).any()
        assert not tables.states["scores"].sum(1).any()
