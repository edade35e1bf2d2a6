"""Does the published heuristic for Yaniv play as the paper describes it, and always legally?"""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import choose, make_player
from banakil_env.arena import play_match
from banakil_env.games import find, yaniv
from banakil_env.kit.pack54 import FACES
from train.yardsticks import best_discard

RULES = "call_limit=10 tie=asaf"
PLAYER = "train.yardsticks:aggressive"


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("2c 5d 7h 9s Kd", "Kd"),  # the dearest card
        ("2c 2d 9h Kc Kd", "Kc Kd"),  # a set sheds more than any card
        ("4h 5h 6h Kc Qd", "4h 5h 6h"),  # a run
        ("Ac 2d 3h 4s Kd", "Kd"),  # a hand that can be called with
        ("5c 5d 5h 9s Kd", "5c 5d 5h"),  # fifteen points and three cards before ten and one
        ("3c 4d 9h 9s JK", "9h 9s"),  # Jokers stay
    ],
)
def test_what_it_lays(hand: str, laid: str) -> None:
    faces = sorted(FACES.parse(card) for card in hand.split())
    assert best_discard(faces) == sorted(FACES.parse(card) for card in laid.split())


def position(hand: str, pile: str, laid: str = "") -> str:
    """Seat 0 in its turn, with what it has laid."""
    state = yaniv.new(num_players=2, rules=RULES, seed=3)
    lines = dict(line.split(": ", 1) for line in yaniv.to_text(state).splitlines())
    cards = [card for name in ("hand 0", "hand 1", "pile", "stock") for card in lines[name].split()]
    for card in [*hand.split(), *pile.split()]:
        cards.remove(card)
    lines |= {"hand 0": hand, "pile": pile, "hand 1": " ".join(cards[:5]), "stock": " ".join(cards[5:])}
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


@pytest.mark.parametrize(
    ("hand", "pile", "actions"),
    [
        ("Ac 2d 3h 4s", "7c", ["yaniv"]),  # ten points: it calls at once
        ("4c 4d 9h Kc Kd", "2s", ["discard Kc", "also Kd", "take last"]),  # two points are cheap
        ("4c 4d 9h Kc Kd", "6s", ["discard Kc", "also Kd", "take last"]),  # with 17 points six are cheap enough
        ("4c 4d 5h Kc Kd", "5s", ["discard Kc", "also Kd", "draw"]),  # with 13 points the limit is four
        ("3c 4d 5h Kc Kd", "4s", ["discard Kc", "also Kd", "draw"]),  # with 12 points it is three
    ],
)
def test_a_turn(hand: str, pile: str, actions: list[str]) -> None:
    state, player = yaniv.from_text(position(hand, pile)), make_player(PLAYER, "yaniv")
    done = []
    while yaniv.seat_to_move(state) == 0 and len(done) < len(actions):
        done.append(choose(player, yaniv.observe(state, 0)))
        yaniv.apply(state, done[-1])
    assert [yaniv.action_text(action) for action in done] == actions


@pytest.mark.parametrize("players", find("yaniv").seats)
def test_it_plays_legally_and_beats_chance(players: int) -> None:
    results = play_match([PLAYER, "random"], game="yaniv", num_players=players, rules=RULES, deals=20)
    assert not results.failures()
    assert results.margin("aggressive", "random").low > 0
    assert np.isfinite(results.seconds("aggressive"))
