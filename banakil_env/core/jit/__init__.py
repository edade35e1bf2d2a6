"""Compiles functions to machine code. Other modules import everything they need from this package, not from its
modules.

The functions of this project are plain Python. A function that Python calls as machine code is an *entry* of a library.
A library is built ahead of time or at its first use, and opened without a compiler. `docs/contributing/compiling.md`
follows one function from its source to the machine code in a second process. `core/targets` compiles the same functions
for other targets.

| module | content |
|---|---|
| `decorators.py` | marks a function to be compiled, and binds a loop to one game |
| `library.py` | declares the functions that Python calls and their arguments, and finds their machine code |
| `calling.py`, `_caller.c` | check the arguments of a call |
| `reach.py`, `sources.py` | find the sources of a function's machine code, and detect changes in their files |
| `files.py` | finds the folder for compiled code on disk, and decides when a file is safe to load |
| `announce.py` | prints messages while a library is built |
| `settings.py` | reads the environment variables for compiling |

These modules need Numba, and are imported only when something is compiled:

| module | content |
|---|---|
| `build.py` | builds a library |
| `objects.py` | loads an object file where there is no linker |
| `whole_numbers.py` | gives every whole number the same type |
| `lowering.py` | lowers a function without optimizing it separately |
| `parts.py` | stores lowered functions, so that an edit lowers only the functions that it affects |
| `meanings/` | defines for compiled code what is plain Python in the interpreter |
| `dispatch.py` | lets Python call a compiled function that is not an entry |
| `symbols.py` | gives different pieces of machine code different names |
"""

from banakil_env.core.jit.announce import telling
from banakil_env.core.jit.decorators import (
    bind,
    bind_inlined,
    compiled,
    fused,
    inlined,
    interpreted,
    options_of,
    reordered,
    type_of_hook,
)
from banakil_env.core.jit.library import INT, OPEN, SEED, Argument, Entry, Library, read, rows_of, written

__all__ = [
    "INT",
    "OPEN",
    "SEED",
    "Argument",
    "Entry",
    "Library",
    "bind",
    "bind_inlined",
    "compiled",
    "fused",
    "inlined",
    "interpreted",
    "options_of",
    "read",
    "reordered",
    "rows_of",
    "telling",
    "type_of_hook",
    "written",
]
