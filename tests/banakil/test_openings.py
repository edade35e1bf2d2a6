"""The tables of openings agree with the texts and the rules of melds, and importing the game compiles nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from banakil_env.games import banakil
from banakil_env.games.banakil import openings
from banakil_env.games.banakil.actions import OPEN_SEQUENCE
from banakil_env.games.banakil.check import is_meld
from banakil_env.games.banakil.faces import COPIES, JOKER
from banakil_env.games.banakil.meld_text import meld_faces, meld_text
from banakil_env.games.banakil.melds import Meld
from banakil_env.games.banakil.moves.dead_ends import MOST_CARDS


@pytest.mark.parametrize("fixed", [False, True])
def test_every_row_is_a_meld_of_three_of_the_cards_that_its_text_names(fixed: bool) -> None:
    for row, opening in enumerate(openings.OPENINGS):
        meld = Meld.unpack(int(openings.meld_opened.py_func(row, fixed, 2, int(opening.two))))
        assert getattr(is_meld, "py_func", is_meld)(meld.pack(), fixed), opening
        assert meld.owner == 2
        naturals = [face for face in meld_faces(meld) if face < 48]
        assert sorted(naturals) == sorted(opening.naturals)
        assert len(naturals) + opening.two + opening.joker == 3
        assert openings.CARDS[row] == sum(1 << face for face in naturals) | opening.joker << JOKER
        said = banakil.action_text(OPEN_SEQUENCE + row).removeprefix("open ").split()
        as_written = [card.replace("2c", "2") for card in meld_text(meld, fixed).split()]
        assert (said if fixed and not meld.is_set else sorted(said)) == (
            as_written if fixed and not meld.is_set else sorted(as_written)
        )


def test_under_free_wilds_one_pattern_is_on_offer_for_the_same_cards() -> None:
    cards = [(each.naturals, each.two, each.joker) for each in openings.OPENINGS if each.on_offer]
    assert len(cards) == len(set(cards))
    assert set(cards) == {(each.naturals, each.two, each.joker) for each in openings.OPENINGS}


def test_no_play_uses_more_cards_than_the_bound_of_dead_ends_supposes() -> None:
    assert COPIES + 3 == MOST_CARDS
    assert all(len(each.naturals) + each.two + each.joker == 3 for each in openings.OPENINGS)


def test_importing_the_game_compiles_nothing(tmp_path) -> None:
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "BANAKIL_QUIET": "0"}
    command = [sys.executable, "-c", "import banakil_env.games.banakil"]
    run = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert not list(tmp_path.rglob("*.nbc"))
