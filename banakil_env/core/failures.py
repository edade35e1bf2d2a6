"""The kinds of failure of a player. Results, game records and the server name each kind by one word.

A player loses the table if its replies cannot be followed or its code fails. If a player that talks
(`banakil_env.agents.conversation`) gives no reply at all, the match stops and nobody loses.
"""

from __future__ import annotations

from collections.abc import Mapping

# The reply, or the action in it, cannot be followed.
ILLEGAL, UNREADABLE, CUT_OFF = "illegal", "unreadable", "cut_off"
# The player's code fails.
RAISED, DEADLINE, CRASHED, MALFORMED = "raised", "deadline", "crashed", "malformed"
# There is no reply.
TRANSPORT, CONFIGURATION, TOKENS = "transport", "configuration", "tokens"
UNKNOWN = "unknown"  # for results that an earlier version wrote

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
REPLIES = (ILLEGAL, UNREADABLE, CUT_OFF)  # failures of the player's own decision, never of its code or server


def kind_text(kind: str) -> str:
    """The word for a kind of failure, with spaces instead of underscores, for reports and messages."""
    return kind.replace("_", " ")
