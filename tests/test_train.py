"""Do the trainer, its files and its agents do what they say? Features, damaged weights, small runs, the demo."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest
from test_players import positions, rows

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from agents import PlayerError, choose, make_player
from agents.features import COLUMNS, NUM_FEATURES, Network, Shape, features
from agents.network import AgentError, NetworkPlayer, digest, load, save_agent
from banakil_env.arena import CompiledPlayer, play_match
from banakil_env.games import banakil
from banakil_env.games.banakil.faces import NUM_NATURALS, NUM_RANKS
from train import checkpoint, demo, ppo
from train.config import PPO as Numbers
from train.config import RECIPES, Config, ConfigError, Evaluation, Pool, from_json, recipe, with_
from train.pool import PastSelves

torch = pytest.importorskip("torch")

SMALL = Config(
    "small",
    pool=Pool(("greedy", "past"), every=256, size=2),
    network=Shape((16,)),
    ppo=Numbers(tables=8, steps=32, batch=64, epochs=1),
    evaluation=Evaluation(times=1, deals=2),
    steps=512,
    threads=1,
)
JAWAKER = {"num_players": 4, "rules": "jawaker"}


def columns(of: str) -> slice:
    first = 0
    for name, count in COLUMNS:
        if name == of:
            return slice(first, first + count)
        first += count
    raise KeyError(of)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small run that has ended."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    ppo.Run(SMALL, folder).train()
    return folder


# Features -------------------------------------------------------------------------------------------------------------


def slow_features(seen) -> dict[str, list[float]]:
    """Some columns by plain loops over the record, as their comments in COLUMNS say."""
    hand = [int(count) for count in seen.hand]
    sides = {1: "own", 2: "other", 3: "own" if seen.partners else "other", 4: "other"}
    laid: dict[str, set[tuple[int, int]]] = {"own": set(), "other": set()}
    table = np.zeros((4, 4, 12))
    sets = np.zeros((4, 2, 4))
    melds, twos, jokers = np.zeros((4, 6)), np.zeros((4, 6)), np.zeros((4, 6))
    for slot in range(35):
        owner, kind = int(seen.meld_owner[slot]), int(seen.meld_kind[slot])
        if not owner:
            continue
        melds[owner - 1, kind - 1] += 1
        twos[owner - 1, kind - 1] += seen.meld_two[slot] > 0
        jokers[owner - 1, kind - 1] += seen.meld_joker[slot]
        for at in range(12):
            if seen.meld_cards[slot, at] == 1 and kind <= 4:
                table[owner - 1, kind - 1, at] += 1
                laid[sides[owner]].add((kind - 1, at))
            elif seen.meld_cards[slot, at] == 1:
                sets[owner - 1, kind - 5, at] += 1

    def held(suit: int, rank: int) -> bool:
        return 0 <= rank < 12 and hand[12 * suit + rank] > 0

    reach, fits, others = [], [], []
    for face in range(NUM_NATURALS):
        suit, rank = divmod(face, NUM_RANKS)
        pairs = [(rank - 2, rank - 1), (rank - 1, rank + 1), (rank + 1, rank + 2)]
        reach.append(float(any(held(suit, a) and held(suit, b) for a, b in pairs)))
        for found, side in ((fits, "own"), (others, "other")):
            found.append(float((suit, rank - 1) in laid[side] or (suit, rank + 1) in laid[side]))
    there = [seen.pile[face, 0] > 0 for face in range(NUM_NATURALS)]
    named = [int(seen[field]) == face + 1 for field in ("taken", "banned", "named") for face in range(53)]
    return {
        "hand": [float(count >= least) for least in (1, 2) for count in hand],
        "reach": reach,
        "ready": [float(reach[face] and hand[face] > 0) for face in range(NUM_NATURALS)],
        "fits": fits,
        "fits_others": others,
        "pile_useful": [float(there[face] and (reach[face] or fits[face])) for face in range(NUM_NATURALS)],
        "pile": [
            *[float(depth > 0) for depth in seen.pile[:, 0]],
            *[float(depth > 0) for depth in seen.pile[:, 1]],
            *[1 / depth if depth else 0.0 for depth in seen.pile[:, 0].astype(float)],
            *[depth / 20 for depth in seen.pile[:, 0].astype(float)],
        ],
        "known": (seen.known / 2).reshape(-1).tolist(),
        "table": table.reshape(-1).tolist(),
        "sets": sets.reshape(-1).tolist(),
        "melds": melds.reshape(-1).tolist(),
        "twos": twos.reshape(-1).tolist(),
        "jokers": jokers.reshape(-1).tolist(),
        "slots": [
            *[float(bool(owner) and sides[int(owner)] == "own") for owner in seen.meld_owner],
            *[float(1 <= kind <= 4) for kind in seen.meld_kind],
        ],
        "faces": [float(one) for one in named],
        "players": [float(seen.num_players == count) for count in (2, 3, 4)],
    }


@pytest.mark.parametrize("table", [{"num_players": 2}, JAWAKER, {"num_players": 3, "rules": "gamefarm"}], ids=str)
def test_features_are_what_plain_loops_find(table):
    observations, _ = rows(positions(150, seed=5, **table))
    found = features(torch.from_numpy(observations))[0].numpy()
    assert found.shape == (150, NUM_FEATURES)
    for row, observation in zip(found, observations):
        for name, values in slow_features(banakil.fields(observation)).items():
            np.testing.assert_allclose(row[columns(name)], values, rtol=1e-6, err_msg=name)


def test_numbers_of_two_bytes_are_read_with_their_sign():
    state = banakil.new(seed=1, episode="match")
    state.scores[:2] = -300, 250
    observation = banakil.observe(state, 0)["observation"][None]
    scaled = features(torch.from_numpy(observation))[0].numpy()[0, columns("scaled")]
    assert scaled[10:12].tolist() == [-3.0, 2.5]


# Agents ---------------------------------------------------------------------------------------------------------------


def test_a_trained_agent_plays_in_the_arena(finished):
    results = play_match([make_player(f"ppo:{finished}"), CompiledPlayer("random")], deals=3, num_players=2)
    assert results.failures() == []


def test_one_network_plays_every_table():
    player = NetworkPlayer(Network(Shape((8,)), seed=1))
    for table in ({"num_players": 3}, JAWAKER):
        assert play_match([player, CompiledPlayer("random")], deals=1, **table).failures() == []


def test_a_row_gets_the_same_action_alone_and_in_a_batch(finished):
    player = make_player(f"ppo:{finished}")
    states = positions(150, seed=2)
    observations, masks = rows(states)
    together = player.act(observations, masks, np.zeros(len(states), np.uint64))
    alone = [choose(player, {"observation": o, "action_mask": m}) for o, m in zip(observations, masks)]
    assert together.tolist() == alone
    assert all(mask[action] for mask, action in zip(masks, alone))


def test_playing_needs_no_stable_baselines(finished):
    program = (
        f"import sys; from agents import make_player; make_player('ppo:{finished}').prepare(); "
        "print([name for name in ('stable_baselines3', 'sb3_contrib') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_an_agent_says_where_it_comes_from(finished):
    about = load(finished).about
    assert about["config"]["name"] == "small"
    assert about["steps"] == 512


def damaged(finished, tmp_path, change) -> str:
    """A copy of the agent, its bytes changed."""
    content = bytearray((finished / "agent.safetensors").read_bytes())
    path = tmp_path / "damaged.safetensors"
    path.write_bytes(change(content))
    return str(path)


def flipped(content: bytearray) -> bytearray:
    content[-1] ^= 1
    return content


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (flipped, "not as it was written: its digest does not match"),
        (lambda content: content[:-100], "is damaged or no safetensors file"),
        (lambda content: b"\x80\x04pickle", "is damaged or no safetensors file"),
        (lambda content: b"", "is damaged or no safetensors file"),
        (lambda content: content.replace(b"banakil-agent-1", b"banakil-agent-9"), "is of format 'banakil-agent-9'"),
    ],
    ids=["a bit", "truncated", "a pickle", "empty", "another version"],
)
def test_a_damaged_agent_is_refused(finished, tmp_path, change, said):
    path = damaged(finished, tmp_path, change)
    with pytest.raises(AgentError, match=said):
        load(path)
    with pytest.raises(PlayerError, match="cannot be made"):
        make_player(f"ppo:{path}")


def test_weights_of_other_shapes_are_refused(tmp_path):
    """A digest that fits does not make shapes fit."""
    network = Network(Shape((8,)), 0)
    path = tmp_path / "agent.safetensors"
    network.shape = Shape((9,))
    save_agent(path, network, {})
    with pytest.raises(AgentError, match=r"own description: policy.weight is .*8\), and should be .*9\)"):
        load(path)


def test_another_version_of_the_features_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("agents.network.FEATURES_VERSION", 0)
    save_agent(tmp_path / "agent.safetensors", Network(Shape((8,)), 0), {})
    monkeypatch.undo()
    with pytest.raises(AgentError, match="was trained on version 0 of the features"):
        load(tmp_path)


def test_an_agent_that_is_not_there_is_named(tmp_path):
    with pytest.raises(AgentError, match="there is no agent at"):
        load(tmp_path / "nowhere")
    with pytest.raises(PlayerError, match="name the file of the agent"):
        make_player("ppo:")


def test_a_crash_while_writing_leaves_the_old_file(finished, tmp_path, monkeypatch):
    path = tmp_path / "agent.safetensors"
    save_agent(path, Network(Shape((8,)), 0), {"which": "old"})
    monkeypatch.setattr("os.fsync", lambda file: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="full"):
        save_agent(path, Network(Shape((8,)), 1), {"which": "new"})
    assert load(path).about == {"which": "old"}
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_digest_sees_every_part():
    tensors = {"a": torch.zeros(2), "b": torch.ones(2)}
    said = {"format": "x"}
    assert digest(said, tensors) == digest(dict(said), dict(reversed(tensors.items())))
    assert digest(said, tensors) != digest({"format": "y"}, tensors)
    assert digest(said, tensors) != digest(said, {"a": tensors["b"], "b": tensors["a"]})


# Runs -----------------------------------------------------------------------------------------------------------------


def test_a_run_leaves_its_files(finished):
    names = {path.name for path in finished.iterdir()}
    assert names == {"config.json", "checkpoint.safetensors", "agent.safetensors", "curve.json", "curve.png"}
    curve = json.loads((finished / "curve.json").read_text())
    assert (curve[0]["steps"], curve[-1]["steps"]) == (0, 512)
    assert from_json((finished / "config.json").read_text()) == SMALL
    assert (finished / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_the_same_seed_trains_the_same_agent(finished, tmp_path):
    ppo.Run(SMALL, tmp_path).train()
    first, second = load(finished).network.state_dict(), load(tmp_path).network.state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_run_goes_on_from_its_checkpoint(finished, tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes((finished / "checkpoint.safetensors").read_bytes())
    run = ppo.go_on(tmp_path, dataclasses.replace(SMALL, steps=1024))
    before = load(finished).network.state_dict()
    assert all(torch.equal(before[name], tensor) for name, tensor in run.network.state_dict().items())
    assert run.past.steps == [0, 256]
    progress = run.train()
    assert progress.steps == 1024
    assert [point.steps for point in progress.points][-1] == 1024
    assert len(run.model.policy.optimizer.state_dict()["state"]) == len(list(run.network.parameters()))
    load(tmp_path)


def test_a_run_that_has_ended_trains_no_more(finished, tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes((finished / "checkpoint.safetensors").read_bytes())
    assert ppo.go_on(tmp_path).train().steps == 512


def test_a_run_does_not_go_on_with_another_configuration(finished):
    with pytest.raises(checkpoint.CheckpointError, match="has another configuration"):
        ppo.go_on(finished, dataclasses.replace(SMALL, seed=1))


def test_a_damaged_checkpoint_is_refused(finished, tmp_path):
    content = bytearray((finished / "checkpoint.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / "checkpoint.safetensors").write_bytes(content)
    with pytest.raises(checkpoint.CheckpointError, match="digest"):
        ppo.go_on(tmp_path)
    with pytest.raises(checkpoint.CheckpointError, match="there is no checkpoint"):
        ppo.go_on(tmp_path / "nowhere")


def test_past_selves_stay_evenly_spread():
    past = PastSelves(Pool(("past",), every=1, size=4), seed=0)
    for steps in range(9):
        past.keep(steps, Network(Shape((1,)), 0))
    assert past.steps[0] == 0
    assert past.steps[-1] == 8
    assert len(past.steps) == 4


def test_the_learners_rewards_are_scaled_once():
    env = ppo.ScaledTables(4, scale=0.5, opponents="random", seed=0, num_players=2)
    env.reset()
    for _ in range(2000):
        _, rewards, dones, infos = env.step(env.action_masks().argmax(1))
        for row in np.flatnonzero(dones):
            assert rewards[row] == 0.5 * infos[row]["episode"]["r"]
        if dones.any():
            return
    raise AssertionError("no round ended")


# Configurations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECIPES)
def test_a_configuration_comes_back_from_its_text(name):
    assert from_json(recipe(name).to_json()) == recipe(name)


def test_single_values_change():
    changed = with_(recipe("demo"), {"ppo.batch": 512, "pool.players": ["random"], "seconds": 60})
    assert (changed.ppo.batch, changed.pool.players, changed.seconds) == (512, ("random",), 60.0)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("ppo.speed", 1, "there is no 'ppo.speed'"),
        ("ppo.batch", "many", "ppo.batch must be int, not 'many'"),
        ("pool.players", ["nobody"], "there is no 'nobody'; there are random"),
        ("seed", 2**63, "must lie below the held-out seeds"),
        ("table.rules", "bridge", "table"),
        ("seconds", None, "a run needs an end"),
    ],
)
def test_a_wrong_value_is_named(path, value, said):
    with pytest.raises(ConfigError, match=said):
        with_(recipe("demo"), {path: value})


def test_the_command_says_what_is_wrong(capsys, tmp_path):
    assert ppo.main(["--recipe", "demo", "--set", "ppo.speed=1", "--out", str(tmp_path)]) == 1
    assert "there is no 'ppo.speed'" in capsys.readouterr().err


# The demo -------------------------------------------------------------------------------------------------------------


def test_the_demo_from_end_to_end(tmp_path, capsys):
    assert demo.main(["--seconds", "1", "--deals", "4", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "against" in said
    assert "random" in said
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results["matches"]) == set(banakil.GAME.baselines)
    game = (tmp_path / "game.txt").read_text()
    assert banakil.is_over(banakil.replay(game)[0])
    assert (tmp_path / "curve.png").is_file()
    load(tmp_path)
