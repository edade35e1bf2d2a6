from collections.abc import Callable
from typing import Any

def function(
    address: int,
    name: str,
    params: tuple[tuple[Any, ...], ...],
    sizes: int,
    result: bool,
    releases: bool,
    held: tuple[Any, ...],
) -> Callable[..., Any]: ...
