"""Programs that make agents, and their configurations: run from a checkout, `python -m train demo`."""

from banakil_env.core.openmp import sleep_while_waiting

sleep_while_waiting()  # before a program loads PyTorch
