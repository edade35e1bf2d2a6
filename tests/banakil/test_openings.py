"""Do actions keep their numbers, do the tables of openings agree with texts and rules, and does an import compile?"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from banakil_env.core.bits import bits_of
from banakil_env.core.jit import interpreted
from banakil_env.games import banakil
from banakil_env.games.banakil import openings
from banakil_env.games.banakil.actions import OPEN_SEQUENCE
from banakil_env.games.banakil.check import is_meld
from banakil_env.games.banakil.faces import COPIES, JOKER
from banakil_env.games.banakil.meld_text import meld_text
from banakil_env.games.banakil.melds import Meld, faces_of
from banakil_env.games.banakil.moves.dead_ends import MOST_CARDS


@pytest.mark.parametrize("fixed", [False, True])
def test_every_row_is_a_meld_of_three_of_the_cards_that_its_text_names(fixed: bool) -> None:
    for row, opening in enumerate(openings.OPENINGS):
        meld = Meld.unpack(int(interpreted(openings.meld_opened)(row, fixed, 2, int(opening.two))))
        assert interpreted(is_meld)(meld.pack(), fixed), opening
        assert meld.owner == 2
        naturals = [face for face in bits_of(interpreted(faces_of)(meld.pack())) if face < 48]
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


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "draw"),
        (1, "take 1"),
        (70, "take 70"),
        (71, "open 3c 4c 5c"),
        (590, "open Qs JK 2"),
        (591, "open 3c 3d 3h"),
        (611, "add 3c"),
        (659, "add 2 low"),
        (662, "add JK high"),
        (663, "swap 3c"),
        (711, "discard 3c"),
        (763, "discard JK"),
        (764, "meld 0"),
        (798, "meld 34"),
    ],
)
def test_the_table_of_actions(action: int, text: str) -> None:
    """Agents are trained on these numbers: they stay as they are within a version."""
    assert banakil.action_text(action) == text
    assert banakil.NUM_ACTIONS == 799
