"""Can those who watch players choose how fast they move, and nobody else?"""

from __future__ import annotations

import asyncio
import time

import pytest
from served import DEADLINE, Answered, Served

from banakil_env.web.pace import Pace


def halted(server: Served) -> str:
    """The key of a table of players alone that halts after the deal, or soon after it."""
    (key,) = server.table("rummy", ["greedy", "greedy"], seed=3, pause=5000).values()
    server.post("/api/table/pace", {"pause": 5000, "halted": True}, key)
    return key


def moves(server: Served, key: str) -> int:
    return int(server.get("/api/table", key)["moves"])


def test_a_halted_table_makes_single_moves_alone(server: Served) -> None:
    key = halted(server)
    before = moves(server, key)
    assert server.get("/api/table", key)["halted"]
    for number in range(1, 4):
        server.post("/api/table/step", {}, key)
        assert moves(server, key) == before + number
    time.sleep(0.2)
    assert moves(server, key) == before + 3


def test_who_waits_for_a_pause_is_told_of_another_pace_at_once() -> None:
    async def wait() -> bool:
        pace = Pace(3600.0)
        waiting = asyncio.create_task(pace.passed())
        await asyncio.sleep(0)  # the task waits now
        pace.change(0, halted=False)
        assert not await asyncio.wait_for(waiting, DEADLINE)
        return await pace.passed()

    assert asyncio.run(wait())


def test_a_table_goes_on_at_another_pace(server: Served) -> None:
    (key,) = server.table("rummy", ["greedy", "greedy"], seed=3, pause=5000).values()
    server.post("/api/table/pace", {"pause": 0}, key)
    assert server.wait(key)["over"]


def test_single_moves_are_not_made_while_the_table_runs_or_is_over(server: Served) -> None:
    (key,) = server.table("rummy", ["greedy", "greedy"], seed=3, pause=5000).values()
    with pytest.raises(Answered, match="while the table is halted"):
        server.post("/api/table/step", {}, key)
    server.post("/api/table/pace", {"pause": 0}, key)
    server.wait(key)
    for path, body in (("step", {}), ("pace", {"pause": 100})):
        with pytest.raises(Answered, match="the game is over"):
            server.post(f"/api/table/{path}", body, key)


@pytest.mark.parametrize(
    "body", [{}, {"halted": True}, {"pause": None}, {"pause": -1}, {"pause": 5001}, {"pause": "slow"}, {"pause": 1.5}]
)
def test_a_pace_is_a_time_or_a_halt(server: Served, body: dict[str, object]) -> None:
    with pytest.raises(Answered, match=r"400: .*pause"):
        server.post("/api/table/pace", body, halted(server))


def test_a_person_does_not_choose_the_pace_of_the_others(server: Served) -> None:
    key = server.table("rummy", [None, "greedy"], seed=3)[0]
    for path, body in (("step", {}), ("pace", {"pause": 0})):
        with pytest.raises(Answered, match=r"403: .*players alone"):
            server.post(f"/api/table/{path}", body, key)


def test_a_restart_keeps_the_halt_and_the_moves(server: Served) -> None:
    key = halted(server)
    for _ in range(3):
        server.post("/api/table/step", {}, key)
    server.post("/api/table/pace", {"pause": 100, "halted": True}, key)
    before = moves(server, key)
    server.kill()
    server.start()
    view = server.get("/api/table", key)
    assert (view["moves"], view["halted"], view["pause"]) == (before, True, 100)
