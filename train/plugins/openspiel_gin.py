"""Matches of gin players against OpenSpiel's own bot, with OpenSpiel as the referee.

    python -m train.plugins.openspiel_gin greedy expert net:agents/zoo/gin-2p --deals 2000
    python -m train.plugins.openspiel_gin search:200ms --deals 100

OpenSpiel contains `simple_gin_rummy_bot`, a rule-based player in C++. Every deal is played twice, so that both sides
hold either hand, and the points of a hand are the returns of OpenSpiel's game `gin_rummy`. Each game runs in this
package and in OpenSpiel at the same time: our player sees only our observation, the bot sees OpenSpiel's state, and at
every decision both games must have the same legal actions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from banakil_env.agents import PlayerError, make_player
from banakil_env.arena import Player
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import interval
from banakil_env.core.terminal import escaped
from banakil_env.games import find
from banakil_env.kit.melds.deadwood import NUM_LAYS
from banakil_env.kit.pack52 import FACES
from banakil_env.kit.plain import Plain

GAME = find("gin")
PLAIN = Plain(GAME)
RULES = "openspiel"
A_DRAW, A_TAKE, A_PASS, A_KNOCK, A_LAY, A_ADD, A_DISCARD = (
    GAME.actions.first(block) for block in ("draw", "take", "pass", "knock", "lay", "add", "discard")
)
TAKE, DRAW, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56  # actions of OpenSpiel; cards are 0..51
CARDS = [FACES.parse(rank + suit) for suit in "scdh" for rank in "A23456789TJQK"]  # our face for each card of OpenSpiel
CARD_OF = {face: card for card, face in enumerate(CARDS)}
TABLES = 64  # played at once, so that a network is called for many


class DifferentGames(AssertionError):
    """The legal actions of our game and OpenSpiel's game differ."""


def _melds() -> dict[int, int]:
    """OpenSpiel's action for each of our actions that lay a meld."""
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    theirs = {frozenset(CARDS[card] for card in utils.int_to_meld[i]): FIRST_MELD + i for i in range(NUM_LAYS)}
    return {a: theirs[frozenset(GAME.actions[a].cards)] for a in range(A_LAY, A_LAY + NUM_LAYS)}


# OpenSpiel's action for each of ours.
THEIRS = {A_DRAW: DRAW, A_TAKE: TAKE, A_PASS: PASS, A_KNOCK: KNOCK, **_melds()}
THEIRS |= {A_ADD + face: CARD_OF[face] for face in CARD_OF} | {A_DISCARD + face: CARD_OF[face] for face in CARD_OF}


class Twins:
    """One hand in both games.

    Args:
        theirs: OpenSpiel's `gin_rummy`.
        rules: our rules of the same game.
        seed: the seed of the deal.

    Attributes:
        ours, theirs: the states, which are changed by `step`.
    """

    def __init__(self, theirs: Any, seed: int, rules: str = RULES) -> None:
        self.ours, self.theirs = PLAIN.new(rules=rules, seed=seed), theirs.new_initial_state()
        hands = [[face for face in CARD_OF if int(hand) >> face & 1] for hand in self.ours.hands[:, 0]]
        for face in (*hands[0], *hands[1], int(self.ours.pile[0])):
            self.theirs.apply_action(CARD_OF[face])

    def legal(self) -> dict[int, int]:
        """The legal actions of OpenSpiel's game, each with our action. Raises DifferentGames if ours differ."""
        ours = {THEIRS[action]: action for action in PLAIN.legal_actions(self.ours)}
        if self.theirs.current_player() != PLAIN.seat_to_move(self.ours) or sorted(ours) != self.theirs.legal_actions():
            raise DifferentGames(f"{self.theirs}\n{PLAIN.to_text(self.ours)}")
        return ours

    def step(self, action: int) -> None:
        """Carry out one of our actions in both games. A drawn card is the top card of our stock."""
        drawn = int(self.ours.stock[self.ours.stock_size - 1])
        PLAIN.apply(self.ours, action)
        self.theirs.apply_action(THEIRS[action])
        if self.theirs.is_chance_node():
            self.theirs.apply_action(CARD_OF[drawn])


def play(player: Player, deals: int, first: int, seed: int = 0) -> npt.NDArray[np.float64]:
    """The lead of a player over the bot in points per hand: the mean over both seats, float64 (deals,).

    Args:
        player: the player.
        deals: the number of deals.
        first: the seed of the first deal.
        seed: the seed of the player's dice.

    Raises:
        DifferentGames: our game differs from OpenSpiel's.
    """
    game, rng = pyspiel.load_game("gin_rummy"), np.random.default_rng(seed)
    out = np.zeros((deals, 2))
    for begin in range(0, deals, TABLES):
        places = [(deal, seat) for deal in range(begin, min(begin + TABLES, deals)) for seat in range(2)]
        hands = [Twins(game, first + deal) for deal, _ in places]
        bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), 1 - seat) for _, seat in places]
        on = list(range(len(places)))
        while on:
            asked = []
            for i in on:
                legal = hands[i].legal()
                if PLAIN.seat_to_move(hands[i].ours) == places[i][1]:
                    asked.append(i)
                else:
                    hands[i].step(legal[bots[i].step(hands[i].theirs)])
            if asked:
                _move(player, [(hands[i], places[i][1]) for i in asked], rng)
            on = [i for i in on if not hands[i].theirs.is_terminal()]
        for hand, place in zip(hands, places):
            out[place] = hand.theirs.returns()[place[1]]
    return out.mean(axis=1)


def _move(player: Player, hands: Sequence[tuple[Twins, int]], rng: np.random.Generator) -> None:
    """Call the player once for all hands, each given with the seat to move, and carry out its actions."""
    seen = [PLAIN.observe(hand.ours, seat) for hand, seat in hands]
    observations, masks = (np.stack([row[name] for row in seen]) for name in ("observation", "action_mask"))
    actions = player.act(observations, masks, rng.integers(2**64, size=len(hands), dtype=np.uint64))
    for (hand, _), action in zip(hands, actions):
        hand.step(int(action))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.plugins.openspiel_gin", description=__doc__.split("\n\n")[0])
    parser.add_argument("players", nargs="+", help="of gin: greedy, expert, net:agents/zoo/gin-2p, search:200ms")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seeds", choices=SEED_SETS, default="arena-v1", help="the set of deals")
    parser.add_argument("--skip", type=int, default=0, help="number of deals of the set to skip")
    options = parser.parse_args(arguments)
    print("| player | points per hand ahead of simple_gin_rummy_bot (95 %) | (99 %) | deals |\n|---|---|---|---|")
    try:
        for name in options.players:
            ahead = play(make_player(name, GAME), options.deals, SEED_SETS[options.seeds] + options.skip)
            wide, wider = (interval(ahead, level) for level in (0.95, 0.99))
            print(f"| {name} | {wide} | ± {wider.half_width:.2f} | {options.deals} |", flush=True)
    except PlayerError as error:
        parser.error(escaped(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
