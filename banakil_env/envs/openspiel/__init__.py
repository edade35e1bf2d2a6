"""Which games are there in OpenSpiel? Importing this registers `python_banakil` with `pyspiel`."""

from banakil_env.envs.openspiel import banakil as banakil
