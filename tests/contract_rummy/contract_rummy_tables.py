"""Tables of Contract Rummy for tests: positions of a few lines, and rich positions by chance."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from game_tables import WholePack

from banakil_env.games import contract as contract_rummy
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import FACES, JOKER


def pack_of(players: int) -> Counter[int]:
    """The cards of a game with this number of players."""
    return Counter({**dict.fromkeys(range(JOKER), 2), JOKER: players - 1})


class _Tables(WholePack):
    def pack(self, rules: str, players: int) -> list[str]:
        return [FACES.names[face] for face in sorted(pack_of(players).elements())]


_tables = _Tables(contract_rummy)
table, do, legal, plays, value = _tables.seat_0_to_play, _tables.play, _tables.legal, _tables.plays, _tables.line


def opening_in(
    left: Counter[int], dice: random.Random, runs: bool | None = None, lone: bool = False
) -> W.Opening | None:
    """An opening by chance for which there are the cards, which are taken; runs or sets only if said so."""
    rows = W.OPENINGS if runs is None else W.OPENINGS[W.NUM_SET_ROWS :] if runs else W.OPENINGS[: W.NUM_SET_ROWS]
    for row in dice.sample(W.LONE_OPENINGS, 5) if lone and runs is not False and dice.random() < 0.5 else ():
        if left[row.naturals[0]] and left[JOKER] >= row.jokers:
            left.subtract([*row.naturals, *[JOKER] * row.jokers])
            return row
    for row in dice.sample(rows, 40):
        need = Counter([*row.naturals, *[JOKER] * row.jokers])
        if all(left[face] >= count for face, count in need.items()):
            left.subtract(need)
            return row
    return None


def grown(meld: int, left: Counter[int], dice: random.Random, tries: int) -> int:
    """A meld with more cards added at its ends by chance, which are taken."""
    for _ in range(tries):
        if dice.random() < 0.2 and left[JOKER]:
            ends = int(W.ends_free(meld))
            if ends:
                meld, left[JOKER] = int(W.with_joker(meld, ends & -ends)), left[JOKER] - 1
            continue
        faces = [f for f in range(JOKER) if left[f] and int(W.naturals_taken(meld)) >> f & 1]
        if faces:
            face = dice.choice(faces)
            meld, left[face] = int(W.with_natural(meld, face)), left[face] - 1
    return meld


def all_at_once(dice: random.Random, jokers: str = "few") -> Any:
    """The seventh contract, with a hand that is three runs, or nearly."""
    players = dice.choice((3, 4, 5))
    left, hand = pack_of(players), []
    suits = dice.choice(((0, 1, 2), (0, 0, 1), (2, 2, 2), (1, 3, 3)))
    for suit in suits:
        rows = [row for row in W.OPENINGS[W.NUM_SET_ROWS :] if row.naturals[0] // 13 == suit]
        if jokers == "any" and dice.random() < 0.3:
            rows = [row for row in W.LONE_OPENINGS[JOKER:] if row.naturals[0] // 13 == suit]
        row = dice.choice(rows)
        if any(left[face] < 1 for face in row.naturals) or left[JOKER] < row.jokers:
            continue
        left.subtract([*row.naturals, *[JOKER] * row.jokers])
        hand += W.meld_faces(grown(row.meld, left, dice, dice.choice((0, 0, 1, 3))))
    return _position(dice, players, 7, hand, left, {}, jokers)


def later_turn(dice: random.Random, jokers: str = "few") -> Any:
    """A mover that is down, melds with Jokers, and a hand that can use some of them."""
    players = dice.choice((3, 4, 5))
    left, hand = pack_of(players), list[int]()
    melds: dict[int, list[int]] = {0: []}
    for _ in range(dice.randint(2, 6)):
        row = opening_in(left, dice, dice.choice((True, True, None)), jokers == "any")
        if row is not None:
            meld = grown(row.meld, left, dice, dice.choice((0, 1, 4)))
            melds.setdefault(dice.randrange(players), []).append(meld)
            hand += [face for face in range(JOKER) if int(W.jokers_for(meld)) >> face & 1 and left[face]][:1]
    for _ in range(dice.randint(0, 4)):
        face = dice.randrange(JOKER)
        hand += [face, *dice.sample([(face + 13) % 52, (face + 1) % 52, (face + 2) % 52, JOKER], dice.randint(0, 2))]
    left = pack_left(players, hand, melds)
    if not melds[0]:
        row = opening_in(left, dice)
        melds[0] = [row.meld] if row else []
    return _position(dice, players, dice.randint(1, 6), hand, left, melds, jokers)


def pack_left(players: int, hand: list[int], melds: dict[int, list[int]]) -> Counter[int]:
    """What is left of the pack; a hand that has too many of a card gives them back."""
    left = pack_of(players)
    left.subtract(face for own in melds.values() for meld in own for face in W.meld_faces(meld))
    for face in list(hand):
        if left[face] == 0:
            hand.remove(face)
        else:
            left[face] -= 1
    return left


def _position(
    dice: random.Random,
    players: int,
    contract: int,
    hand: list[int],
    left: Counter[int],
    melds: dict[int, list[int]],
    jokers: str,
) -> Any:
    rest = list((+left).elements())
    dice.shuffle(rest)
    hands = [hand + [rest.pop() for _ in range(dice.choice((0, 0, 0, 1)))]]
    hands += [[rest.pop() for _ in range(dice.randint(1, 11))] for _ in range(players - 1)]
    pile = [rest.pop() for _ in range(dice.randint(1, 4))]
    lines = [
        f"rules: denexa jokers={jokers} max_turns={dice.choice((5, 50))}",
        f"players: {players}",
        f"contract: {contract}",
    ]
    lines += [f"turn: seat 0, {'play' if hands[0] else 'draw'}"]
    lines += [f"hand {seat}: {FACES.text(sorted(cards))}" for seat, cards in enumerate(hands)]
    texts = {seat: " | ".join(W.meld_text(meld) for meld in own) for seat, own in melds.items()}
    lines += [f"melds {seat}: {text}" for seat, text in texts.items() if text]
    lines += [f"pile: {FACES.text(pile)}", f"stock: {FACES.text(rest)}"]
    return contract_rummy.GAME.texts.from_text("\n".join(lines))
