"""Rummy games for `verifiers`: `vf-eval banakil-verifiers --env.taskset.game gin`. See docs/plugins/verifiers.md."""

from banakil_verifiers.env import TableEnv
from banakil_verifiers.harness import TalkHarness
from banakil_verifiers.taskset import TableTaskset

__all__ = ["TableEnv", "TableTaskset", "TalkHarness"]
