"""Games of runs and sets whose wild cards represent named cards (500 Rummy, Oklahoma): table, texts and checks."""
