"""The kinds of failure of a player: one word for each, in results, records, tables of the server and pages.

A player whose replies cannot be followed, or whose code fails, loses the table. If no reply can be had from a player
that talks (`banakil_env.agents.conversation`), that is not a play: nothing is lost, and the match stops.
"""

from __future__ import annotations

from collections.abc import Mapping

# The reply, or the action, cannot be followed.
ILLEGAL, UNREADABLE, CUT_OFF = "illegal", "unreadable", "cut_off"
# The player's code fails.
RAISED, DEADLINE, CRASHED, MALFORMED = "raised", "deadline", "crashed", "malformed"
# There is no reply.
TRANSPORT, CONFIGURATION, TOKENS = "transport", "configuration", "tokens"
UNKNOWN = "unknown"  # of results that were written by an earlier version

KINDS: Mapping[str, str] = {
    ILLEGAL: "a move that is not legal",
    UNREADABLE: "no move could be read",
    CUT_OFF: "the reply was cut off by the limit on its length",
    RAISED: "its code raised an error",
    DEADLINE: "no answer in time",
    CRASHED: "its process ended",
    MALFORMED: "an answer that is not an array of actions",
    TRANSPORT: "no reply from its server",
    CONFIGURATION: "its server refuses the requests",
    TOKENS: "its tokens are used up",
    UNKNOWN: "the kind was not recorded",
}
REPLIES = (ILLEGAL, UNREADABLE, CUT_OFF)  # the kinds that are a player's play, whatever the player is


def kind_text(kind: str) -> str:
    """The name of a kind of failure, as it is written in sentences and tables."""
    return kind.replace("_", " ")
