"""The compiler's machinery behind one door: other modules import from here, and only from here.

The functions of this project are plain Python. Those that Python calls in machine code are *entries* of libraries, made
ahead of time or at first use, and opened without a compiler. `docs/contributing/compiling.md` follows one function from
its source to the machine code of a second process. `core/targets` has what else is made of the same functions.

| module | question |
|---|---|
| `decorators.py` | How is a function marked to be compiled, and how is a loop bound to one game? |
| `library.py` | Which functions does Python call, with which arguments, and where is their machine code? |
| `calling.py`, `_caller.c` | How are the arguments of a call checked? |
| `reach.py`, `sources.py` | What is the machine code of a function made of, and are those files still the same? |
| `files.py` | Where is compiled code kept on disk, and when is it safe to load? |
| `announce.py` | What does a user read while a library is built? |
| `settings.py` | What does the environment say about compiling? |

These need Numba, and are imported when something is compiled:

| module | question |
|---|---|
| `build.py` | How is a library built? |
| `objects.py` | How is an object file loaded where there is no linker? |
| `whole_numbers.py` | Which type has a whole number? |
| `lowering.py` | How is a function lowered, and no more? |
| `parts.py` | How is a lowered part kept, so that an edit lowers again only what reaches it? |
| `meanings/` | What does compiled code do where the interpreter runs plain Python? |
| `dispatch.py` | How does Python call a compiled function that is not an entry? |
| `symbols.py` | How do two pieces of machine code get two names? |
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
