"""Games for people: a game that is played move by move (`session`), and the terminal (`terminal`)."""
