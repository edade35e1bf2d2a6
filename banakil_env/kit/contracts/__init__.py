"""Games of contracts: Contract Rummy, Kalooki. Table, rounds, texts, soundness, hidden cards."""
