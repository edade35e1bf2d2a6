"""People at a table: a game that is played move by move (`session`), at the terminal (`terminal`)."""
