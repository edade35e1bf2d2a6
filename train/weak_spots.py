"""Finds the kinds of decisions in which a player loses points to another: the other player makes them in its place.

    python -m train.weak_spots zoo:gin-2p-learned greedy --game gin

A kind is the set of legal verbs, such as "draw or take". The player first plays held-out deals against the other
player, from every seat. Then, for each kind, it plays them again, and the other player makes its decisions of this
kind. The gain is the player's improvement, deal by deal. A kind with a large gain is one that the player has not
understood: for the agents that learned from nothing it was the draw (docs/learning-from-nothing.md).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from banakil_env.agents import make_player
from banakil_env.arena import Plan, Player, Results
from banakil_env.arena.options import TableOptions
from banakil_env.arena.statistics import Interval, interval
from banakil_env.arena.workers import play_deals
from banakil_env.core.game import Game
from banakil_env.core.markdown import markdown_table
from train.table_arguments import add_table_arguments, table_of

HELD_OUT = "tuning-v1"
LEAST_SHARE = 0.01  # share of the decisions below which a kind is left out


class Mixed:
    """A player whose decisions of one kind are made by another player.

    Args:
        player: the player.
        other: the other player.
        game: the game.
        kind: a kind, as `kinds` returns it; None: the player makes all decisions itself.

    Attributes:
        made: by kind, the number of its decisions with several legal actions.
        differ: by kind, the number of those that the other player makes differently.
    """

    def __init__(self, player: Player, other: Player, game: Game, kind: str | None = None) -> None:
        self.name, self._players, self._game, self._kind = player.name, (player, other), game, kind
        self.made, self.differ = Counter[str](), Counter[str]()

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """The player's actions, or in decisions of the kind `kind` those of the other player; both players are called.

        Also counts the decisions of each kind. The arguments are those of `Player.act`.
        """
        own, others = (np.asarray(player.act(observations, masks, dice)) for player in self._players)
        found = kinds(self._game, masks)
        for kind, differs in zip(found, own != others):
            self.made[kind] += kind != ""
            self.differ[kind] += int(differs)
        return np.where(np.array(found) == self._kind, others, own)


def kinds(game: Game, masks: npt.NDArray[np.int8]) -> list[str]:
    """The kind of each decision: the verbs of the legal actions, in the order of the actions.

    It is "" if only one action is legal.
    """
    verbs = list(dict.fromkeys(action.verb for action in game.actions))
    of_verb = np.array([[action.verb == verb for verb in verbs] for action in game.actions], np.float32)
    counts = (masks != 0).astype(np.float32) @ of_verb
    return [" or ".join(verbs[i] for i in np.flatnonzero(row)) if row.sum() > 1 else "" for row in counts]


@dataclass(frozen=True)
class Spot:
    """A kind of decisions.

    Attributes:
        share: its share of the player's decisions with several legal actions.
        differ: the share of this kind's decisions that the other player makes differently.
        gain: points per deal gained if the other player makes them.
    """

    kind: str
    share: float
    differ: float
    gain: Interval


def weak_spots(player: Player, other: Player, table: TableOptions, deals: int) -> tuple[Interval, list[Spot]]:
    """Points per deal ahead of the other player, and the kinds of decisions, with the largest gain first."""
    alone = Mixed(player, other, table.found)
    margins = _margins(alone, other, table, deals)
    all_made, spots = sum(alone.made.values()), []
    for kind, made in alone.made.items():
        if made >= LEAST_SHARE * all_made and kind:
            gains = _margins(Mixed(player, other, table.found, kind), other, table, deals) - margins
            spots.append(Spot(kind, made / all_made, alone.differ[kind] / made, interval(gains)))
    return interval(margins), sorted(spots, key=lambda spot: -spot.gain.mean)


def _margins(player: Player, other: Player, table: TableOptions, deals: int) -> npt.NDArray[np.float64]:
    """Points ahead of the other player in each deal."""
    plan = Plan(("player", "other"), deals=deals, seed_set=HELD_OUT, budget=None, game=table.game, **table.options)
    results = Results(plan)
    for outcomes in play_deals([player, other], plan, range(deals), record=False):
        results.add(outcomes)
    return results.margins()[:, 0]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.weak_spots", description=__doc__.partition("\n")[0])
    parser.add_argument("player", help="whose decisions are looked at")
    parser.add_argument("other", help="the player that plays against it and makes decisions in its place")
    add_table_arguments(parser)
    parser.add_argument("--deals", type=int, default=500, help="each played from every seat (default 500)")
    given = parser.parse_args(arguments)
    try:
        if given.deals < 2:
            raise ValueError(f"--deals must be 2 or more, not {given.deals}")
        table = table_of(given)
        player, other = (make_player(name, table.game) for name in (given.player, given.other))
    except ValueError as error:
        parser.error(str(error))
    ahead, spots = weak_spots(player, other, table, given.deals)
    print(f"{given.player}: {ahead} points per deal ahead of {given.other}, {given.deals} deals\n")
    rows = [(s.kind, f"{s.share:.0%}", f"{s.differ:.0%}", str(s.gain)) for s in spots]
    print(markdown_table(("legal", "decisions", f"{given.other} differs", f"gain with those of {given.other}"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
