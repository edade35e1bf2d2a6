"""`search`: looks ahead by playing the round out many times, each time with another deal of the hidden cards.

This is determinized Monte-Carlo search. A full state is made from the observation alone (`engine.suppose`), so the
search cannot read hidden cards. The deals are independent, except in games with beliefs about hands (`believe`): there,
a Markov chain leads from one deal to the next. All candidate moves are tried in the same deals (common random numbers),
so that the luck of a deal does not favor a move. At the seats of the searching side, the strongest rule-based player of
the game plays the round to its end. The seats of other sides are played by the models of the game (`Search.models`),
one model per deal, in turn: so a move must be good against all of them. Each player sees only what its seat would see
in the deal, so no player in a playout knows hidden cards. The move with the best mean over all deals is chosen. Since
only one move is searched, the search is one step of policy improvement from the playout player, and it cannot plan a
different move for each deal, which is the known fault of determinization. In a match, playouts end with the round,
which is played as a single round.

Playouts are distributed by successive halving: all candidates get the first part, the better half gets the next
(Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013). After each call, moves that
are clearly worse than the best are dropped, so that a clear case ends before its budget (Maron and Moore, "Hoeffding
races", NIPS 1993). The move of the rule-based player is never dropped, and is tried in every deal. It is played unless
another move is better by a standard error of the difference.

The budget is `search:500` (playouts per move), `search:200ms` or `search:1s` (time per move). `search:1s@2` uses two
threads for the chains and the playouts. With a budget of playouts, the same observation and dice give the same move on
every machine, with any number of threads; with a budget of time, moves can differ. A game without hooks for search
(`Game.search`) has no such player.
"""

from __future__ import annotations

import functools
import hashlib
import re
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents.supposed_deals import Deals, hooks_of
from banakil_env.arena.behaviour import GAMES_OF_PLAYER, act_of, fixed_decisions, fixed_tables
from banakil_env.arena.players import Explanation, adviser_parts, check_asked
from banakil_env.arena.statistics import interval
from banakil_env.core.digests import digest_of
from banakil_env.core.game import Game, IllegalAction
from banakil_env.core.identity import Identity
from banakil_env.core.kernels import legal_actions, refusal
from banakil_env.games import find, to_pickle
from banakil_env.kit.plain import Plain

# Number of tried actions that refer to a depth of the pile: those that take the fewest cards. The choice of the
# rule-based player is tried too.
DEPTHS_TRIED = 12
# A move is played instead of the rule-based player's move if it is better by this number of standard errors. Two and
# zero were worse in most games (docs/contributing/search.md).
SURE = 1.0
# Number of deals per call: DEALS_AT_ONCE, or the number of deals so far divided by PART_AT_ONCE if that is larger.
# Between calls, the clock is read and moves are dropped. Longer calls give threads more work to share.
DEALS_AT_ONCE, PART_AT_ONCE = 4, 4
# After RACE_FROM deals, a move is dropped if it is worse than the best by CLEARLY standard errors of the difference.
# The move of the rule-based player is kept.
RACE_FROM, CLEARLY = 16, 3.5
# Incremented when a search changes in a way that the fixed decisions of its identity do not show, such as its use of
# time.
VERSION = 1
# The fixed decisions of an identity: their number, the number of moves between two of them, and the playouts for each.
PROBES, BETWEEN_PROBES, PROBED = 16, 3, 200


class SearchPlayer:
    """A player that searches; the module's docstring describes how.

    Args:
        budget: `"500"` playouts, `"200ms"` or `"1s"` per move; `"1s@2"` uses two threads.
        game: the game that it plays.
        player: the rule-based player of the searching side in playouts; None: the strongest of the game.
        sure: number of standard errors by which a move must be better than that player's move.
        beliefs: make hidden hands likely (`core.engine.believe`); False: all deals are equally likely.
        models: the rule-based players that model other sides; None: those of the game (`Search.models`).
        exchanges: number of exchanges tried with each hidden hand between two deals; None: the game's number. With more
            exchanges, deals are less alike.

    Raises:
        ValueError: an invalid budget, a game without hooks for search, or a player that the game does not have.
    """

    def __init__(
        self,
        budget: str = "1s",
        game: str | Game = "banakil",
        player: str | None = None,
        sure: float = SURE,
        beliefs: bool = True,
        models: Sequence[str] | None = None,
        exchanges: int | None = None,
    ) -> None:
        self.name = f"search:{budget or '1s'}"
        self.playouts, self.seconds, self.threads = _parse_budget(budget or "1s")
        self.game = find(game)
        player = player or self.game.strongest_player
        self._deals, self._sure = Deals(self.game, player, beliefs, self.threads, models, exchanges), sure
        self._made_of = budget, to_pickle(self.game), player, sure, beliefs, self._deals.models, self._deals.exchanges
        self.tried = 0  # number of playouts so far
        self._thought: tuple[Any, Any] | None = None  # the candidates of the last search, and their margins by deal

    @property
    def supposed(self) -> npt.NDArray[Any]:
        """The deals of the last call of `margins` or `suppose` (`Deals.supposed`); in them seat 0 is the observer."""
        return self._deals.supposed

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as its arguments."""
        return type(self), self._made_of

    @property
    def basis(self) -> str:
        """A text about the figures of `explain`: how hidden hands are inferred, and which players finish the rounds."""
        _, _, player, _, beliefs, models, _ = self._made_of
        others = " or ".join(f"`{model}`" for model in models)
        hands = "every deal that agrees with what is seen is as likely as the others"
        if beliefs and hooks_of(self.game).believes:
            hands = f"inferred from play, as {others} plays"
        against = "" if models == (player,) else f" against {others}, in turn"
        return f"hidden hands: {hands}; rounds played out by `{player}`{against}"

    def identity(self) -> Identity:
        """The player's identity: digests of its settings, its moves at fixed decisions, and the playout players."""
        budget, _, player, *others = self._made_of
        parts = {
            "settings": digest_of((budget, player, *others)),
            "behaviour": _behaviour_of(self.game, player, *others),
        }
        for name in (player, *self._deals.models):
            parts |= adviser_parts(name, self.game)
        return Identity(self.name, parts)

    def add_thought(self, seen: Any, mask: npt.NDArray[np.int8], dice: int, found: Any) -> None:
        """Decide, and add the action, the candidates and their margins in each deal to the digest `found`."""
        self._thought = None
        action = self.decide(seen, mask, dice)
        candidates, margins = self._thought or (np.zeros(0, np.int64), np.zeros((0, 0)))
        found.update(f"{action} {candidates.tolist()} {margins.shape}\n".encode())
        found.update((np.round(margins, 6) + 0.0).tobytes())

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        check_asked(self.game, observations, masks, dice)
        records = np.ascontiguousarray(observations).view(self.game.observation).reshape(-1, 1)
        found = [self.decide(seen, mask, int(bits)) for seen, mask, bits in zip(records, masks, dice)]
        return np.array(found, np.int64)

    def prepare(self) -> None:
        """Compile in advance, so that the first decision takes no longer than others."""
        plain = Plain(self.game)
        state = plain.new(seed=0)
        seat = plain.seat_to_move(state)
        assert seat is not None
        seen = plain.observe(state, seat)
        short = SearchPlayer(f"4@{self.threads}", *self._made_of[1:])
        short.act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))

    def decide(self, seen: Any, mask: npt.NDArray[np.int8], dice: int) -> int:
        """The move for one observation.

        Args:
            seen: an array of one observation record.
            mask: int8 (actions,), the legal actions.
            dice: 64 random bits.
        """
        begun = time.perf_counter()
        own = self._deals.ask(seen, mask, dice)
        candidates = candidates_of(self.game, mask, own)
        if len(candidates) == 1:
            return own
        rng = np.random.default_rng(dice)
        self.suppose(seen, rng)
        if not self._deals.offers(mask):
            return own
        active = np.arange(len(candidates))
        margins = np.full((0, len(candidates)), np.nan)
        rounds = max(1, int(np.ceil(np.log2(len(candidates)))))
        for stage in range(rounds):
            share = (stage + 1) / rounds
            while not _is_decided(margins, active):
                left = self._deals_left(share, begun, margins, len(active))
                if left <= 0:
                    break
                at_once = max(DEALS_AT_ONCE, len(margins) // PART_AT_ONCE)
                more = self._try(candidates, active, rng, min(left, at_once))
                margins = np.concatenate([margins, more])
                active = _still_racing(margins, active)
            active = _better_half(margins, active)
        self._thought = candidates, margins
        return int(candidates[self._best(margins, active)])

    def _deals_left(self, share: float, begun: float, margins: Any, active: int) -> int:
        """The number of deals that this stage of the search has left, from its share of the playouts or of the time.

        The first stage has at least two deals. With a budget of time, the number follows from the speed so far.

        Args:
            share: the share of the budget that is used by the end of this stage.
            begun: the time at which the search began, by `time.perf_counter`.
            margins: the margins so far, (deals, moves); NaN for moves that were not tried.
            active: number of moves that are still tried.
        """
        if len(margins) < 2:
            return 2 - len(margins)
        if self.seconds is None:
            used = np.count_nonzero(~np.isnan(margins))
            return int((share * self.playouts - used) // active)
        passed = time.perf_counter() - begun
        left = share * self.seconds - passed
        return max(1, int(left * len(margins) / passed)) if left > 0 else 0

    def _try(self, candidates: Any, active: Any, rng: Any, deals: int) -> Any:
        margins = np.full((deals, len(candidates)), np.nan)
        margins[:, active] = self.margins(candidates[active], rng, deals)
        return margins

    def suppose(self, seen: Any, rng: np.random.Generator) -> None:
        """Begin a search for one observation (an array of one record); later calls of `margins` refer to it."""
        self._deals.suppose(seen, rng)

    def margins(
        self, candidates: npt.NDArray[np.int64], rng: np.random.Generator, deals: int
    ) -> npt.NDArray[np.float64]:
        """The outcome of each candidate in playouts, with all candidates in the same deals (`supposed`).

        Args:
            candidates: legal actions for the observation that was given to `suppose`.
            rng: the generator for the deals.
            deals: number of deals.

        Returns:
            The margin of the seat to move in points, float64 (deals, candidates).

        Raises:
            IllegalAction: a candidate is illegal.
        """
        out = self._deals.margins(candidates, rng, deals)
        if out is None:
            state = self.supposed[0]
            legal = legal_actions(self.game, state)
            refused = next(int(action) for action in candidates if action not in legal)
            raise IllegalAction(f"{self.name} was given an illegal action to try: {refusal(self.game, state, refused)}")
        self.tried += out.size
        return out

    def _best(self, margins: Any, active: Any) -> int:
        """The number of the best active move, if it is clearly better than the rule-based player's move, else 0.

        The rule-based player's move has the number 0.
        """
        tried = margins[:, active]
        best = int(tried.mean(axis=0).argmax())
        behind, errors = _behind(tried, best)
        own = int(np.flatnonzero(active == 0)[0])
        return int(active[best]) if behind[own] > self._sure * errors[own] else 0

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """The chosen action, and the margin of each tried move over its playouts; see `banakil_env.arena.Player`."""
        self._thought = None
        action = int(self.act(observation[None], mask[None], np.array([dice], np.uint64))[0])
        if self._thought is None:  # nothing was tried
            return Explanation(action)
        candidates, margins = self._thought
        tried = {int(move): margins[~np.isnan(margins[:, i]), i] for i, move in enumerate(candidates)}
        return Explanation(action, margins={move: interval(found) for move, found in tried.items()}, basis=self.basis)


@functools.cache
def _behaviour_of(game: Game, player: str, *settings: Any) -> str:
    """The digest of the results of a search with these settings at fixed decisions.

    Computing it takes half a second after compilation. The digest covers every supposed deal, through the margins of
    the moves that were tried in it. The budget is PROBED playouts, whatever the player's budget, since a search by time
    is not repeatable.
    """
    found = hashlib.sha256(f"{game.id} {VERSION}\n".encode())
    search, act = SearchPlayer(str(PROBED), game, player, *settings), act_of(game, game.kind_of(player))
    for step, asked in enumerate(fixed_decisions(game, fixed_tables(game, GAMES_OF_PLAYER))):
        if step == PROBES * BETWEEN_PROBES:
            break
        act(asked)
        open_rows = np.flatnonzero(asked.masks.sum(1) > 1)
        if step % BETWEEN_PROBES == 0 and len(open_rows):
            row = open_rows[step % len(open_rows)]
            search.add_thought(asked.observations[[row]], asked.masks[row], int(asked.dice[row]), found)
    return found.hexdigest()


def candidates_of(game: Game, mask: npt.NDArray[np.int8], own: int) -> npt.NDArray[np.int64]:
    """The moves to try, the rule-based player's move `own` first."""
    legal_moves = [game.actions[int(action)] for action in np.flatnonzero(mask)]
    kept = [move.index for move in legal_moves if move.block.subject != "depth" or move.place < DEPTHS_TRIED]
    return np.array([own, *[action for action in kept if action != own]], np.int64)


def _behind(tried: Any, best: int) -> tuple[Any, Any]:
    """The mean lead of the best move over each move, and the standard errors of these means.

    In a few deals, all differences from the best move can be equal and hide a rare loss. So a standard error has a
    lower bound: the standard deviation of the margins, pooled over the moves, divided by the number of deals. It is the
    error that would follow if the moves differed in one deal by as much as margins differ between deals.

    Args:
        tried: margins (deals, moves).
        best: the column of the best move.
    """
    deals = len(tried)
    behind = tried[:, [best]] - tried
    floor = tried.var(axis=0, ddof=1).mean() ** 0.5 / deals
    return behind.mean(axis=0), np.maximum(behind.std(axis=0, ddof=1) / deals**0.5, floor)


def _clearly_worse(margins: Any, active: Any) -> Any:
    """For each active move, whether it is clearly worse than the best one: bool (active moves,).

    All active moves were tried in every deal so far.
    """
    if len(margins) < RACE_FROM:
        return np.zeros(len(active), bool)
    tried = margins[:, active]
    best = int(tried.mean(axis=0).argmax())
    behind, errors = _behind(tried, best)
    return behind > CLEARLY * errors


def _still_racing(margins: Any, active: Any) -> Any:
    """The active moves without those that are clearly worse than the best; the rule-based player's move, number 0, is
    kept.
    """
    return active[(active == 0) | ~_clearly_worse(margins, active)]


def _is_decided(margins: Any, active: Any) -> bool:
    """Whether one move is left, apart from a rule-based player's move that is clearly worse."""
    return len(active) == 1 or (len(active) == 2 and bool(_clearly_worse(margins, active).any()))


def _better_half(margins: Any, active: Any) -> Any:
    """The better half of the active moves, and the rule-based player's move, number 0."""
    order = active[np.argsort(-margins[:, active].mean(axis=0), kind="stable")]
    kept = order[: max(2, (len(order) + 1) // 2)]
    return np.sort(kept if 0 in kept else np.append(kept, 0))


def _parse_budget(text: str) -> tuple[int, float | None, int]:
    """The playouts (0 with a time), the seconds (None with playouts) and the number of threads of a budget.

    Raises:
        ValueError: an invalid budget.
    """
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|)(?:@([1-9][0-9]?))?", text)
    if found is None or float(found[1]) <= 0 or (found[2] == "" and "." in found[1]):
        raise ValueError(
            "the budget of a search is playouts or time for a move, '500', '200ms' or '1s', and '1s@2' with two "
            f"threads; not {text!r:.80}"
        )
    threads = int(found[3] or 1)
    if found[2] == "":
        return int(found[1]), None, threads
    return 0, float(found[1]) / (1000 if found[2] == "ms" else 1), threads


def make(argument: str, game: Game) -> SearchPlayer:
    """The player of `search:ARGUMENT`; the argument is the budget."""
    return SearchPlayer(argument, game)
