"""Compiles functions of libraries for other targets: WebAssembly modules, and kernels for a GPU.

These modules do not belong to the digest of a library: an edit here does not make libraries out of date.

| module | content |
|---|---|
| `modules.py` | finds or builds the WebAssembly module of some functions |
| `gpu.py` | makes kernels that run on a GPU |

These modules need Numba, and are imported only when something is compiled:

| module | content |
|---|---|
| `webassembly.py` | makes WebAssembly from functions of libraries |
| `ptx.py` | makes GPU kernels from functions of libraries |
"""

from banakil_env.core.targets.gpu import gpu_kernels
from banakil_env.core.targets.modules import webassembly

__all__ = ["gpu_kernels", "webassembly"]
