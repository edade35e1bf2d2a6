"""Positions of games with the fields of `wilds.table`, as text: what the line `turn` says, and what a scene shows.

A game makes a subclass of `WildPositions` that knows how a meld is written, and what else its line `turn` can say.
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
    """The texts of one game. A subclass defines `meld_text` and `read_meld`, and can add words of the turn."""

    keys: ClassVar[tuple[str, ...]] = tuple(key for key in KEYS if key not in ("played", "seen"))
    faces: ClassVar[Faces] = FACES
    wild: ClassVar[str] = FACES.names[JOKER]  # how a wild card is named that waits for its meld

    def waiting_text(self, state: Any) -> str:
        """See `Positions`."""
        return f"add {self.named_text(int(state.named))}"

    def named_text(self, named: int) -> str:
        """The card that waits for its meld: a face, or a wild card with its end."""
        return FACES.names[named] if named < LOW else f"{self.wild} {'low' if named == LOW else 'high'}"

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """See `Positions`."""
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
        """The decision, in these words by phase, and the card that must be played first."""
        said = decisions.get(int(state.phase), "")
        said += f" for {self.named_text(int(state.named))}" if state.phase == CHOOSE else ""
        return said if state.must == NO_FACE else f"{said}, {FACES.names[state.must]} first"

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """See `Positions`."""
        cards, meld = places_of(state.melds[slot]), int(state.melds[slot])
        names = FACES.names_of(int(interpreted(card_at)(state, slot, place)) for place, *_ in cards)
        named = NUM_PLACES if interpreted(is_run)(meld) else NO_SUIT
        stand = tuple(FACES.names[face] if wild and place < named else None for place, face, wild in cards)
        return names, stand, self.meld_note(state, slot)

    def meld_note(self, state: Any, slot: int) -> str:
        """Anything else to show about a meld."""
        return ""

    def scene(self, state: Any, viewer: int | None, decisions: Mapping[int, str]) -> Scene:
        """The table as `viewer` sees it; None: all hands open, and the stock too. `decisions`: in words, by phase."""
        must = [f"has to play {FACES.names[state.must]}"] if state.must != NO_FACE else []
        return card_scene(
            *(state, viewer, self, self.decision(state, decisions)),
            notes_of=lambda seat: must if seat == state.seat else [],
        )
