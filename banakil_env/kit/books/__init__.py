"""Games of books, in which only ranks matter (Canasta, Hand and Foot, Mille): table, texts, checks, hidden cards."""
