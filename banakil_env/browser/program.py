"""Lists the Python functions that the page calls: the views of a table, its session, the rules as text.

All other translated functions are reached from these (`objects.py`). Functions of Python's library, of NumPy and of
compiled code are listed here with the JavaScript expression that replaces each (`script/runtime.js`,
`script/games.js`).
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import functools
import itertools
import operator
import re
import secrets
import typing
import zlib
from collections import Counter
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from banakil_env.arena.players import Explanation
from banakil_env.browser.objects import Natives, Translated
from banakil_env.core import checking, fields, hints, kernels, past, random
from banakil_env.core.fields import Field, Fields
from banakil_env.core.game import Game, Search, Texts
from banakil_env.core.jit import interpreted
from banakil_env.core.record_type import Record
from banakil_env.games import find
from banakil_env.kit.assembly import Modules
from banakil_env.kit.plain import Plain
from banakil_env.play.session import Seat, Session
from banakil_env.text import points, rules
from banakil_env.text.rules import rules_text, rules_text_of
from banakil_env.web import views
from banakil_env.web.table import Table

_BUILTINS = (
    *("len", "range", "iter", "isinstance", "str", "repr", "int", "bool", "float", "list", "tuple", "dict", "set"),
    *("sorted", "min", "max", "sum", "any", "all", "enumerate", "zip", "map", "filter", "reversed", "next", "abs"),
    *("round", "divmod", "getattr", "hasattr", "setattr", "type", "ord", "chr", "callable"),
)
_EXCEPTIONS = (
    *("BaseException", "Exception", "ValueError", "TypeError", "LookupError", "KeyError", "IndexError"),
    *("AttributeError", "NotImplementedError", "AssertionError", "OSError", "RuntimeError", "ImportError"),
    *("ModuleNotFoundError", "StopIteration"),
)
_LIBRARY = (
    (interpreted, "interpreted"),
    (typing.cast, "cast"),
    (dataclasses.replace, "replace"),
    (dataclasses.fields, "fields"),
    (dataclasses.asdict, "asdict"),
    (functools.partial, "partial"),
    (Counter, "counter"),
    (itertools.groupby, "groupby"),
    (itertools.chain, "chain"),
    (itertools.islice, "islice"),
    (itertools.accumulate, "accumulate"),
    (itertools.combinations, "combinations"),
    (itertools.pairwise, "pairwise"),
    (operator.index, "index"),
    (operator.itemgetter, "itemgetter"),
    (operator.attrgetter, "attrgetter"),
    (re.search, "search"),
    (re.fullmatch, "fullmatch"),
    (re.sub, "sub"),
    (re.split, "resplit"),
    (re.findall, "findall"),
    (np.int64, "wide"),
    (np.uint64, "word"),
    (fields.read_numbers, "read_numbers"),
    (hints.did_you_mean, "nothing_like_it"),
)
_NUMPY = (
    "asarray",
    "array",
    "zeros",
    "empty",
    "flatnonzero",
    "frombuffer",
    "count_nonzero",
    "any",
    "where",
    "bincount",
    "ndim",
)
_TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")

# Modules that some games have, and the names in them that the page uses.
_MODULES = (("scoring", points._module_of, ("lines", "first_meld")),)

# Attributes that the page's own scripts use.
USED = {
    *(
        "accept",
        "after",
        "back_to",
        "last_turn_of",
        "seat_to_move",
        "state",
        "moves",
        "record",
        "new",
        "action",
        "seat",
    ),
    *(
        "parse_action",
        "legal_actions",
        "actions",
        "text",
        "called",
        "options",
        "title",
        "name",
        "seats",
        "plain",
        "game",
    ),
    *("lines", "first_meld", "partners", "args"),
}


# The attributes of some classes that the page uses. All others are for learning and search, or are only used when the
# page is built.
_KEPT: dict[type, str] = {
    Game: "name title version seats state_fields actions rules options texts new rules_of outcome scene events "
    "low_wins search state num_actions option_names",
    Search: "",
    Session: "__init__ state seat_to_move after accept back_to last_turn_of events rounds _ended brought deeds record",
    Plain: "__init__ game new legal_actions parse_action apply seat_to_move _row _memory _sound",
    Texts: "header explain to_text",
    Field: "name word line shape code lowest highest lives absent by_seat nothing first note",
    Fields: "dtype _fields __getitem__ __iter__ __len__",
    Modules: "rules",
    ModuleType: "Rules",
}


def program_of(games: Sequence[Game]) -> str:
    """The JavaScript module with everything that the page needs for these games."""
    natives = _natives()
    dtypes = {each for game in games for each in (game.state, game.observation)}
    of_pages = {name for game in games if (page := rules.page_of(game)) for name in page.names}
    made = Translated(
        natives, dtypes, USED | of_pages, {each: frozenset(names.split()) for each, names in _KEPT.items()}
    )
    exported = {
        "Session": Session,
        "Seat": Seat,
        "Plain": Plain,
        "Explanation": Explanation,
        "table_view": Table.view,
        "why": Table.why,
        "explanation_view": views.explanation_view,
        "rules_text": rules_text,
        "rules_text_of": rules_text_of,
    }
    lines = [f"{name}: {made.value(value)}" for name, value in exported.items()]
    named = ", ".join(f'"{game.name}": {made.value(game)}' for game in games)
    modules = [
        f"{kind}: {{ {', '.join(_module(made, game, find_module(game), names) for game in games)} }}"
        for kind, find_module, names in _MODULES
    ]
    pages = ", ".join(f'"{game.name}": {made.value(rules.page_of(game))}' for game in games)
    text = made.finish()
    return (
        'import { py } from "./runtime.js";\n\n'
        f"{text}\n"
        f"const games = {{ {named} }};\nconst extras = {{ {', '.join(modules)} }};\n"
        f"export const program = {{ {', '.join(lines)}, games, pages: {{ {pages} }}, modules: extras }};\n"
    )


def _module(made: Translated, game: Game, module: Any, names: Sequence[str]) -> str:
    """The parts of an optional module of a game that the page uses, in JavaScript.

    It is `null` if the game has no such module.
    """
    parts = ", ".join(f"{name}: {made.value(getattr(module, name))}" for name in names if hasattr(module, name))
    return f'"{game.name}": ' + (f"py.namespace({{ {parts} }})" if module is not None else "null")


def _natives() -> Natives:
    found: Natives = [(getattr(builtins, name), f"py.b.{name}") for name in _BUILTINS]
    found += [(getattr(builtins, name), f"py.exceptions.{name}") for name in _EXCEPTIONS]
    found += [(object, "py.object"), (frozenset, "py.b.set"), (contextlib.suppress, "null")]
    found += [(value, f"py.lib.{name}") for value, name in _LIBRARY]
    found += [(getattr(np, name), f"py.np.{name}") for name in _NUMPY]
    found += [(getattr(np, name), f"py.types.{name}") for name in _TYPES]
    found += [
        (kernels.kernels_of, "py.native.kernels_of"),
        (past.past_entries, "py.native.past_entries"),
        (interpreted(kernels.writable), "py.lib.same"),
        (checking.check_records, "py.lib.nothing"),
        (checking.check_states, "py.lib.nothing"),
        (points._module_of, "py.native.scoring"),
        (rules.page_of, "py.native.rules_page"),
        (find, "py.native.find"),
        (Record, "py.lib.record"),
        (zlib.crc32, "py.lib.crc32"),
        (np.bool_, "py.b.bool"),
        (np.dtype, "py.lib.dtype"),
        (np.ndarray, "py.lib.ndarray"),
        (np.ma.MaskedArray, "py.lib.masked"),
        (secrets.randbits, "py.lib.randbits"),
        (random.check_seed, "py.lib.same"),
        (itertools.chain.from_iterable, "py.lib.flattened"),
        (dict.fromkeys, "py.lib.fromkeys"),
        (str.maketrans, "py.lib.mkstr"),
    ]
    return found
