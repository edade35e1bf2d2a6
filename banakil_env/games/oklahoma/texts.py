"""Oklahoma Rummy as text: melds, positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Scene
from banakil_env.games.oklahoma.melds import TWOS, is_meld, takes
from banakil_env.games.oklahoma.state import ENDINGS, SUIT_BITS, card_at, different_suits
from banakil_env.kit.cards import respelled
from banakil_env.kit.line_notes import LINES, Line
from banakil_env.kit.melds.free_sets import set_number
from banakil_env.kit.melds.wild_meld_texts import parse_run
from banakil_env.kit.melds.wild_melds import SET, meld_of, places_of
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY
from banakil_env.kit.wilds.positions import WildPositions
from banakil_env.kit.wilds.table import NO_FACE

DECISIONS = {DRAW: "draw, or take the pile", PLAY: "play or discard", CHOOSE: "choose a meld"}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 400, "match": 2000})


# Melds and positions -------------------------------------------------------------------------------------------------


def parse_meld(text: str) -> tuple[int, int]:
    """Read a meld from text; return its number, and the suits of its wild Twos as in `state.twos`.

    ValueError: not a meld (O4, O5).
    """
    words = [re.fullmatch(r"([^=]+)(?:=([^=]))?", word) for word in respelled(text).split()]
    if not words or None in words:
        raise ValueError(f"{text.strip() or '(no cards)'} is not a meld: cards such as 7h, or 2c=7 in a set")
    faces = [FACES.parse(word[1]) for word in words if word]
    ranks = [word[2] and word[2].upper() for word in words if word]
    twos = [face for face in faces if TWOS >> face & 1]
    standing = [face for face, rank in zip(faces, ranks, strict=True) if rank is not None]
    naturals = [face for face in faces if face not in twos] if len(twos) < len(faces) else twos
    named = {FACES.names[face % NUM_RANKS][0] for face in naturals} | {rank for rank in ranks if rank is not None}
    if len(named) == 1 and (naturals == twos or sorted(standing) == sorted(twos)):
        standing = sorted(standing)
        thrice = any(naturals.count(face) > 2 for face in naturals)
        meld = 0 if thrice else set_number(SET + naturals[0] % NUM_RANKS, tuple(naturals), len(standing))
    elif standing:
        raise ValueError(f"{text.strip()} is not a set: its cards must have one rank, and a Two is written as 2c=7")
    else:
        kind, places = parse_run(text, [None if face in twos else face for face in faces])
        standing = twos
        wilds = [place for place, face in zip(places, faces, strict=True) if face in twos]
        meld = int(interpreted(meld_of)(kind, sum(1 << place for place in places), sum(1 << place for place in wilds)))
    if not is_meld(meld):
        raise ValueError(
            f"{text.strip()} is not a meld: it needs three or four cards, at least one of them natural, or only Twos"
        )
    return meld, sum(face // NUM_RANKS << SUIT_BITS * i for i, face in enumerate(standing))


class OklahomaPositions(WildPositions):
    """Writes and reads positions of Oklahoma Rummy as text, with the Twos in melds and their suits."""

    notes: ClassVar[Mapping[str, Line]] = {
        "melds S": Line(f"{LINES['melds S'].says}; in a set `2c=7` is a Two that represents a Seven"),
    }

    wild: ClassVar[str] = "2"

    def meld_text(self, state: Any, slot: int) -> str:
        """Return a meld as text."""
        is_set = int(state.melds[slot]) & 31 >= SET
        cards = [
            (FACES.names[interpreted(card_at)(state, slot, place)], FACES.names[face][0] if wild else "")
            for place, face, wild in places_of(state.melds[slot])
        ]
        return " ".join(f"{name}={rank}" if rank and is_set else name for name, rank in cards)

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Read a meld from text into the state; return its cards. ValueError: it is not a meld."""
        meld, state.twos[slot] = parse_meld(text)
        state.melds[slot] = meld
        different = bool(interpreted(different_suits)(state))
        state.fits[state.meld_owner[slot]] |= takes(meld, different)
        return [int(interpreted(card_at)(state, slot, place)) for place, *_ in places_of(state.melds[slot])]


POSITIONS = OklahomaPositions(ENDINGS, seat_endings=(OUT, MATCH))


# The table -----------------------------------------------------------------------------------------------------------


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the card that must be played first; see `core.game.Texts`."""
    rule = "O3" if state.phase == DRAW else "O3.3" if state.must != NO_FACE else "O6, O7"
    return f"seat {state.seat} is to {POSITIONS.decision(state, DECISIONS)} ({rule})"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return POSITIONS.scene(state, viewer, DECISIONS)
