"""Tables of Kalooki for tests: positions of a few lines, and rich positions by chance."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from game_tables import WholePack

from banakil_env.games import kalooki
from banakil_env.games.kalooki import state as S
from banakil_env.kit.contracts.table import ADD_HIGH, ADD_LOW
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds import moving_jokers as M
from banakil_env.kit.pack54 import FACES, JOKER

PACK = Counter({**dict.fromkeys(range(JOKER), 2), JOKER: S.NUM_JOKERS})
ROWS = [row for row in W.OPENINGS if row.middle is None or row.pattern < W.NUM_APART]
THREES, FOURS = [row for row in ROWS if row.middle is None], [row for row in ROWS if row.middle is not None]


class _Tables(WholePack):
    def pack(self, rules: str, players: int) -> list[str]:
        return [FACES.names[face] for face in sorted(PACK.elements())]


_tables = _Tables(kalooki)
table, do, legal, plays, value = _tables.seat_0_to_play, _tables.play, _tables.legal, _tables.plays, _tables.line


def need_of(row: W.Opening) -> Counter[int]:
    """The cards of an opening."""
    return Counter([*row.naturals, *[JOKER] * row.jokers])


def _opened(rows: list[W.Opening], left: Counter[int], taken: set[Any], dice: random.Random) -> W.Opening | None:
    """An opening by chance for which there are the cards, which are taken; no second one of its suit or rank."""
    for row in dice.sample(rows, min(60, len(rows))):
        key = row.naturals[0] // 13 if row.middle is not None else (row.naturals[0] % 13,)
        if key not in taken and all(left[face] >= count for face, count in need_of(row).items()):
            left.subtract(need_of(row))
            taken.add(key)
            return row
    return None


def _grown(meld: int, left: Counter[int], tries: int, dice: random.Random) -> int:
    for _ in range(tries):
        places = [p for p in (*range(JOKER), ADD_LOW, ADD_HIGH) if left[min(p, JOKER)] > 0]
        places = [p for p in places if M.fits(meld, p)]
        if places:
            place = dice.choice(places if dice.random() < 0.3 else places[-1:])
            meld, left[min(place, JOKER)] = (
                int(M.with_place(meld, place)),
                left[min(place, JOKER)] - 1,
            )
    return meld


def rich(dice: random.Random, tight: bool) -> Any:
    """A position of play with melds on the table, and a hand that is about to meet the contract, or has met it.

    Args:
        tight: contracts of fours alone, few melds, many Jokers, and no card to spare.
    """
    players, contract = dice.choice((3, 4, 5)), dice.choice((4, 9)) if tight else dice.randint(1, 9)
    left, hand = Counter(PACK), list[int]()
    melds: dict[int, list[int]] = {}
    asked = [THREES] * int(S.THREES[contract]) + [FOURS] * int(S.FOURS[contract])
    dice.shuffle(asked)
    laid, own = dice.choice((len(asked) - 2, len(asked) - 1, len(asked), 0)), set[Any]()
    for number, rows in enumerate(asked):
        fit = [row for row in rows if row.jokers == dice.choice((0, 1, 2))] if tight else rows
        row = _opened(fit, left, own, dice)
        if row is None:
            break
        if number < laid:
            melds.setdefault(0, []).append(row.meld)
        else:
            hand += need_of(row).elements()
    first = 0 in melds
    if len(melds.get(0, ())) == len(asked):
        first = dice.random() < 0.5
        melds[0] = [_grown(meld, left, dice.choice((0, 0, 2, 9)), dice) for meld in melds[0]]
    elif 0 in melds and len(hand) < 3 * (len(asked) - len(melds[0])):
        return rich(dice, tight)
    for _ in range(dice.choice((0, 0, 1)) if tight else dice.randint(0, 4)):
        seat = dice.randrange(1, players)
        row = _opened(FOURS if tight else dice.choice((THREES, FOURS)), left, own, dice)
        if row is not None:
            melds.setdefault(seat, []).append(_grown(row.meld, left, dice.choice((0, 1, 5)), dice))
    jokers = dice.randint(0, left[JOKER])
    left[JOKER] -= jokers
    rest = [face for face in left.elements() if face != JOKER]
    dice.shuffle(rest)
    hand += [JOKER] * jokers + [rest.pop() for _ in range(dice.choice((0, 0, 1)) if tight else dice.randint(0, 5))]
    hands = [hand or [rest.pop()], *([rest.pop() for _ in range(3)] for _ in range(players - 1))]
    pile, rest = [rest.pop()], rest + [JOKER] * left[JOKER]
    lines = [f"rules: {'super' if dice.random() < 0.3 else 'denexa'} max_turns=50", f"players: {players}"]
    lines += [f"contract: {contract}", f"turn: seat 0, play{', first' * first}"]
    lines += [f"hand {seat}: {FACES.text(sorted(cards))}" for seat, cards in enumerate(hands)]
    lines += [f"melds {s}: {' | '.join(FACES.text(W.meld_faces(m)) for m in own)}" for s, own in sorted(melds.items())]
    return kalooki.from_text("\n".join([*lines, f"pile: {FACES.text(pile)}", f"stock: {FACES.text(rest)}"]))
