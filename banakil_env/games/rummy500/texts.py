"""500 Rummy as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.scene import Scene
from banakil_env.games.rummy500.state import CALL, ENDINGS, SEAT_BITS, SEATS_MASK, TAKE_CALLED, value_at
from banakil_env.kit.line_notes import LINES, Line
from banakil_env.kit.melds.wild_meld_texts import meld_words, parse_meld
from banakil_env.kit.melds.wild_melds import LONGEST, places_of
from banakil_env.kit.notation import Lines
from banakil_env.kit.pack54 import JOKER
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY
from banakil_env.kit.wilds.positions import WildPositions
from banakil_env.kit.wilds.table import NO_FACE

DECISIONS = {
    DRAW: "draw, or take cards of the pile",
    PLAY: "play or discard",
    CHOOSE: "choose a meld",
    CALL: "call the rummy in the pile, or pass",
    TAKE_CALLED: "take the rummy",
}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 200, "match": 1000})


# Positions -----------------------------------------------------------------------------------------------------------


class Rummy500Positions(WildPositions):
    """Writes and reads positions of 500 Rummy as text.

    They name the seats that laid cards off, and the seat whose discard may be called.
    """

    notes: ClassVar[Mapping[str, Line]] = {
        "turn": Line(LINES["turn"].says, f"{LINES['turn'].default}; must be given with `turns` and `calls=yes`"),
        "melds S": Line(f"{LINES['melds S'].says}; `JK=5d` is a Joker in a set, `Qd@1` a card that seat 1 laid off"),
    }

    def meld_text(self, state: Any, slot: int) -> str:
        """Return a meld as text."""
        words = meld_words(state.melds[slot])
        laid_off = int(state.laid_off[slot])
        noted = [laid_off >> SEAT_BITS * place & SEATS_MASK for place, *_ in places_of(state.melds[slot])]
        return " ".join(f"{word}@{who - 1}" if who else word for word, who in zip(words, noted, strict=True))

    def meld_note(self, state: Any, slot: int) -> str:
        """Return the cards of a meld that other seats have laid off, such as `Qd of seat 1`."""
        marked = [word.partition("@") for word in self.meld_text(state, slot).split()]
        return ", ".join(f"{card} of seat {seat}" for card, mark, seat in marked if mark)

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Read a meld from text into the state; return its cards. ValueError: it is not a meld."""
        state.melds[slot], marked = parse_meld(text, LONGEST)
        cards = places_of(state.melds[slot])
        for place, *_ in cards:
            seat = marked.get(place, int(state.meld_owner[slot]))
            if seat >= state.num_players:
                raise ValueError(f"@{seat}: there are {state.num_players} players")
            if seat != state.meld_owner[slot]:
                state.laid_off[slot] |= (seat + 1) << SEAT_BITS * place
            state.laid[seat] += value_at(state.melds[slot], place)
        return [JOKER if is_wild else face for _, face, is_wild in cards]

    def usual_turn(self, lines: Lines, state: Any, over: bool) -> str:
        """Return the text of the line `turn` for a position that does not give it.

        PositionError: turns have ended and the seats may call, because a call changes whose turn it is (F7).
        """
        if state.turns and state.rules.calls:
            said = f"the line is missing; if seats may call, the seat to move does not follow from {state.turns} turns"
            raise lines.fail("turn", said)
        return super().usual_turn(lines, state, over)


POSITIONS = Rummy500Positions(
    ENDINGS,
    seat_endings=(OUT, MATCH),
    phases={DRAW: "draw", PLAY: "play", CALL: "call", TAKE_CALLED: "take"},
)


# The table -----------------------------------------------------------------------------------------------------------


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the card that must be played first; see `core.game.Texts`."""
    rule = "F3.4" if state.must != NO_FACE else "F7" if state.phase in (CALL, TAKE_CALLED) else "F6"
    return f"seat {state.seat} is to {POSITIONS.decision(state, DECISIONS)} ({rule})"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return POSITIONS.scene(state, viewer, DECISIONS)
