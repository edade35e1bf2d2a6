"""Writes the Python objects that translated functions use as JavaScript, with their values at the time of the build.

The translation begins with a few functions and classes. Everything that they refer to by name is translated too:
functions, constants, tables, NumPy records, classes, and instances of classes. Of classes and instances, only
attributes whose names occur in a translated function are included. The page therefore holds only what its functions can
reach. Values that Python computes at import are stored as values.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import json
import math
import re
import types
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from banakil_env.browser.functions import Translation, Untranslatable
from banakil_env.core.hooks import Constant, Hook

# Packages whose functions and classes are translated; for all others, JavaScript replacements are listed.
OWN = ["banakil_env"]

_SPECIAL = (
    *("__init__", "__post_init__", "__call__", "__len__", "__getitem__", "__iter__", "__contains__", "__eq__"),
    *("__str__", "__bool__", "__add__", "__sub__"),
)


Natives = list[tuple[Any, str]]


class Translated:
    """A JavaScript program that is being built.

    Args:
        natives: JavaScript expressions that replace some Python objects.
        dtypes: record types. Of each hook (`core.hooks`), only the implementations for these types are translated.
        used: names of attributes that the program's JavaScript code uses.
        kept: for some classes and their instances, the only attributes that can be included.
    """

    def __init__(
        self, natives: Natives, dtypes: set[np.dtype[Any]], used: set[str], kept: Mapping[type, frozenset[str]]
    ) -> None:
        self._natives = {id(value): text for value, text in natives}
        # Python makes a new object for `dict.fromkeys` each time it is read.
        self._methods = {value: text for value, text in natives if isinstance(value, types.BuiltinMethodType)}
        self._kept = [value for value, _ in natives]  # keeps the objects alive, so that their `id` stays valid
        self._dtypes, self._used, self._allowed = dtypes, set(used), kept
        self._names: dict[int, str] = {}
        self._functions: list[str] = []
        self._values: list[str] = []
        self._fills: list[str] = []
        self._classes: dict[type, str] = {}
        self._instances: list[tuple[Any, str]] = []
        self._filled: set[tuple[str, str]] = set()
        self._numpy: dict[np.dtype[Any], str] = {}
        self._waiting: list[types.FunctionType] = []

    def value(self, found: Any) -> str:
        """The JavaScript expression for a Python object."""
        match found:
            case None:
                return "null"
            case types.EllipsisType():
                return "undefined"
            case bool():
                return "true" if found else "false"
            case str():
                return json.dumps(found)
            case bytes():
                return f"py.bytes([{', '.join(map(str, found))}])"
            case int() if not isinstance(found, enum.Enum):
                return str(found) if abs(found) < 2**53 else f"{found}n"
            case float():
                return self._float(found)
        native = self._natives.get(id(found)) or self._native_of_kind(found)
        if native is not None:
            return native
        if id(found) not in self._names:
            self._kept.append(found)
            self._add(found)
        return self._names[id(found)]

    def _float(self, found: float) -> str:
        if math.isinf(found) or math.isnan(found):
            return "NaN" if math.isnan(found) else "Infinity" if found > 0 else "-Infinity"
        return f"py.float({found!r})" if found.is_integer() else repr(found)

    def _native_of_kind(self, found: Any) -> str | None:
        if isinstance(found, np.generic) and found.dtype.names is None:
            return self.value(found.item())
        if isinstance(found, np.dtype):
            return self._dtype(found)
        if isinstance(found, types.BuiltinMethodType):
            return self._methods.get(found)
        if isinstance(found, TypeVar):
            return "null"
        return None

    # One type of object after the other
    # ----------------------------------------------------------------------------------

    def _name(self, found: Any, kind: str, said: str = "") -> str:
        said = re.sub(r"\W", "_", said)
        name = f"${kind}{len(self._names)}{'_' * bool(said)}{said}"
        self._names[id(found)] = name
        return name

    def _add(self, found: Any) -> None:
        function = _function_of(found)
        if function is not None:
            if function is not found:  # all wrappers of a function are the same function
                self._names[id(found)] = self.value(function)
                return
            self._name(found, "f", function.__name__)
            self._waiting.append(function)
            return
        method = getattr(self, f"_add_{_kind_of(found)}", None)
        if method is None:
            raise Untranslatable(f"{found!r:.100} of {type(found).__qualname__} has no translation into JavaScript")
        method(found)

    def _declare(self, name: str, text: str) -> None:
        self._values.append(f"const {name} = {text};")

    def _add_tuple(self, found: Any) -> None:
        name = self._name(found, "v")
        text = f"py.T({', '.join(map(self.value, found))})"
        self._declare(name, text)

    def _add_list(self, found: Any) -> None:
        name = self._name(found, "v")
        self._declare(name, f"[{', '.join(map(self.value, found))}]")

    def _add_mapping(self, found: Any) -> None:
        name = self._name(found, "v")
        self._declare(name, f"py.{'counter' if isinstance(found, Counter) else 'dict'}([])")
        for key, value in found.items():
            self._fills.append(f"py.store({name}, {self.value(key)}, {self.value(value)});")

    def _add_set(self, found: Any) -> None:
        name = self._name(found, "v")
        self._declare(name, f"py.set([{', '.join(map(self.value, sorted(found, key=repr)))}])")

    def _add_range(self, found: Any) -> None:
        self._declare(self._name(found, "v"), f"py.range({found.start}, {found.stop}, {found.step})")

    def _add_slice(self, found: Any) -> None:
        ends = ", ".join(map(self.value, (found.start, found.stop, found.step)))
        self._declare(self._name(found, "v"), f"py.slice({ends})")

    def _add_pattern(self, found: Any) -> None:
        if found.flags & ~(re.UNICODE | re.MULTILINE | re.IGNORECASE):
            raise Untranslatable(f"{found!r} has flags without a translation")
        self._declare(self._name(found, "v"), f"py.pattern({json.dumps(found.pattern)}, {found.flags})")

    def _add_array(self, found: Any) -> None:
        if found.dtype.names is not None:
            raise Untranslatable("a table of records has no translation into JavaScript")
        numbers = ", ".join(map(self.value, found.ravel().tolist()))
        shape = ", ".join(map(str, found.shape))
        self._declare(self._name(found, "v"), f"py.array([{numbers}], [{shape}], {self._dtype(found.dtype)})")

    def _add_partial(self, found: Any) -> None:
        name = self._name(found, "v")
        arguments = ", ".join(map(self.value, found.args))
        keywords = ", ".join(f"[{json.dumps(key)}, {self.value(each)}]" for key, each in found.keywords.items())
        self._declare(name, "py.later()")
        self._fills.append(f"{name}.become(py.partial({self.value(found.func)}, [{arguments}], [{keywords}]));")

    def _add_method(self, found: Any) -> None:
        name = self._name(found, "v")
        self._declare(name, "py.later()")
        self._fills.append(f"{name}.become(py.bound({self.value(found.__func__)}, {self.value(found.__self__)}));")

    def _add_hook(self, found: Hook[Any, Any]) -> None:
        name = self._name(found, "h", found.name.rpartition(".")[2])
        self._declare(name, f"py.hook({json.dumps(found.name)})")
        meanings = [(dtype, meaning) for dtype, meaning in found.fills.items() if dtype in self._dtypes]
        written = [(self._dtype(dtype), meaning) for dtype, meaning in meanings]
        written += [("null", found.default)] if found.default is not None else []
        for of, meaning in written:
            said = f"() => {self.value(meaning.value)}" if isinstance(meaning, Constant) else self.value(meaning)
            self._fills.append(f"{name}.fill({of}, {said});")

    def _add_class(self, found: type) -> None:
        if not _is_own(found.__module__):
            raise Untranslatable(f"the class {found.__module__}.{found.__qualname__} has no translation")
        name = self._name(found, "c", found.__name__)
        bases = [
            self.value(base) for base in found.__bases__ if _is_own(base.__module__) or issubclass(base, BaseException)
        ]
        self._declare(name, f"py.cls({json.dumps(found.__name__)}, [{', '.join(bases)}])")
        self._classes[found] = name
        if dataclasses.is_dataclass(found):
            self._fills.append(f"py.fields({name}, [{', '.join(self._fields_of(found))}]);")
        elif hasattr(found, "_field_defaults"):
            names = ", ".join(f"[{json.dumps(each)}]" for each in vars(found)["_fields"])
            self._fills.append(f"py.fields({name}, [{names}], true);")

    def _fields_of(self, found: type) -> Iterator[str]:
        for each in dataclasses.fields(found):
            parts = [json.dumps(each.name)]
            if each.default is not dataclasses.MISSING:
                parts.append(f"() => {self.value(each.default)}")
            elif each.default_factory is not dataclasses.MISSING:
                parts.append(f"() => py.c({self.value(each.default_factory)}, [])")
            elif not each.init:
                parts.append("null")
            if each.metadata:
                parts += ["undefined"] * (len(parts) == 1) + [f"() => {self.value(dict(each.metadata))}"]
            yield f"[{', '.join(parts)}]"

    def _add_instance(self, found: Any) -> None:
        name = self._name(found, "v", type(found).__name__)
        self._declare(name, f"py.instance({self.value(type(found))})")
        self._instances.append((found, name))

    def _add_module(self, found: types.ModuleType) -> None:
        """Declare a Python module as a JavaScript object with the attributes that `kept` lists for modules."""
        parts = [f"{name}: {self.value(vars(found)[name])}" for name in sorted(self._allowed[types.ModuleType])]
        self._declare(self._name(found, "v"), f"py.namespace({{ {', '.join(parts)} }})")

    def _dtype(self, dtype: np.dtype[Any]) -> str:
        if dtype.subdtype is not None:
            base, shape = dtype.subdtype
            return f"py.cells({self._dtype(base)}, [{', '.join(map(str, shape))}])"
        if dtype.fields is None:
            return f"py.types.{dtype.name}"
        if dtype not in self._numpy:
            fields = ", ".join(
                f"[{json.dumps(name)}, {self._dtype(field[0])}, {field[1]}]" for name, field in dtype.fields.items()
            )
            name = f"$d{len(self._numpy)}"
            self._numpy[dtype] = name
            self._declare(name, f"py.recordType({dtype.itemsize}, [{fields}])")
        return self._numpy[dtype]

    # The whole program -----------------------------------------------------------------------------------------------

    def finish(self) -> str:
        """The text of the program, after everything that can be reached has been translated."""
        while self._waiting or self._fill_attributes():
            while self._waiting:
                function = self._waiting.pop()
                made = Translation(function, self._names[id(function)], self.value, self._used.add)
                with _named(f"{function.__module__}.{function.__qualname__}"):
                    self._functions.append(made.text())
        return "\n".join([*self._values, *self._functions, *self._fills])

    def _fill_attributes(self) -> bool:
        """Add attributes of classes and instances that are used by now. Returns whether anything was added."""
        before = len(self._filled)
        for found, name in list(self._classes.items()):
            for key in sorted((self._used | set(_SPECIAL)) & self._allowed.get(found, vars(found).keys())):
                if key in vars(found) and (name, key) not in self._filled and not _is_generated(found, key):
                    self._filled.add((name, key))
                    with _named(f"{found.__qualname__}.{key}"):
                        self._fills.append(f"py.define({name}, {json.dumps(key)}, {self._member(vars(found)[key])});")
        for instance, name in list(self._instances):
            held = _held_by(instance)
            for key in sorted(self._used & self._allowed.get(type(instance), held.keys()) & held.keys()):
                if (name, key) not in self._filled:
                    self._filled.add((name, key))
                    with _named(f"{type(instance).__qualname__}.{key}"):
                        self._fills.append(f"{name}.d[{json.dumps(key)}] = {self.value(held[key])};")
        return len(self._filled) > before or bool(self._waiting)

    def _member(self, found: Any) -> str:
        match found:
            case property():
                return f"py.property({self.value(found.fget)})"
            case functools.cached_property():
                return f"py.property({self.value(found.func)}, true)"
            case classmethod():
                return f"py.classmethod({self.value(found.__func__)})"
            case staticmethod():
                return f"py.staticmethod({self.value(found.__func__)})"
        return self.value(found)


@contextlib.contextmanager
def _named(place: str) -> Iterator[None]:
    """Put `place` before the text of `Untranslatable` errors inside the block."""
    try:
        yield
    except Untranslatable as error:
        raise Untranslatable(f"{place}: {error}") from None


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in OWN


def _function_of(found: Any) -> types.FunctionType | None:
    """The plain function inside a compiled or cached one; None if there is none."""
    if isinstance(found, types.FunctionType):
        return found if _is_own(found.__module__) else None
    if isinstance(found, Hook):
        return None
    wrapped = getattr(found, "py_func", None) or (
        found.__wrapped__ if isinstance(found, functools._lru_cache_wrapper) else None
    )
    return wrapped if isinstance(wrapped, types.FunctionType) else None


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (Hook, "hook"),
    (Mapping, "mapping"),
    (tuple, "tuple"),
    (list, "list"),
    ((set, frozenset), "set"),
    (range, "range"),
    (slice, "slice"),
    (re.Pattern, "pattern"),
    (np.ndarray, "array"),
    (functools.partial, "partial"),
    (types.MethodType, "method"),
    (type, "class"),
    (types.ModuleType, "module"),
)


def _kind_of(found: Any) -> str:
    own = _is_own(type(found).__module__)
    for kind, name in _KINDS:
        if isinstance(found, kind) and not (own and name in ("mapping", "tuple")):
            return name
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        return "instance"
    return "instance" if own else type(found).__name__


def _held_by(instance: Any) -> dict[str, Any]:
    """The attributes of an instance."""
    if isinstance(instance, tuple):
        return instance._asdict()  # type: ignore[attr-defined]  # a named tuple
    return dict(vars(instance))


def _is_generated(found: type, key: str) -> bool:
    """Whether `dataclass` or `NamedTuple` has written a method; `py.fields` replaces all of these methods."""
    member = vars(found)[key]
    if key in getattr(found, "_fields", ()):
        return True
    code = getattr(member, "__code__", None)
    return code is not None and code.co_filename.startswith("<")
