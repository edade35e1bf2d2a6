"""Games that Python and JavaScript play from the same seeds: what Python has played, and Node as the other player."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.browser.module import described, module_of
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, OVER, kernels_of
from banakil_env.core.players import players_of
from banakil_env.core.random import seed_word

NODE = shutil.which("node")
PROGRAM = Path(__file__).with_name("wasm_games.mjs")
SCRIPTS = Path(__file__).parents[2] / "banakil_env" / "browser" / "script"
MOST_MOVES = 20_000


def game_played(game: Game, options: dict[str, Any], players: list[str], seed: int) -> dict[str, Any]:
    """A game between compiled players by the libraries of this machine: the dice, the actions and the last state."""
    states = game.new(num_players=len(players), **options)
    start = base64.b64encode(states.tobytes()).decode()
    kernels, decide = kernels_of(game), players_of(game).decide_many
    kernels.start_one(states, seed_word(seed))
    observation, mask = np.empty(1, game.observation), np.empty((1, game.num_actions), np.int8)
    generator, chosen = np.zeros(1, GENERATOR), np.empty(1, np.int64)
    random, seat = np.random.default_rng(seed), int(states[0].seat)
    dice: list[str] = []
    actions: list[int] = []
    while seat != OVER and len(actions) < MOST_MOVES:
        bits = random.integers(0, 2**64, dtype=np.uint64)
        kernels.observe_one(states, seat, observation, mask[0])
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
    (folder / "games.json").write_text(json.dumps({"about": described(game), "games": given}))
    shutil.copy(SCRIPTS / "machine.js", folder / "machine.mjs")
    shutil.copy(PROGRAM, folder / "play.mjs")
    made = subprocess.run([NODE, "play.mjs"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert made.returncode == 0, made.stderr
    found: list[dict[str, Any]] = json.loads(made.stdout)
    return found
