"""Does the package `jit` alone know Numba, does Numba stay as it was, and what is bound to a function?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from jit_checkout import JIT, REPOSITORY, Checkout

from banakil_env.core import engine, jit
from banakil_env.core.jit.parts import records_in
from banakil_env.core.jit.reach import constants_of, is_hook, meanings_among, with_callees
from banakil_env.games import GAMES, find


@pytest.mark.parametrize("name", GAMES)
def test_no_game_reaches_functions_through_a_tuple(name: str) -> None:
    """Their addresses would be a part of the key of the machine code, and every process would compile again."""
    game = find(name)
    meanings_of = meanings_among([game.state, game.observation])
    of_engine = [meaning for hook in vars(engine).values() if is_hook(hook) for meaning in meanings_of(hook)]
    for callee in with_callees([*of_engine, *game.players.values()], meanings_of):
        tuples = {key: value for key, value in constants_of(callee).items() if isinstance(value, tuple)}
        found = [key for key, value in tuples.items() if any(map(callable, value))]
        assert not found, f"{callee.__module__}.{callee.__qualname__} uses {found}"


def test_numba_itself_is_left_as_it_was(checkout: Checkout, tmp_path: Path) -> None:
    """A user's own cached function keeps Numba's own cache."""
    (tmp_path / "theirs.py").write_text("import numba\n@numba.njit(cache=True)\ndef theirs(x):\n    return x + 1\n")
    program = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from banakil_env.melds import worth
from theirs import theirs
from numba.core.caching import FunctionCache
worth(1)
print(theirs(1), int(isinstance(theirs._cache, FunctionCache)))
"""
    result, said = checkout.run(program)
    assert result == [2, 1]
    assert said == ""


def test_a_users_own_function_calls_ours_with_all_that_it_calls(checkout: Checkout) -> None:
    program = """
import numba
from numba.core import errors
from numba.core.types.functions import BaseFunction
from banakil_env.melds import worth
before = BaseFunction.get_call_type, errors._termcolor_inst
own = numba.njit(lambda card: worth(card) + 1000)
print(own(1) - worth(1), int((BaseFunction.get_call_type, errors._termcolor_inst) == before))
"""
    assert checkout.run(program)[0] == [1000, 1]


def worth(count: int) -> int:
    """Bound by the tests."""
    raise NotImplementedError


def plain_loop(count: int) -> int:
    return worth(count)


def test_bind_names_what_it_cannot_bind() -> None:
    with pytest.raises(TypeError, match=r"plain_loop\(\) has no global wroth to bind; it uses worth"):
        jit.bind(plain_loop, "bound", wroth=len)
    with pytest.raises(TypeError, match="takes a plain Python function"):
        jit.bind(len, "bound")


def test_a_bound_function_carries_its_own_name() -> None:
    bound = jit.bind(plain_loop, "greedy_loop", worth=abs)
    python = getattr(bound, "py_func", bound)
    assert python.__name__ == "greedy_loop"
    assert python.__qualname__.startswith("greedy_loop_")
    assert python.__module__ == plain_loop.__module__
    assert bound(-3) == 3
    assert plain_loop.__globals__["worth"] is worth


def test_only_the_package_jit_calls_numbas_decorators() -> None:
    """It alone imports Numba, and nothing does before something is compiled."""
    decorator = re.compile(
        r"(?<!jax\.)\b(n?jit|vectorize|guvectorize|cfunc(?!=)|stencil|jitclass|generated_jit)\b(?!\.|`|/)"
    )
    extending = re.compile(r"numba\.extending|from numba import extending")
    found = []
    for path in sorted(path for top in ("banakil_env", "train") for path in (REPOSITORY / top).rglob("*.py")):
        name = path.relative_to(REPOSITORY).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            imports_ours = re.search(r"\bcore(\.| import )jit\b", line)
            if JIT not in path.parents and decorator.search(line) and not imports_ours:
                found.append(f"{name}:{number}: {line.strip()}")
            if JIT not in path.parents and extending.search(line):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_the_package_jit_has_one_door() -> None:
    """What is behind the door can change with Numba. Tests may look inside."""
    found = [
        f"{path.relative_to(REPOSITORY).as_posix()}: {match.group()}"
        for top in ("banakil_env", "train", "docs")
        for path in (REPOSITORY / top).rglob("*.py")
        if not {JIT, JIT.with_name("targets")} & set(path.parents)  # targets are made of the same parts
        for match in re.finditer(r"core\.jit(\.\w+)? import \(?([\w,\s]+?)\)?$", path.read_text("utf-8"), re.MULTILINE)
        if match[1] or not {name.strip() for name in match[2].split(",") if name.strip()} <= set(jit.__all__)
    ]
    assert found == [], f"import from banakil_env.core.jit itself, which has {', '.join(jit.__all__)}"


def test_records_are_found_in_arrays_in_tuples_and_in_fields():
    """By them an entry knows which game's hooks its code reaches."""
    inner, outer = np.dtype([("cards", "u1")]), np.dtype([("seat", "i1"), ("table", [("cards", "u1")])])
    small, large = numba.from_dtype(inner), numba.from_dtype(outer)
    rows, count = numba.types.Array(large, 1, "C"), numba.types.int64
    for kinds in ((rows, count), (numba.types.Tuple((count, rows)),), (numba.types.Tuple((rows, rows)),)):
        assert {small, large} == set(records_in(kinds))
    assert list(records_in((count, numba.types.UniTuple(count, 3)))) == []


def test_a_record_is_named_by_its_fields_in_symbols():
    """Not a number that each process counts from 0: two games compiled apart would have functions of one name."""
    number, bits = (numba.from_dtype(np.dtype([("rng", kind), ("seat", "u1")])) for kind in ("<i8", "<u8"))
    again = numba.from_dtype(np.dtype([("rng", "<i8"), ("seat", "u1")]))
    assert number.mangling_args == again.mangling_args != bits.mangling_args
    program = (
        "import numba, numpy as np, banakil_env.core.jit.symbols\n"
        "for i in range(5): numba.from_dtype(np.dtype([(f'other{i}', 'u1')]))\n"
        "print(numba.from_dtype(np.dtype([('rng', '<i8'), ('seat', 'u1')])).mangling_args[1][0])"
    )
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=REPOSITORY)
    assert said.stdout.strip() == number.mangling_args[1][0]
