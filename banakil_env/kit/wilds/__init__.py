"""Games of runs and sets with wild cards that stand for named cards: 500 Rummy, Oklahoma. Table, texts, soundness."""
