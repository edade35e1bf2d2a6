"""Does a course grow within its limits, judge moves by the seat's own knowledge, and do beliefs show nothing hidden?"""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from served import DEADLINE, Answered, Served

from banakil_env.arena.players import Explanation
from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.play.session import Session
from banakil_env.study import course
from banakil_env.study.course import ByValue, Playouts, results_of, steps_of
from banakil_env.study.hands import believed_hands
from banakil_env.web import courses
from banakil_env.web.courses import Courses
from banakil_env.web.protocol import CourseWanted, Refused
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies, Study
from banakil_env.web.turns import Turns

KINGS = """
rules: denexa
players: 2
turn: seat 0, play
hand 0: Kc Kh Ks 4d
hand 1: 7c 4s 7h 8d 9s Qd 2h Ts Js Qs
pile: 2c 3d
stock: Ac 3c 4c 5c 6c 8c 9c Tc Jc Qc Ad 2d 5d 6d 7d 9d Td Jd Kd Ah 3h 4h 5h 6h 8h 9h Th Jh Qh As 2s 3s 5s 6s 7s 8s
"""


def played(name: str, *players: str, seed: int = 5, **options: Any) -> Session:
    """A game that has been played to its end."""
    session = Session.deal(name, players, seed=seed, options=options)
    while session.player_to_move is not None:
        session.move_player()
    return session


def states_of(session: Session) -> Any:
    return np.concatenate([move.state for move in session.moves] + [np.asarray(session.state).reshape(1)])


def differs(session: Session, again: Any, state: Any) -> bool:
    """Whether another deal is a position, and another one."""
    plain = session.plain
    return plain.check(again[0]) is None and plain.to_text(again[0]) != plain.to_text(state[0])


@pytest.fixture(scope="module")
def rummy() -> Session:
    return played("rummy", "expert", "random")


# What is expected -----------------------------------------------------------------------------------------------------


def test_steps_go_from_coarse_to_fine_and_each_is_made_once() -> None:
    for count in (0, 1, 2, 3, 7, 8, 9, 100):
        assert sorted(steps_of(count, 1000)) == list(range(count))
    assert list(steps_of(9, 1000)) == [0, 8, 4, 2, 6, 1, 3, 5, 7]
    assert sorted(steps_of(1000, 8)) == list(range(0, 1000, 128))


def test_a_move_that_breaks_a_meld_loses_and_the_best_move_does_not() -> None:
    """To lay the Kings and to discard the 4 goes rummy; to break them loses."""
    game = find("rummy")
    plain, forecaster = Plain(game), Playouts(game, "expert")
    state = plain.from_text(KINGS)
    steps = [forecaster.step(state, 0, plain.parse_action(move)) for move in ("discard Kc", "open Kc Kh Ks")]
    bad, good = (step.loss for step in steps if step is not None)
    assert bad is not None
    assert plain.action_text(bad.best) == "open Kc Kh Ks"
    assert bad.mean > course.SURE * bad.error > 0
    assert good is None


def test_what_is_expected_depends_on_what_the_seat_sees_alone(rummy: Session) -> None:
    forecaster, checked = Playouts(rummy.game, "greedy"), 0
    for number in range(3, len(rummy.moves), 12):
        move = rummy.moves[number]
        for seat in (0, 1):
            action = move.action if seat == move.seat else None
            again = move.state.copy()
            kernels_of(rummy.game).redeal_hidden_one(again, seat, seed_word(number))
            if (
                rummy.plain.to_text(again[0]) != rummy.plain.to_text(move.state[0])
                and rummy.plain.check(again[0]) is None
            ):
                assert forecaster.step(again[0], seat, action) == forecaster.step(move.state[0], seat, action)
                checked += 1
    assert checked > 2


def test_the_results_of_a_match_are_its_score_after_each_round() -> None:
    session = played("gin", "greedy", "greedy", episode="match")
    moves = [(move.seat, move.action) for move in session.moves]
    found = results_of(session.game, states_of(session), moves)
    assert len(session.rounds()) > 1
    assert list(found) == [each.move + 1 for each in session.rounds()]
    score = 0
    for each, margins in [*zip(session.rounds(), found.values())][:-1]:  # the end of a match has points of its own
        score += each.points[0] - each.points[1]
        assert margins[:2] == [score, -score]


class Sure:
    """An agent that gives every position the value of its number of legal moves."""

    name = "sure"

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """The first legal action."""
        return np.argmax(masks, axis=1)

    def explain(self, observation: Any, mask: Any, dice: int) -> Explanation:
        """The value."""
        return Explanation(int(np.argmax(mask)), value=float(mask.sum()))


def test_the_value_of_an_agent_has_no_error_and_judges_no_move(rummy: Session) -> None:
    move = rummy.moves[4]
    step = ByValue(rummy.game, Sure()).step(move.state[0], move.seat, move.action)
    legal = rummy.plain.legal_actions(move.state[0])
    assert step == course.Step(float(len(legal)), None, None)
    with pytest.raises(ValueError, match="gives no value of a position"):
        ByValue(rummy.game, find_player(rummy, "greedy")).step(move.state[0], move.seat, move.action)


def find_player(session: Session, name: str) -> Any:
    return Sitters().find(name, session.game, 2)


# Beliefs --------------------------------------------------------------------------------------------------------------


def test_beliefs_are_the_same_whatever_is_hidden(rummy: Session) -> None:
    checked = 0
    for number in range(2, len(rummy.moves), 9):
        state = rummy.moves[number].state
        for seat in (0, 1):
            again = state.copy()
            kernels_of(rummy.game).redeal_hidden_one(again, seat, seed_word(number))
            if differs(rummy, again, state):
                assert believed_hands(rummy.game, again[0], seat) == believed_hands(rummy.game, state[0], seat)
                checked += 1
    assert checked > 2


def in_the_middle(game: Game, players: int) -> Session:
    """A table after seven moves of `greedy`; a round of Tonk may be over sooner, and another is dealt."""
    for seed in range(2, 20):
        session = Session.deal(game, ["greedy"] * players, seed=seed)
        while session.player_to_move is not None and len(session.moves) < 7:
            session.move_player()
        if session.player_to_move is not None:
            return session
    raise AssertionError("every round is over after seven moves")


@pytest.mark.parametrize("name", GAMES)
def test_beliefs_fill_the_hands_at_every_table(name: str) -> None:
    """At a table of three if the game has one, for a seat to move and for one that is not: hands of the right size."""
    game = find(name)
    players = 3 if 3 in game.seats else game.seats[0]
    session = in_the_middle(game, players)
    mover = session.seat_to_move
    assert mover is not None
    for seat in (mover, (mover + 1) % players):
        found = believed_hands(game, session.state, seat)
        scene = game.scene(session.state, None)
        assert sorted(found.counts) == [other for other in range(players) if other != seat]
        for other, counts in found.counts.items():
            assert sum(counts.values()) == pytest.approx(scene.seats[other].size)
            assert all(0 < share <= min(1, counts[card]) for card, share in found.shares[other].items())


# The server -----------------------------------------------------------------------------------------------------------


def made_of(folder: Path, text: str) -> tuple[Study, Courses]:
    return asyncio.run(Studies(folder, Turns()).open(text, None)), Courses(Sitters(), Turns())


def whole(server: Served, study: str, player: str, seat: int) -> dict[str, Any]:
    """A course, asked for until it is made; its steps in order."""
    steps: list[Any] = []
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        found = server.post(f"/api/studies/{study}/course", {"player": player, "seat": seat, "since": len(steps)})
        steps += found["steps"]
        if found["done"]:
            return {**found, "steps": sorted(steps, key=lambda step: step["at"])}
        time.sleep(0.05)
    raise AssertionError("the course does not end")


@pytest.fixture(scope="module")
def study(server: Served, rummy: Session) -> str:
    return server.post("/api/studies", {"text": rummy.record()})["study"]


def test_a_course_has_every_step_and_ends_with_the_result(server: Served, study: str, rummy: Session) -> None:
    found = whole(server, study, "expert", 1)
    assert [step["at"] for step in found["steps"]] == list(range(len(rummy.moves)))
    assert found["problem"] == ""
    assert found["basis"].endswith("rounds played out by `expert` in 96 deals")
    points = rummy.rounds()[-1].points
    assert found["results"] == [{"at": len(rummy.moves), "margin": points[1] - points[0]}]
    forecaster = Playouts(rummy.game, "expert")
    for at in (0, 20):
        move = rummy.moves[at]
        step = forecaster.step(move.state[0], 1, move.action if move.seat == 1 else None)
        assert step is not None
        assert found["steps"][at]["value"] == pytest.approx(step.value)
    lost = [step for step in found["steps"] if "loss" in step]
    assert lost
    assert all(rummy.moves[step["at"]].seat == 1 and step["loss"] > 2 * step["lossError"] for step in lost)
    assert whole(server, study, "expert", 1) == found  # kept: no further step is made


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"player": "random", "seat": 0}, "'random' gives no course of this game; there are expert, greedy"),
        ({"player": "net:/etc/passwd", "seat": 0}, "gives no course"),
        ({"player": "search:100", "seat": 0}, "gives no course"),
        ({"player": "expert", "seat": 2}, "404: there is no seat 2"),
        ({"player": "expert"}, "'seat' is missing"),
        ({"player": "expert", "seat": 0, "since": -1}, "'since' must be a whole number"),
        ({"player": "expert", "seat": 0, "x": 1}, "there is no 'x' here"),
    ],
)
def test_courses_that_cannot_be(server: Served, study: str, body: dict[str, Any], why: str) -> None:
    with pytest.raises(Answered) as error:
        server.post(f"/api/studies/{study}/course", body)
    assert why in str(error.value)


def test_beliefs_of_a_seat_are_served_and_nothing_else(server: Served, study: str, rummy: Session) -> None:
    found = server.get(f"/api/studies/{study}/9/beliefs?seat=1")
    assert set(found) == {"basis", "deals", "hands"}
    (hand,) = found["hands"]
    assert hand["seat"] == 0
    assert {card for card, *_ in hand["cards"]}.isdisjoint(rummy.game.scene(rummy.moves[9].state[0], 1).seats[1].held())
    for path, why in (
        ("9/beliefs?seat=2", "404"),
        ("999/beliefs?seat=0", "404"),
        (f"{len(rummy.moves)}/beliefs", "400"),
    ):
        with pytest.raises(Answered, match=why):
            server.get(f"/api/studies/{study}/{path}")


# Limits ---------------------------------------------------------------------------------------------------------------


def looked(made: Courses, study: Study, *wanted: CourseWanted, rounds: int = 1) -> list[dict[str, Any]]:
    """What a page is sent that asks for courses one after the other; between rounds all that were begun are made."""

    async def ask() -> list[dict[str, Any]]:
        found = []
        for _ in range(rounds):
            found += [await made.look(study, each) for each in wanted]
            while any(each.is_made for each in made._kept.values()):
                await asyncio.sleep(0.01)
        return found

    return asyncio.run(ask())


def test_a_course_stops_when_nobody_looks_and_goes_on_when_somebody_does(
    tmp_path: Path, rummy: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "LOOKED_SECONDS", 0.0)
    study, made = made_of(tmp_path, rummy.record())
    first, second = looked(made, study, CourseWanted("greedy", 0, 0), rounds=2)
    assert (len(first["steps"]), first["done"]) == (0, False)
    assert (len(second["steps"]), second["done"]) == (0, False)
    monkeypatch.setattr(courses, "LOOKED_SECONDS", 60.0)
    *_, last = looked(made, study, CourseWanted("greedy", 0, 0), rounds=2)
    assert last["done"]
    assert len(last["steps"]) == len(rummy.moves)


def test_a_course_that_ends_while_a_page_is_answered_is_not_told_as_done() -> None:
    """Its page would not ask again, and would lack the last step."""
    course = courses.Course(0, "expert")

    class Ending(list[Any]):
        def __getitem__(self, part: Any) -> Any:
            found = super().__getitem__(part)
            course.steps, course.done = [*self, {"at": 1}], True  # by the thread that computes steps
            return found

    course.steps = Ending([{"at": 0}])
    first, last = course.view(0), course.view(1)
    assert (first["steps"], first["done"]) == ([{"at": 0}], False)
    assert (last["steps"], last["done"]) == ([{"at": 1}], True)


def test_a_course_has_a_limit_of_thinking_and_of_steps(
    tmp_path: Path, rummy: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, made = made_of(tmp_path, rummy.record())
    monkeypatch.setattr(courses, "COURSE_STEPS", 5)
    *_, few = looked(made, study, CourseWanted("greedy", 0, 0), rounds=2)
    assert few["done"]
    assert [step["at"] for step in few["steps"]] == [0, 32, 16, 48, 8]
    monkeypatch.setattr(courses, "COURSE_SECONDS", 0.0)
    monkeypatch.setattr(courses, "COURSE_SLICE", 0.0)
    *_, short = looked(made, study, CourseWanted("greedy", 1, 0), rounds=2)
    assert short["done"]
    assert [step["at"] for step in short["steps"]] == [0]
    assert short["seconds"] == 0.0


def test_courses_are_made_a_few_at_a_time_and_the_oldest_is_forgotten(
    tmp_path: Path, rummy: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(courses, "COURSE_STEPS", 1)
    monkeypatch.setattr(courses, "MAX_COURSES", 2)
    study, made = made_of(tmp_path, rummy.record())
    wanted = [CourseWanted(player, seat, 0) for player, seat in itertools.product(("greedy", "expert"), (0, 1))]
    for each in wanted:
        looked(made, study, each)
    assert [(player, seat) for _, player, seat in made._kept] == [("expert", 0), ("expert", 1)]
    monkeypatch.setattr(courses, "MAX_COURSES_MADE", 0)
    with pytest.raises(Refused, match="are being made: try again later"):
        looked(made, study, wanted[0])
    assert looked(made, study, wanted[3])[0]["done"]  # what was made is shown all the same


def test_a_question_does_not_wait_for_a_whole_course(
    tmp_path: Path, rummy: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps are made a slice at a time in the queue in which questions wait."""
    monkeypatch.setattr(courses, "COURSE_SLICE", 0.0)  # a slice is one step: no clock decides this test
    study, turns = asyncio.run(Studies(tmp_path, Turns()).open(rummy.record(), None)), Turns()
    made = Courses(Sitters(), turns)

    async def ask() -> tuple[int, bool]:
        await made.look(study, CourseWanted("expert", 0, 0))
        while not (steps := (await made.look(study, CourseWanted("expert", 0, 0)))["steps"]):
            await asyncio.sleep(0.01)
        await turns.thread("studies", len, "a question")
        now = await made.look(study, CourseWanted("expert", 0, 0))
        return len(now["steps"]) - len(steps), now["done"]

    more, done = asyncio.run(ask())
    assert not done
    assert more <= 2  # a slice before the question and one after it
