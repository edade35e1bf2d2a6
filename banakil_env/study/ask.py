"""The command `banakil ask`: prints the actions of players in a position, and their values of each legal action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console

from banakil_env.arena.ask import PlayerFailed, prepare, said
from banakil_env.arena.ask import ask as ask_in_time
from banakil_env.arena.plan import labels
from banakil_env.arena.players import Explanation, Player, make_players
from banakil_env.core.game import Game
from banakil_env.core.kernels import refusal
from banakil_env.core.terminal import leave, say
from banakil_env.kit.plain import Plain
from banakil_env.render.columns import WIDTH, folded, in_columns
from banakil_env.study.reading import ReadError, read

CHOSEN = "*"  # marks the action that a player chooses


def ask(
    position: Annotated[str, typer.Argument(help="a position or a game record; - for standard input")],
    players: Annotated[list[str], typer.Argument(help="one or more: expert, search:1s, net:PATH, module:function")],
    at: Annotated[int | None, typer.Option(help="for a record: the number of moves made; 0: the start")] = None,
    game: Annotated[str | None, typer.Option(help="whose position it is; a record names its game")] = None,
    dice: Annotated[int, typer.Option(help="the random bits of players that throw dice, a number from 0 on")] = 0,
) -> None:
    """Ask players for their action, and for the value of each legal action."""
    try:
        reading = read(position, game)
        if not 0 <= dice < 2**64:
            raise ReadError(f"dice are a number from 0 to 2**64 - 1, not {dice}")
        _, state = reading.at(at)
        width = max(WIDTH // 2, Console().width)
        say(answers(reading.game, state, make_players(players, reading.game), dice, width))
    except (ValueError, PlayerFailed) as error:
        leave(f"banakil ask: {error}")


def answers(game: Game, state: Any, players: Sequence[Player], dice: int = 0, width: int = WIDTH) -> str:
    """Each player's action in a state, in words, and a table of its values of the legal actions.

    Args:
        game: the game.
        state: the state.
        players: the players.
        dice: the random bits that the players get.
        width: the width of the table in characters.

    Raises:
        ValueError: the game is over.
        PlayerFailed: a player does not answer, or its action is illegal.
    """
    plain = Plain(game)
    seat = plain.seat_to_move(state)
    if seat is None:
        raise ReadError(f"there is no decision: the game is over ({game.outcome(state).text})")
    seen = plain.observe(state, seat)
    names = labels([player.name for player in players])
    found = [
        explained(player, name, seen["observation"], seen["action_mask"], dice) for player, name in zip(players, names)
    ]
    for name, explanation in zip(names, found):
        if not 0 <= explanation.action < game.num_actions or not seen["action_mask"][explanation.action]:
            raise PlayerFailed(f"{name} answered: {refusal(game, state, explanation.action)}")
    legal = [int(action) for action in np.flatnonzero(seen["action_mask"])]
    lines = [f"Seat {seat} is to {game.scene(state, seat).decision}. {len(legal)} actions are legal.", ""]
    for name, explanation in zip(names, found):
        lines.append(f"{name}: {_in_words(game, explanation)}")
        if explanation.basis:
            lines.append(f"{name}: {explanation.basis}")
    text = "\n".join(part for line in lines for part in folded(line, width))
    legal.sort(key=_order(found))
    heads = [f"{CHOSEN} = would do", *names]
    rows = [[game.actions.text(action), *(_cell(each, action) for each in found)] for action in legal]
    return f"{text}\n\n{in_columns(heads, rows, width)}"


def explained(
    player: Player, name: str, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int
) -> Explanation:
    """The player's explanation if it gives one, or else only its action. Raises PlayerFailed if the player fails."""
    try:
        prepare(player)
        explain: Callable[..., Explanation] | None = getattr(player, "explain", None)
        if explain is None:
            rows = observation[None].copy(), mask[None].copy(), np.array([dice], np.uint64)
            return Explanation(int(ask_in_time(player, *rows, None)[0]))
        return explain(observation.copy(), mask.copy(), dice)
    except PlayerFailed as failure:
        raise PlayerFailed(f"{name} {failure.reason}", failure.file, failure.line) from None
    except Exception as error:
        raise PlayerFailed(f"{name} raised {said(error)}") from error


def _in_words(game: Game, found: Explanation) -> str:
    words = [game.actions.text(found.action)]
    if found.action in found.probabilities:
        words.append(f"probability {_share(found.probabilities[found.action])}")
    if found.action in found.margins:
        margin = found.margins[found.action]
        words.append(f"expected margin {margin} points, {margin.deals} playouts")
    if found.value is not None:
        words.append(f"value {found.value:+z.2f} (in the units of its training)")
    return "; ".join(words)


def _cell(found: Explanation, action: int) -> str:
    """The text of a table cell: the margin that a player gives an action, else its probability, else nothing.

    The action that the player chose is marked.
    """
    figure = ""
    if action in found.margins:
        figure = str(found.margins[action])
    elif action in found.probabilities:
        figure = _share(found.probabilities[action])
    return f"{CHOSEN} {figure}".strip() if action == found.action else figure


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _order(found: Sequence[Explanation]) -> Callable[[int], tuple[Any, ...]]:
    """A sort key for actions, best first.

    The order is by the figures of the first player that has any, then by the number of players that chose the action,
    then by the number of the action.
    """
    figures = next((each for each in found if each.margins or each.probabilities), Explanation(-1))

    def order(action: int) -> tuple[Any, ...]:
        margin = figures.margins.get(action)
        worth = margin.mean if margin is not None else figures.probabilities.get(action, -np.inf)
        return -worth, -sum(each.action == action for each in found), action

    return order
