"""Commands for people who study or teach a game: look at a position, see what players do there, compile ahead."""
