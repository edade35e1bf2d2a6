"""Reads moves from a reply in free text. A reply without a move, or with an illegal one, results in a reason.

A reply states its move in a line `MOVE: ...`, in `<move>...</move>`, or in a JSON object with the key `move` or
`moves`. The last statement counts. A reply can also consist of the move alone. Several moves have `;` between them.
Nothing is guessed: a text that matches two moves is not read as a move. The example of the prompt is not read as a
statement if other text follows it or another move precedes it, since it may be a quotation.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from banakil_env.core.actions import UnknownAction
from banakil_env.core.failures import ILLEGAL, UNREADABLE
from banakil_env.core.game import Game
from banakil_env.core.kernels import legal_actions, refusal
from banakil_env.kit.cards import respelled
from banakil_env.text.examples import example_for

LEGAL = "legal"

MOST_READ = 20_000  # characters at the end of a reply; earlier text is ignored
LONGEST_MOVES = 400  # characters of all moves together
MOST_MOVES = 40

CUT_SHORT = (
    "The reply was cut off by the limit on its length, and no move was read. Think less, and end with one line "
    "`MOVE: ` and the move."
)
HOW = "End the reply with a line `MOVE: ` and the move, such as `MOVE: {example}`"

# Matches `MOVE: draw`, `**My move:** draw`, `Final answer: MOVE: draw`. Other words before `move`, such as `Best move`,
# are part of the reasoning and not the answer. No part of the pattern matches across lines: otherwise a thousand empty
# lines would be scanned a thousand times.
_SPACE, _MARKS = r"[^\S\n]", r"(?:[^\S\n]|[*_`])*"
_OWN = rf"(?:my{_SPACE}+)?(?:final{_SPACE}+)?"
_LINE = re.compile(
    rf"^(?:{_SPACE}|[>*_#`-])*(?:{_OWN}answer{_MARKS}[:\uff1a]{_MARKS})?{_OWN}moves?{_MARKS}[:\uff1a]{_MARKS}(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(r"<moves?>([^<]{1,1000})</moves?>", re.IGNORECASE)
_LABEL = re.compile(r"\s*moves?\s*[:\uff1a]", re.IGNORECASE)
_WORDS = {
    **{"ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"},
    **{"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K"},
}
_RANK = "|".join([*_WORDS, "10", "[2-9TJQKA]"])
_CARD = re.compile(rf"\b({_RANK})\s+of\s+(clubs|diamonds|hearts|spades)\b", re.IGNORECASE)
_IS_CARD = re.compile("[2-9tjqka][cdhs]?|jk|w")
_IS_SUITED = re.compile("[2-9tjqka][cdhs]")
_JOKER = re.compile(r"\bjoker\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reply:
    """The result of reading a reply.

    Attributes:
        kind: "legal"; "unreadable" if no move could be read; "illegal" if the first move is not legal now.
        actions: the moves that were read. The first one is to be made now. The others are for the same turn, and each
            is checked when it is to be made. Empty if unreadable.
        reason: why the move cannot be made: what was read, what is allowed, the rule's number; "" if legal.
    """

    kind: str
    actions: tuple[int, ...]
    reason: str = ""


def parse(game: Game, state: Any, reply: Any) -> Reply:
    """Read the moves of a reply in a state. This never raises an error.

    Args:
        game: the game.
        state: the state before the moves.
        reply: a text; any other value is unreadable.
    """
    legal = legal_actions(game, state)
    how = HOW.format(example=game.actions.text(legal[0]) if legal else "draw")
    try:
        actions = [read_move(game, text) for text in _moves_stated(game, state, reply, how)]
    except UnknownAction as error:
        return Reply(UNREADABLE, (), f"{error}. {how}.")
    except _Unreadable as error:
        return Reply(UNREADABLE, (), str(error))
    if actions[0] not in legal:
        return Reply(ILLEGAL, tuple(actions), refusal(game, state, actions[0], numbered=False))
    return Reply(LEGAL, tuple(actions))


class _Unreadable(ValueError):
    """A reply states no move; the text gives the reason."""


def _moves_stated(game: Game, state: Any, reply: Any, how: str) -> list[str]:
    """The texts of the moves that a reply states, at least one. Raises _Unreadable if it states none."""
    if not isinstance(reply, str):
        raise _Unreadable(f"The reply must be a text, not {type(reply).__name__}. {how}.")
    reply = reply.strip()
    if not reply:
        raise _Unreadable(f"The reply is empty. {how}.")
    # A letter replaces the part that is cut off, so that the middle of a line is not read as the start of a line.
    reply = reply if len(reply) <= MOST_READ else "x" + reply[-MOST_READ:]
    stated = _statements(reply)
    if not stated:
        if len(reply) > LONGEST_MOVES or "\n" in reply:
            raise _Unreadable(f"The reply names no move. {how}.")
        stated = [_Statement(0, len(reply), (reply,))]
    texts = stated[-1].moves
    if not texts:
        raise _Unreadable(f"No move follows `MOVE:`. {how}.")
    if len(texts) > MOST_MOVES or sum(map(len, texts)) > LONGEST_MOVES:
        raise _Unreadable(f"Too much follows `MOVE:`: at most {LONGEST_MOVES} characters are read.")
    if _may_be_quoted(stated, reply) and (quoted := example_for(game, state).text) == "; ".join(texts):
        raise _Unreadable(
            f"`MOVE: {quoted}` is the example of the rules, word for word, and may be a quotation. If it is the move, "
            "reply with that line alone; else end the reply with the line of another move."
        )
    return texts


def read_move(game: Game, text: str) -> int:
    """The action that a text means. Cards can be written as `10♥`, `10h`, `ten of hearts`, in any unambiguous order.

    Raises UnknownAction if the text matches no action, or more than one.
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
    if not same and cards != (shorter := [_as_in_moves(game, verb, card) for card in cards]):
        return read_move(game, " ".join([verb, *shorter]))
    if len(same) > 1:
        texts = " or ".join(game.actions.text(action) for action in same)
        raise UnknownAction(f"{cleaned!r:.80} may mean {texts}: the order of the cards matters")
    return game.actions.parse(spelled)  # raises an error that lists similar texts


def _as_in_moves(game: Game, verb: str, card: str) -> str:
    """A card as moves with this verb name it: `K` for `Kc` where only the rank of a card matters."""
    words = _words_after(game).get(verb, frozenset())
    return card[0] if _IS_SUITED.fullmatch(card) and card not in words and card[0] in words else card


@functools.cache
def _words_after(game: Game) -> dict[str, frozenset[str]]:
    """The words that occur in moves, by verb, in lower case."""
    words: dict[str, set[str]] = {}
    for action in game.actions:
        words.setdefault(action.verb.lower(), set()).update(action.text.lower().split()[1:])
    return {verb: frozenset(found) for verb, found in words.items()}


def _short_card(found: re.Match[str]) -> str:
    rank, suit = found[1].lower(), found[2][0].lower()
    return _WORDS.get(rank, "T" if rank == "10" else rank.upper()) + suit


def _cleaned(text: str) -> str:
    """A move without the quotes, stars and full stops around it."""
    plain = unicodedata.normalize("NFKC", text.replace("\ufe0f", ""))
    return " ".join(plain.strip(" \t\r\"'`*_.,!<>[]()").split())


@dataclass(frozen=True)
class _Statement:
    """A part of a reply that states moves: its start and end, and the texts of the moves."""

    start: int
    end: int
    said: tuple[str, ...]

    @property
    def moves(self) -> list[str]:
        """The text of each move."""
        return [cleaned for each in self.said for text in re.split(r"[;\n]", each) if (cleaned := _cleaned(text))]


def _statements(reply: str) -> list[_Statement]:
    """The parts of a reply that state moves, in order."""
    found = [_in_line(reply, line) for line in _LINE.finditer(reply)]
    for tag in _TAG.finditer(reply):
        found.append(_Statement(tag.start(), tag.end(), (_LABEL.sub("", tag[1], count=1),)))
    found += _objects(reply)
    return sorted(found, key=lambda each: each.start)


def _in_line(reply: str, line: re.Match[str]) -> _Statement:
    """The statement in a line `MOVE: ...`; the move can also be in the line below."""
    if line[1]:
        return _Statement(line.start(), line.end(), (line[1],))
    below = reply[line.end() :].lstrip(" \t\r\n*_`")
    said = below.partition("\n")[0]
    return _Statement(line.start(), len(reply) - len(below) + len(said), (said,))


def _may_be_quoted(stated: list[_Statement], reply: str) -> bool:
    """Whether the last statement of a reply may be a quotation: other words follow it, or another move is stated."""
    last = stated[-1]
    others = any(each.moves != last.moves for each in stated)
    return len(last.moves) > 1 and (others or re.search(r"\w", reply[last.end :]) is not None)


def _objects(reply: str) -> Iterator[_Statement]:
    """Yield the JSON objects in a reply that name moves."""
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
            yield _Statement(at, end, tuple(said))
        at = reply.find("{", end)


def _moves_in(value: Any) -> list[str] | None:
    """The texts under `move` or `moves` in a JSON value; None if it names no moves."""
    keys = {str(key).lower(): each for key, each in value.items()} if isinstance(value, dict) else {}
    if not {"move", "moves"} & set(keys):
        return None
    said = keys["moves"] if "moves" in keys else keys["move"]
    listed = said if isinstance(said, list) else [said]
    return [each if isinstance(each, str) else _named(each) for each in listed]


def _named(value: Any) -> str:
    """A value that is not a text, for a message: JSON numbers and words as they are, otherwise the name of the type."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value)
