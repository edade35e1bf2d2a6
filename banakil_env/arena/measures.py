"""Names of the measures of a player in a match, and their meanings."""

from __future__ import annotations

from banakil_env.core.game import Game

# Rates are shares of 1. The first measures are of single rounds, the next of whole matches.
ROUND_MEASURES = {
    "margin": "points per deal more than the opponents' (mean over opponents)",
    "points": "points per deal, mean over the player's seats",
    "win": "tables won: the seat with the best points, shared between those who have one",
    "out": "tables at which it went out",
    "exhausted": "tables at which nobody went out",
    "turns": "turns of the round",
    "lost": "tables lost by failing: raised, late, illegal",
}
MATCH_MEASURES = {
    "margin": "points per match more than the opponents' (mean over opponents)",
    "points": "points per match, mean over the player's seats",
    "match_win": "matches won: the best score when the match was over; undecided ones by points, shared if even",
    "round_points": "points per round: those of the match over its rounds",
    "rounds": "rounds per match",
    "undecided": "matches that ran out of rounds before anybody had won",
    "lost": "matches lost by failing: raised, late, illegal",
}


def measures_of(game: Game, episode: str) -> dict[str, str]:
    """The measures of each player of a game, by name, with their meanings.

    For rounds there is also the rate at which the player went out with each mark of the game (`Game.marks`).
    """
    if episode != "round":
        return MATCH_MEASURES
    names = list(ROUND_MEASURES)
    marks = {mark: f"tables at which it went out so: {note}" for mark, note in game.marks.items()}
    before = names[: names.index("exhausted")]
    return {name: ROUND_MEASURES[name] for name in before} | marks | ROUND_MEASURES
