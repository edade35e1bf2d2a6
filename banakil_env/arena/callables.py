"""Makes a player of a Python function that is called once per row."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.digests import digest_of
from banakil_env.core.files import check_size
from banakil_env.core.identity import Identity, files_of

MOST_BYTES = 1 << 24  # bytes of a source file


class CallablePlayer:
    """A function as a player.

    Args:
        function: `(observation, mask) -> action`, or `(observation, mask, rng) -> action` with a
            `numpy.random.Generator` made from the dice of the row. The function should use no other random
            numbers and keep no memory, so that games can be repeated.
        name: the player's name; by default the name of the function.

    Raises:
        ValueError: the function takes neither two arguments nor three.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        self.name: str = name or getattr(function, "__name__", None) or type(function).__name__
        self._function = function
        self._wants_rng = _takes(function, 3)
        if not self._wants_rng and not _takes(function, 2):
            raise ValueError(
                f"the player {self.name} must take (observation, mask) or (observation, mask, rng), "
                f"and takes {inspect.signature(function)}"
            )

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[Any]:
        """Call the function once for each row, and return its answers; the arguments are those of `Player.act`."""
        answers = []
        for observation, mask, bits in zip(observations, masks, dice):
            extra = (np.random.default_rng(int(bits)),) if self._wants_rng else ()
            answers.append(self._function(observation, mask, *extra))
        return np.array(answers) if answers else np.zeros(0, np.int64)

    def identity(self) -> Identity:
        """The identity of the player: the code of the function with the user's files that it imports.

        It also covers the files that an attribute `plays_by` of the function names.
        """
        return Identity(self.name, {"code": digest_of(self._function)} | files_of(self._function, self.name))


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with `count` arguments. If its signature is unknown, it takes two."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a builtin without a signature
        return count == 2
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def load_callable(module: str, name: str) -> Any:
    """The object `name` of a module, or of a file if `module` ends with `.py`.

    Raises:
        ImportError, OSError, SyntaxError: the module or file cannot be loaded.
        AttributeError: the module or file has no such name.
    """
    if module.endswith(".py"):
        path = Path(module).resolve()
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {module}")
        try:
            check_size(path, MOST_BYTES)
        except ValueError as error:
            raise ImportError(f"{module} {error}") from None
        sys.path.insert(0, str(path.parent))  # other processes find the file by this path too
        loaded = importlib.import_module(path.stem)
        if Path(loaded.__file__ or "").resolve() != path:
            raise ImportError(f"a module {path.stem} is loaded already, from {loaded.__file__}: rename the file")
    else:
        loaded = importlib.import_module(module)
    found = getattr(loaded, name)
    if not callable(found) and not hasattr(found, "act"):
        raise AttributeError(f"{name} of {module} is neither a function nor a player")
    return found
