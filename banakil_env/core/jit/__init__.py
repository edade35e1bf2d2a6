"""The compiler's machinery behind one door: other modules import from here, and only from here.

Numba compiles the functions of this project. This package decides how, and keeps the machine code on disk for the next
process. `docs/compiling.md` follows one function from its source to the machine code of a second process.

| module | question |
|---|---|
| `decorators.py` | How is a function compiled, and how is a loop bound to one game? |
| `lowering.py` | How does the first start stay short? |
| `cache.py` | When is what an earlier process compiled still good? |
| `parts.py` | How is a lowered part kept, so that an edit lowers again only what reaches it? |
| `reach.py`, `sources.py` | What is the machine code of a function made of, and are those files still the same? |
| `entries.py` | Where is machine code kept on disk, and when is it safe to load? |
| `symbols.py` | How do two pieces of machine code get two names? |
| `meanings/` | What does compiled code do where the interpreter runs plain Python? |
| `announce.py` | What does a user read meanwhile? |

`NUMBA_DISABLE_JIT=1` leaves plain Python, `NUMBA_BOUNDSCHECK=1` checks every index, `NUMBA_CACHE_DIR` says where the
machine code goes, and `BANAKIL_QUIET=1` silences the lines that announce compilation.
"""

from banakil_env.core.jit.announce import telling
from banakil_env.core.jit.decorators import (
    bind,
    bind_inlined,
    compiled,
    fused,
    inlined,
    interpreted,
    reordered,
    type_of_hook,
)

__all__ = [
    "bind",
    "bind_inlined",
    "compiled",
    "fused",
    "inlined",
    "interpreted",
    "reordered",
    "telling",
    "type_of_hook",
]
