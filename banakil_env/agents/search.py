"""`search`: looks ahead by playing the round out many times, each time with another deal of the hidden cards.

Determinized Monte-Carlo search: a full state is made from the observation alone (`engine.suppose`), so the search
cannot read hidden cards. Deals are independent states, except in a game with beliefs about hands (`believe`): there a
Markov chain walks from one deal to the next. All candidate moves are tried in the same deals (common random numbers:
their luck cancels out). The strongest rule-based player of the game plays the round to its end at the seats of its
side. At the others sit the players that the game takes others for (`Search.models`), one in each deal, by turns: so a
move has to pay against all of them. Each sees what its seat would see in the sampled deal, so no player in a playout
knows hidden cards. A move is chosen by its mean over all deals, one move deep: the search is one step of policy
improvement from the playout player. Plans that need a different move in every deal, the known fault of determinization,
do not arise. In a match playouts end with the round, which their players play as a single one.

The playouts go where they matter by successive halving: all candidates share the first part, the better half the next
(Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013), and whatever is clearly
worse than the best is dropped after the call, so that a plain case ends before its budget (Maron and Moore, "Hoeffding
races", NIPS 1993). The move of the rule-based player is never dropped, and is tried in every deal. It is played unless
another is better by a standard error of the difference: the search departs from it only where it has a reason to.

The budget is `search:500` (playouts per move), `search:200ms` or `search:1s` (time per move); `search:1s@2` shares the
chains of hands and the playouts between two threads. With playouts the same observation and dice give the same move on
every machine, with any number of threads; with time they need not. A game without hooks for search (`Game.search`) has
no such player.
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

# How many of the actions about a depth of the pile are tried: the shortest takes. The choice of the rule-based player
# is tried too.
DEPTHS_TRIED = 12
# Standard errors by which a move must be better than the rule-based player's to be played instead. Two and zero were
# worse in most games (docs/contributing/search.md).
SURE = 1.0
# Deals in a call: DEALS_AT_ONCE, or the deals so far divided by PART_AT_ONCE where that is more. Between calls the
# clock is read and moves are dropped. Longer calls give threads more to share.
DEALS_AT_ONCE, PART_AT_ONCE = 4, 4
# After RACE_FROM deals a move is dropped if it is worse than the best by CLEARLY standard errors of their difference.
# The move of the rule-based player stays.
RACE_FROM, CLEARLY = 16, 3.5
# Raised when a search changes in a way that the fixed decisions of its identity do not show, such as its use of time.
VERSION = 1
# The fixed decisions of an identity: how many, the moves of the game between two of them, and the playouts for each.
PROBES, BETWEEN_PROBES, PROBED = 16, 3, 200


class SearchPlayer:
    """A player that searches; see the module.

    Args:
        budget: `"500"` playouts, `"200ms"` or `"1s"` for a move, `"1s@2"` with two threads. ValueError: another
            text.
        game: which it plays. ValueError: it has no hooks for search.
        player: the rule-based player of the searching side in playouts; None: the strongest of the game. ValueError,
            here and in `models`: the game has no such player.
        sure: standard errors by which a move must be better than that player's own.
        beliefs: suppose likely hands (`core.engine.believe`); False: every deal is as likely as the others.
        models: the rule-based players that other sides are taken for; None: those of the game (`Search.models`).
        exchanges: tried with each hidden hand between two deals; None: as many as the game says. With more, deals are
            less alike.
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
        self.tried = 0  # playouts so far
        self._thought: tuple[Any, Any] | None = None  # the candidates of the last search, and their margins by deal

    @property
    def supposed(self) -> npt.NDArray[Any]:
        """The deals of the last call of `margins` or of `suppose` (`Deals.supposed`); seat 0 is the observer."""
        return self._deals.supposed

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as the arguments that it was made from."""
        return type(self), self._made_of

    @property
    def basis(self) -> str:
        """The basis of the figures, in words: how hidden hands are inferred, and which players finish the rounds."""
        _, _, player, _, beliefs, models, _ = self._made_of
        others = " or ".join(f"`{model}`" for model in models)
        hands = "every deal that agrees with what is seen is as likely as the others"
        if beliefs and hooks_of(self.game).believes:
            hands = f"inferred from play, as {others} plays"
        against = "" if models == (player,) else f" against {others}, in turn"
        return f"hidden hands: {hands}; rounds played out by `{player}`{against}"

    def identity(self) -> Identity:
        """The settings, the behaviour of the search at fixed decisions, and the players of the playouts."""
        budget, _, player, *others = self._made_of
        parts = {
            "settings": digest_of((budget, player, *others)),
            "behaviour": _behaviour_of(self.game, player, *others),
        }
        for name in (player, *self._deals.models):
            parts |= adviser_parts(name, self.game)
        return Identity(self.name, parts)

    def add_thought(self, seen: Any, mask: npt.NDArray[np.int8], dice: int, found: Any) -> None:
        """Decide, and add the action, the candidates and their margins in each deal to a digest."""
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
        """Compile in advance, before times are measured."""
        plain = Plain(self.game)
        state = plain.new(seed=0)
        seat = plain.seat_to_move(state)
        assert seat is not None
        seen = plain.observe(state, seat)
        short = SearchPlayer(f"4@{self.threads}", *self._made_of[1:])
        short.act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))

    def decide(self, seen: Any, mask: npt.NDArray[np.int8], dice: int) -> int:
        """The move for one observation (an array of one record)."""
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
        """How many more deals this stage can have, by its share of playouts, or of time at the pace so far.

        The first stage has two at least.
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
        """Begin to think about one observation (an array of one record), to which `margins` refers from now on."""
        self._deals.suppose(seen, rng)

    def margins(
        self, candidates: npt.NDArray[np.int64], rng: np.random.Generator, deals: int
    ) -> npt.NDArray[np.float64]:
        """The outcome of each candidate in playouts by the rule-based players, in the same hidden deals (`supposed`).

        Args:
            candidates: legal actions at what was seen (`suppose`). deals: the number of deals.

        Returns:
            The margin of the seat to move in points, float64 (deals, candidates).

        Raises:
            IllegalAction: a candidate is not legal there.
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
        """The best of those still tried, if it is surely better than the rule-based player's move, number 0."""
        tried = margins[:, active]
        best = int(tried.mean(axis=0).argmax())
        behind, errors = _behind(tried, best)
        own = int(np.flatnonzero(active == 0)[0])
        return int(active[best]) if behind[own] > self._sure * errors[own] else 0

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """See `banakil_env.arena.Player`: the margin of each move that was tried, over its playouts."""
        self._thought = None
        action = int(self.act(observation[None], mask[None], np.array([dice], np.uint64))[0])
        if self._thought is None:  # nothing was tried
            return Explanation(action)
        candidates, margins = self._thought
        tried = {int(move): margins[~np.isnan(margins[:, i]), i] for i, move in enumerate(candidates)}
        return Explanation(action, margins={move: interval(found) for move, found in tried.items()}, basis=self.basis)


@functools.cache
def _behaviour_of(game: Game, player: str, *settings: Any) -> str:
    """The digest of what a search with these settings finds at fixed decisions, in half a second after compilation.

    Every deal that it supposes is in there by the margins of the moves that were tried in it. The budget is PROBED
    playouts, whatever the player's own is, since a search by time is not repeatable.
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
    """The moves to try, the rule-based player's move first."""
    legal_moves = [game.actions[int(action)] for action in np.flatnonzero(mask)]
    kept = [move.index for move in legal_moves if move.block.subject != "depth" or move.place < DEPTHS_TRIED]
    return np.array([own, *[action for action in kept if action != own]], np.int64)


def _behind(tried: Any, best: int) -> tuple[Any, Any]:
    """The mean lead of the best move over each move, and the standard errors of these means.

    The differences from the best may be equal in the few deals so far and hide a rare loss. So a standard error is
    never less than that of one deal in which the moves differ as much as margins differ between deals: the standard
    deviation of the margins, pooled over the moves, divided by the number of deals.

    Args:
        tried: margins (deals, moves). best: the column of the best.
    """
    deals = len(tried)
    behind = tried[:, [best]] - tried
    floor = tried.var(axis=0, ddof=1).mean() ** 0.5 / deals
    return behind.mean(axis=0), np.maximum(behind.std(axis=0, ddof=1) / deals**0.5, floor)


def _clearly_worse(margins: Any, active: Any) -> Any:
    """Which active moves are clearly worse than the best. Active moves were tried in every deal so far."""
    if len(margins) < RACE_FROM:
        return np.zeros(len(active), bool)
    tried = margins[:, active]
    best = int(tried.mean(axis=0).argmax())
    behind, errors = _behind(tried, best)
    return behind > CLEARLY * errors


def _still_racing(margins: Any, active: Any) -> Any:
    """The rule-based player's move, number 0, and the active moves that are not clearly worse than the best."""
    return active[(active == 0) | ~_clearly_worse(margins, active)]


def _is_decided(margins: Any, active: Any) -> bool:
    """Is one move left, apart from a rule-based player's move that is clearly worse?"""
    return len(active) == 1 or (len(active) == 2 and bool(_clearly_worse(margins, active).any()))


def _better_half(margins: Any, active: Any) -> Any:
    """The better half of those tried, and the rule-based player's move, number 0."""
    order = active[np.argsort(-margins[:, active].mean(axis=0), kind="stable")]
    kept = order[: max(2, (len(order) + 1) // 2)]
    return np.sort(kept if 0 in kept else np.append(kept, 0))


def _parse_budget(text: str) -> tuple[int, float | None, int]:
    """Playouts, or seconds (the other is 0 or None), and threads."""
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
    """The player of `search:ARGUMENT`."""
    return SearchPlayer(argument, game)
