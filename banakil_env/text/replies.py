"""Reads moves from a reply in free text; a reply without a move, or with an illegal one, gets a reason.

A reply names its move in its last line `MOVE: ...`, or in its last JSON object with the key `move` or `moves`; if it
has both, the later one counts. A reply may also be a move and nothing else. Several moves have `;` between them.
Nothing is guessed: a text that fits two moves is not read as a move.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import Game
from banakil_env.core.kernels import legal_actions, refusal
from banakil_env.kit.cards import respelled

LEGAL, UNREADABLE, ILLEGAL = "legal", "unreadable", "illegal"

MOST_READ = 20_000  # characters at the end of a reply; earlier text is ignored
LONGEST_MOVES = 400  # characters of all moves together
MOST_MOVES = 40

HOW = "End the reply with a line `MOVE: ` and the move, such as `MOVE: {example}`"

# No part of the pattern matches across lines: a thousand empty lines would be scanned a thousand times.
_LINE = re.compile(
    r"^(?:[^\S\n]|[>*_#`-])*move(?:[^\S\n]|[*_`])*:(?:[^\S\n]|[*_`])*(.*)$", re.IGNORECASE | re.MULTILINE
)
_WORDS = {
    **{"ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"},
    **{"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K"},
}
_RANK = "|".join([*_WORDS, "10", "[2-9TJQKA]"])
_CARD = re.compile(rf"\b({_RANK})\s+of\s+(clubs|diamonds|hearts|spades)\b", re.IGNORECASE)
_IS_CARD = re.compile("[2-9tjqka][cdhs]?|jk|w")
_JOKER = re.compile(r"\bjoker\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reply:
    """The result of reading a reply.

    Attributes:
        kind: "legal"; "unreadable": no move could be read; "illegal": the first move is not legal now.
        actions: the moves that were read. The first one is to be made now. The others are for the same turn, and each
            is checked when its time comes. Empty if unreadable.
        reason: why the move cannot be made: what was read, what is allowed, the rule's number; "" if legal.
    """

    kind: str
    actions: tuple[int, ...]
    reason: str = ""


def parse(game: Game, state: Any, reply: Any) -> Reply:
    """Read the moves of a reply at a state. This never raises.

    Args:
        reply: a text; any other value is unreadable.
    """
    legal = legal_actions(game, state)
    example = game.actions.text(legal[0]) if legal else "draw"
    if not isinstance(reply, str) or not reply.strip():
        return Reply(UNREADABLE, (), f"The reply is empty. {HOW.format(example=example)}.")
    reply = reply.strip()
    # A letter replaces the part that is cut off, so that the middle of a line is not read as its beginning.
    said = _said(reply if len(reply) <= MOST_READ else "x" + reply[-MOST_READ:])
    if said is None:
        if len(reply) > LONGEST_MOVES or "\n" in reply:
            return Reply(UNREADABLE, (), f"The reply names no move. {HOW.format(example=example)}.")
        said = [reply]
    texts = [text for each in said for text in re.split(r"[;\n]", each) if _cleaned(text)]
    if not texts:
        return Reply(UNREADABLE, (), f"No move follows `MOVE:`. {HOW.format(example=example)}.")
    if len(texts) > MOST_MOVES or sum(map(len, texts)) > LONGEST_MOVES:
        return Reply(UNREADABLE, (), f"Too much follows `MOVE:`: at most {LONGEST_MOVES} characters are read.")
    actions = []
    for text in texts:
        try:
            actions.append(read_move(game, text))
        except UnknownAction as error:
            return Reply(UNREADABLE, (), f"{error}. {HOW.format(example=example)}.")
    if actions[0] not in legal:
        return Reply(ILLEGAL, tuple(actions), refusal(game, state, actions[0], numbered=False))
    return Reply(LEGAL, tuple(actions))


def read_move(game: Game, text: str) -> int:
    """The action that a text means: cards also as `10♥`, `10h`, `ten of hearts`, in any order that is clear.

    UnknownAction: the text fits no action, or more than one.
    """
    cleaned = _cleaned(text)
    spelled = " ".join(respelled(_CARD.sub(_short_card, _JOKER.sub("JK", cleaned))).split())
    for each in (cleaned, spelled):
        if (named := game.actions.named(each)) is not None:
            return named
    verb, *cards = spelled.lower().split() or [""]
    same = []
    if len(cards) > 1 and all(map(_IS_CARD.fullmatch, cards)):
        same = [a.index for a in game.actions if a.verb == verb and sorted(a.text.lower().split()[1:]) == sorted(cards)]
    if len(same) == 1:
        return same[0]
    if len(same) > 1:
        texts = " or ".join(game.actions.text(action) for action in same)
        raise UnknownAction(f"{cleaned!r:.80} may mean {texts}: the order of the cards matters")
    return game.actions.parse(spelled)  # which raises, with the nearest texts


def _short_card(found: re.Match[str]) -> str:
    rank, suit = found[1].lower(), found[2][0].lower()
    return _WORDS.get(rank, "T" if rank == "10" else rank.upper()) + suit


def _cleaned(text: str) -> str:
    """A move without the quotes, stars and full stops around it."""
    plain = unicodedata.normalize("NFKC", text.replace("\ufe0f", ""))
    return " ".join(plain.strip(" \t\r\"'`*_.,!<>[]()").split())


def _said(reply: str) -> list[str] | None:
    """The texts of the moves in the last line or JSON object with moves; None: there is no such part."""
    found: tuple[int, list[str]] | None = None
    if lines := list(_LINE.finditer(reply)):
        last = lines[-1]  # the move may stand in the line below
        found = last.start(), [last[1] or reply[last.end() :].lstrip(" \t\r\n*_`").partition("\n")[0]]
    for start, value in _objects(reply):
        if found is None or start > found[0]:
            found = start, value
    return None if found is None else found[1]


def _objects(reply: str) -> Iterator[tuple[int, list[str]]]:
    """The places of JSON objects that name moves, each with its moves."""
    decoder = json.JSONDecoder()
    tries = 0
    at = reply.find("{")
    while at >= 0 and tries < 50:
        tries += 1
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            at = reply.find("{", at + 1)
            continue
        said = _moves_in(value)
        if said is not None:
            yield at, said
        at = reply.find("{", end)


def _moves_in(value: Any) -> list[str] | None:
    """The texts under `move` or `moves`; None: the object names no moves."""
    keys = {str(key).lower(): each for key, each in value.items()} if isinstance(value, dict) else {}
    if not {"move", "moves"} & set(keys):
        return None
    said = keys["moves"] if "moves" in keys else keys["move"]
    listed = said if isinstance(said, list) else [said]
    return [each if isinstance(each, str) else _named(each) for each in listed]


def _named(value: Any) -> str:
    """A value that is not a text, for a message: numbers and words of JSON as they are, else the kind of the value."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value)
