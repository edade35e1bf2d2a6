"""Training with other libraries, an example in each file: `python -m train.plugins.rllib`. See docs/plugins/."""
