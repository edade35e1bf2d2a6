"""How much luck does the critic of a run take out of its advantages? Both estimates, on the same rollouts.

    python -m train.advantage_variance runs/demo-vrpo

Plays rollouts of a finished run of the trainer `vrpo`, and estimates the advantages of the same picks twice: by the
critic that sees all hands (`expected_sarsa`), and as the trainer `fast` would, by the value that the agent itself
carries (`estimate_advantages`). Both use λ = 1, by which the critic changes the variance of the estimates and not their
mean. Picks of episodes that do not end within a rollout are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from banakil_env.core.terminal import escaped
from train.begin import go_on
from train.checkpoint import CheckpointError
from train.config import GAMMA
from train.fast_ppo import WORK, estimate_advantages
from train.vrpo import VRPORun, expected_sarsa

LAMBDA = 1.0


def advantages(run: VRPORun) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The advantages of the last rollout, float32 (n,): by the agent's own value, and by the critic."""
    played = run.rollout.rewards, run.rollout.ended
    by_value, work = np.zeros_like(run.advantages), np.zeros((*run.rollout.rewards.shape[1:], WORK))
    estimate_advantages(run.values, run.rollout.seats, *played, GAMMA, LAMBDA, work, by_value)
    targets = np.zeros_like(run.targets)
    expected_sarsa(run.expected, run.taken, *played, GAMMA, LAMBDA, targets)
    by_critic = run.of_movers(targets) - run.of_movers(run.expected[:-1])
    over = np.logical_or.accumulate(run.rollout.ended[::-1])[::-1]  # the episode ends with this step or a later one
    known = run.learns & over & ~np.isnan(by_value)
    return by_value[known], by_critic[known]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.advantage_variance", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("runs", nargs="+", type=Path, help="folders of runs of the trainer vrpo")
    parser.add_argument("--rollouts", type=int, default=2, help="played with each run")
    options = parser.parse_args(arguments)
    for folder in options.runs:
        try:
            run = go_on(folder)
        except (CheckpointError, OSError) as error:
            parser.error(escaped(error))
        if not isinstance(run, VRPORun):
            parser.error(f"{folder} is a run of the trainer {run.config.trainer!r}; name runs of the trainer 'vrpo'")
        found = []
        for _ in range(options.rollouts):
            run.roll_out()
            found.append(advantages(run))
        by_value, by_critic = (np.concatenate(parts).var() for parts in zip(*found))
        print(
            f"{folder}: variance {by_value:.4f} by the agent's value, {by_critic:.4f} by the critic of all hands "
            f"({by_critic / by_value:.0%}), over {sum(len(part) for part, _ in found):,} decisions"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
