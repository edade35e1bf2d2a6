"""Are endgames solved exactly? Compared with a plain recursion over all plans, and with facts true of any solution."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from banakil_env.arena.players import make_players
from banakil_env.core.game import PositionError
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.suite import endgames
from banakil_env.suite.endgames import POSITIONS, Endgame, EndgameError, deals_of, with_pile

# Two turns of Yaniv with one card hidden in each hand and three in the stock: small enough for a slow answer.
SMALL = with_pile(
    "rules: denexa max_turns=4\nplayers: 2\nturns: 2\nturn: seat 0, play\nhand 0: 6c\nhand 1: 8c\nstock: 6s 2h\n",
    more="JK JK",
)


@pytest.fixture(scope="module")
def small() -> Endgame:
    return Endgame(find("yaniv"), SMALL)


def test_all_deals_are_found_once(small: Endgame) -> None:
    """Four hidden cards: one in each hand, two in the stock, in order."""
    deals = {state.tobytes() for state in small.deals}
    assert len(deals) == len(small.deals) == 4 * 3 * 2


def test_deals_agree_with_what_each_seat_sees_in_one_of_them(small: Endgame) -> None:
    """The seats' own observations at the start split the deals into as many classes as there are own cards."""
    plain = Plain(find("yaniv"))
    for seat in range(2):
        seen = {plain.observe(state, seat)["observation"].tobytes() for state in small.deals}
        assert len(seen) == 4


def slow_best(endgame: Endgame, seat: int, other: Any) -> float:
    """The best of all pure plans of a seat, by trying each of its actions at every information state in turn.

    A best answer is found by recursion over information states, each with the deals and the chance that lead to it.
    """
    plain = Plain(endgame.game)
    own, theirs = endgame.sides[seat], endgame.sides[1 - seat]

    def views(state: Any) -> tuple[bytes, bytes]:
        return tuple(plain.observe(state, each)["observation"].tobytes() for each in range(2))  # type: ignore[return-value]

    def walk(nodes: list[tuple[Any, float, tuple[Any, ...], tuple[Any, ...], int]]) -> float:
        """The most that can still be reached from nodes that the seat cannot tell apart."""
        total, groups = 0.0, {}
        for state, chance, mine, his, sequence in nodes:
            if chance == 0:
                continue
            if plain.is_over(state):
                rewards = np.zeros(2)
                endgame.kernels.end_one(np.asarray(state).reshape(1), 0, rewards)
                total += chance * rewards[seat]
                continue
            seen = views(state)
            mine, his = (*mine, seen[seat]), (*his, seen[1 - seat])
            if plain.seat_to_move(state) == seat:
                groups.setdefault(("own", mine), []).append((state, chance, mine, his, sequence))
                continue
            legal = plain.legal_actions(state)
            place = theirs.places[remembered(endgame, 1 - seat, his)]
            for number, action in enumerate(legal):
                after = state.copy()
                plain.apply(after, action)
                then = theirs.first[place] + number
                share = other[then] / other[sequence] if other[sequence] else 0.0
                groups.setdefault(("his", mine), []).append((after, chance * share, mine, (*his, action), then))
        for (whose, _), members in groups.items():
            if whose == "his":
                total += walk(members)
                continue
            values = []
            for action in plain.legal_actions(members[0][0]):
                after_all = []
                for state, chance, mine, his, sequence in members:
                    after = state.copy()
                    plain.apply(after, action)
                    after_all.append((after, chance, (*mine, action), his, sequence))
                values.append(walk(after_all))
            total += max(values)
        return total

    assert own.parents
    return walk([(state, 1 / len(endgame.deals), (), (), 0) for state in endgame.deals])


def remembered(endgame: Endgame, seat: int, past: tuple[Any, ...]) -> int:
    """What a seat remembers, as `Endgame` numbers it: observations that change, and own actions."""
    number, last = 0, b""
    for what in past:
        if isinstance(what, bytes):
            if what != last:
                number, last = endgame._ids[number, what], what
        else:
            number = endgame._ids[number, what]
    return number


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_the_best_answer_is_that_of_a_slow_recursion(small: Endgame, seat: int, player: str) -> None:
    plans = small.plans_of(make_players([player], small.game)[0])
    worst = small.worst_case(1 - seat, plans[1 - seat])
    assert -worst == pytest.approx(slow_best(small, seat, plans[1 - seat]))


def test_cfr_is_exploited_less_and_less_and_no_player_is_better(small: Endgame) -> None:
    exploited = [small.exploitability(small.solve(iterations)) for iterations in (1, 10, 200)]
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(exploited))
    assert exploited[-1] < 0.005
    for player in make_players(["random", "greedy"], small.game):
        assert small.exploitability(small.plans_of(player)) >= -1e-9


def test_the_value_lies_between_the_worst_cases(small: Endgame) -> None:
    first, second = small.solve(200)
    assert small.worst_case(0, first) <= -small.worst_case(1, second) + 1e-9


@pytest.mark.parametrize("name", POSITIONS)
def test_every_game_has_an_endgame_that_can_be_read(name: str) -> None:
    state = find(name).texts.from_text(POSITIONS[name])
    deals = deals_of(find(name), state)
    assert 20 <= len(deals) <= 400
    assert len({deal.tobytes() for deal in deals}) == len(deals)


def test_what_is_no_endgame_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EndgameError, match="for two players"):
        Endgame(find("yaniv"), "players: 3\nseed: 7\n")
    with pytest.raises(EndgameError, match="more than 20 ways: hide fewer"):
        deals_of(find("yaniv"), find("yaniv").texts.from_text(SMALL), most=20)
    monkeypatch.setattr(endgames, "MOST_NODES", 100)
    with pytest.raises(EndgameError, match="more than 100 positions"):
        Endgame(find("yaniv"), SMALL)
    with pytest.raises(PositionError):
        Endgame(find("yaniv"), "hand 0: 3x\n")
    assert endgames.main(["--game", "canasta"]) == 1
    assert "give one with --position FILE" in capsys.readouterr().err


def test_the_command_prints_a_row_for_each_player(small: Endgame) -> None:
    lines = endgames.report(small, make_players(["greedy"], small.game), 50)
    assert lines[0].startswith("24 deals, ")
    assert [line.split(" | ")[0] for line in lines[4:]] == ["| CFR+, 50 iterations", "| greedy"]
    assert "-0.000" not in "".join(lines)
