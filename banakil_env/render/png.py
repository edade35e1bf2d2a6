"""Turns SVG drawings into pixels with `resvg`. The letters are paths, so no font is needed."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.install import install_line


def png(svg: str, zoom: float = 1.0) -> bytes:
    """A drawing as PNG, with `zoom` pixels per unit. Raises ImportError if the extra `render` is not installed."""
    try:
        import resvg_py
    except ImportError as error:
        raise _missing() from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True))


def pixels(svg: str) -> npt.NDArray[np.uint8]:
    """A drawing as uint8 (height, width, 3). Raises ImportError if the extra `render` is not installed."""
    try:
        from PIL import Image
    except ImportError as error:
        raise _missing() from error
    picture: Any = Image.open(io.BytesIO(png(svg)))
    return np.array(picture.convert("RGB"))


def _missing() -> ImportError:
    return ImportError(f"pictures as pixels need resvg-py and pillow: {install_line('render')}")
