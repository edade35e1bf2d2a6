"""The courses of studied games: a player's expectation at each step, computed while pages show it.

A course belongs to a study, a player and a seat. Its steps are computed in the thread that answers questions about
studies, in short slices, so that no question waits for a whole course. The computation continues as long as a page
requests the course, up to COURSE_SECONDS of computing time. Finished steps are kept in memory.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from banakil_env.arena.ask import PlayerFailed
from banakil_env.study.course import ByValue, Forecaster, Playouts, results_of, steps_of
from banakil_env.web import views
from banakil_env.web.limits import (
    COURSE_SECONDS,
    COURSE_SLICE,
    COURSE_STEPS,
    LOOKED_SECONDS,
    MAX_COURSES,
    MAX_COURSES_MADE,
)
from banakil_env.web.protocol import FULL, UNKNOWN, CourseWanted, Refused
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Study
from banakil_env.web.turns import Turns


class Course:
    """The course of one game for a seat, as far as it has been computed.

    Attributes:
        steps: steps in the form of `views.step_view`, in the order of computation: from coarse to fine.
        results: the margin of the seat at the end of each round.
        total: the number of steps in the whole course.
        problem: why the computation stopped; "" without a problem.
        seconds: the computing time so far.
        looked: the time of a page's last request, by `time.monotonic`.
    """

    def __init__(self, seat: int, player: str) -> None:
        self.seat, self.player = seat, player
        self.steps: list[dict[str, Any]] = []
        self.results: list[dict[str, Any]] = []
        self.total, self.problem, self.done = 0, "", False
        self.seconds, self.looked = 0.0, time.monotonic()
        self.task: asyncio.Task[None] | None = None
        self._forecaster: Forecaster | None = None
        self._left: Iterator[int] = iter(())

    @property
    def is_made(self) -> bool:
        """Whether a thread is computing the course."""
        return self.task is not None and not self.task.done()

    def view(self, since: int) -> dict[str, Any]:
        """The answer to a page that already has `since` steps.

        Another thread can add steps meanwhile, so `done` is read first: a page sends no further request after an answer
        with `done`, and this answer must contain all steps.
        """
        done, made = self.done, self._forecaster
        return {
            "seat": self.seat,
            "player": self.player,
            "steps": self.steps[since:],
            "results": self.results,
            "total": self.total,
            "done": done,
            "seconds": COURSE_SECONDS if self.seconds >= COURSE_SECONDS else None,
            "problem": self.problem,
            "inPoints": made is None or made.in_points,
            "basis": "" if made is None else made.basis,
        }

    def work(self, study: Study, sitters: Sitters) -> None:
        """Compute at least one step, and more steps for COURSE_SLICE seconds. One thread at a time calls this."""
        begun, ended, first = time.perf_counter(), False, self._forecaster is None
        try:
            if first:
                self._begin(study, sitters)
            ended = not self._make(study)
            if first:
                begun = time.perf_counter()  # compiling in the first step does not count
            while not ended and time.perf_counter() - begun < COURSE_SLICE:
                ended = not self._make(study)
        except (ValueError, PlayerFailed, Refused) as error:
            self.problem = str(error)
        self.seconds += time.perf_counter() - begun
        # Set last, since a page can read the course meanwhile.
        self.done = ended or bool(self.problem) or self.seconds >= COURSE_SECONDS

    def _begin(self, study: Study, sitters: Sitters) -> None:
        found = results_of(study.game, study.states, study.moves)
        self.results = [{"at": at, "margin": margins[self.seat]} for at, margins in found.items()]
        if self.player in study.game.players:
            made: Forecaster = Playouts(study.game, self.player)
        else:
            made = ByValue(study.game, sitters.find(self.player, study.game, study.seats, advises=True))
        places = [at for at in range(len(study.states)) if not made.own_only or study.mover(at) == self.seat]
        places = [at for at in places if study.mover(at) is not None]
        self.total = min(len(places), COURSE_STEPS)
        self._left = (places[number] for number in steps_of(len(places), COURSE_STEPS))
        self._forecaster = made

    def _make(self, study: Study) -> bool:
        """Compute the next step; returns False if all steps have been computed."""
        at = next(self._left, None)
        if at is None:
            return False
        assert self._forecaster is not None
        played = study.moves[at][1] if at < len(study.moves) and study.moves[at][0] == self.seat else None
        step = self._forecaster.step(study.states[at], self.seat, played)
        if step is None:
            self.total -= 1
        else:
            self.steps.append(views.step_view(study.game, at, step))
        return True


class Courses:
    """The courses of a server.

    Args:
        sitters: the players whose expectation can be shown.
        turns: the threads and queues for slow work.
    """

    def __init__(self, sitters: Sitters, turns: Turns) -> None:
        self._sitters, self._turns = sitters, turns
        self._kept: OrderedDict[tuple[str, str, int], Course] = OrderedDict()

    def offers(self, study: Study) -> list[dict[str, Any]]:
        """The players that pages can choose: rule-based players, the strongest first; then agents."""
        game = study.game
        offered = {each["name"]: each for each in self._sitters.offers(game, study.seats)}
        ruled = game.settled_players[::-1] if game.search is not None else ()
        agents = [name for name in offered if name not in game.players and not name.startswith("search:")]
        return [{"name": name, "label": offered[name]["label"]} for name in [*ruled, *agents]]

    async def look(self, study: Study, wanted: CourseWanted) -> dict[str, Any]:
        """The answer to a page that requests a course (`Course.view`).

        Starts or continues the computation of the course. Raises Refused if there is no such course, or too many
        courses are being computed.
        """
        if wanted.seat >= study.seats:
            raise Refused(f"there is no seat {wanted.seat}: {study.seats} play, seats from 0 on", UNKNOWN)
        offered = [each["name"] for each in self.offers(study)]
        if wanted.player not in offered:
            raise Refused(f"{wanted.player!r:.60} gives no course of this game; there are {', '.join(offered)}")
        key = (study.id, wanted.player, wanted.seat)
        course = self._kept.get(key) or Course(wanted.seat, wanted.player)
        course.looked = time.monotonic()
        if not course.done and not course.is_made:
            if sum(each.is_made for each in self._kept.values()) >= MAX_COURSES_MADE:
                raise Refused(f"the courses of {MAX_COURSES_MADE} games are being made: try again later", FULL)
            course.task = asyncio.create_task(self._make(course, study))
        self._kept[key] = course
        self._kept.move_to_end(key)
        for old in [each for each, kept in self._kept.items() if not kept.is_made]:
            if len(self._kept) > MAX_COURSES:
                del self._kept[old]
        return course.view(wanted.since)

    async def _make(self, course: Course, study: Study) -> None:
        """Compute a course as long as a page requests it."""
        while not course.done and time.monotonic() - course.looked < LOOKED_SECONDS:
            await self._turns.thread("studies", course.work, study, self._sitters)
