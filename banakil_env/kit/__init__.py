"""Parts that several rummy games share: cards, melds, rules with switches, texts, hidden cards, the plain interface."""
