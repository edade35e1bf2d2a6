"""The task for the writer of a program: the rules of the table, the format of positions, the contract, examples."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Game
from banakil_env.core.kernels import legal_actions
from banakil_env.games import find
from banakil_env.kit.cards import JOKER_TEXT
from banakil_env.text.positions import described
from banakil_env.written.contract import CONTRACT
from banakil_env.written.traces import RESULT, WITHHELD, Question, draw, main_table, table_of, told

EXAMPLES = 6
FIRST_SEED = 1_000_000  # of the seeds for the examples, whose rounds are not among the public traces


def prompt(game: str | Game, **options: Any) -> str:
    """The whole task as Markdown. Without options it is for the game's main table."""
    found = find(game)
    chosen = {**options, "episode": "round"} if options else main_table(found)
    parts = [
        f"Write a program that knows the rules of a card game, {found.title}. First the rules, then how positions are "
        "written, then what the program must provide, then examples.",
        table_of(found, chosen)["text"].strip(),
        _notation(found),
        f"# The program\n\n{CONTRACT.strip()}",
        _examples(found, chosen),
    ]
    return "\n\n".join(parts) + "\n"


def _notation(game: Game) -> str:
    """The format of position texts, from the game's declarations of their lines."""
    said = described(game)
    lines = [f"- `{key}`: {line.says}. Left out: {line.default}." for key, line in said.lines.items() if _told(key)]
    parts = [
        "# Positions\n\nA position is a text, one `key: value` a line. S is the number of a seat, N a number, CARD a "
        "card.\n\n" + "\n".join(lines),
        f"Phases in the line `turn`: {', '.join(f'`{phase}`' for phase in said.phases)}.",
    ]
    if said.words:
        words = "\n".join(f"- `{word}`: {note}" for word, note in said.words.items())
        parts.append(f"Words after the phase in the line `turn`, each after a comma:\n\n{words}")
    parts.append(f"Endings in the line `over`: {', '.join(f'`{ending}`' for ending in said.endings)}.")
    if JOKER_TEXT in " ".join(game.actions.texts):
        parts.append(f"A Joker is written `{JOKER_TEXT}`.")
    return "\n\n".join(parts)


def _told(key: str) -> bool:
    return key not in WITHHELD and key not in RESULT


def _examples(game: Game, options: dict[str, Any]) -> str:
    """Example positions of a round, with moves of different kinds, and of its end; each with the engine's answers."""
    [trace] = draw(game, [FIRST_SEED], **options)
    asked = [each for each in trace.questions(most=10_000) if each.moves]
    kinds: dict[str, Question] = {}
    for each in asked:
        kinds.setdefault(game.actions[each.moves[0][0]].block.name, each)
    chosen = list(kinds.values())[: EXAMPLES - 1]
    chosen += [asked[-1]] * (asked[-1] not in chosen)
    return "# Examples\n\n" + "\n\n".join(_example(game, each) for each in chosen)


def _example(game: Game, question: Question) -> str:
    action, after = question.moves[0]
    legal = ", ".join(f'"{game.actions.text(each)}"' for each in legal_actions(game, question.state[0]))
    move, outcome = game.actions.text(action), game.outcome(after[0])
    ends = f"\n\n`scores(position, {move!r})` is `{list(outcome.points)}`." if outcome.ending else ""
    return (
        f"```\n{question.position}```\n\n`legal_moves(position)` is `[{legal}]`.\n\n"
        f"`is_over(position, {move!r})` is `{bool(outcome.ending)}`, and `apply(position, {move!r})` is\n\n"
        f"```\n{told(game, after[0])}```{ends}"
    )
