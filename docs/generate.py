"""Which parts of the documentation come from the code? Writes them between their marks; `--check` only compares.

    python docs/generate.py [--check]

A page docs/games/<game>.md is about one game: its marks (`<!-- begin actions -->`) are filled from that game. A game
that has no page yet gets one from the template below.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import json
import math
import random
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banakil_env.arena.generations import newest
from banakil_env.core import failures, history
from banakil_env.core.common_layout import Column
from banakil_env.core.events import KINDS
from banakil_env.core.features import Columns, Features
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.markdown import markdown_table
from banakil_env.envs.described import ENVIRONMENTS, arguments_of
from banakil_env.games import GAMES, find, gymnasium_id
from banakil_env.kit import by_numbers
from banakil_env.kit.plain import Plain
from banakil_env.suite.agents import read_seeds, seeds_text
from banakil_env.suite.answers import answers_text, read_answers
from banakil_env.suite.confirm import second_runs, second_text
from banakil_env.suite.standing import Entry, read_entries, results_svg, results_text
from banakil_env.suite.tasks import DIGITS, tasks, tasks_of
from banakil_env.text.positions import described
from banakil_env.text.rules import about

if TYPE_CHECKING:
    from train.ladder import Figure

    Measured = dict[tuple[str, str, str], Figure]  # by table, player, and the player that it met

MOVES = 24  # of the example position in a new page
NO_BREAK = "\N{NO-BREAK SPACE}"

OF_GAMES = ("games", "rules")  # folders with a page for each game

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
CITATION = ROOT / "CITATION.cff"
# Where pages and CITATION.cff name the version of the package.
VERSION = re.compile(r"(\bbanakil-env |^version: |^ *version = \{)\d+\.\d+\.\d+", re.MULTILINE)

PAGE = """# {title}

{intro}

<!-- begin picture -->
<!-- end picture -->

[How to play, and the numbered rules](../rules/{name}.md). [Notation](../notation.md) describes how to write cards,
actions, positions and whole games.

## Usage

```python
import banakil_env, pettingzoo

env = pettingzoo.make("aec", "{id}")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

The same agent often moves several times in a row; `agent_selection` names the agent to move. The game without an
environment:

```python
from banakil_env.games import {name}

state = {name}.new(seed=7)
{name}.apply(state, {name}.legal_actions(state)[0])
print([{name}.action_text(action) for action in {name}.legal_actions(state)])
print({name}.to_text(state))
```

## Options

The arguments of each environment, with their defaults. An empty cell means that the environment does not have the
argument. `TablesVecEnv` (Stable-Baselines3) takes `seed` and the arguments of `make_vec`, except `autoreset_mode`.

<!-- begin options -->
<!-- end options -->

## Specs

<!-- begin specs -->
<!-- end specs -->

## Observation

An observation is one record. `observation="record"` gives its bytes, and `{name}.fields(observation)` its fields by
name, without a copy. Seats are relative: 0 is the observer, 1 the next seat to play. The record has the public
information and the observer's hand, and nothing else.

<!-- begin observation -->
<!-- end observation -->

## Features

The columns of `observation="features"` (float32), the default of the environments.

<!-- begin features -->
<!-- end features -->

## Cards

All games share the layout of `observation="cards"` ([Forms of observations](../observations.md)). The picture shows the
array `cards` for the seat to move in the example of [Positions](#positions): one row for each face of the game, one
column for each channel.

<!-- begin cards -->
<!-- end cards -->

## Actions

`game.described` has one vector for each action. All games share the verbs
([described actions](../observations.md#described-actions)).

<!-- begin actions -->
<!-- end actions -->

## Positions

Every position can be written as text and read back without loss: one `key: value` in each line, in any order. S is the
number of a seat. [Notation](../notation.md) describes how cards are written.

<!-- begin lines -->
<!-- end lines -->

An example:

```position
{position}```

## Rules

<!-- begin switches -->
<!-- end switches -->

## Rewards

Every agent is rewarded at the end of the round (or match). All earlier rewards are 0.

| reward | a seat gets |
|---|---|
| `margin` | its side's points minus the mean of the other sides'; zero-sum |
| `points` | its side's points; higher is better |
| `win` | 1 with the best score alone, 0 when tied for it, -1 otherwise |

`reward_scale="unit"` divides `margin` and `points` by the unit of the game (see [Specs](#specs)).

The table shows the length and the rewards of episodes, over the first 1,000 seeds, with the same rule-based player at
all seats. *Rewarded* is the share of episodes in which some seat gets a `margin` other than 0; *size* is the mean
absolute margin of a seat in those episodes.

<!-- begin lengths -->
<!-- end lengths -->

## Players

<!-- begin players -->
<!-- end players -->

## Results

`make table GAME={name}` plays these matches. [The arena](../arena.md) explains the protocol and the columns;
[Ladders](../ladders.md) has trained agents and search.

<!-- standing table -->
<!-- end of the standing table -->

## Version history

* `v0` (2026): first version.
"""


def how_to_play(game: Game) -> str:
    """The game in half a page, before its numbered rules."""
    how = about(game).how_to_play
    assert how is not None
    parts = [("Goal", how.goal), ("A turn", how.turn), ("The end", how.end), ("Scoring", how.scoring), ("Tip", how.tip)]
    return "\n\n".join(textwrap.fill(f"**{name}.** {text}", 120) for name, text in parts)


def picture(game: Game) -> str:
    """The picture of the game, which is drawn if it is not there yet; `make pictures` redraws all of them."""
    pictures = beside("pictures")
    if not pictures.file_of(game.name).exists():
        pictures.draw(game.name)
    return f"![A table of {game.title}](../pictures/{game.name}.svg)"


def beside(name: str) -> Any:
    """A module of this folder."""
    if str(DOCS) not in sys.path:  # where this file is loaded from somewhere else
        sys.path.append(str(DOCS))
    return importlib.import_module(name)


def specs(game: Game) -> str:
    """The numbers a user asks for first."""
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
    """All arguments of every environment, with their defaults, and the options of the game."""
    rows: list[list[object]] = [
        [f"`{each.name}`", *(_default(each.defaults, way) for way in ENVIRONMENTS), each.note]
        for each in arguments_of(game)
    ]
    return markdown_table(["argument", *(f"`{way}`" for way in ENVIRONMENTS), "description"], rows)


def _default(defaults: Mapping[str, Any], way: str) -> str:
    """The default of an argument in an environment; empty: the environment does not have it."""
    if way not in defaults:
        return ""
    if defaults[way] is inspect.Parameter.empty:
        return "required"
    return f"`{getattr(defaults[way], 'value', defaults[way])!r}`"


def observation_table(game: Game) -> str:
    """Where every field of an observation is, and what it says."""
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
    """Where every group of feature columns is, and what it says; those of wider layouts apart."""
    features = game.features
    parts, before = [_groups_table(features, features.columns)], features
    for layout in features.layouts[1:]:
        parts.append(f"Behind them, for networks with `{features.layout_name(layout)}` ([training](../training.md)):")
        parts.append(_groups_table(layout, layout.columns[len(before.columns) :]))
        before = layout
    return "\n\n".join(parts)


def _groups_table(features: Features, groups: Sequence[Columns]) -> str:
    """These groups of feature columns."""
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
    """The blocks of the action table, each with the texts of its first and last action."""
    rows: list[list[object]] = []
    for block in game.actions.blocks:
        first, count = game.actions.first(block.name), len(block.texts)
        index = f"{first}–{first + count - 1}" if count > 1 else str(first)
        texts = f"`{block.texts[0]}`", f"`{block.texts[-1]}`"
        rows.append([index, count, block.note, f"`{block.family_verb}`", *texts])
    return markdown_table(["index", "count", "action", "verb", "first", "last"], rows)


def cards_text(game: Game) -> str:
    """The game in the common layout: its picture, its faces, and the columns of table and rules that it writes."""
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
    """The names, those of all seats (`scores_0`, `scores_1`, ...) as one."""
    return list(dict.fromkeys(re.sub(r"_\d$", "_i", name) for name in names))


def column_table(columns: Sequence[Column]) -> str:
    """Columns of the common layout: places, name, bounds and meaning; neighbours with one note are one row."""
    rows: list[list[object]] = []
    groups = itertools.groupby(enumerate(columns), lambda each: (each[1].note, each[1].lowest, each[1].highest))
    for (note, lowest, highest), group in groups:
        places = list(group)
        first, last = places[0][0], places[-1][0]
        names = f"`{places[0][1].name}`" + (f" .. `{places[-1][1].name}`" if last > first else "")
        where = f"{first}–{last}" if last > first else str(first)
        rows.append([where, names, f"{lowest:g} to {highest:g}", note])
    return markdown_table(["columns", "name", "values", "meaning"], rows)


def switch_table(game: Game) -> str:
    """Every switch: its values, what it does, and its value in every preset."""
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
    """The compiled players, with the first line of what each says of itself."""
    rows: list[list[object]] = [[f"`{name}`", _said_of_player(game, name)] for name in game.players]
    return markdown_table(["player", "description"], rows)


def _said_of_player(game: Game, name: str) -> str:
    """The first line of the module that decides."""
    act = game.players[name]
    module = getattr(act, "py_func", act).__module__
    if module == by_numbers.__name__:
        if name == "expert":
            return "`expert`: decides as `greedy` does, with fitted numbers in place of those chosen by hand."
        module = game.fitted["expert"].decide.__module__
    return (inspect.getdoc(importlib.import_module(module)) or "").splitlines()[0]


def line_table(game: Game) -> str:
    """The lines of a position, the words of its line `turn`, and how a game ends."""
    said = described(game)
    lines = markdown_table(
        ["line", "meaning", "if left out"], [[f"`{key}`", *line] for key, line in said.lines.items()]
    )
    text = f"{lines}\n\n{listed('Phases in the line `turn`', said.phases)}"
    if said.words:
        rows: list[list[object]] = [[f"`{word}`", note] for word, note in said.words.items()]
        text += f"\n\n{markdown_table(['word after the phase', 'meaning'], rows)}"
    return f"{text}\n\n{listed('Endings in the line `over`', said.endings)}"


def lengths_table(game: Game) -> str:
    """How long an episode is at each table of a game, and what it pays, as `banakil_env.bench.rounds` has measured."""
    rows: list[list[object]] = []
    for name, players in _lengths()[game.name].items():
        title = next(table.title for table in game.tables if table.name == name)
        rows += [[title, f"`{player}`", *_length_cells(found)] for player, found in players.items()]
    return markdown_table(["table", "all seats by", *LENGTH_HEADS], rows)


def lengths_of_all_table() -> str:
    """The same at the main table of every game."""
    rows: list[list[object]] = []
    for game in map(find, GAMES):
        main = game.tables[0]
        page = f"[{game.title}](games/{game.name}.md#rewards), {main.title}"
        for player, found in _lengths()[game.name][main.name].items():
            rows.append([page, f"`{player}`", *_length_cells(found)])
    return markdown_table(["table", "all seats by", *LENGTH_HEADS], rows)


LENGTH_HEADS = ("decisions of all seats, mean", "most", "ended by the limit on turns", "rewarded", "size", "largest")


def _lengths() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """The figures by game, table and player."""
    kept: dict[str, dict[str, dict[str, dict[str, float]]]]
    kept = json.loads((DOCS / "rounds.json").read_text(encoding="utf-8"))
    return kept


def _length_cells(found: dict[str, float]) -> list[str]:
    return [
        f"{found['decisions']:,.1f}",
        f"{found['longest']:,}",
        f"{found['truncated']:.1%}",
        f"{found['paid']:.1%}",
        f"{found['size']:,.1f}",
        f"{found['largest']:,g}",
    ]


def listed(what: str, codes: Sequence[str]) -> str:
    """A sentence that lists pieces of code, in lines between them."""
    sentence = f"{what}: {', '.join(f'`{code}`'.replace(' ', NO_BREAK) for code in codes)}."
    return textwrap.fill(sentence, 120).replace(NO_BREAK, " ")


def face_table(game: Game) -> str:
    """How faces are numbered, a line a suit."""
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
    """All games, with their pages."""
    rows: list[list[object]] = []
    for name in GAMES:
        game = find(name)
        players = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 2 else " or ".join(map(str, game.seats))
        picture = f'<img alt="A table of {game.title}" src="docs/pictures/{name}.svg" width="160">'
        rows.append([picture, f"[{game.title}](docs/games/{name}.md)", about(game).sentence, players, f"`{game.id}`"])
    return markdown_table(["table", "game", "in a sentence", "players", "id"], rows)


SCALED = ("gin-2p", "rummy-2p", "yaniv-2p", "mille-2p", "canasta-2p")  # tables of the README


def scale_table() -> str:
    """Five tables on the scale of `leaderboard_table`, for the README."""
    return _scale_of(SCALED, "docs/games")


def leaderboard_table() -> str:
    """The main table of every game on a scale of 0 (`random`) to 1 (`expert`)."""
    return _scale_of([game.tables[0].name for game in map(find, GAMES)], "games")


def _scale_of(tables: Sequence[str], folder: str) -> str:
    """Leads over `expert`, over the lead of `expert` over `random`; empty where nothing was measured."""
    measured = _measured()
    standing = {each.name: (game, each) for game in map(find, GAMES) for each in game.tables}
    rows: list[list[object]] = []
    for at in tables:
        game, table_of_game = standing[at]
        unit = -measured[at, "random", "expert"].ahead
        greedy = measured.get((at, "expert", "greedy"))
        searches = [figure for (of, player, _), figure in measured.items() if of == at and player.startswith("search:")]
        leads = [
            (-greedy.ahead, greedy.within_95) if greedy else None,
            _lead_of_agent(measured, at, "expert", "learned"),
            _lead_of_agent(measured, at, "expert", "alone"),
            _lead_of_agent(measured, at, "expert"),
            (searches[0].ahead, searches[0].within_95) if searches else None,
        ]
        cells = [
            f"{1 + lead[0] / unit:.2f} ± {lead[1] / unit:.2f}".replace(" ", NO_BREAK) if lead else "" for lead in leads
        ]
        rows.append([f"[{game.title}]({folder}/{game.name}.md), {table_of_game.title}", *cells])
    heads = ["game", "`greedy`", "learned alone", "stands alone", "advised", "search, 200 ms per decision"]
    return markdown_table(heads, rows)


def today_text() -> str:
    """How far agents have come at the main tables: the sentences of docs/why-rummy.md."""
    measured = _measured()
    main = [game.tables[0].name for game in map(find, GAMES)]
    units = {at: -measured[at, "random", "expert"].ahead for at in main}
    scores = {
        rung: {
            at: 1 + measured[at, rung, "expert"].ahead / units[at] for at in main if (at, rung, "expert") in measured
        }
        for rung in ("learned", "alone", "agent")
    }
    learned, advised = sorted(scores["learned"].values()), scores["agent"].values()
    near = sum(score >= 1 for score in scores["alone"].values())
    return textwrap.fill(
        "On this scale 0 is `random` and 1 is the rule-based player `expert`. Agents that learn alone, from random "
        f"weights, reach {learned[0]:.2f} to {learned[-1]:.2f} at the main tables. Agents that a stronger player has "
        f"taught, and that play without it, reach 1 or more at {near} of {len(main)} main tables ([agents that stand "
        "alone](standing-alone.md)). Agents that see the move of `expert` reach "
        f"{min(advised):.2f} to {max(advised):.2f} ([results](results.md)).",
        120,
    )


def _lead_of_agent(measured: Measured, at: str, against: str, rung: str = "agent") -> tuple[float, float] | None:
    """The lead of an agent of a table, as in the ladders, with its half width at 95 %; None: there is no such agent.

    Args:
        rung: of which kind: the newest advised one, or one that learned or stands alone.
    """
    figure = measured.get((at, rung, against))
    return (figure.ahead, figure.within_95) if figure else None


def _zoo(*name: str) -> Path:
    return ROOT.joinpath("agents", "zoo", *name)


def _card_rows(folder: Path) -> dict[str, list[str]]:
    """The rows of an agent's card about its opponents, by opponent: cells."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:1] == "|"]
    return {line[0].strip("`"): line for line in lines if line[0].startswith("`") and len(line) >= 3}


def _leads_of_card(folder: Path) -> dict[str, tuple[float, float]]:
    """The leads on an agent's card, by opponent, with half widths at 95 %."""
    cells = _card_rows(folder)
    return {player: tuple(map(float, line[1].split(" ± "))) for player, line in cells.items()}  # type: ignore[misc]


NOT_SIGNIFICANT, LESS_THAN_EXPERT = "†", "‡"  # marks of a lead in the table of the zoo


def zoo_table() -> str:
    """How the newest agent of each standing table fares against the compiled players, as in the ladders.

    The lead over `random` comes from its card. A lead whose 95 % interval holds 0 is marked, and so is a lead over
    `random` that is surely smaller than that of `expert`.
    """
    measured = _measured()
    rows: list[list[object]] = []
    for at in (standing.name for game in map(find, GAMES) for standing in game.tables):
        folder = newest(_zoo(), at)
        if folder is None:
            continue
        [trained] = re.findall(r"^\| \*\*.*$", (folder / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
        on_random, within = _leads_of_card(folder)["random"]
        least, alone = measured[at, "random", "expert"], measured[at, "unadvised", "expert"]
        behind = -least.ahead - on_random > math.hypot(least.within_95, within)
        on_greedy, on_expert = (measured[at, "agent", player] for player in ("greedy", "expert"))
        rows.append(
            [
                f"[{folder.name}](../agents/zoo/{folder.name}/README.md)",
                f"{on_random:+z.2f} ± {within:.2f} {LESS_THAN_EXPERT * behind}".strip(),
                f"{on_greedy.ahead:+z.2f} ± {on_greedy.within_95:.2f} {_mark(on_greedy)}".strip(),
                f"{_ahead(on_expert)} {_mark(on_expert)}".strip(),
                _ahead(alone),
                trained.split("|")[3].strip(),
            ]
        )
    heads = ["agent", *(f"ahead of `{player}` (95 %)" for player in ("random", "greedy"))]
    heads += ["ahead of `expert` (95 %, 99 %)", "the same without its adviser", "minutes of training"]
    return markdown_table(heads, rows)


def _mark(figure: Figure) -> str:
    """Behind a lead that is not significant at 95 %."""
    return NOT_SIGNIFICANT * (figure.ahead <= figure.within_95)


def recipe_table() -> str:
    """The recipes of the agents of the zoo: what differs from one to the other."""
    sys.path.insert(0, str(ROOT))  # train/ is not installed
    from banakil_env.agents.model import UNSAID  # late: PyTorch is not loaded for other tables
    from train.recipes import RECIPES, recipe

    rows: list[list[object]] = []
    for name in RECIPES:
        config = recipe(name)
        if config.trainer == "aggrevate" and not name.startswith("demo"):
            first = "random" if config.begin_from is None else f"`{Path(config.begin_from).name}`"
            trials = config.trials
            told = config.reward.unit, trials.margin, trials.heat, trials.others, max(1, trials.orders)
            numbers = [f"{number:g}" for number in (*told, config.optimizer.epochs)]
            numbers.append(f"{1000 * config.optimizer.learning_rate:g}e-3")
            also = [name for name in UNSAID if getattr(config.network, name)]
            layers = ", ".join(map(str, [config.network.channels or "none", *config.network.hidden, *also]))
            others = ", ".join(f"`{player}`" for player in config.pool.players if player != "self")
            adviser, end = f"`{trials.player}`", [config.workers or "", f"{(config.seconds or 0) / 60:g}"]
            rows.append([f"`{name}`", adviser, others, *numbers, layers, first, *end])
    return markdown_table(
        [
            "recipe",
            "adviser",
            "also meets",
            "unit, in points",
            "margin",
            "heat",
            "others",
            "orders",
            "passes",
            "rate",
            "layers",
            "first weights",
            "workers",
            "minutes",
        ],
        rows,
    )


def text_table() -> str:
    """How many tokens the texts of each game have, as `banakil_env.text.lengths` has counted."""
    rows: list[list[object]] = []
    for name, told in json.loads((DOCS / "text-lengths.json").read_text(encoding="utf-8")).items():
        (mean, most), (mean_all, most_all) = told["turn"], told["turn with moves"]
        rows.append([find(name).title, told["rules"], mean, most, mean_all, most_all, *told["microseconds"]])
    heads = ["game", "rules", "turn, mean", "longest", "with legal moves, mean", "longest"]
    return markdown_table([*heads, "µs to write a turn", "with legal moves"], rows)


def failure_table() -> str:
    """The kinds of failure of players."""
    rows: list[list[object]] = []
    for kind, meaning in failures.KINDS.items():
        if kind != failures.UNKNOWN:  # of results of earlier versions
            follows = "loses the table" if kind in failures.REPLIES else "the match stops"
            rows.append([f"`{kind}`", meaning, follows])
    return markdown_table(["kind", "meaning", "a player that talks"], rows)


def expert_table() -> str:
    """How far fitted players are ahead of `greedy`, as the files of their values say."""
    rows: list[list[object]] = []
    for game in map(find, GAMES):
        for fitted in game.fitted.values():
            parameters = fitted.parameters
            found = tomllib.loads(parameters.file.read_text(encoding="utf-8"))
            for row in parameters.rows:
                options = ", ".join(f"{option}={value}" for option, value in row.options.items())
                said = found.get(row.name, {"ahead": {"greedy": "not fitted: plays as `greedy`"}})
                page = f"[{game.title}](../games/{game.name}.md)"
                rows.append([page, f"`{row.name}`", f"`{options}`", said["ahead"]["greedy"], said.get("deals", "")])
    return markdown_table(["game", "row", "fitted at", "points per deal ahead of `greedy` (99 %)", "deals"], rows)


def time_table() -> str:
    """How long the compiled players take for a decision, as `train.decision_times` has measured."""
    kept = json.loads((DOCS / "decision-times.json").read_text(encoding="utf-8"))
    rows: list[list[object]] = [
        [
            f"[{find(name).title}](games/{name}.md)",
            *(f"{times[player]:.2f}" if player in times else "" for player in ("greedy", "expert")),
        ]
        for name, times in kept.items()
    ]
    return markdown_table(["game", "`greedy`, µs", "`expert`, µs"], rows)


def ladder_tables() -> str:
    """How far each player is ahead at the standing tables, as `train.ladder` has measured: a table for each game."""
    figures, parts = _ladder_figures(), []
    for game in map(find, GAMES):
        rows: list[list[object]] = []
        for standing in game.tables:
            here = [figure for figure in figures if (figure.game, figure.table) == (game.name, standing.name)]
            for player in _rungs(game, [figure.player for figure in here]):
                found = {figure.against: figure for figure in here if figure.player == player}
                ahead = [_ahead(found[other]) if other in found else "" for other in ("greedy", "expert")]
                deals = dict.fromkeys(map(_length, found.values()))
                taken = [figure.decision for figure in found.values()]
                rows.append(
                    [standing.name, _name_of(standing.name, player), *ahead, _time(min(taken)), ", ".join(deals)]
                )
        if rows:
            heads = ["table", "player", "ahead of `greedy` (95 %, 99 %)", "ahead of `expert` (95 %, 99 %)"]
            found = markdown_table([*heads, "a decision", "deals"], rows)
            parts.append(f"### [{game.title}](games/{game.name}.md)\n\n{found}")
    return "\n\n".join(parts)


def _measured() -> Measured:
    """The same by pair."""
    return {(figure.table, figure.player, figure.against): figure for figure in _ladder_figures()}


def _name_of(at: str, player: str) -> str:
    """How a row of the ladders calls a player: agents by their kind, with a link to the card."""
    kinds = {
        "agent": "advised agent",
        "unadvised": "advised agent",
        "learned": "learned alone",
        "sparred": "sparred",
        "alone": "stands alone",
    }
    if player not in kinds:
        return f"`{player}`"
    from train.ladder import folder_of

    folder = folder_of(at, player)
    if folder is None:  # measured, and no longer in the zoo
        return kinds[player]
    link = f"[{kinds[player]}](../agents/zoo/{folder.name}/README.md)"
    return f"{link} without its adviser" if player == "unadvised" else link


def _ladder_figures() -> list[Figure]:
    """The figures of `docs/ladders.json`, and those of the zoo's cards for pairs that it lacks."""
    sys.path.insert(0, str(ROOT))  # train/ is not installed
    from train.ladder import of_cards, read, shown

    return shown((*of_cards(), *read(DOCS / "ladders.json")))


def headroom_table() -> str:
    """At how many tables `search` is ahead of `expert`, and how much of its lead the agents have where it is clear."""
    on_expert = [figure for figure in _ladder_figures() if figure.against == "expert"]
    leads = {
        (figure.table, player): figure
        for figure in on_expert
        if (player := figure.player.partition(":")[0]) in ("agent", "search")
    }
    main = [game.tables[0].name for game in map(find, GAMES)]
    searches = [figure for (_, player), figure in leads.items() if player == "search"]
    clear = [figure for figure in searches if figure.ahead > figure.within_95]
    surely = [figure.table for figure in searches if figure.ahead > figure.within_99]
    behind = [figure.table for figure in searches if figure.ahead < -figure.within_95]
    said = (
        f"At 99 % the search is clear of `expert` at {len(surely)} of {len(searches)} tables, which are the main table "
        f"of {len(set(surely) & set(main))} of {len(main)} games; at 95 % at {len(clear)} tables. "
        f"It is clearly behind at {len(behind) or 'none'}."
    )
    order = [standing.name for game in map(find, GAMES) for standing in game.tables]
    rows: list[list[object]] = []
    for search in sorted(clear, key=lambda figure: order.index(figure.table)):
        agent = leads[search.table, "agent"]
        both = [f"{each.ahead:+z.2f} ± {each.within_95:.2f}" for each in (search, agent)]
        rows.append([search.table, *both, f"{agent.ahead / search.ahead:.0%}".replace("%", " %")])
    heads = ["table", "search, ahead of `expert` (95 %)", "agent, ahead of `expert` (95 %)", "agent in parts of search"]
    return f"{textwrap.fill(said, 120)}\n\n{markdown_table(heads, rows)}"


def _rungs(game: Game, players: Sequence[str]) -> list[str]:
    """The players of a ladder from the lowest rung: compiled ones, the zoo's agent, others."""
    known = [*game.players, "learned", "sparred", "alone", "agent", "unadvised"]
    found = list(dict.fromkeys(players))
    return [player for player in known if player in found] + [player for player in found if player not in known]


def _length(figure: Figure) -> str:
    """How many deals, or rounds whose departures were measured."""
    return f"{figure.deals:,} rounds" if figure.by == "departures" else f"{figure.deals:,}"


def _ahead(figure: Figure) -> str:
    return f"{figure.ahead:+z.2f} ± {figure.within_95:.2f}, ± {figure.within_99:.2f}"


def _time(microseconds: float) -> str:
    """A time of two digits: microseconds up to a millisecond, then milliseconds."""
    value, unit = (microseconds, "µs") if microseconds < 1000 else (microseconds / 1000, "ms")
    return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"


def entries() -> list[Entry]:
    """The standing results of the suite."""
    return read_entries(ROOT / "suite" / "results")


def standing_table() -> str:
    """The tables of verified runs, from their files; which agents of the zoo are not the newest comes first."""
    rows: list[list[object]] = []
    measured = _measured()
    for entry in entries():
        at = entry.run.manifest["player"]["name"].removeprefix("zoo:")
        latest, found = newest(_zoo(), at), _lead_of_agent(measured, at, "expert")
        if latest is not None and found is not None and latest.name != at:
            lead, half = found
            rows.append([entry.task, f"`{at}`", f"`{latest.name}`", f"{lead:+.2f} ± {half:.2f}"])
    heads = ["task", "agent of the run", "newest agent", "the newest, ahead of `expert` (95 %)"]
    return f"{markdown_table(heads, rows)}\n\n{results_text(entries())}"


def second_table() -> str:
    """The standing results, compared with second runs on other public deals."""
    return second_text(second_runs(entries(), ROOT / "suite" / "second"))


def seeds_table() -> str:
    """Algorithms over several training seeds."""
    return seeds_text(read_seeds(ROOT / "suite" / "seeds"))


def protocol_tables() -> str:
    """The protocols of the suite with their standing answers."""
    return answers_text(read_answers(ROOT / "suite" / "protocols"))


def task_table() -> str:
    """All tasks of the suite: their tables, anchors and limits."""
    rows: list[list[object]] = []
    for task in tasks().values():
        said = dict(task.options)
        partners = {True: ", partners", False: ", individuals", None: ""}[said.get("partners")]
        where = f"{said['num_players']} players{partners}, {said['rules']}, {said['episode']}"
        core = "yes" if task in tasks_of("rummy-core") else ""
        anchors = ", ".join(f"`{anchor}`" for anchor in task.anchors)
        width = f"{task.width:g}"
        rows.append([f"`{task.short}`", f"`{task.digest[:DIGITS]}`", where, anchors, width, f"{task.forfeit:,}", core])
    return markdown_table(["task", "digest", "table", "anchors", "± points", "forfeit", "small set"], rows)


def c_program(name: str) -> str:
    """An example of docs/native, as a block of code."""
    return f"```c\n{(DOCS / 'native' / name).read_text(encoding='utf-8')}```"


def history_columns() -> str:
    """The columns of a row of a history."""
    rows = [[i, column.name, column.note, column.highest] for i, column in enumerate(history.COLUMNS)]
    return markdown_table(["column", "name", "meaning", "highest"], rows)


def numbered(names: Sequence[str], first: int) -> str:
    """Names with their numbers, in lines between them."""
    said = (f"{number} {name or '(none)'}".replace(" ", NO_BREAK) for number, name in enumerate(names, first))
    return textwrap.fill(", ".join(said), 120).replace(NO_BREAK, " ")


OF_A_GAME: dict[str, Callable[[Game], str]] = {
    "picture": picture,
    "specs": specs,
    "options": argument_table,
    "observation": observation_table,
    "features": feature_table,
    "cards": cards_text,
    "actions": action_table,
    "lines": line_table,
    "switches": switch_table,
    "players": player_table,
    "lengths": lengths_table,
    "faces": face_table,
    "how": how_to_play,
}
OF_ALL: dict[str, Callable[[], str]] = {
    **{
        f"{array.name}_columns": functools.partial(column_table, array.columns)
        for array in find(next(iter(GAMES))).cards.arrays
    },
    "action_columns": lambda: column_table(find(next(iter(GAMES))).cards.action_columns),
    "games": games_table,
    "badges": lambda: beside("address").badges(beside("address").repository()),
    "clone": lambda: beside("address").clone(beside("address").repository()),
    "scale": scale_table,
    "leaderboard": leaderboard_table,
    "today": today_text,
    "zoo": zoo_table,
    "recipes": recipe_table,
    "texts": text_table,
    "rounds": lengths_of_all_table,
    "failures": failure_table,
    "experts": expert_table,
    "headroom": headroom_table,
    "ladders": ladder_tables,
    "times": time_table,
    "tasks": task_table,
    "standing": standing_table,
    "second": second_table,
    "seeds": seeds_table,
    "protocols": protocol_tables,
    "ppo_play": lambda: beside("from_nothing").excerpt("Learner.play"),
    "ppo_network": lambda: beside("from_nothing").excerpt("PolicyAndValue"),
    "ppo_advantages": lambda: beside("from_nothing").excerpt("Rollout.estimate_advantages"),
    "ppo_loss": lambda: beside("from_nothing").excerpt("Learner.loss"),
    "native_match": lambda: c_program("match.c"),
    "native_env": lambda: c_program("gin_env.h"),
    "history_columns": history_columns,
    "history_verbs": lambda: numbered(KINDS, 1),
    "history_places": lambda: numbered(history.PLACES, 0),
    "history_words": lambda: numbered(history.WORDS, 1),
    "memory_events": lambda: beside("from_nothing").excerpt("Events", ROOT / "train" / "memory.py"),
    "ablations": lambda: beside("from_nothing").ablations(),
    "learned": lambda: beside("from_nothing").learned(),
    "from_nothing": lambda: beside("from_nothing").front(),
    "one_network_main": lambda: beside("one_network").main_tables(),
    "one_network_left_out": lambda: beside("one_network").left_out(),
    "one_network_again": lambda: beside("one_network").again(),
    "one_network_families": lambda: beside("one_network").families(),
    "one_network_other": lambda: beside("one_network").other_tables(),
    "one_network_step": lambda: beside("from_nothing").excerpt("Learner.step", ROOT / "train" / "family.py"),
    "alone": lambda: beside("from_nothing").alone(),
    "rates": lambda: beside("rates").games(),
    "one_table": lambda: beside("rates").one_table(),
    "sizes": lambda: beside("rates").sizes(),
    "rates_gin": lambda: beside("rates").gin(),
    "peers": lambda: beside("rates").peers(),
    "fast": lambda: beside("rates").fast(),
    "speed_by_interface": lambda: beside("rates").choice(),
}
# Pictures that are drawn from data, by the file below docs/pictures.
DRAWN: dict[str, Callable[[], str]] = {
    "suite-results.svg": lambda: results_svg(entries()),
    "training.svg": lambda: beside("learning").still(),
    "one-network.svg": lambda: beside("one_network").picture(),
    **{f"{name}-cards.svg": functools.partial(lambda name: beside("channels").drawn(name), name) for name in GAMES},
}


def fill(text: str, game: Game | None) -> str:
    """The page with the present version, and with all parts between `<!-- begin NAME -->` and `<!-- end NAME -->`."""
    generated = dict(OF_ALL)
    if game is not None:
        generated |= {name: functools.partial(make, game) for name, make in OF_A_GAME.items()}

    def renew(match: re.Match[str]) -> str:
        return f"<!-- begin {match[1]} -->\n{generated[match[1]]()}\n<!-- end {match[1]} -->"

    return with_version(re.sub(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", renew, text, flags=re.DOTALL))


def new_page(game: Game) -> str:
    """The page of a game that has none yet, from what its package says of itself."""
    said = inspect.getdoc(importlib.import_module(f"banakil_env.games.{game.name}")) or game.title
    intro = said.split("\n\n")[0]
    return PAGE.format(title=game.title, name=game.name, id=game.id, intro=intro, position=example_position(game))


def example_position(game: Game) -> str:
    """A position in the middle of a round of random moves, at the game's main table."""
    plain, dice = Plain(game), random.Random(7)
    state = plain.new(**game.tables[0].options, seed=7)
    text = plain.to_text(state)
    for _ in range(MOVES):
        plain.apply(state, dice.choice(plain.legal_actions(state)))
        if plain.is_over(state):
            break
        text = plain.to_text(state)
    return text


def with_version(text: str) -> str:
    """A page, or CITATION.cff, with the version that pyproject.toml gives."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return VERSION.sub(rf"\g<1>{version}", text)


def cited(text: str, address: str) -> str:
    """CITATION.cff with the address of the repository, or without one."""
    text = with_version(re.sub(r"^repository-code: .*\n", "", text, flags=re.MULTILINE))
    return text.replace("\nlicense: ", f'\nrepository-code: "{address}"\nlicense: ', 1) if address else text


def stale_pages(write: bool) -> list[str]:
    """The pages that differ from what the code says; rewritten if `write`."""
    stale = []
    pages = [DOCS / folder / f"{name}.md" for folder in OF_GAMES for name in GAMES]
    for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("contributing/*.md")), *pages]:
        game = find(page.stem) if page.parent.name in OF_GAMES else None
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        before = text or (new_page(game) if game and page.parent.name == "games" else "")
        if (renewed := fill(before, game)) != text:
            stale.append(page.name)
            if write:
                page.write_text(renewed, encoding="utf-8")
    if (text := CITATION.read_text(encoding="utf-8")) != (renewed := cited(text, beside("address").repository())):
        stale.append(CITATION.name)
        if write:
            CITATION.write_text(renewed, encoding="utf-8")
    types, package = beside("record_types"), ROOT / "banakil_env"
    made = {package / "games" / name / "records.py": types.record_types(find(name)) for name in GAMES}
    made[package / "kit" / "table_records.py"] = types.shared_types()
    made |= {DOCS / "pictures" / name: draw() for name, draw in DRAWN.items()}
    for file, drawn in made.items():
        if not file.exists() or file.read_text(encoding="utf-8") != drawn:
            stale.append(str(file.relative_to(ROOT)))
            if write:
                file.write_text(drawn, encoding="utf-8")
    return stale


def main() -> None:
    """Write, or with `--check` compare; exit status 1 when a page was stale."""
    check = "--check" in sys.argv[1:]
    stale = stale_pages(write=not check)
    print(f"{'stale' if check else 'written'}: {', '.join(stale) or 'nothing'}")
    sys.exit(check and bool(stale))


if __name__ == "__main__":
    main()
