"""Do the columns of Banakil say what each take from the pile brings, and what each discard leaves and gives?"""

from __future__ import annotations

import numpy as np
from positions import fill

from banakil_env.agents.encoding import encode
from banakil_env.games import banakil, find
from banakil_env.games.banakil.faces import FACES, LOW_VALUE, MIDDLE_VALUE
from banakil_env.games.banakil.observation import OFFERS, RESTS

GAME = find("banakil")
WIDER = (*RESTS, *OFFERS)
UNITS = {group.name: float(group.note.rpartition("/ ")[2]) for group in WIDER}


def wider(text: str) -> dict[str, dict[str, int]]:
    """By group of columns, the numbers of each natural as they were before they were scaled."""
    state = banakil.from_text(fill(text))
    seen = np.frombuffer(banakil.observe(state, banakil.seat_to_move(state))["observation"].tobytes(), np.uint8)
    columns, _ = encode(GAME, seen[None], features=GAME.features.with_offers)
    rows = columns[0, GAME.features.width :].reshape(len(WIDER), -1)
    return {
        group.name: {FACES.names[face]: round(float(x) * UNITS[group.name]) for face, x in enumerate(row) if x}
        for group, row in zip(WIDER, rows)
    }


def offers(text: str) -> dict[str, dict[str, int]]:
    """The groups about the pile."""
    return {group.name: wider(text)[group.name] for group in OFFERS}


def rests(text: str) -> dict[str, dict[str, int]]:
    """The groups about discards."""
    return {group.name: wider(text)[group.name] for group in RESTS}


def test_a_card_that_completes_a_sequence_melds_it_and_brings_what_lies_above():
    found = offers("hand 0: 4c 5c 9d Kh\npile: Ts 6c 9h\nturn: seat 0, draw")
    assert found["take_melded"] == {"6c": 3, "Ts": 3}
    assert found["take_dead"] == {"9h": 1, "6c": 1, "Ts": 2}
    assert found["take_wild"] == {}


def test_the_value_is_that_of_the_cards_that_could_not_be_melded_before():
    """That of 4c, 5c and 6c; the hearts are in a sequence already."""
    found = offers("hand 0: 4c 5c Jh Qh Kh\npile: 6c\nturn: seat 0, draw")
    assert found["take_gained"] == {"6c": 3 * LOW_VALUE}
    assert found["take_melded"] == {"6c": 3}


def test_a_second_card_of_a_face_is_dead_and_wild_cards_are_counted():
    found = offers("hand 0: 4c 5c 9d Kh\npile: 9d 2h 9s JK\nturn: seat 0, draw")
    assert found["take_dead"] == {"9s": 1, "9d": 2}
    assert found["take_wild"] == {"9s": 1, "9d": 2}


def test_they_are_zeros_where_nothing_is_drawn():
    assert not any(offers("hand 0: 4c 5c 9d Kh\npile: Ts 6c 9h\nturn: seat 0, play").values())


# What a discard leaves -----------------------------------------------------------------------------------------------


def test_a_sequence_that_is_broken_leaves_its_cards_loose():
    left = rests("hand 0: 4c 5c 6c Kh\nturn: seat 0, play")["rest_loose"]
    assert left == {"4c": 3, "5c": 3, "6c": 3}  # without the King nothing is loose


def test_threes_and_aces_make_sets():
    left = rests("hand 0: 3c 3d 3h Ac Ad Ah Kh\nturn: seat 0, play")["rest_loose"]
    assert left == {"3c": 3, "3d": 3, "3h": 3, "Ac": 3, "Ad": 3, "Ah": 3}


def test_a_card_of_a_face_that_is_held_twice_stays():
    found = rests("hand 0: 9d 9d Kh\nturn: seat 0, play")
    assert found["rest_loose"] == {"9d": 2, "Kh": 2}


def test_points_are_those_of_loose_cards():
    found = rests("hand 0: 4c 5c 6c Kh 5d\nturn: seat 0, play")["rest_points"]
    assert found["Kh"] == LOW_VALUE  # the Five
    assert found["5d"] == MIDDLE_VALUE  # the King


def test_outs_complete_a_sequence_of_the_rest_and_may_still_come():
    """7c and 4c for 5c 6c. With both cards of 4c on the table 7c is left."""
    found = rests("hand 0: 5c 6c Kh\nturn: seat 0, play")
    assert found["rest_outs"] == {"Kh": 2}
    assert rests("hand 0: 5c 6c Kh\nmelds 1: 4c 5c 6c | 3c 4c 2c\nturn: seat 0, play")["rest_outs"] == {"Kh": 1}


def test_a_discard_gives_the_sequences_that_it_makes_with_cards_that_may_come():
    found = rests("hand 0: 5c 6c 3h\nturn: seat 0, play")["discard_gives"]
    assert found == {"5c": 3, "6c": 3, "3h": 1}


def test_nothing_is_left_where_nothing_is_discarded():
    assert not any(rests("hand 0: 4c 5c 9d Kh\npile: Ts 6c 9h\nturn: seat 0, draw").values())
