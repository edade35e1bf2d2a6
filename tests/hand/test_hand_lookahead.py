"""Does the look-ahead say what trying every play says? Random turns of few cards, in which a lot is possible."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hand_slow import ROWS, Turn, can_end, fitting, with_natural

from banakil_env.games.hand import lookahead as L
from banakil_env.kit.melds.one_wild_melds import WILD, meld_faces
from banakil_env.kit.pack52 import faces_of


def random_turn(dice: random.Random) -> Turn:
    """A turn with cards of two or three suits and seven ranks, so that they go together."""
    faces = [
        13 * suit + rank for suit in range(dice.choice((2, 3))) for rank in dice.choice((range(7), (0, *range(8, 13))))
    ]
    pack = Counter(faces + faces + [WILD, WILD])
    melds = []
    for _ in range(dice.randrange(1, 4)):
        cards, meld = dice.choice(ROWS)
        if Counter(cards) <= pack:
            pack -= Counter(cards)
            while dice.random() < 0.4:
                more = [face for face in faces_of(fitting(meld)) if pack[face]]
                if not more:
                    break
                meld = int(with_natural(meld, more[0]))
                pack[more[0]] -= 1
            melds.append((int(meld), dice.random() < 0.6))
    hand = tuple(sorted(dice.sample(sorted(pack.elements()), dice.randrange(3, 8))))
    taken = dice.choice(hand) if dice.random() < 0.3 else None
    return Turn(
        hand,
        tuple(sorted(melds)),
        missing=dice.choice((0, 0, 12, 25, 40)),
        keep=dice.choice((1, 1, 2)),
        free_pairs=dice.random() < 0.2,
        promise=dice.random() < 0.5,
        taken=taken,
        strict=dice.random() < 0.5,
        reuse=dice.random() < 0.3,
    )


def sight_of(turn: Turn) -> np.record:
    """The same turn as the engine has it before it."""
    sight = np.zeros(1, L.SIGHT)[0]
    held = Counter(turn.hand)
    if turn.taken is not None:
        held[turn.taken] -= 1
    sight.one = sum(1 << face for face, count in held.items() if face != WILD and count)
    sight.two = sum(1 << face for face, count in held.items() if face != WILD and count > 1)
    sight.wilds, sight.missing, sight.keep = held[WILD], turn.missing, turn.keep
    sight.limit = 2 if turn.promise else L.MANY
    sight.pairs_too = turn.free_pairs or turn.promise
    sight.taken = L.NOTHING if turn.taken is None else turn.taken
    sight.may_add, sight.reuse, sight.may_hold = not turn.strict, turn.reuse, 2
    sight.ace_low = sight.ace_high = 11
    sight.own_melds, sight.num_melds = sum(own for _, own in turn.melds), len(turn.melds)
    for slot, (meld, own) in enumerate(turn.melds):
        sight.melds[slot] = meld | own * L.OWN_MELD
    return sight


@pytest.mark.parametrize("part", range(4))
def test_it_says_what_every_play_says(part, long):
    dice = random.Random(part)
    answers: Counter[bool] = Counter()
    for _ in range(5000 if long else 100):
        turn = random_turn(dice)
        expected = can_end(turn)
        answers[expected] += 1
        found = bool(L.can_end(sight_of(turn)))
        melds = [" ".join(map(str, meld_faces(meld))) + " own" * own for meld, own in turn.melds]
        assert found == expected, (turn, melds)
    assert min(answers[True], answers[False]) > 10


@pytest.mark.parametrize("part", range(4))
def test_going_out_below_the_value_of_the_first_meld(part, long):
    """H5.5, also where the value is reached on the way and wild cards are exchanged then."""
    dice = random.Random(f"out {part}")
    answers: Counter[bool] = Counter()
    while answers.total() < (5000 if long else 100):
        turn = replace(random_turn(dice), goes_out=True, promise=False, keep=1, reuse=False)
        if turn.missing > 0:
            expected = can_end(turn)
            answers[expected] += 1
            assert bool(L.can_go_out(sight_of(turn), 1)) == expected, turn
    assert min(answers[True], answers[False]) > 5


def test_the_sight_is_as_large_as_a_table_can_be():
    assert L.SIGHT["melds"].shape[0] > L.MAX_MELDS
