"""Replacements in compiled code for functions that are plain Python in the interpreter.

`core/bits.py`, `core/records.py`, `core/scratch.py` and `core/hooks.py` are plain Python and know no compiler. Each
module here defines the machine code for the functions of the module with the same name.
"""

from banakil_env.core.jit.meanings import bits, hooks, records, scratch  # noqa: F401  # each registers its functions
