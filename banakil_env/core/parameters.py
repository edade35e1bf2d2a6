"""The numbers of a fitted player: declared in code with meaning and bounds, with values in a file next to the code.

A compiled player rates its options with a record of whole numbers. Its module declares them:

    PARAMETERS = Parameters(VALUES, (Row("two", {"num_players": 2}),), Parameter("out", 120, 0, 1000, "..."), ...)

`python -m train.fit --game GAME` fits each row at the row's table, and writes the values with the seed and the results
to the TOML file VALUES. Without that file the declared values are used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.record_type import record_dtype


class ParameterError(ValueError):
    """A file of fitted values that contradicts the declarations; the message names the file, the row and the value."""


@dataclass(frozen=True)
class Parameter:
    """A number of a player: its name, the start value of a fit, its bounds, and its meaning with its unit."""

    name: str
    start: int
    lowest: int
    highest: int
    meaning: str


@dataclass(frozen=True)
class Row:
    """A set of values for one kind of table: its name, and the options of the table at which it is fitted."""

    name: str
    options: Mapping[str, Any]


class Parameters:
    """The declared parameters of a player and their fitted values.

    Args:
        file: the TOML file with the fitted values; it does not have to exist.
        rows: the kinds of table; each has separate values.
        declared: the parameters.

    Attributes:
        values: a record array (rows,) with an int64 field for each parameter.
        starts: a record array (1,) with the declared values.

    Raises:
        ParameterError: the file has an unknown row or parameter, or a value out of its bounds; or the name of a
            parameter is an attribute of NumPy's records.
    """

    def __init__(self, file: Path, rows: tuple[Row, ...], *declared: Parameter) -> None:
        self.file = file
        self.rows, self.declared = rows, declared
        taken = [parameter.name for parameter in declared if hasattr(np.void, parameter.name)]
        if taken:
            raise ParameterError(
                f"{file}: NumPy's records already have an attribute {', '.join(taken)}; choose another name"
            )
        self.dtype = record_dtype(*((parameter.name, np.int64) for parameter in declared))
        starts = tuple(parameter.start for parameter in declared)
        self.starts: npt.NDArray[Any] = np.array([starts], self.dtype)
        self.values: npt.NDArray[Any] = np.array([starts] * len(rows), self.dtype)
        self._read()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, in the order of the fields."""
        return tuple(parameter.name for parameter in self.declared)

    def index(self, row: str) -> int:
        """The index of a row.

        Raises:
            ParameterError: there is no row of this name.
        """
        names = [each.name for each in self.rows]
        if row not in names:
            raise ParameterError(f"there is no row {row!r} of {self.file.stem}; the rows are {', '.join(names)}")
        return names.index(row)

    def record(self, numbers: npt.NDArray[Any]) -> Any:
        """A record of these numbers, in the order of `declared`, rounded and clipped to their bounds."""
        lowest, highest = ([getattr(each, end) for each in self.declared] for end in ("lowest", "highest"))
        whole = np.clip(np.rint(numbers).astype(np.int64), lowest, highest)
        return np.array([tuple(whole.tolist())], self.dtype)[0]

    def _read(self) -> None:
        """Read the fitted values from the file, if it exists."""
        if not self.file.is_file():
            return
        for row, table in tomllib.loads(self.file.read_text(encoding="utf-8")).items():
            self._take(row, table["values"])

    def _take(self, row: str, values: Mapping[str, Any]) -> None:
        bounds = {parameter.name: parameter for parameter in self.declared}
        if set(values) != set(bounds):
            odd = ", ".join(sorted(set(values) ^ set(bounds)))
            raise ParameterError(f"{self.file}, row {row}: its parameters differ from the declared ones in {odd}")
        index = self.index(row)
        for name, value in values.items():
            if not bounds[name].lowest <= value <= bounds[name].highest:
                raise ParameterError(
                    f"{self.file}, row {row}: {name} is {value}, but must be "
                    f"{bounds[name].lowest} to {bounds[name].highest}"
                )
            self.values[index][name] = value


@dataclass(frozen=True)
class Fitted:
    """A player whose numbers can be fitted.

    Attributes:
        decide: compiled `decide(observation, mask, values)`, with a record of `parameters.values`.
        parameters: the declared numbers.
    """

    decide: Any
    parameters: Parameters
