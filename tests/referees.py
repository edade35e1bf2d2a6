"""Does an engine play as its referee says? Both play the same games; at every state they must agree.

A referee is a class of a game's own folder, slow and plain, written from the rules page by somebody who had not seen
the engine: `from_text`, `to_text`, `legal`, `apply(action, after)`. It checks what chance has done against `after`, the
engine's position text, and computes everything else.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable
from typing import Any

from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of, legal_actions
from banakil_env.core.random import seed_word
from banakil_env.kit.switches import Choice, Numbers, RulesError, Whole

LONGEST = 400  # moves of a game that are compared
FOLDERS = {"contract": "contract_rummy"}  # where it is not the name of the game


def referee_of(name: str) -> Callable[[str], Any]:
    """What makes a referee of a game from a position text."""
    return importlib.import_module(f"{FOLDERS.get(name, name)}_referee").Referee.from_text


def compare(game: Game, referee_of: Callable[[str], Any], states: Any, dice: random.Random, moves: int) -> int:
    """Play on from an array of one state by random legal moves, both sides; how many states were compared.

    Args:
        referee_of: a position text to a referee.
        moves: the largest number of moves; the game may end before.
    """
    text = game.texts.to_text(states[0])
    referee = referee_of(text)
    kernels = kernels_of(game)
    for played in range(moves):
        assert referee.to_text() == text, _told(text, f"the referee writes:\n{referee.to_text()}")
        legal = {game.actions.text(action) for action in legal_actions(game, states[0])}
        assert referee.legal() == legal, _told(text, _difference(referee.legal(), legal))
        if not legal:
            return played + 1
        action = choose(sorted(legal), dice)
        assert kernels.apply_one(states, game.actions.parse(action)) != -1
        after = game.texts.to_text(states[0])
        try:
            referee.apply(action, after)
        except AssertionError as error:
            raise AssertionError(_told(text, f"{action} leads to\n{after}, and the referee says: {error}")) from None
        text = after
    return moves


def compare_preset(
    game: Game,
    referee_of: Callable[[str], Any],
    preset: str,
    players: int,
    episode: str,
    enough: int,
    moves: int = LONGEST,
) -> None:
    """Compare `enough` states of games of a preset, each from its deal on, the dice seeded by the table.

    Args:
        moves: of a game at most.
    """
    dice = random.Random(f"{preset} {players} {episode}")
    compared = 0
    while compared < enough:
        compared += compare(game, referee_of, dealt(game, dice, players, preset, episode), dice, moves)


def compare_switches(game: Game, referee_of: Callable[[str], Any], seed: int, enough: int) -> None:
    """Compare `enough` states of games with switches, episode and number of players at random."""
    dice = random.Random(seed)
    compared = 0
    while compared < enough:
        rules, episode = random_rules(game, dice), dice.choice(["round", "match"])
        states = dealt(game, dice, dice.choice(game.seats), rules, episode)
        if states is not None:
            compared += compare(game, referee_of, states, dice, 200)


def dealt(game: Game, dice: random.Random, players: int, rules: str, episode: str) -> Any:
    """A game just dealt, an array of one state; None where the options do not go together."""
    try:
        states = game.new(num_players=players, rules=rules, episode=episode)
    except RulesError:
        return None
    kernels_of(game).start_one(states, seed_word(dice.getrandbits(64)))
    return states


def random_rules(game: Game, dice: random.Random) -> str:
    """A preset of a game and some of its switches, each at any value; limits of turns and rounds are short."""
    words = [dice.choice(list(game.rules.presets))]
    for name, switch in game.rules.switches().items():
        if dice.random() >= 0.3:
            continue
        if isinstance(switch, Choice):
            value = dice.choice(switch.allowed)
        elif isinstance(switch, Whole):
            value = min(switch.high, max(switch.low, dice.choice([switch.low, switch.low + 1, 5, 20, 60])))
        elif isinstance(switch, Numbers):
            value = tuple(dice.randint(0, high) for high in switch.highest)
        else:
            value = dice.random() < 0.5
        words.append(f"{name}={switch.text(value)}")
    return " ".join(words)


def choose(legal: list[str], dice: random.Random) -> str:
    """A legal action, drawn so that rare things come about: plays to the table more often than discards."""
    plays = [action for action in legal if not action.startswith(("discard", "draw"))]
    return dice.choice(plays) if plays and dice.random() < 0.7 else dice.choice(legal)


def _difference(referee: Iterable[str], engine: Iterable[str]) -> str:
    one, other = set(referee), set(engine)
    return f"legal for the referee alone: {sorted(one - other)}; for the engine alone: {sorted(other - one)}"


def _told(text: str, what: str) -> str:
    return f"at the position\n{text}{what}"
