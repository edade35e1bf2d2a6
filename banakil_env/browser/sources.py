"""Finds the syntax tree of a function, from the file and line in its code object."""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from types import CodeType, FunctionType

Node = ast.FunctionDef | ast.Lambda


def tree_of(function: FunctionType) -> Node:
    """The syntax tree of a function or lambda. Raises LookupError if its file does not contain it."""
    code = function.__code__
    found = [node for node in _functions_of(code.co_filename) if _first_line(node) == code.co_firstlineno]
    if code.co_name == "<lambda>":
        found = [node for node in found if isinstance(node, ast.Lambda) and _spans(node, code)]
    else:
        found = [node for node in found if isinstance(node, ast.FunctionDef)]
    if len(found) != 1:
        raise LookupError(f"{function.__module__}.{function.__qualname__} is not found in {code.co_filename}")
    return found[0]


@functools.cache
def _functions_of(file: str) -> list[Node]:
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]


def _first_line(node: Node) -> int:
    """The first line of a function as its code object gives it: the line of the first decorator, if there is one."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _spans(node: ast.Lambda, code: CodeType) -> bool:
    """Whether code was compiled from the body of this lambda; two lambdas can be in the same line."""
    places = [
        (line, column) for line, _, column, _ in code.co_positions() if line and column is not None and column > 0
    ]
    first = (node.body.lineno, node.body.col_offset)
    last = (node.body.end_lineno or 0, node.body.end_col_offset or 0)
    return bool(places) and all(first <= place <= last for place in places)
