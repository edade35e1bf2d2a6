"""Replacements in compiled code for functions that are plain Python in the interpreter.

`core/bits.py`, `core/records.py`, `core/scratch.py` and `core/hooks.py` are plain Python and know no compiler. Each
module here says what the functions of the one with its name become in machine code.
"""

from banakil_env.core.jit.meanings import bits, hooks, records, scratch  # noqa: F401  # each registers its functions
