"""The base classes of `banakil_env.envs.vector.Tables`: arrays, Python players, drawn rules, views and snapshots."""
