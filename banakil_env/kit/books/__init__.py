"""Games of books, where only ranks matter: Canasta, Hand and Foot, Mille. Table, texts, soundness, hidden cards."""
