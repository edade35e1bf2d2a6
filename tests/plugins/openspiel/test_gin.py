"""Is `rummy/gin-v0` with the preset `openspiel` the game `gin_rummy` of OpenSpiel? Both are played side by side.

The cards of our deal are OpenSpiel's chance outcomes. At every decision both have to offer the same actions, and at the
end the same returns. The players like some actions better than others, each game in another way, so that knocks,
repeated upcards and the wall all come up.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.core import engine
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.games import find
from banakil_env.kit.melds.deadwood import deadwood
from banakil_env.kit.pack52 import bit_of
from banakil_env.kit.table_state import OVER, PLAY

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed: make test-plugins GROUP=openspiel")

from train.plugins.openspiel_gin import (  # noqa: E402 it imports pyspiel
    A_DISCARD,
    A_KNOCK,
    A_PASS,
    A_TAKE,
    CARD_OF,
    THEIRS,
    play,
)

GAME = find("gin")
WALL = 2  # cards in the stock


class Player:
    """Likes one kind of action or another; keeps its hand together as often as `care` says."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.take, self.repeat = dice.choice([0, 0.1, 0.3, 0.99]), dice.choice([0, 0, 0, 0.9])
        self.care, self.knock, self.stop = dice.choice([0.5, 1, 1]), dice.choice([0.02, 1]), dice.choice([0, 0, 0.3])

    def choose(self, state: Any, legal: list[int]) -> int:
        """One of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        for action, chance in ((A_TAKE, self.take), (A_KNOCK, self.knock), (A_PASS, self.stop)):
            if action in legal and self.dice.random() < chance:
                return action
        rest = [a for a in legal if a not in (A_TAKE, A_KNOCK, A_PASS)] or legal
        if state.phase == PLAY:
            if state.taken and self.dice.random() < self.repeat:
                return A_DISCARD + int(state.taken) - 1
            if self.dice.random() < self.care:
                hand = int(state.hands[state.seat, 0])
                return min(rest, key=lambda a: deadwood(hand & ~bit_of(a - A_DISCARD)) if a >= A_DISCARD else 0)
        return self.dice.choice(rest)


def play_both(rules: str, theirs: Any, seed: int) -> str:
    """One game in both; how it ended."""
    dice = random.Random(seed)
    states = GAME.new(rules=rules)
    state, kernels, mask = states[0], kernels_of(GAME), np.zeros(GAME.num_actions, np.int8)
    kernels.start_one(states, seed_word(seed))
    other = theirs.new_initial_state()
    hands = [[f for f in CARD_OF if int(hand) >> f & 1] for hand in state.hands[:, 0]]
    for face in (*hands[0], *hands[1], int(state.pile[0])):
        other.apply_action(CARD_OF[face])
    players, said = (Player(dice), Player(dice)), []
    while not other.is_terminal():
        kernels.legal_one(states, mask)
        legal = np.flatnonzero(mask).tolist()
        same = other.current_player() == state.seat and sorted(THEIRS[a] for a in legal) == other.legal_actions()
        assert same, f"seed {seed}, {rules}\n{other}\n{said}\n{GAME.texts.to_text(state)}"
        action = players[state.seat].choose(state, legal)
        said.append(GAME.actions.text(action))
        drawn = int(state.stock[state.stock_size - 1])
        kernels.apply_one(states, action)
        other.apply_action(THEIRS[action])
        if other.is_chance_node():
            other.apply_action(CARD_OF[drawn])
    assert state.phase == OVER, f"seed {seed}\n{said}\n{other}\n{GAME.texts.to_text(state)}"
    returns = [engine.reward(state, seat, 0) for seat in (0, 1)]
    assert returns == other.returns(), f"seed {seed}\n{said}\n{other}\n{GAME.texts.to_text(state)}"
    ending = GAME.outcome(state).ending
    return ending if ending != "drawn" else "wall" if state.stock_size <= WALL else "drawn"


def test_the_default_game(long: bool) -> None:
    theirs = pyspiel.load_game("gin_rummy")
    endings = Counter(play_both("openspiel", theirs, seed) for seed in range(22_000 if long else 300))
    assert set(endings) >= {"knock", "gin", "undercut", "wall", "drawn"}


@pytest.mark.parametrize("number", range(8), ids=lambda number: f"parameters-{number}")
def test_its_parameters(number: int, long: bool) -> None:
    """Other knock cards and bonuses, and Oklahoma."""
    oklahoma, knock, gin = list(itertools.product((True, False), (0, 4), (0, 40)))[number]
    parameters = {"oklahoma": oklahoma, "knock_card": knock, "gin_bonus": gin, "undercut_bonus": 10}
    theirs = pyspiel.load_game("gin_rummy", parameters)
    rules = f"openspiel knock_card={knock} gin_bonus={gin} undercut_bonus=10" + " oklahoma=on" * oklahoma
    for seed in range(1000 if long else 20):
        play_both(rules, theirs, 10_000_000 + seed)


def test_players_meet_its_bot_in_both_seats() -> None:
    """The bot beats `random` by far, and the same deals and dice give the same figures."""
    ahead = play(make_player("random", GAME), 20, first=7)
    assert ahead.shape == (20,)
    assert ahead.mean() < -30
    assert (play(make_player("random", GAME), 20, first=7) == ahead).all()
