"""Positions as text for games with the fields of `wilds.table`: the line `turn`, and the parts of a scene.

A game makes a subclass of `WildPositions`, which defines the texts of melds and further words of the line `turn`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Scene
from banakil_env.kit.cards import Faces
from banakil_env.kit.melds.wild_melds import HIGH, LOW, NO_SUIT, NUM_PLACES, is_run, places_of
from banakil_env.kit.notation import Lines
from banakil_env.kit.pack54 import FACES, JOKER
from banakil_env.kit.positions import KEYS, Positions
from banakil_env.kit.scenes import card_scene
from banakil_env.kit.table_state import CHOOSE
from banakil_env.kit.wilds.table import NO_FACE, card_at


class WildPositions(Positions):
    """Writes and reads the positions of one game. A subclass defines `meld_text` and `read_meld`."""

    keys: ClassVar[tuple[str, ...]] = tuple(key for key in KEYS if key not in ("played", "seen"))
    faces: ClassVar[Faces] = FACES
    wild: ClassVar[str] = FACES.names[JOKER]  # the word for a wild card that waits for its meld

    def waiting_text(self, state: Any) -> str:
        """The action whose card waits for its meld in phase CHOOSE, as text: `add 7h` or `add JK low`."""
        return f"add {self.named_text(int(state.named))}"

    def named_text(self, named: int) -> str:
        """The text of the card that waits for its meld: a face, or a wild card with its end (`JK low`)."""
        return FACES.names[named] if named < LOW else f"{self.wild} {'low' if named == LOW else 'high'}"

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """Read the action whose card waits for its meld. Returns False if no card can wait for this action."""
        ends = {f"add {self.named_text(end)}".lower(): end for end in (LOW, HIGH)}
        if text.lower() in ends:
            state.named = ends[text.lower()]
            return True
        if not super().read_waiting(lines, state, text):
            return False
        if state.named == JOKER:
            raise lines.fail("turn", f"expected {self.named_text(LOW)} or {self.named_text(HIGH)}, not {text!r:.80}")
        return True

    def decision(self, state: Any, decisions: Mapping[int, str]) -> str:
        """The decision, in the words of `decisions` by phase, and the card that must be played first."""
        said = decisions.get(int(state.phase), "")
        said += f" for {self.named_text(int(state.named))}" if state.phase == CHOOSE else ""
        return said if state.must == NO_FACE else f"{said}, {FACES.names[state.must]} first"

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """The arguments of `core.scene.Meld` for the meld in a slot: cards, represented cards, and a note."""
        cards, meld = places_of(state.melds[slot]), int(state.melds[slot])
        names = FACES.names_of(int(interpreted(card_at)(state, slot, place)) for place, *_ in cards)
        named = NUM_PLACES if interpreted(is_run)(meld) else NO_SUIT
        stand = tuple(FACES.names[face] if wild and place < named else None for place, face, wild in cards)
        return names, stand, self.meld_note(state, slot)

    def meld_note(self, state: Any, slot: int) -> str:
        """A text to show with a meld."""
        return ""

    def scene(self, state: Any, viewer: int | None, decisions: Mapping[int, str]) -> Scene:
        """The table as `viewer` sees it; None for a viewer that sees all hands and the stock.

        Args:
            decisions: the decisions in words, by number of the phase.
        """
        must = [f"has to play {FACES.names[state.must]}"] if state.must != NO_FACE else []
        return card_scene(
            *(state, viewer, self, self.decision(state, decisions)),
            notes_of=lambda seat: must if seat == state.seat else [],
        )
