"""Reads safetensors files that are not trusted: first the header, and the tensors only if they are as expected.

Names, types and shapes in the header are checked before a tensor is read. So a file takes no more memory than its own
size, and a file with unexpected tensors takes none. Then the digest is checked, and that all numbers are finite. Errors
are ValueErrors whose messages continue a sentence that begins with the file's name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from banakil_env.agents.onnx_file import MOST_BYTES
from banakil_env.core.files import check_size

# By the name of the tensor: its type as written in a header, and its shape.
Layout = dict[str, tuple[str, tuple[int, ...]]]

# The types in the files of this project: PyTorch's dtypes, and their names in a header.
TYPES = {
    torch.float32: "F32",
    torch.float16: "F16",
    torch.float64: "F64",
    torch.int64: "I64",
    torch.uint8: "U8",
}


def read_tensors(
    file: Path, layout_of: Callable[[dict[str, str], Layout], Layout], most: int = MOST_BYTES
) -> tuple[dict[str, str], dict[str, Tensor]]:
    """The metadata and the tensors of a file.

    Args:
        file: the file.
        layout_of: takes the metadata and the layout in the header; returns the expected layout, or raises ValueError.
        most: the largest size of the file in bytes.

    Raises:
        ValueError: the file is larger or damaged, has unexpected tensors or a wrong digest, or contains a number that
            is not finite.
    """
    try:
        check_size(file, most)
        with safe_open(str(file), "pt") as opened:
            said = opened.metadata() or {}
            found = {name: _header(opened.get_slice(name)) for name in opened.keys()}  # noqa: SIM118 - no dictionary
            _compare(found, layout_of(said, found))
            tensors = {name: opened.get_tensor(name) for name in found}
    except (RuntimeError, MemoryError) as error:
        raise ValueError(f"does not fit into memory: {error}") from error
    except (SafetensorError, OSError) as error:
        raise ValueError(f"is damaged or no safetensors file: {error}") from error
    if said.get("digest") != digest(said, tensors):
        raise ValueError("is not as it was written: its digest does not match its content; get it again")
    check_finite(tensors)
    return said, tensors


def layout_of_tensors(tensors: Mapping[str, Tensor]) -> Layout:
    """The layout of tensors, which can be on the device "meta"."""
    return {name: (TYPES[tensor.dtype], tuple(tensor.shape)) for name, tensor in tensors.items()}


def check_finite(tensors: Mapping[str, Tensor]) -> None:
    """Raise ValueError if a tensor contains NaN or an infinite number; the message names the tensor."""
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not torch.isfinite(tensor).all():
            raise ValueError(f"holds numbers that are not finite: {name}")


def digest(said: Mapping[str, str], tensors: Mapping[str, Tensor]) -> str:
    """The SHA-256 digest of the metadata (except the digest) and of every tensor's name, type, shape and bytes."""
    told = hashlib.sha256(json.dumps({name: said[name] for name in sorted(said) if name != "digest"}).encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        told.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        told.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return told.hexdigest()


def _header(part: Any) -> tuple[str, tuple[int, ...]]:
    return part.get_dtype(), tuple(part.get_shape())


def _compare(found: Layout, wanted: Layout) -> None:
    """Raise ValueError if the layouts differ; the message names the first difference."""
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise ValueError(
                f"does not fit its own description: {name} is {_text(found.get(name))}, "
                f"and should be {_text(wanted.get(name))}"
            )


def _text(one: tuple[str, tuple[int, ...]] | None) -> str:
    return "not there" if one is None else f"{one[0]} of shape {one[1]}"
