"""Are supposed hands such as the others hold? They explain the discards, keep what is known, come as often as due."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from reconstructed import reconstruct
from tables import TABLES

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.jit import INT, Library, read, written
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.envs.vector import Tables
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import NUM_ACTIONS
from banakil_env.games.banakil.baselines import BASELINES
from banakil_env.games.banakil.beliefs import _explains, _likelihood, believe
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.state import MAX_SEATS, STATE
from banakil_env.kit.hidden import shuffle_stock
from banakil_env.kit.table_state import DRAW

MODES = ("pagat two", "pagat partners", "jawaker partners")


def _walk(states, kinds, likelihoods, exchanges, then, observations, mask, dice):
    believe(states[0], kinds, likelihoods, exchanges, then, observations, mask, dice)
    shuffle_stock(states[0], states[0].rng)


def _weigh(states, seat, kind, then, observations, mask, dice, out):
    out[0] = _likelihood(states[0], seat, kind, then, observations, mask, dice)


def _explained(states, seat, kind, then, observations, mask, dice):
    return 1 if _explains(states[0], seat, 1, kind, then, observations, mask, dice) else 0


OF_ONE, OF_SEAT = {"states": written(STATE, 1)}, {"seat": INT, "kind": INT}
ROOM = {
    "then": written(STATE, 1),
    "observations": written(OBSERVATION, 1),
    "mask": written("i1", NUM_ACTIONS),
    "dice": written(GENERATOR, 1),
}
CHAIN = {"kinds": read("i8", MAX_SEATS), "likelihoods": written("f8", MAX_SEATS), "exchanges": INT}
library = Library("banakil_beliefs_tested")  # kept on disk
walk = library.entry(_walk, {**OF_ONE, **CHAIN, **ROOM})
weighed = library.entry(_weigh, {**OF_ONE, **OF_SEAT, **ROOM, "out": written("f8", 1)})
explained = library.entry(_explained, {**OF_ONE, **OF_SEAT, **ROOM}, result=True)


def weigh(states, seat, kind):
    """The likelihood of a hand, up to a factor."""
    out = np.empty(1)
    weighed(states, seat, kind, *room(), out)
    return out[0]


def room():
    """What `believe` works in."""
    return np.zeros(1, STATE), np.empty(1, OBSERVATION), np.empty(NUM_ACTIONS, np.int8), np.zeros(1, GENERATOR)


class Chain:
    """A deal that goes on from one likely one to the next, as seat 0 sees it from the seat to move."""

    def __init__(self, seen, seed):
        self.states, self.likelihoods, self.work = np.zeros(1, STATE), np.full(MAX_SEATS, -1.0), room()
        reconstruct(seen, np.uint64(seed), self.states)

    def go_on(self, exchanges):
        walk(self.states, np.full(MAX_SEATS, BASELINES["expert"]), self.likelihoods, exchanges, *self.work)
        return self.states[0]


def positions(name, rounds, seed=5):
    """Where `expert` is about to draw and all have had a turn: the state, the seat and what it sees."""
    tables, expert, dice = Tables(32, **TABLES[name]), CompiledPlayer("expert"), np.zeros(32, np.uint64)
    tables.reset(seed)
    for _ in range(rounds):
        for _ in range(5):
            tables.step(expert.act(tables.observations, tables.masks, dice))
        for row in range(0, 32, 4):
            state = tables.states[row]
            if state["phase"] == DRAW and state["had_turn"] == (1 << state["num_players"]) - 1:
                yield state.copy(), int(tables.seats[row]), tables.observations[row].view(OBSERVATION).reshape(1)


def cards(state, seat, known=False):
    """The cards of a hand, as a set of faces and copies."""
    held = (state["known"] if known else state["hands"])[seat]
    return {(copy, face) for copy in range(2) for face in range(53) if int(held[copy]) >> face & 1}


@pytest.mark.parametrize("name", MODES)
def test_the_hand_of_who_plays_so_explains_its_discard_and_one_dealt_at_random_seldom_does(name):
    kind, true, random = BASELINES["expert"], [], []
    for state, seat, seen in positions(name, 30):
        true.append(explained(state.reshape(1), (seat - 1) % int(state["num_players"]), kind, *room()))
        chain = Chain(seen, len(true))
        random.append(explained(chain.states, chain.states[0]["num_players"] - 1, kind, *room()))
    assert len(true) > 30
    assert all(true)
    assert np.mean(random) < 0.25


@pytest.mark.parametrize("name", MODES)
def test_what_is_seen_stays_and_known_cards_stay_where_they_are(name):
    for number, (_, _, seen) in enumerate(positions(name, 12)):
        chain, again = Chain(seen, number), np.empty(1, OBSERVATION)
        for exchanges in (0, 40, 5):
            state = chain.go_on(exchanges)
            kernels_of(GAME).observe_one(chain.states, 0, again, np.empty(NUM_ACTIONS, np.int8))
            assert again.tobytes() == seen.tobytes()
            for seat in range(1, state["num_players"]):
                assert cards(state, seat, known=True) <= cards(state, seat)
        assert banakil.from_text(banakil.to_text(chain.states[0])).tobytes() == chain.states[0].tobytes()


def test_supposed_hands_have_more_of_the_true_cards_than_random_ones():
    shares = {0: [], 300: []}
    for number, (state, seat, seen) in enumerate(positions("pagat two", 60)):
        hidden = cards(state, 1 - seat) - cards(state, 1 - seat, known=True)
        for exchanges, found in shares.items():
            chain = Chain(seen, number)
            for _ in range(8):
                held = cards(chain.go_on(exchanges), 1)
                found.append(len(hidden & held) / max(1, len(hidden)))
    assert np.mean(shares[300]) > 1.1 * np.mean(shares[0])


def test_hands_come_as_often_as_they_are_likely():
    """28 hands of two from 8 cards: the chain against their likelihoods, one by one."""
    text = "rules: mini suits=2\nturn: seat 0, draw\nhand 0: 3c 7d\nhand 1: 4c 5d\npile: 6c\nhad turn: 0 1"
    state = banakil.from_text(text)
    chain = Chain(banakil.observe(state, 0)["observation"].view(OBSERVATION).reshape(1), 1)
    hands = Counter()
    for _ in range(20_000):
        hands[tuple(chain.go_on(6)["hands"][1].tolist())] += 1
    weights = {}
    for held in hands:
        chain.states[0]["hands"][1] = held
        weights[held] = weigh(chain.states, 1, BASELINES["expert"])
    total = sum(weights.values())
    assert len({round(weight, 6) for weight in weights.values()}) > 2
    for held, count in hands.items():
        due = 20_000 * weights[held] / total
        assert abs(count - due) < 6 * max(due, 5) ** 0.5, held
    assert sum(20_000 * weight / total > 20 for weight in weights.values()) > 5


@pytest.mark.parametrize(
    ("player", "pair_is_likelier", "wild_is_likelier"), [("greedy", True, False), ("expert", False, True)]
)
def test_greedy_keeps_pairs_and_expert_keeps_wild_cards(player, pair_is_likelier, wild_is_likelier):
    def likelihood(hand):
        state = banakil.from_text(f"turn: seat 0, draw\nhand 0: 3c 7d\nhand 1: {hand}\nhad turn: 0 1")
        return weigh(state.reshape(1), 1, BASELINES[player])

    assert (likelihood("9c 9c") > likelihood("9c Kd")) == pair_is_likelier
    assert (likelihood("9c JK") > likelihood("9c Kd")) == wild_is_likelier
