"""Training with other libraries, one example per file: `python -m train.plugins.rllib`. See docs/plugins/."""
