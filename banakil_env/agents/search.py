"""`search`: thinks ahead by playing the round out, over and over, with the hidden cards dealt anew each time.

Determinized Monte-Carlo search: a full state is made of the observation alone (`Game.search.suppose`), so that nothing
hidden can be read, and its hidden hands are made such as the others would hold (`believe`); each candidate move is
tried in the same deals (common chance: what is the same in all of them cancels out), and the round is played to its end
by a rule-based player at every seat. The playouts go where they matter by successive halving: all candidates share the
first part, the better half the next (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013), and whatever is clearly worse than the best is dropped at once, so that a plain case ends before its budget
(Maron and Moore, "Hoeffding races", NIPS 1993). Unless it is clearly worse, the move of the rule-based player is among
the last, and is played unless another is better by more than chance: so the search departs from it only where it has a
reason to.

The budget is `search:500` (playouts a move), `search:200ms` or `search:1s` (time a move). With playouts the same
observation and dice give the same move on every machine; with time they need not. A game without hooks for search
(`Game.search`) has no such player.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

import functools
import re
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.players import Explanation, check_asked
from banakil_env.arena.statistics import interval
from banakil_env.core.bits import wide
from banakil_env.core.game import MARGIN, Game, IllegalAction, Search
from banakil_env.core.jit import bind
from banakil_env.core.kernels import GENERATOR, legal_actions, refusal
from banakil_env.core.playouts import asked_players_of, play_out_of
from banakil_env.games import find, to_pickle
from banakil_env.kit.plain import Plain

# Of the actions about a depth of the pile, so many of the first (the shortest takes) are tried, and the one that the
# rule-based player would choose.
DEPTHS_TRIED = 12
# How many standard errors a move must be better than the rule-based player's to be played in its stead.
SURE = 2.0
# Exchanges that are tried with each hidden hand before the first deal, and between two.
FIRST_EXCHANGES, EXCHANGES = 300, 8
# Deals in a call: between calls the clock is looked at.
DEALS_AT_ONCE = 4
# From so many deals on a move is dropped that is worse than the best by so many standard errors of their difference.
RACE_FROM, CLEARLY = 16, 3.5


def _suppose_one(seen: Any, seed: int, supposed: Any) -> None:
    """A deal that agrees with what is seen, any of them, as the place where a chain of likelier ones begins."""
    suppose(seen[0], seed, supposed[0])
    round_of(supposed[0])


def _try_all(
    supposed: Any,
    likelihoods: Any,
    exchanges: int,
    candidates: Any,
    seeds: Any,
    kind: int,
    states: Any,
    observations: Any,
    mask: Any,
    dice: Any,
    out: Any,
) -> bool:
    """The margin (points) of every candidate (column) in every deal (row), played out by the compiled player `kind`.

    Between two deals the hidden hands of `supposed` change by so many `exchanges` tried; 0: they are dealt once.

    Returns:
        False: a candidate is not legal, and nothing was played after it.
    """
    for deal in range(seeds.shape[0]):
        believe(supposed[0], kind, likelihoods, exchanges, states, observations, mask, dice)
        shuffle_hidden(supposed[0], seeds[deal])
        for i in range(candidates.shape[0]):
            states[0] = supposed[0]
            dice[0].rng = seeds[deal]
            if not apply(states[0], candidates[i]):
                return False
            play_out(states[0], kind, observations[0], mask, dice[0])
            out[deal, i] = reward(states[0], wide(0), wide(MARGIN))
    return True


def _ask(kind: int, seen: Any, mask: Any, dice: Any) -> int:
    return wide(action_of(kind, seen[0], mask, dice[0]))


def _believe_anything(
    state: Any, kind: int, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """Of a game whose hidden hands stay as they were dealt."""


@dataclass(frozen=True)
class Loops:
    """The compiled loops of one game; see the functions above that they are named after."""

    suppose_one: Any
    try_all: Any
    ask: Any


@functools.cache
def loops_of(game: Game) -> Loops:
    """The loops bound to a game; compiled when first called, then kept on disk."""
    name, hooks = game.name, hooks_of(game)
    return Loops(
        suppose_one=bind(_suppose_one, f"{name}_suppose_one", suppose=hooks.suppose, round_of=hooks.round_of),
        try_all=bind(
            _try_all,
            f"{name}_try_all",
            believe=hooks.believe or bind(_believe_anything, f"{name}_believe_anything"),
            shuffle_hidden=hooks.shuffle,
            apply=game.engine.apply,
            play_out=play_out_of(game),
            reward=game.engine.reward,
        ),
        ask=bind(_ask, f"{name}_ask", action_of=asked_players_of(game)),
    )


def hooks_of(game: Game) -> Search:
    """What a search needs of the game. ValueError: it has no such hooks."""
    if game.search is None:
        raise ValueError(f"{game.title} cannot be searched: it has no hooks for search")
    return game.search


class SearchPlayer:
    """A player that searches; see the module.

    Args:
        budget: `"500"` playouts, `"200ms"` or `"1s"` for a move. ValueError: it is none of these.
        game: which it plays. ValueError: it has no hooks for search.
        player: the rule-based player of the playouts; None: the one that the game names.
        sure: standard errors by which a move must be better than that player's own.
    """

    def __init__(
        self, budget: str = "1s", game: str | Game = "banakil", player: str | None = None, sure: float = SURE
    ) -> None:
        self.name = f"search:{budget or '1s'}"
        self.playouts, self.seconds = _parse_budget(budget or "1s")
        self.game = find(game)
        player = player or hooks_of(self.game).player
        self._loops = loops_of(self.game)
        self._budget, self._player, self._sure = budget, player, sure
        self._kind = self.game.kinds[player]
        self.tried = 0  # playouts so far
        self._thought: tuple[Any, Any] | None = None  # the candidates of the last search, and their margins by deal
        self._supposed, self._likelihoods = np.zeros(1, self.game.state), np.empty(self.game.max_seats)
        self._states = np.zeros(1, self.game.state)
        self._observations = np.empty(1, self.game.observation)
        self._mask = np.empty(self.game.num_actions, np.int8)
        self._dice = np.zeros(1, GENERATOR)

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes by what it was made of."""
        return type(self), (self._budget, to_pickle(self.game), self._player, self._sure)

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        check_asked(self.game, observations, masks, dice)
        records = np.ascontiguousarray(observations).view(self.game.observation).reshape(-1, 1)
        found = [self.decide(seen, mask, int(bits)) for seen, mask, bits in zip(records, masks, dice)]
        return np.array(found, np.int64)

    def prepare(self) -> None:
        """Compile before anybody counts the seconds."""
        plain = Plain(self.game)
        state = plain.new(seed=0)
        seat = plain.seat_to_move(state)
        assert seat is not None
        seen = plain.observe(state, seat)
        short = SearchPlayer("4", self.game, self._player)
        short.act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))

    def decide(self, seen: Any, mask: npt.NDArray[np.int8], dice: int) -> int:
        """The move for one observation (an array of one record)."""
        begun = time.perf_counter()
        self._dice[0].rng = dice
        own = int(self._loops.ask(self._kind, seen, mask, self._dice))
        candidates = candidates_of(self.game, mask, own)
        if len(candidates) == 1:
            return own
        rng = np.random.default_rng(dice)
        self.suppose(seen, rng)
        active = np.arange(len(candidates))
        margins = np.full((0, len(candidates)), np.nan)
        rounds = max(1, int(np.ceil(np.log2(len(candidates)))))
        for stage in range(rounds):
            share = (stage + 1) / rounds
            while len(active) > 1:
                left = self._deals_left(share, begun, margins, len(active))
                if left <= 0:
                    break
                more = self._try(candidates, active, rng, min(left, DEALS_AT_ONCE))
                margins = np.concatenate([margins, more])
                active = _still_racing(margins, active)
            active = _better_half(margins, active)
        self._thought = candidates, margins
        return int(candidates[self._best(margins, active)])

    def _deals_left(self, share: float, begun: float, margins: Any, active: int) -> int:
        """How many more deals this stage may have: its share of time or playouts, but two at least in the first."""
        if len(margins) < 2:
            return 2 - len(margins)
        if self.seconds is not None:
            return DEALS_AT_ONCE if time.perf_counter() - begun < share * self.seconds else 0
        used = np.count_nonzero(~np.isnan(margins))
        return int((share * self.playouts - used) // active)

    def _try(self, candidates: Any, active: Any, rng: Any, deals: int) -> Any:
        margins = np.full((deals, len(candidates)), np.nan)
        margins[:, active] = self.margins(candidates[active], rng, deals)
        return margins

    def suppose(self, seen: Any, rng: np.random.Generator) -> None:
        """Begin to think about one observation (an array of one record): find hands that the others may hold."""
        self._loops.suppose_one(seen, rng.integers(0, 2**64, dtype=np.uint64), self._supposed)
        self._likelihoods[:] = -1
        self._play_out(FIRST_EXCHANGES, np.empty(0, np.int64), np.zeros(1, np.uint64))

    def margins(
        self, candidates: npt.NDArray[np.int64], rng: np.random.Generator, deals: int
    ) -> npt.NDArray[np.float64]:
        """What each candidate leads to, played out by the rule-based player, in the same hidden deals.

        Args:
            candidates: legal actions at what was seen (`suppose`). deals: in how many deals.

        Returns:
            The margin of the seat to move in points, float64 (deals, candidates).

        Raises:
            IllegalAction: a candidate is not legal there.
        """
        return self._play_out(EXCHANGES, candidates, rng.integers(0, 2**64, deals, dtype=np.uint64))

    def _play_out(self, exchanges: int, candidates: Any, seeds: Any) -> npt.NDArray[np.float64]:
        out = np.empty((len(seeds), len(candidates)))
        chain = self._supposed, self._likelihoods, exchanges
        work = self._states, self._observations, self._mask, self._dice
        if not self._loops.try_all(*chain, candidates, seeds, self._kind, *work, out):
            state = self._supposed[0]
            legal = legal_actions(self.game, state)
            refused = next(int(action) for action in candidates if action not in legal)
            raise IllegalAction(f"{self.name} was asked to try an illegal action: {refusal(self.game, state, refused)}")
        self.tried += out.size
        return out

    def _best(self, margins: Any, active: Any) -> int:
        """The best of those still tried, if it is surely better than the rule-based player's move, number 0."""
        best = int(active[margins[:, active].mean(axis=0).argmax()])
        if 0 not in active:
            return best
        gains = margins[:, best] - margins[:, 0]
        return best if gains.mean() > self._sure * gains.std(ddof=1) / len(gains) ** 0.5 else 0

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """See `banakil_env.arena.Player`: the margin of each move that was tried, over its playouts."""
        self._thought = None
        action = int(self.act(observation[None], mask[None], np.array([dice], np.uint64))[0])
        if self._thought is None:  # one legal action: nothing was tried
            return Explanation(action)
        candidates, margins = self._thought
        tried = {int(move): margins[~np.isnan(margins[:, i]), i] for i, move in enumerate(candidates)}
        return Explanation(action, margins={move: interval(found) for move, found in tried.items()})


def candidates_of(game: Game, mask: npt.NDArray[np.int8], own: int) -> npt.NDArray[np.int64]:
    """The moves to be tried, that of the rule-based player first."""
    legal_moves = [game.actions[int(action)] for action in np.flatnonzero(mask)]
    kept = [move.index for move in legal_moves if move.block.subject != "depth" or move.place < DEPTHS_TRIED]
    return np.array([own, *[action for action in kept if action != own]], np.int64)


def _still_racing(margins: Any, active: Any) -> Any:
    """Those tried that are not clearly worse than the best. Whoever is active was tried in every deal so far."""
    tried = margins[:, active]
    deals = len(tried)
    if deals < RACE_FROM:
        return active
    behind = tried[:, [tried.mean(axis=0).argmax()]] - tried
    return active[behind.mean(axis=0) <= CLEARLY * behind.std(axis=0, ddof=1) / deals**0.5]


def _better_half(margins: Any, active: Any) -> Any:
    """The better half of those tried, and the rule-based player's move, number 0, if it still is among them."""
    order = active[np.argsort(-margins[:, active].mean(axis=0), kind="stable")]
    kept = order[: max(2, (len(order) + 1) // 2)]
    return np.sort(kept if 0 in kept or 0 not in active else np.append(kept, 0))


def _parse_budget(text: str) -> tuple[int, float | None]:
    """Playouts, or seconds; the other is 0 or None."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s|)", text)
    if found is None or float(found[1]) <= 0 or (found[2] == "" and "." in found[1]):
        raise ValueError(f"the budget of a search is playouts or time for a move, '500', '200ms' or '1s'; not {text!r}")
    if found[2] == "":
        return int(found[1]), None
    return 0, float(found[1]) / (1000 if found[2] == "ms" else 1)


def make(argument: str, game: Game) -> SearchPlayer:
    """The player of `search:ARGUMENT`."""
    return SearchPlayer(argument, game)
