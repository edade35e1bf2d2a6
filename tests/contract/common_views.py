"""What should the common layout show of a table? Read from the table's scene, which knows nothing of observations.

A scene writes cards as texts. `common_faces` says where the card of a text lies in the common layout: where only ranks
matter, at the clubs of its rank.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
from contract_play import Case, seen_by

from banakil_env.core.game import Game
from banakil_env.core.scene import Scene
from banakil_env.core.views import encode_cards

Floats = npt.NDArray[np.float32]


def column_of(game: Game, name: str) -> int:
    """The place of a channel of faces."""
    return [column.name for column in game.cards.arrays[0].columns].index(name)


def counts(game: Game, cards: Floats, name: str) -> Counter[str]:
    """The cards that a channel counts, by the text of the common face."""
    found = np.rint(cards[:, column_of(game, name)] * 4).astype(int)
    return Counter({face: int(number) for face, number in zip(game.cards.faces, found) if number})


def common_faces(case: Case, texts: Any) -> Counter[str]:
    """Cards of a scene as common faces."""
    return Counter(_common(case, text) for text in texts)


def _common(case: Case, text: str) -> str:
    if text in ("W", "JK"):
        return "JK"
    own = [case.game.cards.faces[face] for face in case.game.cards.face_of]
    if len(own) > 15:
        return text
    if text[0] == "3" and "3d" in own:
        return "3d" if text[1] in "dh" else "3c"
    return text if text in own else f"{text[0]}c"


def views_of_seat(case: Case, state: Any, seat: int) -> dict[str, Floats]:
    """What a seat sees in the common layout, one row of each array."""
    seen, _ = seen_by(case.game, state, seat)
    arrays = encode_cards(case.game, seen.view(np.uint8).reshape(1, -1))
    return {name: array[0] for name, array in arrays.items()}


def hands_in(case: Case, scene: Scene) -> list[Counter[str]]:
    """The hands of an open scene, by seat."""
    return [common_faces(case, [card for group in seat.hand or () for card in group]) for seat in scene.seats]


def stock_of(case: Case, state: Any) -> list[str]:
    """The stock from the next card on, as the text of the position has it."""
    lines = dict(line.split(":", 1) for line in case.plain.to_text(state[0]).splitlines() if ":" in line)
    return lines.get("stock", "").split()
