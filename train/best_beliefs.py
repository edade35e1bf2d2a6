"""Compares the beliefs of a game about hidden hands with the best possible beliefs.

    python -m train.best_beliefs --game gin --positions 300

At the first decision of a seat in a round the best possible beliefs can be simulated. The round is dealt again many
times from what the seat saw at the deal, the other seats play on until the seat decides, and rounds in which the seat
then sees exactly the same are kept. Their hidden hands are a sample from the true posterior, if the other players are
known to be this player. The log score of such samples is the best that beliefs can have on average; see
`train.calibration` for the score. Uniform deals and the beliefs of the game are measured at the same positions. Later
decisions are left out, since hardly any redealt round leads to the same view.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.options import TableOptions
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.arena.statistics import interval
from banakil_env.core.batch import action_of
from banakil_env.core.engine import carry_out, legal_mask, observe, redeal_hidden, seat_to_move, status
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Library, bind, read, written
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.markdown import markdown_table
from banakil_env.core.players import asked_players_of
from banakil_env.core.terminal import escaped
from train.calibration import numbers_held, score_of, searches_of
from train.table_arguments import add_table_arguments, settled_player, table_of

DEALS = 64  # deals that are kept at each position
MOST_ROUNDS = 100_000  # rounds that are dealt to find them; a position that needs more is left out
MOST_TRIED = 50  # rounds that are tried for each position wanted


@dataclass
class Found:
    """The results.

    Attributes:
        scores: log scores in nats at each position, by method: "uniform", "beliefs" if the game has them, and "best".
        left_out: the number of positions to which too few of the dealt rounds led.
    """

    scores: dict[str, list[float]]
    left_out: int = 0


def _play_until(state: Any, observer: int, kind: int, observations: Any, mask: Any, dice: Any) -> bool:
    """Let a rule-based player move at the other seats.

    Returns whether `observer` then decides, after at least one move.
    """
    moves = 0
    while not status(state) and seat_to_move(state) != observer:
        legal_mask(state, mask)
        observe(state, seat_to_move(state), observations[0])
        carry_out(state, action_of(kind, observations[0], mask, dice[0]))
        moves += 1
    return not status(state) and moves > 0


def _reach(states: Any, observer: int, kind: int, observations: Any, mask: Any, dice: Any) -> int:
    """Play to the first decision of `observer`, and write the observer's view into `observations`.

    Returns 1, or 0 if `observer` has no decision after moves of other seats.
    """
    if not play_until(states[0], observer, kind, observations, mask, dice):
        return 0
    observe(states[0], observer, observations[0])
    return 1


def _keep(
    dealt: Any,
    observer: int,
    kind: int,
    seen: Any,
    seeds: Any,
    work: Any,
    views: Any,
    view: Any,
    mask: Any,
    dice: Any,
    kept: Any,
) -> int:
    """Deal and play rounds until `kept` is full of states in which `observer` sees the same at its first decision.

    Args:
        dealt: the state after the deal, an array of one.
        observer: the seat that decides.
        kind: the rule-based player at the other seats.
        seen: the bytes of the view to be reached, uint8.
        seeds: uint64, one for each round.
        work: buffer, an array of one state.
        views: buffer, an array of one observation.
        view: the bytes of `views`.
        mask, observations, dice: buffers for the players.
        kept: receives the states.

    Returns:
        The number of states kept.
    """
    size = 0
    for i in range(seeds.shape[0]):
        work[0] = dealt[0]
        redeal_hidden(work[0], observer, seeds[i])
        if not play_until(work[0], observer, kind, views, mask, dice):
            continue
        observe(work[0], observer, views[0])
        same = True
        for j in range(view.shape[0]):
            if view[j] != seen[j]:
                same = False
                break
        if same:
            kept[size] = work[0]
            size += 1
            if size == kept.shape[0]:
                break
    return size


@functools.cache
def _loops_of(game: Game) -> tuple[Any, Any]:
    until = bind(_play_until, f"{game.name}_play_until", action_of=asked_players_of(game))
    state, view = written(game.state, 1), written(game.observation, 1)
    player = {"observer": INT, "kind": INT}
    work = {"mask": written("i1", game.num_actions), "dice": written(GENERATOR, 1)}
    library, bytes_of_view = Library(f"{game.name}_best_beliefs"), read("u1", game.observation.itemsize)
    reach = library.entry(
        _reach, {"states": state, **player, "observations": view, **work}, result=True, play_until=until
    )
    views = {"seen": bytes_of_view, "seeds": read("u8", "rounds"), "work": state, "views": view, "view": bytes_of_view}
    keep = library.entry(
        _keep,
        {"dealt": state, **player, **views, **work, "kept": written(game.state, "deals")},
        result=True,
        play_until=until,
    )
    return reach, keep


def play_until(*_: Any) -> bool:
    """Placeholder, replaced by the compiled `_play_until` of a game."""
    raise NotImplementedError


def posterior(
    game: Game, dealt: npt.NDArray[Any], observer: int, player: str, rng: np.random.Generator, deals: int = DEALS
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]] | None:
    """Sample states that are as likely as the true one, at the first decision of a seat after moves of other seats.

    Args:
        game: the game.
        dealt: a state after the deal, an array of one.
        observer: the seat that decides.
        player: a deterministic rule-based player, at the other seats.
        rng: the random generator.
        deals: the number of states to sample.

    Returns:
        The true state and the view, arrays of one record, and at most `deals` states. None if the seat has no such
        decision.
    """
    reach, keep = _loops_of(game)
    kind, mask, dice = game.kinds[player], np.empty(game.num_actions, np.int8), np.zeros(1, GENERATOR)
    true, seen, view = dealt.copy(), np.zeros(1, game.observation), np.zeros(1, game.observation)
    if not reach(true, observer, kind, seen, mask, dice):
        return None
    kept, work = np.zeros(deals, game.state), np.zeros(1, game.state)
    seeds = rng.integers(0, 2**64, MOST_ROUNDS, np.uint64)
    views = seen.view(np.uint8), seeds, work, view, view.view(np.uint8)
    return true, seen, kept[: keep(dealt, observer, kind, *views, mask, dice, kept)]


def measure(table: TableOptions, positions: int, player: str, seed: int = 0, deals: int = DEALS) -> Found:
    """Measure the log scores at a number of positions, one per round.

    Args:
        table: the table.
        positions: the number of positions.
        player: a deterministic rule-based player, at all seats.
        seed: the seed.
        deals: the number of sampled hidden hands for each position and method.

    Raises:
        ValueError: too few positions can be measured.
    """
    game, rng = table.found, np.random.default_rng(seed)
    searches = searches_of(game, player, [player])
    found, number = Found({way: [] for way in (*searches, "best")}), 0
    while len(found.scores["best"]) < positions:
        if number == MOST_TRIED * positions:
            raise ValueError(
                f"{number:,} rounds of {game.title} had {len(found.scores['best']):,} positions to measure, and "
                f"{found.left_out:,} to which fewer than {deals} of {MOST_ROUNDS:,} rounds lead; set fewer --deals"
            )
        dealt = game.new(**table.options)
        kernels_of(game).start_one(dealt, np.uint64(SEED_SETS["tuning-v1"] + number))
        observer, number = int(rng.integers(table.seats)), number + 1
        reached = posterior(game, dealt, observer, player, rng, deals)
        if reached is None:
            continue
        true, seen, kept = reached
        if len(kept) < deals:
            found.left_out += 1
            continue
        held = {"best": numbers_held(game, kept, observer)}
        for way, search in searches.items():
            search.suppose(seen, rng)
            search.margins(np.empty(0, np.int64), rng, deals)
            held[way] = numbers_held(game, search.supposed, 0)
        for way, scores in found.scores.items():
            scores.append(score_of(held[way], held["uniform"], numbers_held(game, true, observer)))
    return found


HEADS = ("game", "positions", "left out", "log score, uniform", "gain by beliefs", "best possible gain")


def cells_of(game: Game, found: Found) -> list[str]:
    """A row of the table: the game, positions, the score of uniform deals, and the gains of the other methods."""
    scores = {way: np.array(values) for way, values in found.scores.items()}
    gains = {way: interval(values - scores["uniform"]) for way, values in scores.items() if way != "uniform"}
    cells = [game.name, f"{len(scores['best']):,}", f"{found.left_out:,}", f"{scores['uniform'].mean():.2f}"]
    cells += [
        f"{gains[way].mean:+.2f} ± {gains[way].half_width:.2f}" if way in gains else "" for way in ("beliefs", "best")
    ]
    return cells


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.best_beliefs", description=(__doc__ or "").split("\n\n")[0])
    add_table_arguments(parser)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--deals", type=int, default=DEALS, help="of hidden hands at each position")
    parser.add_argument("--of", help="the compiled player at all seats (default: the strongest)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        table = table_of(options)
        player = settled_player(table.found, options.of, "--of")
        found = measure(table, options.positions, player, options.seed, options.deals)
    except ValueError as error:
        parser.error(escaped(error))
    print(markdown_table(HEADS, [cells_of(table.found, found)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
