"""Programs that make agents, and their configurations: run from a checkout, `python -m train.ppo --recipe demo`."""

import os

# Before PyTorch is loaded: its threads sleep while they wait for each other. Those that spin, as by default, make every
# small operation up to fifty times slower as soon as another program wants one of the cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
