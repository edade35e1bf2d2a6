"""Do the columns of Banakil about the pile say what each take brings?"""

from __future__ import annotations

import numpy as np
from positions import fill

from banakil_env.agents.encoding import encode
from banakil_env.games import banakil, find
from banakil_env.games.banakil.faces import FACES, LOW_VALUE
from banakil_env.games.banakil.observation import OFFERS

GAME = find("banakil")
UNITS = {group.name: float(group.note.rpartition("/ ")[2]) for group in OFFERS}


def offers(text: str) -> dict[str, dict[str, int]]:
    """By group of columns, the numbers of each card of the pile as they were before they were scaled."""
    state = banakil.from_text(fill(text))
    seen = np.frombuffer(banakil.observe(state, banakil.seat_to_move(state))["observation"].tobytes(), np.uint8)
    columns, _ = encode(GAME, seen[None], features=GAME.features.with_offers)
    rows = columns[0, GAME.features.width :].reshape(len(OFFERS), -1)
    return {
        group.name: {FACES.names[face]: round(float(x) * UNITS[group.name]) for face, x in enumerate(row) if x}
        for group, row in zip(OFFERS, rows)
    }


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
