"""Games of contracts (Contract Rummy, Kalooki): table, rounds, texts, checks and hidden cards."""
