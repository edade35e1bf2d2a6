"""Other targets for the functions of libraries: WebAssembly modules, and kernels for a GPU.

They are not part of a library: an edit here leaves the libraries as they are.

| module | question |
|---|---|
| `modules.py` | Which WebAssembly module has some entries? |
| `gpu.py` | What runs on a GPU? |

These need Numba, and are imported when something is compiled:

| module | question |
|---|---|
| `webassembly.py` | How do entries become WebAssembly? |
| `ptx.py` | How are kernels for a GPU made of entries? |
"""

from banakil_env.core.targets.gpu import gpu_kernels
from banakil_env.core.targets.modules import webassembly

__all__ = ["gpu_kernels", "webassembly"]
