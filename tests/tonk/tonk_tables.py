"""Positions of Tonk in a line or two: the cards that no line names go into the stock."""

from __future__ import annotations

from banakil_env.games import tonk
from banakil_env.kit.pack52 import FACES


def at(*said):
    """A position of these lines; what they leave out is the rest: the stock, a pile of one card."""
    text = dict(line.split(":", 1) for line in said)
    used = {
        card for key, value in text.items() if key.split()[0] in ("hand", "melds", "pile") for card in value.split()
    }
    rest = [card for card in FACES.names if card not in used]
    if "pile" not in text:
        text["pile"] = rest.pop()
    text.setdefault("stock", " ".join(rest))
    return tonk.from_text("\n".join(f"{key}: {value}" for key, value in text.items()))


def legal(state):
    """The texts of all legal actions."""
    return {tonk.action_text(action) for action in tonk.legal_actions(state)}


def play(state, *texts):
    """The same state after these actions."""
    for text in texts:
        tonk.apply(state, tonk.parse_action(text))
    return state


def lines(state):
    """The lines of a position, by key."""
    return {key: value.strip() for key, value in (line.split(":", 1) for line in tonk.to_text(state).splitlines())}
