"""Runs kernels on a CUDA card through its driver, or on this processor, one thread after the other."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from banakil_env.core.jit import Entry
from banakil_env.core.targets import gpu_kernels

THREADS_PER_BLOCK = 64
STACK_BYTES = 16 << 10  # for each thread: the players of some games need several kilobytes
_COMPUTE_MAJOR, _COMPUTE_MINOR = 75, 76  # numbers of device attributes in the driver
_STACK_SIZE = 0  # number of a limit in the driver


class Device(Protocol):
    """The interface of a device: its memory and kernels. An address in its memory is an integer."""

    name: str

    def load(self, entries: Sequence[Entry]) -> None:
        """Load the kernels for the entries of one library."""

    def put(self, array: np.ndarray[Any, Any]) -> int:
        """Copy an array into the memory of the device; returns the address."""
        ...

    def get(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Fill an array from the memory of the device at `address`."""

    def launch(self, entry: Entry, args: Sequence[int], threads: int) -> None:
        """Run the kernel of an entry in `threads` threads; `args` are the arguments of its C function."""

    def wait(self) -> None:
        """Wait until all launched kernels have ended."""


class Here:
    """This processor as a device, for comparisons without a card."""

    name = "this processor, one thread after the other"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="banakil-kernels-")
        self._loaded: dict[str, tuple[Any, Any]] = {}
        self._arrays: dict[int, np.ndarray[Any, Any]] = {}

    def load(self, entries: Sequence[Entry]) -> None:
        """Compile the kernels for the entries of one library for this processor, link them with `cc`, and load them."""
        made = Path(self._folder.name, entries[0].library.name)
        made.with_suffix(".o").write_bytes(gpu_kernels(entries))
        words = ["cc", "-shared", "-o", str(made.with_suffix(".so")), str(made.with_suffix(".o")), "-lm"]
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
        opened = ctypes.CDLL(str(made.with_suffix(".so")))
        number = ctypes.c_int64.in_dll(opened, "banakil_thread_number")
        self._loaded |= {entry.kernel: (getattr(opened, entry.kernel), number) for entry in entries}

    def put(self, array: np.ndarray[Any, Any]) -> int:
        """Copy an array into memory that this object keeps; returns the address."""
        kept = np.empty(max(array.nbytes, 1), np.uint8)
        # Includes the padding of records.
        ctypes.memmove(kept.ctypes.data, np.ascontiguousarray(array).ctypes.data, array.nbytes)
        self._arrays[kept.ctypes.data] = kept
        return kept.ctypes.data

    def get(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Fill an array from the memory at `address`."""
        ctypes.memmove(array.ctypes.data, address, array.nbytes)

    def launch(self, entry: Entry, args: Sequence[int], threads: int) -> None:
        """Run the kernel of an entry for the thread numbers 0 to `threads` - 1, one after the other.

        `args` are the arguments of its C function.
        """
        kernel, number = self._loaded[entry.kernel]
        words = [ctypes.c_int64(each) for each in args]
        for thread in range(threads):
            number.value = thread
            kernel(*words)

    def wait(self) -> None:
        """Do nothing, since `launch` returns when its last thread has ended."""


class Card:
    """The first CUDA card, through the driver's library.

    Raises:
        RuntimeError: there is no driver or no card, or a call of the driver fails.
    """

    def __init__(self) -> None:
        try:
            self._cuda = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise RuntimeError(f"there is no CUDA driver here ({error}); --here compares on this processor") from None
        device, self._context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuInit", 0)
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), device)
        self._call("cuCtxSetCurrent", self._context)
        self._call("cuCtxSetLimit", _STACK_SIZE, ctypes.c_size_t(STACK_BYTES))
        text = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", text, 256, device)
        self.name = text.value.decode()
        self.chip = f"sm_{self._attribute(_COMPUTE_MAJOR, device)}{self._attribute(_COMPUTE_MINOR, device)}"
        self._kernels: dict[str, ctypes.c_void_p] = {}

    def _attribute(self, which: int, device: ctypes.c_int) -> int:
        found = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(found), which, device)
        return found.value

    def _call(self, name: str, *args: Any) -> None:
        code = getattr(self._cuda, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'error').decode()} ({code})")

    def load(self, entries: Sequence[Entry]) -> None:
        """Compile the kernels for the entries of one library for the card, and load them.

        `ptxas` assembles the kernels if it is installed; otherwise the driver does.
        """
        code = gpu_kernels(entries, self.chip)
        module = ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), assembled(code, self.chip) or code + b"\0")
        for entry in entries:
            self._kernels[entry.kernel] = ctypes.c_void_p()
            found = ctypes.byref(self._kernels[entry.kernel])
            self._call("cuModuleGetFunction", found, module, entry.kernel.encode())

    def put(self, array: np.ndarray[Any, Any]) -> int:
        """Copy an array into new memory of the card; returns the address, which `free` takes."""
        address, given = ctypes.c_uint64(), np.ascontiguousarray(array)
        self._call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(given.nbytes, 1)))
        self._call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(given.ctypes.data), ctypes.c_size_t(given.nbytes))
        return address.value

    def get(self, address: int, array: np.ndarray[Any, Any]) -> None:
        """Fill an array from the memory of the card at `address`."""
        where = ctypes.c_void_p(array.ctypes.data)
        self._call("cuMemcpyDtoH_v2", where, ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))

    def free(self, addresses: Sequence[int]) -> None:
        """Free the memory at these addresses."""
        for address in addresses:
            self._call("cuMemFree_v2", ctypes.c_uint64(address))

    def launch(self, entry: Entry, args: Sequence[int], threads: int) -> None:
        """Start the kernel of an entry in `threads` threads; `args` are the arguments of its C function."""
        words = [ctypes.c_int64(each) for each in args]
        pointers = (ctypes.c_void_p * len(words))(*[ctypes.addressof(word) for word in words])
        grid = (-(-threads // THREADS_PER_BLOCK), 1, 1, THREADS_PER_BLOCK, 1, 1)
        self._call("cuLaunchKernel", self._kernels[entry.kernel], *grid, 0, None, pointers, None)

    def wait(self) -> None:
        """Wait until all launched kernels have ended."""
        self._call("cuCtxSynchronize")


def assembled(ptx: bytes, chip: str) -> bytes | None:
    """PTX as machine code of a GPU; None if `ptxas` is not installed.

    Args:
        ptx: the PTX text.
        chip: the architecture of the GPU.

    Raises:
        RuntimeError: `ptxas` refuses the text.
    """
    program = ptxas()
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "kernels.ptx"), Path(folder, "kernels.cubin")
        before.write_bytes(ptx)
        words = [program, f"-arch={chip}", str(before), "-o", str(after)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise RuntimeError(f"ptxas: {done.stderr or done.stdout}")
        return after.read_bytes()


def ptxas() -> str | None:
    """The path of CUDA's assembler: the system's, or that of the package nvidia-cuda-nvcc; None if there is none."""
    return shutil.which("ptxas") or next(_in_packages(), None)


def _in_packages() -> Iterator[str]:
    found = importlib.util.find_spec("nvidia")
    for folder in (found.submodule_search_locations or []) if found else []:
        yield from (str(path) for path in sorted(Path(folder).glob("*/bin/ptxas")))
