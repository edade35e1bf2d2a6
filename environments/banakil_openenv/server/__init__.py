"""The server of the environment."""
