"""Translates Python functions to JavaScript, statement by statement; `script/python.js` defines the operations.

Only the parts of Python that the page needs are translated. Anything else raises an error that names the function and
the line, so it is found when the page is built and not when it runs.

    def size(seat, more=0): return seat.size + more
    function $f7_size(seat, more) { return py.add(py.get(seat, "size"), more); }
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from banakil_env.browser.sources import Node, tree_of

# Reserved words of JavaScript, and names that the translation uses.
_KEPT = {
    *[
        "arguments",
        "await",
        "case",
        "catch",
        "const",
        "debugger",
        "default",
        "delete",
        "do",
        "enum",
        "eval",
        "export",
        "extends",
        "function",
    ],
    *[
        "implements",
        "in",
        "instanceof",
        "interface",
        "let",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "static",
        "super",
    ],
    *[
        "switch",
        "this",
        "throw",
        "typeof",
        "undefined",
        "var",
        "void",
        "with",
        "yield",
        "py",
        "NaN",
        "Infinity",
        "class",
        "false",
        "true",
    ],
}
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift", ast.Pow: "pow",
}  # fmt: skip
_COMPARED = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is", ast.IsNot: "isnot", ast.In: "in", ast.NotIn: "notin",
}  # fmt: skip
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Untranslatable(TypeError):
    """A function contains something that has no translation; the text names the place."""


class Constant(str):
    """A local name that is replaced by this JavaScript expression."""


class Translation:
    """The translation of one function.

    Args:
        function: a plain Python function.
        name: the name of the function in JavaScript.
        value: returns the JavaScript expression for a Python object.
        used: called with the name of each attribute that the function uses.
    """

    def __init__(
        self, function: FunctionType, name: str, value: Callable[[Any], str], used: Callable[[str], None]
    ) -> None:
        self.function, self.name, self.value, self.used = function, name, value, used
        self.scopes: list[dict[str, str]] = []
        self.count = 0
        cells = function.__closure__ or ()
        self.free = dict(zip(function.__code__.co_freevars, cells))

    def text(self) -> str:
        """The function as a JavaScript declaration, and a statement that registers its signature."""
        node = tree_of(self.function)
        try:
            parameters = self._parameters(node.args)
            body = self._function(node, f"function{'*' * _yields(node)} {self.name}")
        except Untranslatable:
            raise
        except RecursionError:
            raise Untranslatable(f"{self.function.__qualname__}: too deep") from None
        return f"{body}\n{parameters}"

    def _parameters(self, args: ast.arguments) -> str:
        names = [each.arg for each in (*args.posonlyargs, *args.args)]
        defaults: dict[str, Any] = {}
        given = self.function.__defaults__ or ()
        defaults |= dict(zip(names[len(names) - len(given) :], given))
        defaults |= self.function.__kwdefaults__ or {}
        written = ", ".join(f"{json.dumps(name)}: () => {self.value(value)}" for name, value in defaults.items())
        return f"py.sig({self.name}, {_shape(args)}, {{ {written} }});"

    # Functions -------------------------------------------------------------------------------------------------------

    def _function(self, node: Node, head: str) -> str:
        args = node.args
        names = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
        rest = [each.arg for each in (args.vararg, args.kwarg) if each is not None]
        body = node.body if isinstance(node.body, list) else [ast.Return(node.body)]
        if isinstance(node, ast.Lambda):
            ast.copy_location(body[0], node)
        scope = {name: _safe(name) for name in (*names, *rest, *_assigned(body))}
        self.scopes.append(scope)
        own = sorted({scope[name] for name in _assigned(body)} - {scope[name] for name in (*names, *rest)})
        declared = f"let {', '.join(own)};\n" if own else ""
        statements = self._block(body)
        self.scopes.pop()
        return f"{head}({', '.join(scope[name] for name in (*names, *rest))}) {{\n{declared}{statements}\n}}"

    def _nested(self, node: Node) -> str:
        """A function inside a function, with its signature; its defaults are evaluated at the definition."""
        args = node.args
        names = [each.arg for each in (*args.posonlyargs, *args.args)]
        pairs = list(zip(names[len(names) - len(args.defaults) :], args.defaults))
        pairs += [(each.arg, value) for each, value in zip(args.kwonlyargs, args.kw_defaults) if value is not None]
        held = ", ".join(f"{json.dumps(name)}: py.held({self._expr(value)})" for name, value in pairs)
        return f"py.sig({self._function(node, 'function' + '*' * _yields(node))}, {_shape(args)}, {{ {held} }})"

    # Statements ------------------------------------------------------------------------------------------------------

    def _block(self, body: Iterable[ast.stmt]) -> str:
        return "\n".join(filter(None, map(self._stmt, body)))

    def _stmt(self, node: ast.stmt) -> str:
        method = getattr(self, f"_s_{type(node).__name__}", None)
        if method is None:
            raise self._fail(node, f"the statement {type(node).__name__}")
        made: str = method(node)
        return made

    def _s_Expr(self, node: ast.Expr) -> str:
        return "" if isinstance(node.value, ast.Constant) else f"{self._expr(node.value)};"

    def _s_Return(self, node: ast.Return) -> str:
        return f"return {self._expr(node.value) if node.value else 'null'};"

    def _s_Pass(self, node: ast.Pass) -> str:
        return ""

    def _s_Break(self, node: ast.Break) -> str:
        return "break;"

    def _s_Continue(self, node: ast.Continue) -> str:
        return "continue;"

    def _s_Nonlocal(self, node: ast.Nonlocal) -> str:
        return ""

    def _s_Assert(self, node: ast.Assert) -> str:
        return ""

    def _s_Assign(self, node: ast.Assign) -> str:
        value = self._expr(node.value)
        if len(node.targets) == 1:
            return self._assign(node.targets[0], value)
        held = self._temporary()
        return f"const {held} = {value};\n" + "\n".join(self._assign(target, held) for target in node.targets)

    def _s_AnnAssign(self, node: ast.AnnAssign) -> str:
        return "" if node.value is None else self._assign(node.target, self._expr(node.value))

    def _s_AugAssign(self, node: ast.AugAssign) -> str:
        operation, value = f"py.i{_BINARY[type(node.op)]}", self._expr(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            name = self._local(target)
            return f"{name} = {operation}({name}, {value});"
        owner, key = self._temporary(), self._temporary()
        if isinstance(target, ast.Attribute):
            self.used(target.attr)
            name = json.dumps(target.attr)
            return (
                f"{{ const {owner} = {self._expr(target.value)};\n"
                f"py.put({owner}, {name}, {operation}(py.get({owner}, {name}), {value})); }}"
            )
        return (
            f"{{ const {owner} = {self._expr(target.value)}, {key} = {self._index(target.slice)};\n"
            f"py.store({owner}, {key}, {operation}(py.item({owner}, {key}), {value})); }}"
        )

    def _assign(self, target: ast.expr, value: str) -> str:
        match target:
            case ast.Name():
                return f"{self._local(target)} = {value};"
            case ast.Attribute():
                self.used(target.attr)
                return f"py.put({self._expr(target.value)}, {json.dumps(target.attr)}, {value});"
            case ast.Subscript():
                return f"py.store({self._expr(target.value)}, {self._index(target.slice)}, {value});"
            case ast.Tuple() | ast.List():
                held = self._temporary()
                star = next((k for k, each in enumerate(target.elts) if isinstance(each, ast.Starred)), -1)
                parts = [each.value if isinstance(each, ast.Starred) else each for each in target.elts]
                lines = [f"const {held} = py.unpack({value}, {len(parts)}, {star});"]
                lines += [self._assign(part, f"{held}[{k}]") for k, part in enumerate(parts)]
                return "{ " + "\n".join(lines) + " }"
        raise self._fail(target, "this target of an assignment")

    def _s_Delete(self, node: ast.Delete) -> str:
        lines = []
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise self._fail(node, "del of a name")
            lines.append(f"py.remove({self._expr(target.value)}, {self._index(target.slice)});")
        return "\n".join(lines)

    def _s_If(self, node: ast.If) -> str:
        other = f" else {{\n{self._block(node.orelse)}\n}}" if node.orelse else ""
        return f"if ({self._test(node.test)}) {{\n{self._block(node.body)}\n}}{other}"

    def _s_While(self, node: ast.While) -> str:
        if node.orelse:
            raise self._fail(node, "while with else")
        return f"while ({self._test(node.test)}) {{\n{self._block(node.body)}\n}}"

    def _s_For(self, node: ast.For) -> str:
        if node.orelse:
            raise self._fail(node, "for with else")
        each = self._temporary()
        inside = f"{self._assign(node.target, each)}\n{self._block(node.body)}"
        return f"for (const {each} of py.iter({self._expr(node.iter)})) {{\n{inside}\n}}"

    def _s_Raise(self, node: ast.Raise) -> str:
        if node.exc is None:
            return "throw $caught;"
        return f"throw py.raised({self._expr(node.exc)});"

    def _s_Try(self, node: ast.Try) -> str:
        if node.orelse:
            raise self._fail(node, "try with else")
        handlers = ""
        for handler in node.handlers:
            kinds = "null" if handler.type is None else self._expr(handler.type)
            named = f"{self.scopes[-1][handler.name]} = $caught;\n" if handler.name else ""
            handlers += f"if (py.catches($caught, {kinds})) {{\n{named}{self._block(handler.body)}\n}} else "
        caught = f" catch ($caught) {{\n{handlers}throw $caught;\n}}" if node.handlers else ""
        last = f" finally {{\n{self._block(node.finalbody)}\n}}" if node.finalbody else ""
        return f"try {{\n{self._block(node.body)}\n}}{caught}{last}"

    def _s_With(self, node: ast.With) -> str:
        """Translate `with contextlib.suppress(...)`, the only supported with statement."""
        [item] = node.items
        call = item.context_expr
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != "contextlib.suppress":
            raise self._fail(node, "a with statement other than contextlib.suppress")
        kinds = f"py.T({', '.join(map(self._expr, call.args))})"
        unless = f"if (!py.catches($caught, {kinds})) throw $caught;"
        return f"try {{\n{self._block(node.body)}\n}} catch ($caught) {{ {unless} }}"

    def _s_FunctionDef(self, node: ast.FunctionDef) -> str:
        if node.decorator_list:
            raise self._fail(node, "a decorated function in a function")
        return f"{self.scopes[-1][node.name]} = {self._nested(node)};"

    def _s_ImportFrom(self, node: ast.ImportFrom) -> str:
        module = __import__(str(node.module), fromlist=[each.name for each in node.names])
        for each in node.names:
            self.scopes[-1][each.asname or each.name] = Constant(self.value(getattr(module, each.name)))
        return ""

    def _s_Match(self, node: ast.Match) -> str:
        held = self._temporary()
        lines = []
        for case in node.cases:
            test = self._pattern(case.pattern, held)
            if case.guard is not None:
                test = f"{test} && {self._test(case.guard)}"
            lines.append(f"if ({test}) {{\n{self._block(case.body)}\n}}")
        return f"const {held} = {self._expr(node.subject)};\n" + " else ".join(lines)

    def _pattern(self, pattern: ast.pattern, held: str) -> str:
        match pattern:
            case ast.MatchValue():
                return f"py.eq({held}, {self._expr(pattern.value)})"
            case ast.MatchSingleton():
                return f"{held} === {self._expr(ast.Constant(pattern.value))}"
            case ast.MatchOr():
                return f"({' || '.join(self._pattern(each, held) for each in pattern.patterns)})"
            case ast.MatchAs(pattern=None, name=None):
                return "true"
        raise self._fail(pattern, "this pattern")

    # Expressions -----------------------------------------------------------------------------------------------------

    def _expr(self, node: ast.expr) -> str:
        known = self._static(node)
        if known is not None:
            return self.value(known[0])
        method = getattr(self, f"_e_{type(node).__name__}", None)
        if method is None:
            raise self._fail(node, f"the expression {type(node).__name__}")
        made: str = method(node)
        return made

    def _static(self, node: ast.expr) -> tuple[Any] | None:
        """The object that a global name, or an attribute of a module or class, refers to, in a tuple of one.

        It is None if the object is unknown.
        """
        match node:
            case ast.Name(id=name) if self._scope_of(name) is None and not isinstance(node.ctx, ast.Store):
                if name in self.free:
                    return (self.free[name].cell_contents,)
                if name in self.function.__globals__:
                    return (self.function.__globals__[name],)
                if hasattr(builtins, name):
                    return (getattr(builtins, name),)
                raise self._fail(node, f"the name {name}")
            case ast.Attribute(value=owner, attr=name):
                found = self._static(owner)
                if found is not None and (isinstance(found[0], ModuleType) or _is_builtin_class(found[0])):
                    return (getattr(found[0], name),)
        return None

    def _scope_of(self, name: str) -> dict[str, str] | None:
        return next((scope for scope in reversed(self.scopes) if name in scope), None)

    def _test(self, node: ast.expr) -> str:
        """Translate an expression of which only the truth value matters."""
        match node:
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return f"({sign.join(map(self._test, node.values))})"
            case ast.UnaryOp(op=ast.Not()):
                return f"!{self._test(node.operand)}"
            case ast.Compare() if len(node.ops) == 1:
                return self._expr(node) if isinstance(node.ops[0], (ast.Is, ast.IsNot)) else f"py.t({self._expr(node)})"
        return f"py.t({self._expr(node)})"

    def _e_Name(self, node: ast.Name) -> str:
        return self._local(node)

    def _e_Constant(self, node: ast.Constant) -> str:
        return self.value(node.value)

    def _e_JoinedStr(self, node: ast.JoinedStr) -> str:
        return " + ".join(['""', *map(self._piece, node.values)])

    def _piece(self, node: ast.expr) -> str:
        if not isinstance(node, ast.FormattedValue):
            return self._expr(node)
        spec = self._expr(node.format_spec) if node.format_spec else '""'
        how = "" if node.conversion < 0 else chr(node.conversion)
        return f"py.fmt({self._expr(node.value)}, {spec}, {json.dumps(how)})"

    def _e_BinOp(self, node: ast.BinOp) -> str:
        return f"py.{_BINARY[type(node.op)]}({self._expr(node.left)}, {self._expr(node.right)})"

    def _e_UnaryOp(self, node: ast.UnaryOp) -> str:
        match node.op:
            case ast.Not():
                return f"!{self._test(node.operand)}"
            case ast.USub():
                return f"py.neg({self._expr(node.operand)})"
            case ast.UAdd():
                return f"py.pos({self._expr(node.operand)})"
        return f"py.invert({self._expr(node.operand)})"

    def _e_BoolOp(self, node: ast.BoolOp) -> str:
        name = "py.both" if isinstance(node.op, ast.And) else "py.either"
        first, *rest = map(self._expr, node.values)
        return f"{name}({', '.join([first, *(f'() => {each}' for each in rest)])})"

    def _e_Compare(self, node: ast.Compare) -> str:
        if len(node.ops) == 1:
            return self._compared(node.ops[0], self._expr(node.left), self._expr(node.comparators[0]))
        names = [self._temporary() for _ in range(len(node.ops) + 1)]
        self_assigned = [f"({name} = {self._expr(each)})" for name, each in zip(names, [node.left, *node.comparators])]
        parts = []
        for place, operation in enumerate(node.ops):
            left = self_assigned[0] if place == 0 else names[place]
            parts.append(self._compared(operation, left, self_assigned[place + 1]))
        return f"(({', '.join(names)}) => {' && '.join(parts)})()"

    def _compared(self, operation: ast.cmpop, left: str, right: str) -> str:
        name = _COMPARED[type(operation)]
        if name in ("is", "isnot"):
            return f"({left} {'===' if name == 'is' else '!=='} {right})"
        return f"py.{name}({left}, {right})"

    def _e_IfExp(self, node: ast.IfExp) -> str:
        return f"({self._test(node.test)} ? {self._expr(node.body)} : {self._expr(node.orelse)})"

    def _e_NamedExpr(self, node: ast.NamedExpr) -> str:
        return f"({self._local(node.target)} = {self._expr(node.value)})"

    def _e_Attribute(self, node: ast.Attribute) -> str:
        self.used(node.attr)
        if _is_super(node.value):
            return (
                f"py.sup({self.value(self.free['__class__'].cell_contents)}, {self._self()}, {json.dumps(node.attr)})"
            )
        return f"py.get({self._expr(node.value)}, {json.dumps(node.attr)})"

    def _self(self) -> str:
        return next(iter(self.scopes[0].values()))

    def _e_Subscript(self, node: ast.Subscript) -> str:
        return f"py.item({self._expr(node.value)}, {self._index(node.slice)})"

    def _index(self, node: ast.expr) -> str:
        if isinstance(node, ast.Slice):
            ends = [self._expr(each) if each else "null" for each in (node.lower, node.upper, node.step)]
            return f"py.slice({', '.join(ends)})"
        if isinstance(node, ast.Tuple):
            return f"py.T({', '.join(map(self._index, node.elts))})"
        return self._expr(node)

    def _e_Tuple(self, node: ast.Tuple) -> str:
        return f"py.T({self._items(node.elts)})"

    def _e_List(self, node: ast.List) -> str:
        return f"[{self._items(node.elts)}]"

    def _e_Set(self, node: ast.Set) -> str:
        return f"py.set([{self._items(node.elts)}])"

    def _items(self, nodes: Iterable[ast.expr]) -> str:
        return ", ".join(
            f"...py.iter({self._expr(each.value)})" if isinstance(each, ast.Starred) else self._expr(each)
            for each in nodes
        )

    def _e_Dict(self, node: ast.Dict) -> str:
        pairs = [
            f"...py.pairs({self._expr(value)})" if key is None else f"[{self._expr(key)}, {self._expr(value)}]"
            for key, value in zip(node.keys, node.values)
        ]
        return f"py.dict([{', '.join(pairs)}])"

    def _e_Lambda(self, node: ast.Lambda) -> str:
        return self._nested(node)

    def _e_ListComp(self, node: ast.ListComp) -> str:
        return f"[...{self._generator(node.generators, [node.elt])}]"

    def _e_GeneratorExp(self, node: ast.GeneratorExp) -> str:
        return self._generator(node.generators, [node.elt])

    def _e_SetComp(self, node: ast.SetComp) -> str:
        return f"py.set({self._generator(node.generators, [node.elt])})"

    def _e_DictComp(self, node: ast.DictComp) -> str:
        return f"py.dict({self._generator(node.generators, [node.key, node.value])})"

    def _generator(self, loops: list[ast.comprehension], results: list[ast.expr]) -> str:
        first = self._expr(loops[0].iter)
        scope = {name: _safe(name) for loop in loops for name in _names_in(loop.target)}
        self.scopes.append(scope)
        made = ", ".join(map(self._expr, results))
        text = f"yield {f'[{made}]' if len(results) > 1 else made};"
        for place, loop in reversed(list(enumerate(loops))):
            for test in reversed(loop.ifs):
                text = f"if ({self._test(test)}) {{ {text} }}"
            each = self._temporary()
            source = "$given" if place == 0 else f"py.iter({self._expr(loop.iter)})"
            text = f"for (const {each} of {source}) {{ {self._assign(loop.target, each)} {text} }}"
        self.scopes.pop()
        return f"(function* ($given) {{ let {', '.join(sorted(scope.values()))}; {text} }})(py.iter({first}))"

    def _e_Yield(self, node: ast.Yield) -> str:
        return f"(yield {self._expr(node.value) if node.value else 'null'})"

    def _e_YieldFrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* py.iter({self._expr(node.value)}))"

    def _e_Call(self, node: ast.Call) -> str:
        arguments = self._items(node.args)
        keywords = None
        if node.keywords:
            pairs = [
                f"...py.entries({self._expr(each.value)})"
                if each.arg is None
                else f"[{json.dumps(each.arg)}, {self._expr(each.value)}]"
                for each in node.keywords
            ]
            keywords = f"[{', '.join(pairs)}]"
            for each in node.keywords:
                if each.arg is not None:
                    self.used(each.arg)
        function = node.func
        if _names_an_attribute(function, node.args):
            self.used(str(node.args[1].value))  # type: ignore[attr-defined]  # a constant
        if isinstance(function, ast.Attribute) and self._static(function) is None and not _is_super(function.value):
            self.used(function.attr)
            owner, name = self._expr(function.value), json.dumps(function.attr)
            return f"py.m({owner}, {name}, [{arguments}]{f', {keywords}' if keywords else ''})"
        called = self._expr(function)
        return f"py.kw({called}, [{arguments}], {keywords})" if keywords else f"py.c({called}, [{arguments}])"

    # Names -----------------------------------------------------------------------------------------------------------

    def _local(self, node: ast.expr) -> str:
        assert isinstance(node, ast.Name)
        scope = self._scope_of(node.id)
        if scope is None:
            raise self._fail(node, f"the name {node.id}")
        return scope[node.id]

    def _temporary(self) -> str:
        self.count += 1
        return f"${self.count}"

    def _fail(self, node: ast.AST, what: str) -> Untranslatable:
        where = f"{self.function.__module__}.{self.function.__qualname__}, line {getattr(node, 'lineno', '?')}"
        return Untranslatable(f"{where}: {what} has no translation into JavaScript")


def _is_builtin_class(found: Any) -> bool:
    return isinstance(found, type) and found.__module__ in ("builtins", "itertools")


def _safe(name: str) -> str:
    """A Python name as a valid JavaScript name."""
    return f"{name}_" if name in _KEPT else name


def _shape(args: ast.arguments) -> str:
    """The parameters of a function, in the form that `py.sig` takes."""
    shape: dict[str, Any] = {
        "names": [each.arg for each in (*args.posonlyargs, *args.args)],
        "only": [each.arg for each in args.kwonlyargs],
    }
    if args.vararg:
        shape["rest"] = True
    if args.kwarg:
        shape["more"] = True
    return json.dumps(shape)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _names_an_attribute(function: ast.expr, args: list[ast.expr]) -> bool:
    """Whether a call is `getattr(x, "name")` or `hasattr(x, "name")`."""
    named = isinstance(function, ast.Name) and function.id in ("getattr", "hasattr")
    return named and len(args) > 1 and isinstance(args[1], ast.Constant)


def _names_in(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _assigned(body: Iterable[ast.AST]) -> list[str]:
    """The names that statements assign, without names inside nested functions and comprehensions."""
    found: dict[str, None] = {}
    waiting = list(body)
    nonlocal_names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            found[node.name] = None
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, _COMPREHENSIONS):  # only names that `:=` assigns in the comprehension
            found |= {each.target.id: None for each in ast.walk(node) if isinstance(each, ast.NamedExpr)}
            continue
        if isinstance(node, ast.Nonlocal):
            nonlocal_names |= set(node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if isinstance(node, ast.ExceptHandler) and node.name:
            found[node.name] = None
        waiting.extend(ast.iter_child_nodes(node))
    return [name for name in found if name not in nonlocal_names]


def _yields(node: Node) -> bool:
    """Whether a function is a generator."""
    waiting: list[ast.AST] = list(node.body) if isinstance(node.body, list) else [node.body]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(each, (ast.FunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(each))
    return False
