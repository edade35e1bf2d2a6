"""The compiler's machinery behind one door: other modules import from here, and only from here.

Numba compiles the functions of this project. This package decides how, and keeps the machine code on disk for the next
process. `docs/compiling.md` follows one function from its source to the machine code of a second process.

| module | question |
|---|---|
| `decorators.py` | How is a function compiled, and how is a loop bound to one game? |
| `lowering.py` | How does the first start stay short? |
| `cache.py` | When is the machine code that an earlier process made still good? |
| `reach.py`, `sources.py` | What is the machine code of a function made of, and are those files still the same? |
| `entries.py` | Where is machine code kept on disk, and when is it safe to load? |
| `symbols.py` | How do two pieces of machine code get two names? |
| `announce.py` | What does a user read meanwhile? |

`NUMBA_DISABLE_JIT=1` leaves plain Python, `NUMBA_BOUNDSCHECK=1` checks every index, `NUMBA_CACHE_DIR` says where the
machine code goes, and `BANAKIL_QUIET=1` silences the lines that announce compilation.
"""

from banakil_env.core.jit.announce import telling
from banakil_env.core.jit.decorators import bind, bind_inlined, compiled, fused, inlined, interpreted, reordered

__all__ = ["bind", "bind_inlined", "compiled", "fused", "inlined", "interpreted", "reordered", "telling"]
