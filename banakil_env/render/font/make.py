"""Writes roboto.json, the outlines of the letters in pictures, from the font files of the package font-roboto.

    pip install font-roboto fonttools
    python -m banakil_env.render.font.make

Run this when `CHARACTERS` changes. The file maps, for each weight, a character to [advance, outline], in thousandths of
the letter size. The outline is SVG path data relative to the start of the base line, with y downwards.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("roboto.json")
WEIGHTS = {"regular": "Roboto", "bold": "RobotoBold"}
CHARACTERS = [chr(code) for code in range(32, 127)] + list("·×–—…−±’àâäçèéêëîïñôöùûüßÄÖÜÉ")
UNITS = 1000  # units per letter size


def main() -> None:
    """Write roboto.json."""
    font_file: Any = importlib.import_module("fontTools.ttLib")
    roboto: Any = importlib.import_module("font_roboto")
    weights = {name: outlines(font_file.TTFont(getattr(roboto, weight))) for name, weight in WEIGHTS.items()}
    FILE.write_text(json.dumps(weights, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def outlines(font: Any) -> dict[str, tuple[int, str]]:
    """The advance and the outline of every character."""
    pens: Any = importlib.import_module("fontTools.pens.svgPathPen")
    transform: Any = importlib.import_module("fontTools.pens.transformPen")
    glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), UNITS / font["head"].unitsPerEm
    found = {}
    for character in CHARACTERS:
        glyph = glyphs[names[ord(character)]]
        pen = pens.SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
        glyph.draw(transform.TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[character] = round(glyph.width * scale), pen.getCommands()
    return found


if __name__ == "__main__":
    main()
