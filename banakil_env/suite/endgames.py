"""Computes exactly how exploitable a player is in small endgames for two players, of any game, which are solved.

    python -m banakil_env.suite.endgames greedy random --game yaniv
    python -m banakil_env.suite.endgames net:agents/zoo/gin-2p --game gin --throws 1 --position my-endgame.txt

An endgame is a position with few hidden cards. Its hidden cards are dealt in every way that both seats consider
possible, all equally likely; nothing else is random. `Endgame` builds the tree of all games from there. CFR+ solves it,
and the best response to a player is computed exactly. See docs/evaluating.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.players import Player, make_players
from banakil_env.core import engine
from banakil_env.core.files import read_within
from banakil_env.core.game import REWARDS, Game, PositionError
from banakil_env.core.kernels import kernels_of, legal_actions
from banakil_env.core.terminal import complain, say
from banakil_env.games import find

Floats = npt.NDArray[np.float64]

DICE = 32  # number of samples per decision from which the policy of a random player is estimated
MOST_NODES = 3_000_000
MOST_BYTES = 1 << 20  # bytes of a file with a position
MISSES = 14  # fruitless draws per deal found after which the search ends; a deal is then missed with probability e^-14

PACK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


def with_pile(position: str, more: str = "") -> str:
    """A position whose pile holds all cards that the text does not name, with the cards `more` on top."""
    named = set(position.split())
    return f"{position}pile: {' '.join([*(card for card in PACK if card not in named), *more.split()])}\n"


# A small game for each of these names, with 24 to 360 possible deals: an endgame of two or three turns; for Banakil,
# which has small packs, a whole round of four turns with six cards.
POSITIONS = {
    "banakil": (
        "rules: mini\nplayers: 2\nturn: seat 0, play\nhand 0: 3c 6c JK\nhand 1: 4c 7c\npile:\nstock: 5c\nrng: 1\n"
    ),
    "rummy": with_pile(
        "rules: denexa max_turns=5\nplayers: 2\nturns: 2\nturn: seat 0, draw\nhand 0: 5d 6d\nhand 1: 4h 5h\n"
        "melds 0: Ac 2c 3c 4c 5c 6c 7c 8c\nmelds 1: 2s 3s 4s 5s 6s 7s 8s 9s\nstock: 7d Kd\n"
    ),
    "yaniv": with_pile(
        "rules: denexa max_turns=5\nplayers: 2\nturns: 2\nturn: seat 0, play\nhand 0: 6c 5d\nhand 1: 8c\n"
        "stock: 6s Ts 2h\n",
        more="JK JK",
    ),
    "gin": with_pile(
        "rules: openspiel max_turns=8\nplayers: 2\nturns: 6\nturn: seat 0, draw\nlimit: 10\n"
        "hand 0: Ac 2c 3c 7d 8d 9d Th Jh 4s 5s\nhand 1: As 2s 3s 7c 8c 9c Td Jd 4h 5h\n"
        "known 0: Ac 2c 3c 7d 8d 9d Th Jh 4s 5s\nknown 1: As 2s 3s 7c 8c 9c Td Jd 4h\nstock: 6s 6h Kd\n"
    ),
    "tonk": with_pile(
        "rules: plain max_turns=5\nplayers: 2\nturns: 2\nturn: seat 0, draw\nhand 0: 5d 6d\nhand 1: 4h 5h\n"
        "melds 0: Ac As Ah\nmelds 1: 9c Tc Jc\nstock: 7d Kd\n"
    ),
}


class EndgameError(ValueError):
    """A position that is not a small endgame for two players."""


def deals_of(game: Game, start: npt.NDArray[Any], most: int = 20_000) -> npt.NDArray[Any]:
    """Every deal of the hidden cards that the seats consider possible, as an array of states, with `start` first.

    Deals are found by redealing for either seat until no new deal is found. All states have the generator of `start`.

    Args:
        game: the game.
        start: the state of the position, an array of one.
        most: the largest allowed number of deals.

    Raises:
        EndgameError: there are more than `most`.
    """
    redeal, rng, found = kernels_of(game).redeal_hidden_one, np.random.default_rng(0), [start.copy()]
    seen, misses = {start.tobytes()}, 0
    while misses < MISSES * len(found):
        other = found[rng.integers(len(found))].copy()
        redeal(other, int(rng.integers(2)), rng.integers(2**63, dtype=np.uint64))
        other["rng"] = start["rng"]
        misses += 1
        if (content := other.tobytes()) not in seen:
            seen.add(content)
            found.append(other)
            misses = 0
            if len(found) > most:
                raise EndgameError(f"the hidden cards can be dealt in more than {most:,} ways: hide fewer")
    return np.concatenate(found)


@dataclass
class Side:
    """One seat's part of the tree in sequence form: its information states, and the sequences of its actions.

    Sequences are numbered; 0 is the empty sequence.

    Attributes:
        parents: by information state, the sequence of the seat's actions that leads to it.
        actions: by information state, the legal actions there.
        first: by information state, the number of the sequence that its first action makes; the others follow.
        rows: by information state, the observation and the mask.
        sequences: the number of sequences.
    """

    parents: list[int] = field(default_factory=list)
    actions: list[list[int]] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    rows: list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int8]]] = field(default_factory=list)
    sequences: int = 1
    # The number of an information state, by the memory of the seat.
    places: dict[int, int] = field(default_factory=dict)

    def place(self, remembered: int, parent: int, actions: list[int], observation: Any, mask: Any) -> int:
        """The number of the information state whose memory has the number `remembered`.

        If there is no such state yet, one is added with the other arguments.

        Args:
            remembered: a number for everything that the seat remembers.
            parent: the sequence of the seat's actions that leads to the state.
            actions: the legal actions there.
            observation, mask: the seat's view there.
        """
        found = self.places.get(remembered)
        if found is None:
            found = self.places[remembered] = len(self.parents)
            self.parents.append(parent)
            self.actions.append(actions)
            self.first.append(self.sequences)
            self.rows.append((observation.view(np.uint8).copy(), mask.copy()))
            self.sequences += len(actions)
        return found

    def close(self) -> None:
        """Sort the information states into levels by the number of earlier decisions of this seat."""
        level_of_sequence = np.zeros(self.sequences, np.int64)
        levels: dict[int, list[int]] = {}
        for number, (parent, first, actions) in enumerate(zip(self.parents, self.first, self.actions)):
            level = int(level_of_sequence[parent])
            levels.setdefault(level, []).append(number)
            level_of_sequence[first : first + len(actions)] = level + 1
        self.levels = [self._level(numbers) for _, numbers in sorted(levels.items())]

    def _level(self, numbers: list[int]) -> tuple[npt.NDArray[np.int64], ...]:
        """The data of a level, which holds the information states with these numbers.

        Returns:
            The sequences of the level, the index of each information state's first sequence among them, the number of
            actions of each information state, and the parents.
        """
        sizes = np.array([len(self.actions[number]) for number in numbers])
        own = np.concatenate([np.arange(self.first[n], self.first[n] + size) for n, size in zip(numbers, sizes)])
        return own, np.cumsum(sizes) - sizes, sizes, np.array([self.parents[number] for number in numbers])

    def plan(self, chances: Floats) -> Floats:
        """The probability of each sequence, as a product of the probabilities `chances` of this seat's actions."""
        plan = np.ones(self.sequences)
        for own, _, sizes, parents in self.levels:
            plan[own] = chances[own] * np.repeat(plan[parents], sizes)
        return plan

    def best(self, worth: Floats) -> float:
        """The value of the best plan, given the value of ending the game with each sequence."""
        worth = worth.copy()
        for own, starts, _, parents in reversed(self.levels):
            np.add.at(worth, parents, np.maximum.reduceat(worth[own], starts))
        return float(worth[0])

    def regrets(self, worth: Floats, chances: Floats) -> Floats:
        """The gain of each action over the strategy `chances` at its information state.

        `worth` is the value of ending the game with each sequence.
        """
        worth, more = worth.copy(), np.zeros(self.sequences)
        for own, starts, sizes, parents in reversed(self.levels):
            mean = np.add.reduceat(chances[own] * worth[own], starts)
            more[own] = worth[own] - np.repeat(mean, sizes)
            np.add.at(worth, parents, mean)
        return more

    def matched(self, regrets: Floats) -> Floats:
        """The strategy by regret matching: probabilities in proportion to the regrets, uniform if all regrets are 0."""
        chances = np.ones(self.sequences)
        for own, starts, sizes, _ in self.levels:
            total = np.repeat(np.add.reduceat(regrets[own], starts), sizes)
            alike = 1 / np.repeat(sizes, sizes)
            chances[own] = np.where(total > 0, regrets[own] / np.where(total > 0, total, 1), alike)
        return chances


_Pair = tuple[int, int]  # one number for each seat


class Endgame:
    """The tree of all games from a position for two players, with every deal of its hidden cards.

    Args:
        game: the game.
        position: the text of the position.

    Attributes:
        deals: the possible first states, all equally likely.
        sides: the decisions of each seat.
        nodes: the number of nodes of the tree.

    Raises:
        PositionError: the text is not a position.
        EndgameError: the position is not for two players, is over, or is too large.
    """

    def __init__(self, game: Game, position: str) -> None:
        start = game.texts.from_text(position)
        if int(start[0].num_players) != 2 or not legal_actions(game, start[0]):
            raise EndgameError("an endgame is a position for two players in which somebody is to move")
        self.game, self.kernels = game, kernels_of(game)
        self.deals = deals_of(game, start)
        self.sides, self.nodes = (Side(), Side()), 0
        self._ids: dict[tuple[int, Any], int] = {}
        self._ends: list[tuple[int, int, float]] = []
        for deal in self.deals:
            self._walk(deal.reshape(1), (0, 0), (b"", b""), (0, 0))
        for side in self.sides:
            side.close()
        first, second, worth = zip(*self._ends)
        self.ends = np.array(first), np.array(second)
        # Rewards of the first seat, by end of the tree, weighted by the probability of the deal.
        self.worth = np.array(worth) / len(self.deals)

    def _walk(self, state: npt.NDArray[Any], remembered: _Pair, last: tuple[bytes, bytes], sequences: _Pair) -> None:
        """Add all games from a state to the tree.

        Args:
            state: the state, an array of one.
            remembered: a number for the memory of each seat.
            last: the last observation of each seat.
            sequences: the sequence of actions of each seat.
        """
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise EndgameError(f"there are more than {MOST_NODES:,} positions: hide fewer cards, or leave fewer turns")
        seat = int(engine.seat_to_move(state[0]))
        if seat < 0:
            rewards = np.zeros(2)
            self.kernels.end_one(state, REWARDS["margin"], rewards)
            self._ends.append((*sequences, float(rewards[0])))
            return
        views = [self._seen(state, each) for each in range(2)]
        now = [views[each][0].tobytes() for each in range(2)]
        knows = list(remembered)
        for each in range(2):
            if now[each] != last[each]:
                knows[each] = self._id(knows[each], now[each])
        actions, side = legal_actions(self.game, state[0]), self.sides[seat]
        place = side.place(knows[seat], sequences[seat], actions, *views[seat])
        for number, action in enumerate(actions):
            after = state.copy()
            self.kernels.apply_one(after, action)
            then, own = list(knows), list(sequences)
            then[seat], own[seat] = self._id(knows[seat], action), side.first[place] + number
            self._walk(after, (then[0], then[1]), (now[0], now[1]), (own[0], own[1]))

    def _seen(self, state: npt.NDArray[Any], seat: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        observation, mask = np.empty(1, self.game.observation), np.empty(self.game.num_actions, np.int8)
        self.kernels.observe_one(state, seat, observation, mask)
        return observation, mask

    def _id(self, before: int, what: Any) -> int:
        return self._ids.setdefault((before, what), len(self._ids) + 1)

    def worth_to(self, seat: int, other_plan: Floats) -> Floats:
        """The value of ending with each sequence of a seat, given the plan of the other seat."""
        own, other = self.ends[seat], self.ends[1 - seat]
        worth = self.worth if seat == 0 else -self.worth
        return np.bincount(own, worth * other_plan[other], minlength=self.sides[seat].sequences).astype(np.float64)

    def worst_case(self, seat: int, plan: Floats) -> float:
        """The value of a plan against its best response, as a mean over the deals, in points."""
        return -self.sides[1 - seat].best(self.worth_to(1 - seat, plan))

    def solve(self, iterations: int) -> tuple[Floats, Floats]:
        """The average plans of both seats after `iterations` of CFR+."""
        chances = [side.matched(np.zeros(side.sequences)) for side in self.sides]
        regrets = [np.zeros(side.sequences) for side in self.sides]
        plans = [side.plan(each) for side, each in zip(self.sides, chances)]
        sums = [np.zeros(side.sequences) for side in self.sides]
        for iteration in range(1, iterations + 1):
            for seat, side in enumerate(self.sides):
                more = side.regrets(self.worth_to(seat, plans[1 - seat]), chances[seat])
                regrets[seat] = np.maximum(regrets[seat] + more, 0)
                chances[seat] = side.matched(regrets[seat])
                plans[seat] = side.plan(chances[seat])
                sums[seat] += iteration * plans[seat]
        return sums[0] / sums[0][0], sums[1] / sums[1][0]

    def plans_of(self, player: Player, throws: int = DICE) -> tuple[Floats, Floats]:
        """The plans of a player of the arena at both seats, estimated from repeated samples of its actions.

        `throws` is the number of samples at each information state.
        """
        first, second = (self._plan_of(player, side, throws) for side in self.sides)
        return first, second

    def _plan_of(self, player: Player, side: Side, throws: int) -> Floats:
        chances = np.ones(side.sequences)
        dice = np.random.default_rng(0).integers(2**64, size=throws, dtype=np.uint64)
        observations = np.repeat([observation for observation, _ in side.rows], throws, axis=0)
        masks = np.repeat([mask for _, mask in side.rows], throws, axis=0)
        answers = player.act(observations, masks, np.tile(dice, len(side.rows))).reshape(-1, throws)
        for first, actions, given in zip(side.first, side.actions, answers):
            chances[first : first + len(actions)] = [(given == action).mean() for action in actions]
        return side.plan(chances)

    def exploitability(self, plans: tuple[Floats, Floats]) -> float:
        """The exploitability of a pair of plans in points.

        It is the mean over both seats of the points that a best response wins beyond the value of the game.
        """
        return -(self.worst_case(0, plans[0]) + self.worst_case(1, plans[1])) / 2


def report(endgame: Endgame, players: Sequence[Player], iterations: int, throws: int = DICE) -> list[str]:
    """Lines of Markdown: the value of an endgame, and a table of players."""
    solved = endgame.solve(iterations)
    low, high = endgame.worst_case(0, solved[0]), -endgame.worst_case(1, solved[1])
    states = sum(len(side.parents) for side in endgame.sides)
    plans = {
        f"CFR+, {iterations} iterations": solved,
        **{each.name: endgame.plans_of(each, throws) for each in players},
    }
    return [
        f"{len(endgame.deals):,} deals, {endgame.nodes:,} nodes, {states:,} information states; with perfect play the "
        f"first seat gets between {low:z.3f} and {high:z.3f} points more than the second",
        "",
        "| player | worst case in the first seat | in the second | exploitability |",
        "| --- | --- | --- | --- |",
        *(
            f"| {name} | {endgame.worst_case(0, plan[0]):z.3f} | {endgame.worst_case(1, plan[1]):z.3f} | "
            f"{endgame.exploitability(plan):z.3f} |"
            for name, plan in plans.items()
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m banakil_env.suite.endgames", description="Solve an endgame exactly."
    )
    parser.add_argument("players", nargs="*", default=["random", "greedy"], help="as for `banakil arena`")
    parser.add_argument("--game", default="yaniv", help=f"{', '.join(POSITIONS)} have an endgame of their own")
    parser.add_argument("--position", type=Path, help="a file with another endgame, of any game")
    parser.add_argument("--iterations", type=int, default=1000, help="of CFR+ (default: 1000)")
    parser.add_argument(
        "--throws", type=int, default=DICE, help=f"of a player's dice at each decision ({DICE}); 1 for trained networks"
    )
    options = parser.parse_args(arguments)
    try:
        game = find(options.game)
        if options.position is None and game.name not in POSITIONS:
            raise EndgameError(f"{game.title} has no endgame of its own: give one with --position FILE")
        text = POSITIONS[game.name] if options.position is None else read_within(options.position, MOST_BYTES).decode()
        if min(options.iterations, options.throws) < 1:
            raise EndgameError("--iterations and --throws are numbers from 1 on")
        lines = report(Endgame(game, text), make_players(options.players, game), options.iterations, options.throws)
    except (ValueError, PositionError, OSError) as error:
        complain(f"banakil_env.suite.endgames: {error}")
        return 1
    say("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
