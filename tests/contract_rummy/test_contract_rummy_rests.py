"""What do networks of Contract Rummy see of each discard?"""

from __future__ import annotations

from contract_rummy_tables import table
from rests_seen import rests_at

from banakil_env.games import find

GAME = find("contract")
RUN, SET = "melds 1: 3c 4c 5c 6c", "melds 0: 9d 9h 9s"


def rests(*lines: str) -> dict[str, dict[str, int]]:
    return rests_at(GAME, table(*lines))


def test_equal_cards_form_a_set():
    loose = rests("hand 0: 7c 7c 7d Kh Js")["rest_loose"]
    assert (loose["Kh"], loose["7d"]) == (1, 4)


def test_a_run_has_four_cards():
    """5h 6h 7h wait for 4h and 8h; with 8h they are a run."""
    assert rests("hand 0: 5h 6h 7h Kc")["rest_loose"]["Kc"] == 3
    assert rests("hand 0: 5h 6h 7h Kc")["rest_outs"]["Kc"] == 2
    assert rests("hand 0: 5h 6h 7h 8h Kc")["rest_loose"]["Kc"] == 0


def test_an_ace_is_high_and_low():
    loose = rests("hand 0: Ah 2h 3h 4h Jc Qc Kc Ac 9d")["rest_loose"]
    assert loose["9d"] == 0


def test_a_joker_is_not_counted():
    assert rests("hand 0: 7c 8c JK Kh")["rest_loose"]["Kh"] == 2


def test_the_table_takes_cards_of_a_seat_with_melds_only():
    assert rests("hand 0: 7c Kh Js", RUN)["rest_loose"]["Kh"] == 2
    assert rests("hand 0: 7c Kh Js", RUN, SET)["rest_loose"]["Kh"] == 1


def test_the_whole_pile_is_known():
    """With 8c and 8s, both in the pile, 8h makes a set."""
    gives = rests("hand 0: 8h Kc", "pile: 8c 8s 4d")["gives_pile"]
    assert (gives["8h"], gives["Kc"]) == (1, 0)
