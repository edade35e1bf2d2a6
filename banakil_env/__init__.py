"""Banakil, the card game of the Levant, as a reinforcement-learning environment.

Importing the package registers its environments and loads nothing else.
"""

from __future__ import annotations


def _register_with_gymnasium() -> None:
    """`rummy/Banakil-v0`, one or many at once; the entry points are texts: the compiler loads when one is made."""
    import gymnasium

    if "rummy/Banakil-v0" not in gymnasium.registry:  # not again when a notebook reloads the package
        gymnasium.register(
            "rummy/Banakil-v0",
            entry_point="banakil_env.envs.single:SingleEnv",
            vector_entry_point="banakil_env.envs.single:BatchEnv",
        )


_register_with_gymnasium()
