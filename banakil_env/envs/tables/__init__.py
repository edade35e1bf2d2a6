"""The parts of `banakil_env.envs.vector.Tables`: arrays, players in Python, drawn rules, views and snapshots."""
