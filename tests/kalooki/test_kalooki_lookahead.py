"""Are the openings that the mask allows just those after which the turn can be ended (K5.3)? By trying every play."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from kalooki_tables import ROWS, legal, need_of, rich

from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.rules import DIFFERENT
from banakil_env.kit.contracts.table import ADD_HIGH
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds import moving_jokers as M
from banakil_env.kit.pack54 import JOKER, faces_in


def jokers_go(melds, jokers):
    """Whether this number of Jokers can be added one after the other."""
    if jokers == 0:
        return True
    for at, meld in enumerate(melds):
        if M.joker_end(np.int64(meld)):
            longer = int(M.with_place(np.int64(meld), np.int64(ADD_HIGH)))
            if jokers_go([*melds[:at], longer, *melds[at + 1 :]], jokers - 1):
                return True
    return False


def may_open(row, hand, threes, fours, met, own, different):
    """Whether an opening is of a kind that is lacking, or anything goes; and K3.4, K3.5."""
    four = row.middle is not None
    if not met and not (fours if four else threes):
        return False
    if any(W.is_run(np.int64(meld)) and four and W.suit_of(np.int64(meld)) == row.naturals[0] // 13 for meld in own):
        return False
    ranks = [int(W.rank_of(np.int64(meld))) for meld in own if not W.is_run(np.int64(meld))]
    if different and not four and row.naturals[0] % 13 in ranks:
        return False
    return all(hand[face] >= count for face, count in need_of(row).items())


def can_end(hand, melds, own, threes, fours, different, start=0):
    """Whether the turn can be ended: openings in the order of the table, then a discard, or all Jokers added."""
    if threes <= 0 and fours <= 0:
        naturals = sum(count for face, count in hand.items() if face != JOKER)
        return naturals > 0 or jokers_go(melds, hand[JOKER])
    for at in range(start, len(ROWS)):
        row = ROWS[at]
        if may_open(row, hand, threes, fours, False, own, different):
            four = row.middle is not None
            left, made = hand - need_of(row), int(row.meld)
            if can_end(left, [*melds, made], [*own, made], threes - (not four), fours - four, different, at):
                return True
    return False


@pytest.mark.parametrize("tight", [True, False])
def test_openings_are_just_those_after_which_the_turn_can_be_ended(tight, long):
    dice, kept, refused = random.Random(tight), 0, 0
    for _ in range(1000 if long else 60):
        state = rich(dice, tight)
        hand = Counter(faces_in(state.hands[0]))
        melds = [int(meld) for meld in state.melds[: state.num_melds]]
        own = [meld for meld, owner in zip(melds, state.meld_owner, strict=False) if owner == 0]
        fours = int(S.FOURS[state.contract]) - sum(bool(W.is_run(np.int64(meld))) for meld in own)
        threes = int(S.THREES[state.contract]) - sum(not W.is_run(np.int64(meld)) for meld in own)
        different, met = (
            state.rules.threes == DIFFERENT,
            bool(own) and (not state.first or (threes <= 0 and fours <= 0)),
        )
        threes, fours = (0, 0) if met else (threes, fours)
        expected = set()
        for row in ROWS:
            if may_open(row, hand, threes, fours, met, own, different):
                four, made = row.middle is not None, int(row.meld)
                lacking = (0, 0) if met else (threes - (not four), fours - four)
                able = can_end(hand - need_of(row), [*melds, made], [*own, made], *lacking, different)
                expected |= {row.text} if able else set()
                kept, refused = kept + able, refused + (not able)
        assert {text for text in legal(state) if text.startswith("open")} == expected
    assert kept > 60
    assert refused > 20
