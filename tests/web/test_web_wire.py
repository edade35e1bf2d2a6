"""Is nothing sent to a page but what its seat may see? On the wire, in every game, at every move."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from served import Answered, Served

from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import replay_states
from banakil_env.render.scenes import scene_of
from banakil_env.web.views import scene_view

every_game = pytest.mark.parametrize("name", GAMES)


def branched(server: Served, plain: Plain, state: Any, seat: int, players: int) -> str:
    """The key of a seat at a table that begins with this position; nobody moves, since persons have all seats."""
    made = server.post("/api/studies", {"text": plain.to_text(state), "game": plain.game.name})
    seats = [{"name": "Ann"} for _ in range(players)]
    keys = server.post(f"/api/studies/{made['study']}/0/branch", {"seats": seats})["keys"]
    return str(keys[str(seat)])


@every_game
def test_hidden_cards_dealt_anew_change_no_byte(name: str, server: Served) -> None:
    plain = Plain(find(name))
    players = plain.game.seats[-1]
    rng, state = np.random.default_rng(5), plain.new(players, seed=5)
    for _ in range(2):
        for _ in range(int(rng.integers(3, 25))):
            action = int(rng.choice(plain.legal_actions(state)))
            before = state.copy()
            plain.apply(state, action)
            if plain.is_over(state):
                state = before
                break
        for seat in range(min(players, 3)):
            other = plain.redeal_hidden(state, seat, 77)
            sent = [
                server.request("GET", "/api/table", key=branched(server, plain, each, seat, players))
                for each in (state, other)
            ]
            assert sent[0] == sent[1]
            assert sent[0][0] == 200


@every_game
def test_a_game_as_it_is_sent(name: str, server: Served, amount: Callable[[int, int, int], int]) -> None:
    """Every line that a seat was sent is the scene of that seat; the record says what the scene was.

    A long round is stopped, after a hundred moves in a short run.
    """
    game = find(name)
    seats = game.seats[0]
    key = server.table(name, [None, *["random"] * (seats - 1)], seed=11)[0]
    lines, views, stopped = server.news(key), [], False
    for line in lines:
        view = json.loads(line)
        views.append(view)
        if view["over"]:
            break
        if view["moves"] > amount(100, 1500, 1500) and not stopped:
            server.post("/api/table/stop", {}, key)
            stopped = True
        elif view["actions"] and not stopped:
            action = view["actions"][-1]["id"]
            server.post("/api/table/move", {"action": action, "version": view["version"]}, key)
    states = replay_states(game, server.request("GET", "/api/table/record", key=key)[1].decode())
    assert len(views) > 3
    for view in views:
        seat = None if view["over"] else 0
        scene = scene_view(scene_of(game, states[view["moves"]][0], seat))
        assert {part: view[part] for part in scene} == json.loads(json.dumps(scene))
        assert all(area["cards"] == [] for area in view["areas"] if area["name"] == "stock" and not view["over"])


def test_the_record_tells_all_hands_and_is_given_at_the_end_only(server: Served) -> None:
    key = server.table("rummy", [None, "greedy"], seed=3)[0]
    with pytest.raises(Answered, match="403: the record shows all hands"):
        server.get("/api/table/record", key)
    server.post("/api/table/stop", {}, key)
    status, text = server.request("GET", "/api/table/record", key=key)
    assert status == 200
    assert b"seed: 3" in text
    assert server.get("/api/table", key)["seats"][1]["hand"] is not None


def test_at_a_table_of_players_those_who_watch_see_all(server: Served) -> None:
    (key,) = server.table("gin", ["random", "random"], seed=3).values()
    view = server.wait(key)
    assert view["seat"] is None
    assert view["over"]
    assert all(seat["hand"] is not None for seat in view["seats"])
