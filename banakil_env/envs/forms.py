"""The forms of an observation: bytes of its record, named arrays, or floats for a network, in two layouts.

The argument `observation` of every environment names the form. One function writes the record of an observation
(`core.engine.observe`); the forms are four ways to read this record:

| form | space | content |
|---|---|---|
| `"record"` | `Box`, uint8 (bytes,) | the bytes of the record |
| `"dict"` | `Dict` of `Box` | each array of numbers of the record by its name, with its own dtype and bounds |
| `"features"` | `Box`, float32 (width,) | the columns of `game.features` |
| `"cards"` | `Dict` of `Box`, float32 | the arrays of `game.cards`: `cards`, `melds`, `table`, `rules` |

With `history=K`, a further array contains the last K events as the seat has seen them, uint8 (K, 8): see
`core/history.py`. The forms "dict" and "cards" then have an additional array `history`; the other forms become
`{"observation": ..., "history": ...}`.

The default of environments for learners is "features". `Tables`, the arena and recorded data use records. The older
name "bytes" for "record" is still accepted.

The space of the form "cards" is the same for all games. In the form "dict", a single number has shape (1,), and the
numbers of the nested record `rules` are called `rules_<switch>`. In a batch, all shapes begin with the number of
tables.
"""

from __future__ import annotations

import copy
import functools
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from banakil_env.core.encoding import encode
from banakil_env.core.fields import Number
from banakil_env.core.game import Game
from banakil_env.core.history import COLUMNS, MAX_LENGTH, WIDTH
from banakil_env.core.views import encode_cards
from banakil_env.games import GAMES, find

RECORD, DICT, FEATURES, CARDS = FORMS = ("record", "dict", "features", "cards")
_OLD_WORDS = {"bytes": RECORD}


class Numbers(spaces.Box):
    """A `Box` whose `repr` gives only the lowest and the highest bound, and the form of the observations.

    Models that were saved before the columns of "features" had bounds contain a space without bounds. A space with
    bounds counts as equal to such a space, so that the models can be loaded.
    """

    form = ""  # the form of the observations; "": the space of a part of an observation

    def __repr__(self) -> str:
        form = f", observation={self.form!r}" if self.form else ""
        return f"Box({self.low.min():g}, {self.high.max():g}, {self.shape}, {self.dtype}{form})"

    def __eq__(self, other: object) -> bool:
        if super().__eq__(other):
            return True
        alike = isinstance(other, spaces.Box) and (self.shape, self.dtype) == (other.shape, other.dtype)
        return alike and self.dtype == np.float32 and (_has_no_bounds(self) or _has_no_bounds(other))

    def __setstate__(self, kept: Any) -> None:
        """Restore a pickled space; one that was saved before spaces had forms gets its form from its dtype."""
        super().__setstate__(kept)
        if not self.form and len(self.shape) == 1:
            self.form = {np.dtype(np.uint8): RECORD, np.dtype(np.float32): FEATURES}.get(self.dtype, "")


def _has_no_bounds(space: Any) -> bool:
    return not (space.bounded_below.any() or space.bounded_above.any())


class NamedNumbers(spaces.Dict):
    """A `Dict` of arrays whose `repr` lists only the names."""

    def __repr__(self) -> str:
        return f"Dict({', '.join(self.spaces)})"


@batch_space.register(Numbers)
def _batch_numbers(space: Numbers, n: int = 1) -> Numbers:
    shape = (n, *space.shape)
    low, high = np.broadcast_to(space.low, shape), np.broadcast_to(space.high, shape)
    return _formed(Numbers(low, high, dtype=space.dtype, seed=_seed_of(space)), space.form)


@batch_space.register(NamedNumbers)
def _batch_named_numbers(space: NamedNumbers, n: int = 1) -> NamedNumbers:
    spaces_of_batch = OrderedDict((name, batch_space(each, n)) for name, each in space.items())
    return NamedNumbers(spaces_of_batch, seed=_seed_of(space))


def _seed_of(space: spaces.Space[Any]) -> np.random.Generator:
    """A generator for the space of a batch, copied from the space of a single environment as Gymnasium does."""
    return copy.deepcopy(space.np_random)


def check_form(form: str, allowed: Sequence[str] = FORMS) -> str:
    """The name of the form; old names are converted.

    Raises:
        ValueError: there is no such form, or it is not allowed here.
    """
    found = _OLD_WORDS.get(form, form) if isinstance(form, str) else form
    if found not in allowed:
        raise ValueError(f"observation must be one of {', '.join(map(repr, allowed))}, not {form!r:.80}")
    return found


def check_history(history: Any) -> int:
    """The number of events in an observation, as a plain `int`.

    Raises:
        TypeError, ValueError: not a valid number of events.
    """
    if isinstance(history, bool) or not isinstance(history, (int, np.integer)):
        raise TypeError(f"history must be the number of events, 0 to {MAX_LENGTH}, not {history!r:.80}")
    if not 0 <= history <= MAX_LENGTH:
        raise ValueError(f"history must be 0 (none) to {MAX_LENGTH} events, not {history}")
    return int(history)


def history_space(history: int) -> Numbers:
    """The space of a history: the last events, uint8 (history, WIDTH)."""
    highest = np.array([column.highest for column in COLUMNS], np.uint8)
    return Numbers(np.zeros((history, WIDTH), np.uint8), np.tile(highest, (history, 1)), dtype=np.uint8)


def with_history(form: str, seen: Any, history: npt.NDArray[np.uint8]) -> dict[str, Any]:
    """Observations in a form and their histories, in one dict."""
    return {**(seen if form in (DICT, CARDS) else {"observation": seen}), "history": history}


def observation_space(game: Game, form: str, history: int = 0) -> spaces.Space[Any]:
    """The space of observations in this form, with `history` past events in each."""
    if history:
        seen = observation_space(game, form)
        named = seen.spaces if isinstance(seen, NamedNumbers) else {"observation": seen}
        return NamedNumbers(OrderedDict({**named, "history": history_space(history)}))
    form = check_form(form)
    if form == FEATURES:
        return _formed(Numbers(*game.features.bounds, dtype=np.float32), form)
    if form == CARDS:
        arrays = game.cards.arrays
        return NamedNumbers(OrderedDict((array.name, Numbers(*array.bounds, dtype=np.float32)) for array in arrays))
    if form == DICT:
        # An OrderedDict keeps the order of the record; Gymnasium would sort the names of other mappings.
        return NamedNumbers(OrderedDict((name, _space_of(number)) for name, number in _numbers_of(game).items()))
    # Bytes that are always 0 get a range too, because Gymnasium warns about equal bounds.
    highest = np.maximum(game.observation_fields.highest_bytes, 1)
    return _formed(Numbers(np.zeros_like(highest), highest, dtype=np.uint8), form)


def _formed(space: Numbers, form: str) -> Numbers:
    """Mark a space as the space of observations in this form, and return it."""
    space.form = form
    return space


def _space_of(number: Number) -> Numbers:
    field = number.field
    highest = max(field.highest, field.lowest + 1)
    return Numbers(field.lowest, highest, field.shape or (1,), dtype=field.number.type)


@functools.cache
def _numbers_of(game: Game) -> Mapping[str, Number]:
    """The arrays of numbers of an observation, by their names in the form "dict"."""
    numbers = {number.name.replace(".", "_"): number for number in game.observation_fields.numbers}
    if len(numbers) < len(game.observation_fields.numbers):
        raise ValueError(f"{game.name}: two arrays of the observation have one name in the dict form")
    return numbers


@functools.cache
def _places_of(game: Game) -> list[tuple[str, np.dtype[Any], int, tuple[int, ...], tuple[int, ...]]]:
    """The name, dtype, offset, shape and strides of each array in the form "dict".

    Offsets in the record and strides are in bytes.
    """
    places = []
    for name, number in _numbers_of(game).items():
        kind, shape = number.field.number, number.field.shape or (1,)
        steps = tuple(kind.itemsize * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape)))
        places.append((name, kind, number.offset, shape, steps))
    return places


def named_arrays(game: Game, observations: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of one observation (bytes,) or of a batch (n, bytes), by name; they are views, not copies."""
    shape, strides = observations.shape[:-1], observations.strides[:-1]
    arrays = {}
    for name, kind, offset, own, steps in _places_of(game):
        arrays[name] = np.ndarray((*shape, *own), kind, observations, offset, (*strides, *steps))
    return arrays


def in_form(game: Game, form: str, observations: npt.NDArray[np.uint8], threads: int = 1) -> Any:
    """Convert one observation (bytes,) or a batch (n, bytes) to a form; for "record" and "dict", they are views."""
    if form == RECORD:
        return observations
    if form == DICT:
        return named_arrays(game, observations)
    if form == CARDS:
        arrays = encode_cards(game, np.atleast_2d(observations), threads=threads)
        return {name: array.reshape(*observations.shape[:-1], *array.shape[1:]) for name, array in arrays.items()}
    features, _ = encode(game, np.atleast_2d(observations), threads=threads)
    return features.reshape(*observations.shape[:-1], game.features.width)


def form_of(game: Game, space: spaces.Space[Any]) -> str:
    """The form of a game's observations that has this space.

    Raises:
        ValueError: no form of the game has this space.
    """
    form = _form_in(game, space)
    if form is not None:
        return form
    theirs = {name: _form_in(find(name), space) for name in GAMES}
    said = " or ".join(f"{name} as {form}" for name, form in theirs.items() if form is not None)
    raise ValueError(
        f"its observations are those of {said}"
        if said
        else f"{space!s:.100} is the space of no form of {game.name}'s observations: {', '.join(FORMS)}"
    )


def _form_in(game: Game, space: spaces.Space[Any]) -> str | None:
    """The form of a game's observations that has this space; None if no form has it."""
    return next((form for form in FORMS if space == observation_space(game, form)), None)
