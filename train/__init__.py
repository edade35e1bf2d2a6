"""Programs that train agents, and their configurations. Run them from a checkout: `python -m train demo`."""

from banakil_env.core.openmp import sleep_while_waiting

sleep_while_waiting()  # must run before a program loads PyTorch
