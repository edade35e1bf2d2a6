"""The faces of a pack of cards and their texts, for any game of the kit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from banakil_env.core.actions import Block

SUITS = "cdhs"
JOKER_TEXT = "JK"
_RANKS = "A23456789TJQK"
_SUIT_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", SUITS + SUITS)


def respelled(text: str) -> str:
    """The text with its cards in the notation of actions (`10h` becomes `Th`, `5♥` becomes `5h`), without commas."""
    return re.sub(r"(?<![0-9])10(?![0-9])", "T", text.translate(_SUIT_SIGNS)).replace(",", " ")


def common_face_of(name: str) -> int:
    """The number of a card in every game: 13 * suit + rank (suits c d h s, ranks A 2 ... K), or 52 for a wild card."""
    suited = len(name) == 2 and name[1] in SUITS
    return len(_RANKS) * SUITS.index(name[1]) + _RANKS.index(name[0]) if suited else len(SUITS) * len(_RANKS)


class Faces:
    """The numbered faces of a pack, with their texts (`3c Td JK`) and the number of copies of each face."""

    def __init__(self, names: Sequence[str], copies: int) -> None:
        self.names = tuple(names)
        self.copies = copies
        self._index = {name.lower(): face for face, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def parse(self, text: str) -> int:
        """The face with this text, in upper or lower case (`10h` and `T♥` are `Th`). ValueError: no such card."""
        face = self._index.get(text.lower().translate(_SUIT_SIGNS).replace("10", "t", 1))
        if face is None:
            joker = f", or {JOKER_TEXT}" if JOKER_TEXT in self.names else ""
            raise ValueError(
                f"no card is called {text!r:.80}: write rank then suit, such as {self.names[0]} or {self.names[30]}"
                f"{joker}"
            )
        return face

    def parse_all(self, text: str) -> list[int]:
        """The faces named in `text`, which blanks or commas separate."""
        return [self.parse(word) for word in text.replace(",", " ").split()]

    def names_of(self, faces: Iterable[int]) -> tuple[str, ...]:
        """The texts of these faces."""
        return tuple(map(self.names.__getitem__, faces))

    def text(self, faces: Iterable[int]) -> str:
        """The texts of these faces, joined by blanks."""
        return " ".join(self.names[face] for face in faces)

    def block(self, verb: str, note: str, count: int | None = None, effect: str = "") -> Block:
        """A block with one action per face, such as `discard Kc`, for the first `count` faces (None: all faces)."""
        names = self.names[:count]
        texts = tuple(f"{verb} {name}" for name in names)
        return Block(verb, note, texts, tuple((f,) for f in range(len(names))), effect=effect)
