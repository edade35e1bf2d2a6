"""A sheet for shapes, letters and cards, written as SVG.

Letters, suits and cards are defined once in the file, as SVG symbols, and used by name.
"""

from __future__ import annotations

import html

from banakil_env.render.lettering import REGULAR, UNITS, glyph_of, width_of


class Drawing:
    """A sheet. All lengths are in the units of the picture; y increases downwards."""

    def __init__(self) -> None:
        self._symbols: dict[str, str] = {}
        self._parts: list[str] = []

    def add(self, part: str) -> None:
        """Add SVG text to the sheet."""
        self._parts.append(part)

    def define(self, name: str, content: str) -> None:
        """Define a symbol for `use`; later definitions of the same name are ignored."""
        self._symbols.setdefault(name, f'<g id="{name}">{content}</g>')

    def knows(self, name: str) -> bool:
        """Whether a name has been defined."""
        return name in self._symbols

    def use(self, name: str, x: float, y: float, scale: float = 1.0) -> None:
        """Draw a defined symbol at (x, y)."""
        self.add(used(name, x, y, scale))

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        edge: str = "none",
        radius: float = 6,
        line: float = 1,
    ) -> None:
        """Draw a rectangle with round corners."""
        stroke = "" if edge == "none" else f' stroke="{edge}" stroke-width="{number(line)}"'
        self.add(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
            f' rx="{number(radius)}" fill="{fill}"{stroke}/>'
        )

    def write(
        self, text: str, x: float, y: float, size: float, color: str, weight: str = REGULAR, anchor: str = "start"
    ) -> float:
        """Write a line of text on the base line y; returns its width.

        Args:
            anchor: the point of the line that is put at x: "start", "middle" or "end".
        """
        width = width_of(text, size, weight)
        x -= {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        self.add(f'<g fill="{color}">{self.letters(text, x, y, size, weight)}</g>')
        return width

    def letters(
        self, text: str, x: float, y: float, size: float, weight: str = REGULAR, width: float | None = None
    ) -> str:
        """SVG for a line of text in the color of the element around it; compressed to `width` if given."""
        parts, at = [], 0
        for character in text:
            shown, glyph = glyph_of(character, weight)
            if glyph.outline:
                name = f"{weight[0]}{ord(shown):x}"
                moved = f' transform="{glyph.transform}"' if glyph.transform else ""
                self._symbols.setdefault(name, f'<g id="{name}"><path d="{glyph.outline}"{moved}/></g>')
                parts.append(f'<use href="#{name}" x="{at}"/>')
            at += glyph.advance
        pressed = number(size / UNITS * width / width_of(text, size, weight), 4) + " " if width is not None else ""
        scale = f"scale({pressed}{number(size / UNITS, 4)})"
        return f'<g transform="translate({number(x)} {number(y)}) {scale}">{"".join(parts)}</g>'

    def text(
        self,
        width: float,
        height: float,
        ground: str,
        title: str,
        description: str,
        size: tuple[int, int] | None = None,
    ) -> str:
        """The whole picture as SVG.

        Args:
            width: the width of the drawing.
            height: the height of the drawing.
            ground: the color of the background.
            title: the title, for people who cannot see the picture.
            description: the content in words, for the same people.
            size: width and height of the picture; the drawing is scaled to fit and centered. None: the size of the
                drawing.
        """
        given = size or (width, height)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(given[0])}" height="{number(given[1])}"'
            f' viewBox="0 0 {number(width)} {number(height)}" role="img">'
            f"<title>{html.escape(title)}</title><desc>{html.escape(description)}</desc>"
            f"<defs>{''.join(self._symbols.values())}</defs>"
            # The background reaches far beyond the edges, for pictures of other proportions.
            f'<rect x="{number(-width)}" y="{number(-height)}" width="{number(3 * width)}"'
            f' height="{number(3 * height)}" fill="{ground}"/>{"".join(self._parts)}</svg>\n'
        )


def used(name: str, x: float, y: float, scale: float = 1.0) -> str:
    """SVG that draws a defined symbol at (x, y)."""
    if scale == 1.0:
        return f'<use href="#{name}" x="{number(x)}" y="{number(y)}"/>'
    return f'<use href="#{name}" transform="translate({number(x)} {number(y)}) scale({number(scale, 3)})"/>'


def number(value: float, places: int = 1) -> str:
    """A number, written as short as possible."""
    return f"{value:.{places}f}".rstrip("0").rstrip(".") if "." in f"{value:.{places}f}" else str(round(value))
