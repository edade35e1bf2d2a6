"""Games with one pack of 52 cards without Jokers, whose melds are masks: table, texts, checks and hidden cards."""
