"""Generates the types of records for editors and type checkers, from the declared fields.

Each game gets a module `games/<game>/records.py` with a `Protocol` for each of its records, so that mypy and Pyright
report a misspelled field. The fields that the records of all games have are in `kit/table_records.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from banakil_env.core.fields import Field, Fields
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find

_HEAD = '''"""The record types of {title}, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt
{imports}'''

# For each record of all games: its docstring, and the attribute of `Game` with its fields.
_SHARED = {
    "TableState": ("The fields that the state record has in every game.", "state_fields"),
    "TableObservation": ("The fields that the observation record has in every game.", "observation_fields"),
}
_IMPORTS = f"\nfrom banakil_env.kit.table_records import {', '.join(sorted(_SHARED))}\n"


def shared_types() -> str:
    """The text of the module with the fields that all games have."""
    classes = (_protocol(name, "Protocol", doc, shared_fields(kind)) for name, (doc, kind) in _SHARED.items())
    return _module("the table", classes, "")


@functools.cache
def shared_fields(kind: str) -> tuple[Field, ...]:
    """The fields that all games declare, in the order of the first game; `kind` is an attribute of `Game`."""
    first, *others = (getattr(find(name), kind) for name in GAMES)
    return tuple(field for field in first.values() if all(_is_alike(field, each.get(field.name)) for each in others))


def _is_alike(field: Field, other: Field | None) -> bool:
    return field.record is None and other is not None and bool(field.shape) == bool(other.shape)


def record_types(game: Game) -> str:
    """The text of the module of a game."""
    [rules] = [field.record for field in game.state_fields.values() if field.record is not None]
    state = _own_fields(game.state_fields, "state_fields")
    seen = _own_fields(game.observation_fields, "observation_fields")
    classes = (
        _protocol("Switches", "Protocol", "The switches in a state or an observation.", rules.values()),
        _protocol("State", "TableState, Protocol", "The record with the whole state; see `state.py`.", state),
        _protocol(
            "Observation", "TableObservation, Protocol", "The observation of a seat; see `observation.py`.", seen
        ),
    )
    return _module(game.title, classes, _IMPORTS)


def _own_fields(fields: Fields, kind: str) -> list[Field]:
    shared = {field.name for field in shared_fields(kind)}
    return [field for field in fields.values() if field.name not in shared]


def _module(title: str, classes: Iterable[Iterable[str]], imports: str) -> str:
    text = "\n\n\n".join("\n".join(lines) for lines in classes)
    return f"{_HEAD.format(title=title, imports=imports)}\n\n{text}\n"


def _protocol(name: str, bases: str, doc: str, fields: Iterable[Field]) -> Iterator[str]:
    yield f"class {name}({bases}):"
    yield f'    """{doc}"""'
    yield ""
    yield from (
        f"    {field.name}: {_type_of(field)}{_shape_of(field) if name not in _SHARED else ''}" for field in fields
    )


def _type_of(field: Field) -> str:
    if field.record is not None:
        return "Switches"
    return "npt.NDArray[Any]" if field.shape else "int"


def _shape_of(field: Field) -> str:
    """The shape of a field as a comment; "" for a single number."""
    return f"  # {'×'.join(map(str, field.shape))}" if field.shape else ""
