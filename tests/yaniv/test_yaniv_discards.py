"""Discards against a slow definition, and round trips of positions: hypothesis."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from banakil_env.games import yaniv
from banakil_env.games.yaniv.discards import followers, is_discard
from banakil_env.kit.pack54 import FACES, JOKER, LAYERS, add_card, count_cards, faces_in, hand_of, remove_card, total_of

CARDS = st.sampled_from(range(JOKER + 1))
# Few ranks and suits, so that sets and runs come about.
CLOSE = st.sampled_from([0, 1, 2, 3, 9, 10, 11, 12, 13, 15, 16, 25, JOKER])
HANDS = st.lists(CLOSE, min_size=1, max_size=5).filter(
    lambda faces: all(faces.count(face) <= (4 if face == JOKER else 2) for face in faces)
)


def slow_is_discard(row):
    """Y3, as it is said."""
    naturals = [face for face in row if face != JOKER]
    if len(row) == 1:
        return True
    if not naturals:
        return False
    if len(naturals) == len(row) and len({face % 13 for face in row}) == 1:
        return row[0] <= row[-1] and row[1:-1] == sorted(row[1:-1])
    if len(row) < 3:
        return False
    for suit, low in itertools.product(range(4), range(13)):
        run = [13 * suit + low + i for i in range(len(row))]
        if low + len(row) <= 13 and all(face in (JOKER, own) for face, own in zip(row, run)):
            return True
    return False


@given(st.lists(CLOSE, min_size=1, max_size=5))
def test_what_is_a_discard(row):
    assert bool(is_discard(np.array(row), len(row))) == slow_is_discard(row)


@given(HANDS, st.integers(1, 4))
def test_what_can_follow(cards, size):
    """Y2.5: every way to go on is tried."""
    row, hand = cards[:size], cards[size:]
    expected = set()
    for count in range(1, len(hand) + 1):
        for more in itertools.permutations(hand, count):
            if slow_is_discard([*row, *more]):
                expected.add(more[0])
    cells = np.array([*row, *[0] * (5 - len(row))])
    found = int(followers(cells, len(row), np.array(hand_of(hand))))
    assert {face for face in range(JOKER + 1) if found >> face & 1} == expected


@given(HANDS, CARDS)
def test_hands_in_layers(faces, card):
    hand = np.array(hand_of(faces))
    assert faces_in(hand) == sorted(faces)
    assert count_cards(hand) == len(faces)
    assert total_of(hand) == sum(0 if face == JOKER else min(face % 13 + 1, 10) for face in faces)
    if faces.count(card) < (LAYERS if card == JOKER else 2):
        before = hand.tolist()
        add_card(hand, card)
        assert faces_in(hand) == sorted([*faces, card])
        remove_card(hand, card)
        assert hand.tolist() == before


@given(st.integers(2, 5), st.sampled_from(["denexa", "asaf", "denexa packs=2"]), st.booleans(), st.data())
def test_positions_come_back_to_the_byte(players, rules, match, data):
    state = yaniv.new(
        players, rules=rules, episode="match" if match else "round", seed=data.draw(st.integers(0, 2**64 - 1))
    )
    for _ in range(data.draw(st.integers(0, 30))):
        if yaniv.is_over(state):
            break
        yaniv.apply(state, data.draw(st.sampled_from(yaniv.legal_actions(state))))
    text = yaniv.to_text(state)
    assert yaniv.from_text(text).tobytes() == state.tobytes()
    assert FACES.text(faces_in(state.hands[0])) == next(
        line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("hand 0")
    )
