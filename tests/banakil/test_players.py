"""Is every player found by its name, alike alone and in a batch, and blind to what its seat cannot see?"""

from __future__ import annotations

import dataclasses
import pickle
import sys

import numpy as np
import pytest
from arena_players import any_legal, first_legal

from banakil_env import agents
from banakil_env.agents import KINDS, CallablePlayer, PlayerError, choose, make_player
from banakil_env.agents.human import HumanPlayer, table_text
from banakil_env.arena import Player
from banakil_env.games import banakil
from banakil_env.listing import players

COMPILED = list(banakil.GAME.kinds)


def positions(count: int, seed: int = 0, **table) -> list:
    """States met in random play."""
    rng = np.random.default_rng(seed)
    found = []
    state = banakil.new(seed=seed, **table)
    while len(found) < count:
        if banakil.is_over(state):
            state = banakil.new(seed=int(rng.integers(2**32)), **table)
        found.append(state.copy())
        banakil.apply(state, int(rng.choice(banakil.legal_actions(state))))
    return found


def rows(states: list) -> tuple[np.ndarray, np.ndarray]:
    seen = [banakil.observe(state, banakil.seat_to_move(state)) for state in states]
    return np.stack([s["observation"] for s in seen]), np.stack([s["action_mask"] for s in seen])


@pytest.mark.parametrize("name", COMPILED)
def test_rule_based_players_have_their_names(name):
    player = make_player(name)
    assert isinstance(player, Player)
    assert player.name == name


@pytest.mark.parametrize("name", COMPILED)
def test_a_batch_is_many_single_calls(name):
    player = make_player(name)
    observations, masks = rows(positions(100, num_players=3))
    dice = np.arange(100, dtype=np.uint64)
    together = player.act(observations, masks, dice)
    alone = [int(player.act(observations[i : i + 1], masks[i : i + 1], dice[i : i + 1])[0]) for i in range(100)]
    assert together.tolist() == alone
    assert all(masks[row, action] for row, action in enumerate(together))


def test_dice_decide_what_chance_decides():
    state = positions(40)[-1]
    observation = banakil.observe(state, banakil.seat_to_move(state))
    said = {choose(make_player("random"), observation, dice) for dice in range(100)}
    assert said <= set(banakil.legal_actions(state))
    assert len(said) > 1


@pytest.mark.parametrize("name", COMPILED)
def test_goes_to_other_processes(name):
    player = pickle.loads(pickle.dumps(make_player(name)))
    observations, masks = rows(positions(10))
    dice = np.zeros(10, np.uint64)
    assert player.act(observations, masks, dice).tolist() == make_player(name).act(observations, masks, dice).tolist()


def test_any_function_is_a_player():
    state = banakil.new(seed=5)
    player = make_player(first_legal)
    assert isinstance(player, CallablePlayer)
    assert player.name == "first_legal"
    assert choose(player, banakil.observe(state, 0)) == banakil.legal_actions(state)[0]


def test_a_function_may_ask_for_dice():
    state = positions(30)[-1]
    observation = banakil.observe(state, banakil.seat_to_move(state))
    player = make_player(any_legal)
    assert choose(player, observation, 7) == choose(player, observation, 7)
    assert len({choose(player, observation, dice) for dice in range(30)}) > 1


def test_a_function_by_module():
    assert make_player("arena_players:first_legal").name == "first_legal"


def test_a_class_by_module_is_made():
    assert make_player("arena_players:Noisy").name == "noisy"


def test_a_function_in_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "my_strange_player.py"
    file.write_text("def act_first(observation, mask):\n    return int(mask.argmax())\n")
    state = banakil.new(seed=5)
    assert choose(make_player(f"{file}:act_first"), banakil.observe(state, 0)) == banakil.legal_actions(state)[0]


def test_a_player_is_itself():
    player = make_player("greedy")
    assert make_player(player) is player


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gready", "there is no player 'gready' \\(did you mean 'greedy'\\?\\): there are random, greedy"),
        ("nobody:1s", "there is no player 'nobody:1s'"),
        ("no_such_module:f", "cannot be loaded: No module named 'no_such_module'"),
        ("arena_players:nothing", "has no attribute 'nothing'"),
        ("nowhere/x.py:f", "there is no file nowhere/x.py"),
        ("human:fast", "human takes no argument, not 'fast'"),
        ("search:\u0663", "the budget of a search is playouts or time for a move, '500', '200ms' or '1s'"),
        ("search:\uff15\uff10ms", "the budget of a search is playouts or time for a move, '500', '200ms' or '1s'"),
    ],
)
def test_an_unknown_player_is_named_with_those_there_are(text, message):
    with pytest.raises(PlayerError, match=message.replace("'", ".")):
        make_player(text)


def test_a_function_that_takes_other_arguments_is_no_player():
    with pytest.raises(PlayerError, match=r"^the player lonely must take .* and takes \(observation\)$"):
        make_player(lonely)
    with pytest.raises(PlayerError, match=r"must take \(observation, mask\) or \(observation, mask, rng\)"):
        make_player(lambda observation, mask, rng, more: 0)
    assert make_player(max).name == "max"  # built in, without a signature


def lonely(observation):
    return 0


def test_something_else_is_no_player():
    with pytest.raises(PlayerError, match="a player is a name, a callable"):
        make_player(7)
    with pytest.raises(PlayerError, match=r"nameless.*; it has no `name`"):
        make_player(type("nameless", (), {"act": lambda self, *rows: None}))


def test_a_kind_is_a_line_in_the_table(monkeypatch):
    monkeypatch.setitem(KINDS, "noisy", "arena_players:make_noisy")
    monkeypatch.setattr(
        sys.modules["arena_players"], "make_noisy", lambda argument, game: arena_noisy(int(argument)), raising=False
    )
    assert make_player("noisy:7").name == "noisy:7"
    assert "noisy" in agents.player_names()
    with pytest.raises(PlayerError, match="the player 'noisy:x' cannot be made"):
        make_player("noisy:x")


def test_an_error_is_said_once(monkeypatch):
    monkeypatch.setitem(KINDS, "through", "arena_players:make_through")
    monkeypatch.setattr(
        sys.modules["arena_players"], "make_through", lambda argument, game: make_player(argument, game), raising=False
    )
    with pytest.raises(PlayerError) as error:
        make_player("through:net:nowhere")
    assert str(error.value).count("cannot be made") == 1


def test_the_list_of_players_names_the_game_and_how_to_name_another(capsys):
    players("yaniv")
    assert capsys.readouterr().out.startswith("Players of Yaniv; --game NAME lists those of another game.\n")


def arena_noisy(every: int):
    from arena_players import Noisy

    return Noisy(every, f"noisy:{every}")


def person(*lines: str) -> tuple[HumanPlayer, list[str]]:
    said: list[str] = []
    answers = iter(lines)
    return HumanPlayer(banakil.GAME, lambda prompt: next(answers), said.append), said


def test_a_person_sees_the_table_and_the_moves():
    state = banakil.from_text(
        "hand 0: 3c 4c 9d JK\nhand 1: 5s 6s\nknown 1: 5s\nmelds 0: 7h 8h 9h 2c\nmelds 1: Ac Ad JK\npile: 5c Kd"
    )
    player, said = person("take 2")
    assert choose(player, banakil.observe(state, 0)) == banakil.parse_action("take 2")
    text = "\n".join(said)
    for line in (
        "Seat 0 is to draw or take",
        "pile  1:Kd  2:5c",
        "    hand   3c 4c   9d   JK",
        "    melds  [0] 7h 8h 9h 2c",
        "  seat 1, dealer, 2 cards",
        "    known  5s",
        "    melds  [1] Ac Ad JK",
        "moves: draw, take 1, take 2",
    ):
        assert line in text, text


def test_a_person_is_shown_the_fields_of_a_game_without_hooks_for_search():
    game = dataclasses.replace(banakil.GAME, search=None)
    state = banakil.new(seed=5)
    text = table_text(game, banakil.observe(state, 0)["observation"])
    assert f"stock_size: {state.stock_size}" in text.splitlines()


def test_players_are_those_of_the_game():
    game = dataclasses.replace(banakil.GAME, players={"random": banakil.GAME.players["random"]}, search=None)
    assert agents.player_names(game) == ["random", *KINDS]
    assert agents.player_names() == agents.player_names("banakil") == [*COMPILED, *KINDS]
    with pytest.raises(PlayerError, match="there is no player 'expert': there are random, hub"):
        make_player("expert", game)
    with pytest.raises(PlayerError, match="Banakil cannot be searched: it has no hooks for search"):
        make_player("search:1", game)
    with pytest.raises(ValueError, match="there is no game 'bridge'; there are banakil"):
        make_player("expert", "bridge")


def test_a_person_may_write_the_beginning_and_is_told_of_mistakes():
    state = banakil.from_text("hand 0: 3c 4c 9d JK\nhand 1: 5s 6s\npile: 5c Kd")
    player, said = person("tak", "discard 3c", "", "dr")
    assert choose(player, banakil.observe(state, 0)) == banakil.parse_action("draw")
    assert "'tak' may be take 1, take 2" in said[2]
    assert "'discard 3c' is not among the legal moves" in said[3]
