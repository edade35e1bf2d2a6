"""Games in plain words: events, the rules of a table, the view of a seat, and moves read from a reply."""

from banakil_env.core.failures import ILLEGAL, UNREADABLE
from banakil_env.text.events import deeds_text, event_text
from banakil_env.text.moves import moves_text
from banakil_env.text.observed import supposed
from banakil_env.text.replies import CUT_SHORT, LEGAL, Reply, parse, read_move
from banakil_env.text.rules import rules_text, rules_text_of, system_text
from banakil_env.text.seat import SeatText, seat_text

__all__ = [
    "CUT_SHORT",
    "ILLEGAL",
    "LEGAL",
    "UNREADABLE",
    "Reply",
    "SeatText",
    "deeds_text",
    "event_text",
    "moves_text",
    "parse",
    "read_move",
    "rules_text",
    "rules_text_of",
    "seat_text",
    "supposed",
    "system_text",
]
