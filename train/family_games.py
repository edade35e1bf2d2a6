"""The families of games in `train.family_study`, and the networks that it compares; for pages that need no PyTorch."""

FAMILIES = {
    "books": ("canasta", "hand_and_foot", "mille"),
    "contracts": ("contract", "kalooki"),
    "runs and sets": ("banakil", "hand", "rummy", "rummy500", "oklahoma"),
    "low hands": ("yaniv", "gin", "tonk"),  # a player with few points in hand ends the round
}
STARTS = ("twelve games", "random weights")  # training of a network before it learns the left-out game
