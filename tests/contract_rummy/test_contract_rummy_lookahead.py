"""Is the look-ahead exact? Against every way to play, on hands made up at random so that both answers are common."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from contract_rummy_tables import grown, opening_in, pack_of

from banakil_env.games.contract.moves import MEETING
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import can_finish
from banakil_env.kit.melds.contracts import ANY_RANKS, continuous, meeting, same_suit, windows_that_clash
from banakil_env.kit.melds.jokers_owed import can_use_owed
from banakil_env.kit.pack54 import FACES, JOKER

ROWS = [*W.OPENINGS, *W.LONE_OPENINGS]
NEEDS = [Counter([*row.naturals, *[JOKER] * row.jokers]) for row in ROWS]
WANTED = [tuple(need.items()) for need in NEEDS]
RUNS = [row for row, opening in enumerate(ROWS) if opening.middle is not None]
WINDOWS = {row: int(W.window_of(row)) for row in RUNS}
OTHER_SUITS = meeting("other_suits", 6, 344, windows_that_clash(same_suit), W.NUM_APART)


def masks(cards) -> list[int]:
    """The faces held, those held twice, and the Jokers."""
    counts = Counter(cards)
    naturals = [face for face in counts if face != JOKER]
    one, two = sum(1 << face for face in naturals), sum(1 << face for face in naturals if counts[face] > 1)
    return [one, two, counts[JOKER]]


def has(counts: Counter[int], row: int) -> bool:
    for face, count in WANTED[row]:
        if counts.get(face, 0) < count:
            return False
    return True


def near_hand(dice: random.Random, size: int) -> list[int]:
    """Cards of few ranks or suits, so that a contract is nearly met."""
    low, ranks, suits = dice.randint(0, 9), dice.randint(3, 13), dice.choice((2, 3, 4, 4))
    pack = [face for face in range(JOKER) for _ in range(2) if face // 13 < suits and low <= face % 13 < low + ranks]
    return dice.sample(pack, min(size, len(pack))) + [JOKER] * dice.randint(0, 4)


# The contract --------------------------------------------------------------------------------------------------------


def meets(counts, sets, runs, windows, clash, patterns, fewest):
    """The same by trying all openings in their order: those that the cards allow."""
    there = [row for row, opening in enumerate(ROWS) if len(opening.naturals) >= fewest and has(counts, row)]
    there = [row for row in there if row not in WINDOWS or ROWS[row].pattern < patterns]
    return meets_by(there, counts, sets, runs, windows, clash)


def meets_by(rows, counts, sets, runs, windows, clash):
    """The same by these openings alone."""
    if sets == runs == 0:
        return True
    for place, row in enumerate(rows):
        run, window = row in WINDOWS, WINDOWS.get(row, 0)
        if (run and (not runs or not windows >> window & 1)) or (not run and not sets) or not has(counts, row):
            continue
        counts.subtract(NEEDS[row])
        left = windows & ~int(clash[window]) if run else windows
        found = meets_by(rows[place:], counts, sets - (not run), runs - run, left, clash)
        counts.update(NEEDS[row])
        if found:
            return True
    return False


@pytest.mark.parametrize(
    ("which", "clash", "patterns", "fewest"),
    [(MEETING, continuous, 11, 2), (MEETING, continuous, 15, 1), (OTHER_SUITS, same_suit, 8, 2)],
)
def test_whether_a_contract_can_be_met(which, clash, patterns, fewest, long):
    table = windows_that_clash(clash)
    dice, answers = random.Random(patterns), []
    for _ in range(20_000 if long else 400):
        cards = near_hand(dice, dice.choice((6, 8, 10, 11, 13, 15, 20, 30) if fewest == 2 else (4, 5, 6, 8, 10, 13)))
        sets, runs = dice.choice(((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1)))
        windows = W.ALL_WINDOWS & ~int(table[dice.choice((0, 3, 14, 30))])
        expected = meets(Counter(cards), sets, runs, windows, table, patterns, fewest)
        asked = *masks(cards), sets, runs, windows
        found = which.can_meet(*asked, ANY_RANKS, fewest) if fewest == 1 else which.can_meet(*asked)
        assert found == expected, (FACES.text(cards), sets, runs)
        answers.append(expected)
    assert 0.2 < np.mean(answers) < 0.8


# The seventh contract ------------------------------------------------------------------------------------------------


def any_continuous(runs) -> bool:
    spans = [(W.suit_of(run), int(W.occupied(run))) for run in runs]
    ends = [(suit, (places & -places).bit_length(), places.bit_length()) for suit, places in spans]
    return any(a != b and a[0] == b[0] and a[2] + 1 == b[1] for a in ends for b in ends)


def finishes(runs, cards, seen, fewest=2):
    """The same by playing: open the runs, then add card by card."""
    if (key := (tuple(sorted(runs)), cards)) in seen:
        return False
    seen.add(key)
    counts = Counter(cards)
    if len(runs) < 3:
        for row in RUNS:
            if len(ROWS[row].naturals) >= fewest and has(counts, row):
                left = tuple(sorted((counts - NEEDS[row]).elements()))
                if finishes((*runs, ROWS[row].meld), left, seen, fewest):
                    return True
        return False
    if not cards:
        return not any_continuous([np.int64(run) for run in runs])
    for card in set(cards):
        rest = list(cards)
        rest.remove(card)
        for at, run in enumerate(np.array(runs, np.int64)):
            if card == JOKER:
                grown_to = [W.with_joker(run, np.int64(end)) for end in (W.LOW, W.HIGH) if W.ends_free(run) & end]
            else:
                grown_to = [W.with_natural(run, np.int64(card))] if W.naturals_taken(run) >> card & 1 else []
            for then in map(int, grown_to):
                if finishes((*runs[:at], then, *runs[at + 1 :]), tuple(rest), seen, fewest):
                    return True
    return False


@pytest.mark.parametrize("fewest", [2, 1])
def test_whether_everything_can_be_laid(fewest, long):
    """N7: hands that are three runs or nearly so, in one to three suits, some of the runs on the table already."""
    dice, answers = random.Random(7), []
    for _ in range(20_000 if long else 150):
        left, cards = pack_of(5), []
        for suit in dice.choice(((0, 0, 0), (0, 0, 1), (0, 1, 2), (1, 1, 2))):
            rows = [ROWS[row] for row in RUNS if ROWS[row].naturals[0] // 13 == suit]
            rows = [row for row in rows if len(row.naturals) >= fewest]
            if fewest == 1 and dice.random() < 0.5:
                rows = [row for row in rows if row.jokers >= 2]
            rows = [row for row in rows if left >= Counter([*row.naturals, *[JOKER] * row.jokers])]
            if not rows:
                continue
            row = dice.choice(rows)
            left.subtract([*row.naturals, *[JOKER] * row.jokers])
            cards += W.meld_faces(grown(row.meld, left, dice, dice.choice((0, 0, 1, 2))))
        if dice.random() < 0.2:
            cards.append(dice.choice([face for face in range(JOKER) if left[face] > 0]))
        counts, runs = Counter(cards), ()
        for _ in range(dice.choice((0, 0, 1, 2, 3))):
            rows = [row for row in RUNS if len(ROWS[row].naturals) >= fewest and has(counts, row)]
            if rows:
                counts.subtract(NEEDS[row := dice.choice(rows)])
                runs += (ROWS[row].meld,)
        cards = tuple(sorted(counts.elements()))
        expected = finishes(runs, cards, set(), fewest)
        laid = np.array([*runs, *[0] * (3 - len(runs))], np.int64)
        assert can_finish(laid, *masks(cards), fewest) == expected, (
            [W.meld_faces(run) for run in runs],
            FACES.text(cards),
        )
        answers.append(expected)
    assert 0.15 < np.mean(answers) < 0.9


# Jokers owed ---------------------------------------------------------------------------------------------------------


def uses_owed(counts, owed, melds, depth, fewest):
    """The same by playing: exchange, add a Joker that is not owed, open with Jokers."""
    if owed == 0:
        return True
    for at, meld in enumerate(np.array(melds, np.int64)):
        for face in range(JOKER):
            if counts[face] and W.jokers_for(meld) >> face & 1:
                after = (*melds[:at], int(W.with_exchange(meld, np.int64(face))), *melds[at + 1 :])
                counts.subtract([face])
                counts[JOKER] += 1
                found = depth and uses_owed(counts, owed + 1, after, depth - 1, fewest)
                counts[face] += 1
                counts[JOKER] -= 1
                if found:
                    return True
    for row, need in enumerate(NEEDS):
        if len(ROWS[row].naturals) >= fewest and ROWS[row].jokers and has(counts, row):
            counts.subtract(need)
            found = uses_owed(counts, max(owed - need[JOKER], 0), (*melds, ROWS[row].meld), depth, fewest)
            counts.update(need)
            if found:
                return True
    return False


@pytest.mark.parametrize("fewest", [2, 1])
def test_whether_jokers_owed_can_be_used(fewest, long):
    dice, answers = random.Random(3), []
    for _ in range(20_000 if long else 250):
        left, melds = pack_of(5), []
        for _ in range(dice.randint(0, 3)):
            row = opening_in(left, dice, True)
            if row is not None and row.jokers:
                melds.append(row.meld)
        jokers = dice.randint(0, left[JOKER])
        owed = dice.randint(0, jokers)
        cards = [face for meld in melds for face in range(JOKER) if int(W.jokers_for(np.int64(meld))) >> face & 1]
        cards = [face for face in cards if left[face] > 0 and dice.random() < 0.7]
        free = [face for face in range(JOKER) if left[face] > cards.count(face)]
        cards += dice.sample(free, dice.randint(1, 5) if fewest == 2 else dice.choice((0, 0, 0, 1, 1, 2, 3)))
        counted = Counter(FACES.parse(text) for meld in melds for text in W.stands_for(meld) if text is not None)
        expected = uses_owed(Counter([*cards, *[JOKER] * jokers]), owed, tuple(melds), 4, fewest)
        one, two, held = masks([*cards, *[JOKER] * jokers])
        once, twice = (sum(1 << f for f, n in counted.items() if n >= k) for k in (1, 2))
        found = can_use_owed(one, two, held, owed, once, twice, fewest)
        assert found == expected, (FACES.text(cards), owed, jokers, melds)
        answers.append(expected)
    assert 0.2 < np.mean(answers) < 0.95
