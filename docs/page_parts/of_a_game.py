"""The parts of the page of a game: numbers, options, observation, features, actions, lines of a position, switches."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.core.features import Columns, Features
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.markdown import markdown_table
from banakil_env.envs.described import ENVIRONMENTS, arguments_of
from banakil_env.games import GAMES, find, gymnasium_id
from banakil_env.kit import by_numbers
from banakil_env.text.positions import described
from banakil_env.text.rules import about
from page_parts import NO_BREAK, beside


def how_to_play(game: Game) -> str:
    """The half page that describes the game before its numbered rules."""
    how = about(game).how_to_play
    assert how is not None
    parts = [("Goal", how.goal), ("A turn", how.turn), ("The end", how.end), ("Scoring", how.scoring), ("Tip", how.tip)]
    return "\n\n".join(textwrap.fill(f"**{name}.** {text}", 120) for name, text in parts)


def picture(game: Game) -> str:
    """A link to the picture of the game, which is drawn if it does not exist; `make pictures` redraws all of them."""
    pictures = beside("pictures")
    if not pictures.file_of(game.name).exists():
        pictures.draw(game.name)
    return f"![A table of {game.title}](../pictures/{game.name}.svg)"


def specs(game: Game) -> str:
    """A table of the numbers that a user looks for first."""
    seen, texts = game.observation.itemsize, ", ".join(f"`{name}`" for name in game.rules.presets)
    return markdown_table(
        ["property", "value"],
        [
            ["PettingZoo", f"`{game.id}`"],
            ["Gymnasium", f"`{gymnasium_id(game.name)}`"],
            ["players", ", ".join(map(str, game.seats))],
            ["action space", f"`Discrete({game.num_actions})`"],
            ["action mask", f"{game.num_actions}, `int8`"],
            ["features", f"{game.features.width}, `float32`"],
            ["record", f"{seen} bytes, `uint8`"],
            ["cards", ", ".join(f"`{array.name}` {_by(array.shape)}" for array in game.cards.arrays) + ", `float32`"],
            ["state", f"one NumPy record of {game.state.itemsize} bytes"],
            ["presets", f"`standard` (the same as {texts.partition(',')[0]}), {texts}"],
            ["rewards", ", ".join(f"`{name}`" for name in REWARDS)],
            ["unit", f'{game.unit:g} points are a reward of 1 by `reward_scale="unit"`'],
            ["points", "low wins" if game.low_wins else "high wins"],
        ],
    )


def _by(shape: Sequence[int]) -> str:
    return "×".join(map(str, shape))


def argument_table(game: Game) -> str:
    """A table of all arguments of every environment, with their defaults, and of the options of the game."""
    rows: list[list[object]] = [
        [f"`{each.name}`", *(_default(each.defaults, way) for way in ENVIRONMENTS), each.note]
        for each in arguments_of(game)
    ]
    return markdown_table(["argument", *(f"`{way}`" for way in ENVIRONMENTS), "description"], rows)


def _default(defaults: Mapping[str, Any], way: str) -> str:
    """The default of an argument in an environment; empty if the environment does not have the argument."""
    if way not in defaults:
        return ""
    if defaults[way] is inspect.Parameter.empty:
        return "required"
    return f"`{getattr(defaults[way], 'value', defaults[way])!r}`"


def observation_table(game: Game) -> str:
    """A table of the fields of an observation: their places and meanings."""
    rows: list[list[object]] = []
    for number in game.observation_fields.numbers:
        field, size = number.field, number.count * number.field.number.itemsize
        shape = "×".join(str(n) for n in field.shape) or "1"
        bounds = f"{field.lowest} to {field.highest}"
        kind = field.number.name
        rows.append(
            [f"{number.offset}–{number.offset + size - 1}", f"`{number.name}`", shape, kind, bounds, field.note]
        )
    return markdown_table(["bytes", "field", "shape", "dtype", "values", "meaning"], rows)


def feature_table(game: Game) -> str:
    """A table of the groups of feature columns: their places and meanings.

    Groups of wider layouts come in a separate table.
    """
    features = game.features
    parts, before = [_groups_table(features, features.columns)], features
    for layout in features.layouts[1:]:
        parts.append(f"Behind them, for networks with `{features.layout_name(layout)}` ([training](../training.md)):")
        parts.append(_groups_table(layout, layout.columns[len(before.columns) :]))
        before = layout
    return "\n\n".join(parts)


def _groups_table(features: Features, groups: Sequence[Columns]) -> str:
    """A table of these groups of feature columns."""
    rows: list[list[object]] = []
    low, high = features.bounds
    for group in groups:
        first = features.first[group.name]
        place = slice(first, first + group.count)
        values = f"{low[place].min():g} to {high[place].max():g}"
        where = f"{first}–{first + group.count - 1}"
        rows.append([where, f"`{group.name}`", group.count, group.about, values, group.note])
    return markdown_table(["columns", "group", "count", "of", "values", "meaning"], rows)


def action_table(game: Game) -> str:
    """A table of the blocks of actions, each with the texts of its first and last action."""
    rows: list[list[object]] = []
    for block in game.actions.blocks:
        first, count = game.actions.first(block.name), len(block.texts)
        index = f"{first}–{first + count - 1}" if count > 1 else str(first)
        texts = f"`{block.texts[0]}`", f"`{block.texts[-1]}`"
        rows.append([index, count, block.note, f"`{block.family_verb}`", *texts])
    return markdown_table(["index", "count", "action", "verb", "first", "last"], rows)


def cards_text(game: Game) -> str:
    """The game in the common layout: its picture, its faces, and the columns of table and rules that it uses."""
    text = f"![What the faces of {game.title} say](../pictures/{game.name}-cards.svg)"
    own = game.cards.own_faces
    if own:
        faces: list[list[object]] = [[f"`{face}`", note] for face, note in own.items()]
        text += f"\n\n{markdown_table(['face', 'meaning'], faces)}"
    written: list[list[object]] = [
        [f"`{array.name}`", ", ".join(f"`{name}`" for name in _grouped(game.cards.used[array.name]))]
        for array in game.cards.arrays[2:]
    ]
    return f"{text}\n\n{markdown_table(['array', 'columns that the game writes; _i: of each seat'], written)}"


def _grouped(names: Sequence[str]) -> list[str]:
    """The names; those for all seats (`scores_0`, `scores_1`, ...) are combined into one."""
    return list(dict.fromkeys(re.sub(r"_\d$", "_i", name) for name in names))


def switch_table(game: Game) -> str:
    """A table of the switches: values, effect, and the value in every preset."""
    presets = game.rules.presets
    rows: list[list[object]] = [
        [
            f"`{name}`",
            switch.values,
            switch.note,
            *(f"`{switch.text(getattr(rules, name))}`" for rules in presets.values()),
        ]
        for name, switch in game.rules.switches().items()
    ]
    return markdown_table(["switch", "values", "meaning", *(f"`{name}`" for name in presets)], rows)


def player_table(game: Game) -> str:
    """A table of the rule-based players, each with the first line of its description."""
    rows: list[list[object]] = [[f"`{name}`", _said_of_player(game, name)] for name in game.players]
    return markdown_table(["player", "description"], rows)


def _said_of_player(game: Game, name: str) -> str:
    """The first line of the docstring of the module with the player's decision."""
    act = game.players[name]
    module = getattr(act, "py_func", act).__module__
    if module == by_numbers.__name__:
        if name == "expert":
            return "`expert`: decides as `greedy` does, with fitted numbers in place of those chosen by hand."
        module = game.fitted["expert"].decide.__module__
    return (inspect.getdoc(importlib.import_module(module)) or "").splitlines()[0]


def line_table(game: Game) -> str:
    """Tables of the lines of a position, the words of its line `turn`, and the endings of the game."""
    said = described(game)
    lines = markdown_table(
        ["line", "meaning", "if left out"], [[f"`{key}`", *line] for key, line in said.lines.items()]
    )
    text = f"{lines}\n\n{listed('Phases in the line `turn`', said.phases)}"
    if said.words:
        rows: list[list[object]] = [[f"`{word}`", note] for word, note in said.words.items()]
        text += f"\n\n{markdown_table(['word after the phase', 'meaning'], rows)}"
    return f"{text}\n\n{listed('Endings in the line `over`', said.endings)}"


def listed(what: str, codes: Sequence[str]) -> str:
    """A sentence that lists pieces of code, wrapped to lines."""
    sentence = f"{what}: {', '.join(f'`{code}`'.replace(' ', NO_BREAK) for code in codes)}."
    return textwrap.fill(sentence, 120).replace(NO_BREAK, " ")


def face_table(game: Game) -> str:
    """A table of the numbers of faces, one row per suit."""
    names = importlib.import_module(f"banakil_env.games.{game.name}").FACES.names
    rows: list[list[object]] = []
    first = 0
    while first < len(names):
        end = first + 1
        while end < len(names) and len(names[end]) == 2 and names[end][1:] == names[first][1:]:
            end += 1
        rows.append([f"{first}–{end - 1}" if end - first > 1 else first, f"`{' '.join(names[first:end])}`"])
        first = end
    return markdown_table(["faces", "cards"], rows)


def games_table() -> str:
    """A table of all games, with links to their pages. It has two columns, which fit on a phone."""
    rows: list[list[object]] = []
    for name in GAMES:
        game = find(name)
        picture = f'<img alt="A table of {game.title}" src="docs/pictures/{name}.svg" width="160">'
        link = f"[{game.title}](docs/games/{name}.md)"
        rows.append([picture, f"{link}, {players_text(game)} players, `{game.id}`<br>{about(game).sentence}"])
    return markdown_table(["table", "game"], rows)


def players_text(game: Game) -> str:
    """The numbers of players, as in `2 to 4` or `2 or 4`."""
    return f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 2 else " or ".join(map(str, game.seats))
