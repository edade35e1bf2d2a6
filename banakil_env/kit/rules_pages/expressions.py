"""Reads the conditions and numbers of a page of rules: Python expressions, checked and converted to tuples."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from typing import Any

from banakil_env.core.hints import did_you_mean
from banakil_env.kit.rules_pages.page import Expression
from banakil_env.kit.switches import RulesError, Switch

_SIGNS: dict[type[ast.AST], str] = {
    **{ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.Gt: ">"},
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.And: "and", ast.Or: "or"},
}


class ExpressionError(ValueError):
    """An expression is invalid, or has an unknown name or an invalid value."""


class Names:
    """The names that expressions of a page can use.

    Args:
        switches: the switches of the game.
        others: the properties of its rules, the facts about the table, and the names defined on the page.
        absent: switches that shared paragraphs can use although this game does not have them; their value is None.
    """

    def __init__(self, switches: Mapping[str, Switch], others: Collection[str], absent: Collection[str] = ()) -> None:
        self.switches, self.others, self.absent = switches, [*others], absent
        self.used: set[str] = set()

    def expression(self, text: str) -> Expression:
        """Read an expression. ExpressionError: the text is invalid, or has an unknown name or an invalid value."""
        try:
            tree = ast.parse(re.sub(r"(?<![<>!=])=(?!=)", "==", text.strip()), mode="eval").body
        except SyntaxError:
            raise ExpressionError(f"{text.strip()!r} is not an expression") from None
        return self._made(tree)

    def _made(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=int() | float() | str()):
                return ("value", node.value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _SIGNS:
                return (_SIGNS[type(sign)], self._made(left), self._compared(left, right))
            case ast.BoolOp(op=sign, values=[*values]):
                first, *rest = map(self._made, values)
                for each in rest:
                    first = (_SIGNS[type(sign)], first, each)
                return first
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ("not", self._made(operand))
            case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _SIGNS:
                return (_SIGNS[type(sign)], self._made(left), self._made(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return ("if", self._made(test), self._made(body), self._made(orelse))
            case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
                return ("at", self._made(value), ("value", place))
        raise ExpressionError(
            f"{ast.unparse(node)!r} cannot be used here: expressions have and, or, not, = != < >, + - * //, if and else"
        )

    def _name(self, name: str) -> Expression:
        if name in self.others or name in self.switches:
            self.used.add(name)
            return ("name", name)
        if name == "none" or name in self.absent:
            return ("value", None)
        known = [*self.switches, *self.others]
        raise ExpressionError(f"no switch {name!r}{did_you_mean(name, known)}: there are {', '.join(known)}")

    def _compared(self, left: ast.expr, right: ast.expr) -> Expression:
        """The right side of a comparison; in a comparison with a switch, it is one of the switch's values."""
        switch = self.switches.get(left.id) if isinstance(left, ast.Name) else None
        if switch is None or not isinstance(right, ast.Name | ast.Constant):
            return self._made(right)
        name, text = ast.unparse(left), str(right.id if isinstance(right, ast.Name) else right.value)
        try:
            value: Any = switch.parse(text)
            switch.check(name, value)
        except (KeyError, ValueError, RulesError):
            can_be = switch.values.replace("`", "")
            raise ExpressionError(f"{name} has no value {text!r}: it is {can_be}") from None
        return ("value", value)
