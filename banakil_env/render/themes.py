"""The colors of pictures: a light and a dark theme, suits in two colors or in four."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colors by their purpose. Every text has a contrast of 4.5 or more to its background.

    Attributes:
        table: the background.
        panel, panel_edge: the panel of a seat and its edge.
        mover: the edge and label of the seat to move, on `table`.
        text, faint: letters on the table and on panels, normal and less visible.
        mover_text: letters on `mover`.
        card, card_edge: a card face up and its edge.
        wild, wild_text: the edge and the label of a card that stands for another.
        back, back_edge, back_line: a card face down, its edge and its pattern.
        sides: a color for each side, in games with partners.
    """

    table: str
    panel: str
    panel_edge: str
    mover: str
    text: str
    faint: str
    mover_text: str
    card: str
    card_edge: str
    wild: str
    wild_text: str
    back: str
    back_edge: str
    back_line: str
    sides: tuple[str, ...]


THEMES: Mapping[str, Theme] = {
    "light": Theme(
        table="#eef1ec",
        panel="#ffffff",
        panel_edge="#ccd3cb",
        mover="#0b6e4f",
        text="#1c211e",
        faint="#566059",
        mover_text="#ffffff",
        card="#ffffff",
        card_edge="#8d968f",
        wild="#8f5a0a",
        wild_text="#ffffff",
        back="#3d6a8a",
        back_edge="#ffffff",
        back_line="#7fa6c2",
        sides=("#8f5a0a", "#5b4db1", "#0b7285", "#a3365f"),
    ),
    "dark": Theme(
        table="#131816",
        panel="#1e2522",
        panel_edge="#37413c",
        mover="#4cc38a",
        text="#e8ece9",
        faint="#a3aea8",
        mover_text="#0c1a13",
        card="#e9ebe6",
        card_edge="#5c665f",
        wild="#e0a63f",
        wild_text="#1c1405",
        back="#2f566f",
        back_edge="#0f1513",
        back_line="#5d8aa8",
        sides=("#e0a63f", "#a99cf0", "#4fc0d0", "#ec86ad"),
    ),
}

# Colors of the suits on a card's face, which is light in both themes.
TWO_COLORS: Mapping[str, str] = {"c": "#17191c", "d": "#c01d2e", "h": "#c01d2e", "s": "#17191c", "JK": "#6b3fa0"}
FOUR_COLORS: Mapping[str, str] = {"c": "#12703a", "d": "#1d55b8", "h": "#c01d2e", "s": "#17191c", "JK": "#6b3fa0"}


def theme_of(name: str) -> Theme:
    """The theme with this name. Raises ValueError if there is no such theme."""
    if name not in THEMES:
        raise ValueError(f"theme must be {' or '.join(map(repr, THEMES))}, not {name!r:.80}")
    return THEMES[name]
