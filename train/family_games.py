"""The families of games of `train.family_study`, and what is compared; for pages that need no PyTorch."""

FAMILIES = {
    "books": ("canasta", "hand_and_foot", "mille"),
    "contracts": ("contract", "kalooki"),
    "runs and sets": ("banakil", "hand", "rummy", "rummy500", "oklahoma"),
    "low hands": ("yaniv", "gin", "tonk"),  # a player ends the round when its hand counts little
}
STARTS = ("twelve games", "random weights")  # what a network has learned before the game that was left out
