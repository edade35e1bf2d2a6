"""Writes and reads melds as text. Under fixed wilds the cards are in the order of their positions."""

from __future__ import annotations

import functools

from banakil_env.core.jit import interpreted
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil.check import is_meld
from banakil_env.games.banakil.melds import ACES, NOWHERE, THREES, Meld
from banakil_env.kit.cards import JOKER_TEXT, SUITS


@functools.lru_cache(maxsize=4096)  # most melds are the same from one position to the next
def meld_text(meld: Meld, fixed: bool) -> str:
    """Return the cards of a meld in the order of their positions.

    Free wilds fill the gaps first. Further free wilds are written at the high end, the Two before the Joker.
    """
    two = ["2" + SUITS[meld.two - 1]] if meld.two else []
    joker = [JOKER_TEXT] if meld.joker else []
    if meld.is_set:
        rank = F.RANKS[F.ACE if meld.kind == ACES else F.THREE]
        return " ".join([rank + suit for i, suit in enumerate(SUITS) if meld.naturals >> i & 1] + joker)
    cards = {rank: F.RANKS[rank] + SUITS[meld.kind - 1] for rank in range(F.NUM_RANKS) if meld.naturals >> rank & 1}
    if fixed:
        cards |= dict.fromkeys([meld.two_at], *two) if two else {}
        cards |= dict.fromkeys([meld.joker_at], *joker) if joker else {}
    else:
        gaps = [rank for rank in range(min(cards), max(cards)) if rank not in cards]
        places = [*gaps, *_free_ends(cards)][: len(two + joker)]
        cards |= dict(zip(sorted(places), two + joker, strict=True))
    return " ".join(cards[rank] for rank in sorted(cards))


def _free_ends(cards: dict[int, str]) -> list[int]:
    """Return the places outside the naturals of a sequence, those above first.

    `cards` maps places to cards. The last place of the result, after the Ace, is for the thirteenth card.
    """
    above = list(range(max(cards) + 1, F.NUM_RANKS))
    below = list(range(min(cards) - 1, -1, -1))
    return [*above, *below, F.NUM_RANKS]


def places_of_wilds(meld: Meld, cards: tuple[str, ...]) -> tuple[str | None, ...]:
    """Return for each card of a sequence the card that it represents, or None.

    Only a wild card with a fixed place (B9.5) represents another card.
    """
    places = {JOKER_TEXT: meld.joker_at} if meld.joker else {}
    if meld.two:
        places["2" + SUITS[meld.two - 1]] = meld.two_at
    suit = SUITS[meld.kind - 1]
    return tuple(F.RANKS[places[card]] + suit if places.get(card, NOWHERE) != NOWHERE else None for card in cards)


def parse_meld(text: str, owner: int, fixed: bool) -> Meld:
    """Read a meld from its cards. Under fixed wilds they must be in the order of their positions.

    ValueError: the cards are not a meld; the message has the reason.
    """
    cards = F.FACES.parse_all(text)
    naturals = [face for face in cards if face < F.TWO]
    twos = [face for face in cards if F.TWO <= face < F.JOKER]
    jokers = cards.count(F.JOKER)
    described = f"{F.FACES.text(cards):.80}" or "(no cards)"
    if len(cards) < 3:
        raise ValueError(f"{described} is not a meld: it has fewer than three cards (B3.1, B4.1)")
    if len(twos) > 1 or jokers > 1:
        raise ValueError(f"{described} is not a meld: at most one Two and one Joker (B3.1)")
    if len(set(naturals)) < len(naturals):
        raise ValueError(f"{described} is not a meld: a card is in it twice")
    suits = {face // F.NUM_RANKS for face in naturals}
    ranks = {face % F.NUM_RANKS for face in naturals}
    if not naturals:
        raise ValueError(f"{described} is not a meld: it has no natural card (B3.1, B4.2)")
    if len(suits) > 1:
        return _parse_set(described, ranks, suits, twos, jokers, owner)
    suit = suits.pop()
    mask = sum(1 << rank for rank in ranks)
    two = 1 + twos[0] - F.TWO if twos else 0
    two_at, joker_at = _fixed_places(described, cards) if fixed else (NOWHERE, NOWHERE)
    meld = Meld(1 + suit, owner, mask, two, jokers, two_at, joker_at)
    if not fixed and not interpreted(is_meld)(meld.pack(), fixed):
        raise ValueError(
            f"{described} is not a sequence: its wilds cannot fill the gaps, or it is longer than a suit (B3.1 to B3.3)"
        )
    return meld


def _parse_set(described: str, ranks: set[int], suits: set[int], twos: list[int], jokers: int, owner: int) -> Meld:
    if len(ranks) > 1:
        raise ValueError(f"{described} is not a meld: its naturals have neither one suit nor one rank")
    if not ranks <= {F.THREE, F.ACE}:
        raise ValueError(f"{described} is not a set: only Threes and Aces make sets (B4.1)")
    if twos:
        raise ValueError(f"{described} is not a set: a Two is never in a set (B4.2)")
    if len(suits) + jokers > F.NUM_SUITS:
        raise ValueError(f"{described} is not a set: more than four cards (B4.2)")
    kind = THREES if ranks == {F.THREE} else ACES
    return Meld(kind, owner, sum(1 << suit for suit in suits), joker=jokers)


def _fixed_places(described: str, cards: list[int]) -> tuple[int, int]:
    """Return the ranks that the Two and the Joker of a sequence represent, from their places in it (B9.5).

    NOWHERE stands for no rank. `described` is the meld in words, for messages. ValueError: the cards are not a sequence
    in this order.
    """
    first = next(i for i, face in enumerate(cards) if face < F.TWO)
    lowest = cards[first] % F.NUM_RANKS - first
    thirteenth = len(cards) == F.NUM_RANKS + 1 and F.TWO <= cards[-1] < F.JOKER
    run = cards[:-1] if thirteenth else cards
    if lowest < 0 or lowest + len(run) > F.NUM_RANKS:
        raise ValueError(f"{described} is not a sequence as placed: it runs past the Three or the Ace (B3.1, B9.5)")
    places = {F.TWO: NOWHERE, F.JOKER: NOWHERE}
    for place, face in enumerate(run, lowest):
        if face < F.TWO and face % F.NUM_RANKS != place:
            raise ValueError(f"{described} is not a sequence as placed: {F.FACES.names[face]} is out of place (B9.5)")
        if face >= F.TWO:
            places[F.JOKER if face == F.JOKER else F.TWO] = place
    return places[F.TWO], places[F.JOKER]
