"""What does an editor know of a record? For each game a module with a `Protocol` for each of its records, made of the
declared fields: `games/<game>/records.py`. A misspelt field is an error for mypy and Pyright.
"""

from __future__ import annotations

from collections.abc import Iterator

from banakil_env.core.fields import Field, Fields
from banakil_env.core.game import Game

_HEAD = '''"""The records of {title}, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt
'''


def record_types(game: Game) -> str:
    """The module of a game."""
    [rules] = [field.record for field in game.state_fields.values() if field.record is not None]
    records = {
        "Switches": ("The switches in a state or an observation.", rules),
        "State": ("The record that is the whole game; see `state.py`.", game.state_fields),
        "Observation": ("What a seat sees; see `observation.py`.", game.observation_fields),
    }
    classes = "\n\n\n".join("\n".join(_protocol(name, *each)) for name, each in records.items())
    return f"{_HEAD.format(title=game.title)}\n\n{classes}\n"


def _protocol(name: str, doc: str, fields: Fields) -> Iterator[str]:
    yield f"class {name}(Protocol):"
    yield f'    """{doc}"""'
    yield ""
    yield from (f"    {field.name}: {_type_of(field)}" for field in fields.values())


def _type_of(field: Field) -> str:
    if field.record is not None:
        return "Switches"
    return f"npt.NDArray[Any]  # {'×'.join(map(str, field.shape))}" if field.shape else "int"
