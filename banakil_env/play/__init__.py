"""Games for people: a game in progress (`session`), played at a terminal (`terminal`)."""
