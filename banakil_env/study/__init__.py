"""Commands for people who study or teach a game: look at a position, ask players about it, compile ahead."""
