"""Commands for people who study or teach a game: show a position, and ask players about it."""
