"""What do the rules of Gin Rummy say where a position has no line `limit`, `doubled` or `turn`?"""

from __future__ import annotations

import pytest

from banakil_env.core.game import PositionError
from banakil_env.games import gin

HANDS = """hand 0: 3c 4c 5c 7d 7h 7s 9s Ts 2h Kd 4d
hand 1: 2c 9c Tc Qc 5d 8d 4h 6h 2s 9d
turn: seat 0, play
turns: 3
"""
CARDS_LEFT = "pile: Ah\nstock: " + " ".join(
    rank + suit
    for suit in "cdhs"
    for rank in "23456789TJQKA"
    if rank + suit not in (HANDS + " Ah").replace("\n", " ").split()
)


@pytest.mark.parametrize(("rules", "limit"), [("common", 10), ("openspiel", 10), ("common knock_card=5", 5)])
def test_without_the_line_limit_gin_has_the_limit_of_its_rules(rules: str, limit: int) -> None:
    state = gin.from_text(f"rules: {rules}\n{HANDS}{CARDS_LEFT}")
    assert state.limit == limit
    state = gin.from_text(f"rules: {rules}\n{HANDS}{CARDS_LEFT}\nlimit: 0")
    assert state.limit == 0


@pytest.mark.parametrize("rules", ["common oklahoma=on", "common oklahoma=spades"])
def test_with_oklahoma_the_limit_must_be_given(rules: str) -> None:
    """The first upcard has set it, which may have been taken long ago (G5.2)."""
    text = f"rules: {rules}\n{HANDS}{CARDS_LEFT}\n"
    with pytest.raises(
        PositionError, match=r"^limit: the line is missing, and these rules have no default for it: the most"
    ):
        gin.from_text(text + "doubled: 0")
    if rules.endswith("spades"):
        with pytest.raises(
            PositionError, match=r"^doubled: the line is missing, and these rules have no default for it: 1 if the"
        ):
            gin.from_text(text + "limit: 7")
    state = gin.from_text(text + "limit: 0\ndoubled: 0")
    assert (state.limit, state.doubled) == (0, 0)
    assert "limit: 0\n" in gin.to_text(state)
    assert gin.from_text(gin.to_text(state)).tobytes() == state.tobytes()


def test_without_the_line_turn_a_round_begins_with_the_upcard() -> None:
    """The seat after the dealer is asked first (G3); later on, who is to move must be said."""
    deal = gin.to_text(gin.new(seed=4))
    turn = "turn: seat 0, upcard\n"
    assert turn in deal
    assert gin.from_text(deal.replace(turn, "")).tobytes() == gin.from_text(deal).tobytes()
    with pytest.raises(PositionError, match=r"^turn: the line is missing; after 3 turns it must say whose turn it is"):
        gin.from_text(deal.replace(turn, "turns: 3\n"))
