"""Training with other people's libraries, an example a file: `python -m train.plugins.rllib`. See docs/plugins/."""
