"""How does a drawing become pixels? `resvg` draws the SVG; the letters are paths, so it needs no font."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt

MISSING = "pictures as pixels need resvg-py and pillow: pip install 'banakil-env[render]'"


def png(svg: str, zoom: float = 1.0) -> bytes:
    """A drawing as PNG, `zoom` pixels for each of its units. ImportError: the extra `render` is not installed."""
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError(MISSING) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True))


def pixels(svg: str) -> npt.NDArray[np.uint8]:
    """A drawing as an array, uint8 (height, width, 3). ImportError: the extra `render` is not installed."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(MISSING) from error
    picture: Any = Image.open(io.BytesIO(png(svg)))
    return np.array(picture.convert("RGB"))
