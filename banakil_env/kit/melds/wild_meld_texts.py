"""Writes and reads melds with Jokers as text: `5h JK 7h`, `5c JK=5d 5h`, `9d Td Jd Qd@1`.

The cards of a meld are written in the order of their places. In a run, the place of a Joker shows the card that it
represents; in a set, this card is written after it. `@1` marks a card that seat 1 has laid off on a meld of another
seat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from banakil_env.kit.cards import respelled
from banakil_env.kit.melds.wild_melds import NUM_PLACES, RUN, SET, is_sound, meld_of, places_of
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES, JOKER

_JOKER = FACES.names[JOKER]


def parse_meld(text: str, longest: int) -> tuple[int, dict[int, int]]:
    """Read a meld from its text. ValueError: not a meld.

    Args:
        text: the text of the meld.
        longest: the most cards of a run.

    Returns:
        The meld, and a dict of the marked seats by place.
    """
    cards = [_parse_card(word) for word in respelled(text).split()]
    named = [stands for face, stands, _ in cards if face == JOKER and stands is not None]
    naturals = [face for face, *_ in cards if face != JOKER]
    ranks = {face % NUM_RANKS for face in naturals}
    if not naturals:
        raise ValueError(f"{text.strip() or '(no cards)'} is not a meld: it has no natural card")
    is_set = bool(named) or (len(ranks) == 1 and len(naturals) > 1)
    if is_set:
        kind = SET + ranks.pop()
        faces = [face if stands is None else stands for face, stands, _ in cards]
        if JOKER in faces or any(face % NUM_RANKS != kind - SET for face in faces):
            raise ValueError(f"{text.strip()} is not a set: cards of one rank, a Joker as JK=5h")
        places = [face // NUM_RANKS for face in faces]
    else:
        kind, places = parse_run(text, [None if face == JOKER else face for face, *_ in cards])
    wilds = [place for place, (face, *_) in zip(places, cards, strict=True) if face == JOKER]
    meld = int(meld_of(kind, sum(1 << place for place in set(places)), sum(1 << place for place in set(wilds))))
    if len(set(places)) < len(places) or not is_sound(meld, longest):
        raise ValueError(f"{text.strip()} is not a meld: it needs three cards or more, each at a different place")
    return meld, {place: seat for place, (*_, seat) in zip(places, cards, strict=True) if seat is not None}


def parse_run(text: str, cards: Sequence[int | None]) -> tuple[int, list[int]]:
    """The kind and the places of a run. ValueError: not a run.

    Args:
        text: the text of the run, for the error.
        cards: the faces of its cards, None for a wild card; at least one is natural.
    """
    at, face = next((at, face) for at, face in enumerate(cards) if face is not None)
    suit, rank = divmod(face, NUM_RANKS)
    low = (rank if rank or at == 0 else NUM_RANKS) - at  # an Ace is low only as the first card
    places = list(range(low, low + len(cards)))
    there = [NUM_RANKS * suit + place % NUM_RANKS for place in places]
    right = low >= 0 and places[-1] < NUM_PLACES
    if not right or any(card not in (None, own) for card, own in zip(cards, there, strict=True)):
        raise ValueError(f"{text.strip()} is not a run: cards of one suit in a row, each in its place")
    return RUN + suit, places


def _parse_card(word: str) -> tuple[int, int | None, int | None]:
    """Read a card: its face, the face that it represents if it is a Joker, and the marked seat. ValueError: no card."""
    match = re.fullmatch(r"([^=@]+)(?:=([^=@]+))?(?:@([0-7]))?", word)
    if not match:
        raise ValueError(f"{word!r:.40} is not a card of a meld, such as 7h, JK=7h or 7h@1")
    face, stands = FACES.parse(match[1]), FACES.parse(match[2]) if match[2] else None
    if stands is not None and (face != JOKER or stands == JOKER):
        raise ValueError(f"{word!r:.40}: only a Joker stands for another card")
    return face, stands, int(match[3]) if match[3] else None


def meld_words(meld: int) -> list[str]:
    """The texts of the cards of a meld in the order of its places: `5c`, `JK`, `JK=5h`."""
    is_set = int(meld) & 31 >= SET
    return [
        FACES.names[face] if not is_wild else f"{_JOKER}={FACES.names[face]}" if is_set else _JOKER
        for _, face, is_wild in places_of(meld)
    ]
