"""Compares and tunes parameters of the player `expert`, by compiled self-play on duplicate deals.

Every deal is played once for every place of the challenger, with the same cards. The margin of the deal is the mean of
these games, in points. In the modes of matches, a deal is a match, and its margin is 1 if won and -1 if lost.

    python -m train.banakil.tune_expert compare --deals 2000      # the expert against greedy, in every mode
    python -m train.banakil.tune_expert compare --against expert --other two_early=0     # with other parameters
    python -m train.banakil.tune_expert tune --minutes 10 --mode 2p     # change a few at a time, keep what wins
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from banakil_env.core.engine import apply, legal_mask, reward, start, status
from banakil_env.core.game import MARGIN, WIN, IllegalAction
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.games.banakil.baselines import BASELINES, baseline_action, expert
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.observation import OBSERVATION, observe
from banakil_env.games.banakil.state import side_of

# The modes by name: the options of the table, and the row of the parameters.
MODES: dict[str, dict[str, Any]] = {
    "2p": {"num_players": 2},
    "3p": {"num_players": 3},
    "4p": {"num_players": 4},
    "4i": {"num_players": 4, "partners": False},
    "jawaker": {"num_players": 4, "rules": "jawaker"},
    "jawaker2": {"num_players": 2, "rules": "jawaker"},
    "gamefarm": {"num_players": 2, "rules": "gamefarm"},
    "match": {"num_players": 2, "episode": "match"},
}
ROW = {"2p": 0, "3p": 0, "4i": 0, "gamefarm": 0, "match": 0, "4p": 1, "jawaker": 2, "jawaker2": 2}
BY_PARAMETERS = -1  # the other side plays with parameters and is not a baseline


@compiled
def play_one(
    state: Any,
    seed: Any,
    place: int,
    mine: Any,
    theirs: Any,
    kind: int,
    observation: Any,
    mask: Any,
    dice: Any,
) -> float:
    """Play a deal with the challenger's side at `place`; returns its margin, or NaN if a side acted illegally.

    Args:
        state: the rules of the table; overwritten.
        seed: the seed of the deal.
        place: the side of the challenger.
        mine: the parameters of the challenger.
        theirs: the parameters of the other side, if `kind` is BY_PARAMETERS.
        kind: the baseline that plays the other side, or BY_PARAMETERS.
        observation, mask, dice: buffers.
    """
    start(state, seed)
    dice.rng = seed
    while not status(state):
        seat = state.seat
        observe(state, seat, observation)
        legal_mask(state, mask)
        if side_of(state, seat) == place:
            action = expert.decide(observation, mask, mine)
        elif kind == BY_PARAMETERS:
            action = expert.decide(observation, mask, theirs)
        else:
            action = baseline_action(kind, observation, mask, dice)
        if not apply(state, action):  # it is not proven that all parameters lead to legal moves
            return np.nan
    return reward(state, place, WIN if state.episode else MARGIN)


@compiled
def play_deals(
    states: Any,
    first: int,
    mine: Any,
    theirs: Any,
    kind: int,
    observations: Any,
    mask: Any,
    dice: Any,
    out: Any,
) -> None:
    """Write the margin of each deal from seed `first` on into `out`, as a mean over all places of the challenger.

    The other arguments are those of `play_one`.
    """
    places = 2 if states[0].partners else states[0].num_players
    for i in range(out.shape[0]):
        total = 0.0
        for place in range(places):
            seed = np.uint64(first + i)
            total += play_one(states[0], seed, place, mine, theirs, kind, observations[0], mask, dice[0])
        out[i] = total / places


def margins(mode: str, deals: int, mine: Any, theirs: Any = None, other: str = "", first: int = 0) -> Any:
    """The margin of parameters by deal, against other parameters or a baseline.

    Args:
        mode: one of MODES.
        deals: the number of deals.
        mine: the parameters.
        theirs: the parameters of the other side, if it is not a baseline.
        other: the name of the baseline; "" for none.
        first: the seed of the first deal.
    """
    out = np.zeros(deals)
    kind = BASELINES[other] if other else BY_PARAMETERS
    play_deals(
        GAME.new(**MODES[mode]),
        first,
        mine,
        mine if theirs is None else theirs,
        kind,
        np.empty(1, OBSERVATION),
        np.empty(GAME.num_actions, np.int8),
        np.zeros(1, GENERATOR),
        out,
    )
    if np.isnan(out).any():
        raise IllegalAction(f"parameters {list(mine)} or their opponent answered illegally from seed {first} on")
    return out


def said(values: Any) -> str:
    """A mean with its 95 % interval, as text."""
    return f"{values.mean():+z7.3f} ± {1.96 * values.std(ddof=1) / len(values) ** 0.5:.3f}"


def compare(modes: list[str], others: list[str], deals: int, changes: dict[str, int]) -> None:
    """Print the margin of the expert against baselines, or against itself with some parameters changed."""
    for mode in modes:
        mine = expert.PARAMETERS[ROW[mode]]
        changed = mine.copy()
        for name, value in changes.items():
            changed[expert.NAMES.index(name)] = value
        for other in others:
            begun = time.perf_counter()
            kind = "" if other == "expert" else other
            values = margins(mode, deals, mine, changed, other=kind, first=1_000_000)
            print(f"{mode:9} {other:7} {said(values)}  {deals} deals  {time.perf_counter() - begun:.0f} s", flush=True)


def tune(modes: list[str], minutes: float, deals: int, seed: int, only: list[str]) -> None:
    """Change one to three parameters at a time. A change is kept if it wins, and wins again on more deals."""
    rng = np.random.default_rng(seed)
    best, end = expert.PARAMETERS[ROW[modes[0]]].copy(), time.monotonic() + 60 * minutes
    first = int(rng.integers(2**62))  # the run's deals, which are not held out
    where = [i for i, name in enumerate(expert.NAMES) if not only or name in only]
    while time.monotonic() < end:
        tried = best.copy()
        for i in rng.choice(where, rng.integers(1, min(4, len(where) + 1)), replace=False):
            step = max(1, abs(int(tried[i])) // 4)
            tried[i] += rng.choice((-2, -1, 1, 2)) * step
        won = True
        for size in (deals, 4 * deals):
            values = np.concatenate([margins(mode, size, tried, best, first=first) for mode in modes])
            first += size
            won = won and values.mean() > (1.0 if size == deals else 1.6) * values.std() / len(values) ** 0.5
            if not won:
                break
        if won:
            changes = [f"{n} {a}->{b}" for n, a, b in zip(expert.NAMES, best, tried, strict=True) if a != b]
            best = tried
            print(f"{said(values)}  {', '.join(changes)}\n    {best.tolist()}", flush=True)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=("compare", "tune"))
    parser.add_argument("--mode", nargs="*", default=["2p"], choices=MODES)
    parser.add_argument("--against", nargs="*", default=["greedy"])
    parser.add_argument("--other", nargs="*", default=[], metavar="NAME=VALUE", help="parameters of --against expert")
    parser.add_argument("--only", nargs="*", default=[], help="the parameters to tune")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if args.what == "compare":
        pairs = [change.partition("=")[::2] for change in args.other]
        unknown = [name for name, _ in pairs if name not in expert.NAMES]
        if unknown:
            parser.error(f"there is no parameter {', '.join(unknown)}; there are {', '.join(expert.NAMES)}")
        compare(args.mode, args.against, args.deals, {name: int(value) for name, value in pairs})
    else:
        tune(args.mode, args.minutes, args.deals, args.seed, args.only)


if __name__ == "__main__":
    main()
