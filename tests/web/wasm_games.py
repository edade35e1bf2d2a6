"""Games that Python and JavaScript play from the same seeds: what Python has played, and Node as the other player."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from banakil_env.arena.players import Explanation, make_player
from banakil_env.browser.module import described, module_of
from banakil_env.browser.network import moves_of, network_file, packed_network
from banakil_env.browser.program import program_of
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, OVER, kernels_of
from banakil_env.core.players import players_of
from banakil_env.core.random import seed_word
from banakil_env.play.names import OF_ALL_GAMES
from banakil_env.play.session import Session
from banakil_env.text.rules import rules_text
from banakil_env.web import views
from banakil_env.web.table import Table

NODE = shutil.which("node")
PROGRAM = Path(__file__).with_name("wasm_games.mjs")
SCRIPTS = Path(__file__).parents[2] / "banakil_env" / "browser" / "script"
MOST_MOVES = 20_000
NEAREST = re.compile(r" \(did you mean .*?\?\)")


def game_played(game: Game, options: dict[str, Any], players: list[str], seed: int) -> dict[str, Any]:
    """A game by the libraries of this machine: the dice, the actions and the last state.

    Args:
        players: compiled players, or the network of all games.
    """
    states = game.new(num_players=len(players), **options)
    start = base64.b64encode(states.tobytes()).decode()
    kernels, decide = kernels_of(game), players_of(game).decide_many
    kernels.start_one(states, seed_word(seed))
    observation, mask = np.empty(1, game.observation), np.empty((1, game.num_actions), np.int8)
    generator, chosen = np.zeros(1, GENERATOR), np.empty(1, np.int64)
    network = make_player(OF_ALL_GAMES, game) if OF_ALL_GAMES in players else None
    random, seat = np.random.default_rng(seed), int(states[0].seat)
    dice: list[str] = []
    actions: list[int] = []
    while seat != OVER and len(actions) < MOST_MOVES:
        bits = random.integers(0, 2**64, dtype=np.uint64)
        kernels.observe_one(states, seat, observation, mask[0])
        if network is not None and players[seat] == OF_ALL_GAMES:
            chosen = network.act(observation.view(np.uint8)[None], mask, np.array([bits]))
        else:
            decide(game.kind_of(players[seat]), observation, mask, np.array([bits]), generator, chosen)
        seat = kernels.apply_one(states, int(chosen[0]))
        dice.append(str(bits))
        actions.append(int(chosen[0]))
    rewards = np.zeros(len(players))
    kernels.end_one(states, 0, rewards)
    return {
        "start": start,
        "seed": str(seed),
        "players": players,
        "dice": dice,
        "actions": actions,
        "end": base64.b64encode(states.tobytes()).decode(),
        "rewards": rewards.tolist(),
    }


def played_in_node(game: Game, games: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The same games by the WebAssembly module in Node, from their starts, seeds, players and dice alone."""
    assert NODE is not None
    given = [{key: each[key] for key in ("start", "seed", "players", "dice")} for each in games]
    (folder / "module.wasm").write_bytes(module_of(game))
    file = network_file()
    assert file is not None
    about, weights = packed_network(file)
    network = {"name": OF_ALL_GAMES, "about": about, "moves": moves_of(game)}
    (folder / "games.json").write_text(json.dumps({"about": described(game), "games": given, "network": network}))
    (folder / "network.bin").write_bytes(weights)
    for script in ("machine", "network"):
        shutil.copy(SCRIPTS / f"{script}.js", folder / f"{script}.mjs")
    shutil.copy(PROGRAM, folder / "play.mjs")
    made = subprocess.run([NODE, "play.mjs"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert made.returncode == 0, made.stderr
    found: list[dict[str, Any]] = json.loads(made.stdout)
    return found


def table_of(session: Session) -> Any:
    """A table of this game, as far as its views need one."""
    return SimpleNamespace(
        **{"session": session, "is_over": session.seat_to_move is None, "version": 7, "followers": {0: 1}},
        **{"practice": True, "adviser": SimpleNamespace(name="expert"), "stopped": False, "failed": ""},
        **{"why_stopped": "", "trouble": "", "rematch": {}, "pace": SimpleNamespace(pause=0.6, halted=False)},
    )


def session_shown(
    game: Game, options: dict[str, Any], player: str, seats: int, seed: int, moves: int
) -> dict[str, Any]:
    """A game as Python shows it after each move, to one viewer after the other: what is given to Node, and what is
    expected of it.
    """
    session = Session.deal(game, [player] * seats, seed=seed, options=options)
    steps: list[tuple[int, int, int]] = []  # the action, the seat that looks on (WATCH: all hands), known moves
    shown = []
    while session.player_to_move is not None and len(steps) < moves:
        action = session.move_player().action
        steps.append((action, len(steps) % (seats + 1) - 1, max(0, len(session.moves) - 2)))
        shown.append(Table.view(table_of(session), *steps[-1][1:]))
    typed = [game.actions.texts[0], game.actions.texts[-1], "discard Zz"]
    table = table_of(session)
    preset = [each for each in game.rules.presets if _is_for(game, each, seats)][-1]
    given = {"seats": seats, "seed": seed, "options": options, "players": [player] * seats, "steps": steps}
    given |= {"typed": typed, "preset": preset}
    with pytest.raises(ValueError) as refused:
        game.new(num_players=seats, rules="no such rules")
    expected = {
        "views": shown,
        "record": session.record(),
        # Spelling is compared without the nearest texts, which the page does not offer.
        "why": [NEAREST.sub("", Table.why(table, session.seat_to_move or 0, text)) for text in typed],
        "hint": views.explanation_view(game, player, Explanation(0)),
        "rules": rules_text(game, preset, num_players=seats, **options),
        "refused": NEAREST.sub("", str(refused.value)),
    }
    return {"given": given, "expected": json.loads(json.dumps(expected))}  # lists for tuples, as a page gets them


def _is_for(game: Game, preset: str, seats: int) -> bool:
    """Whether this number of players can play by these rules: a small pack is not for many."""
    try:
        game.new(num_players=seats, rules=preset)
    except ValueError:
        return False
    return True


def shown_in_node(game: Game, games: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The same by the translated functions in Node."""
    assert NODE is not None
    for script in SCRIPTS.glob("*.js"):
        shutil.copy(script, folder)
    (folder / "program.js").write_text(program_of([game]), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "module.wasm").write_bytes(module_of(game))
    (folder / "games.json").write_text(json.dumps({"game": game.name, "about": described(game), "games": games}))
    shutil.copy(PROGRAM.with_name("wasm_views.mjs"), folder / "views.js")
    made = subprocess.run([NODE, "views.js"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert made.returncode == 0, made.stderr
    found: list[dict[str, Any]] = json.loads(made.stdout)
    return found
