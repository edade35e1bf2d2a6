"""Do the trainers, their files and their agents do what they say? Features, damaged weights, small runs, the demo."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import time

import numpy as np
import pytest
from test_players import positions, rows

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents import PlayerError, choose, make_player
from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.making import make_network
from banakil_env.agents.model import FORBIDDEN, Network, Shape
from banakil_env.agents.network import AgentError, NetworkPlayer, digest, load, save_agent
from banakil_env.arena import CompiledPlayer, play_match
from banakil_env.core.fields import SCALED
from banakil_env.games import GAMES, find
from banakil_env.kit.pack54 import NUM_FACES
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import replay
from train import begin, checkpoint
from train.__main__ import main
from train.config import (
    Config,
    ConfigError,
    Evaluation,
    Imitation,
    Optimizer,
    Pool,
    Reward,
    Rollouts,
    from_json,
    with_,
)
from train.pool import PastSelves, opponent
from train.recipes import ALONE, LEARNED, RECIPES, main_recipe, recipe, recipe_names
from train.run import first_network
from train.sb3_ppo import ScaledTables

banakil = Plain(find("banakil"))
NUM_SUITS, NUM_RANKS = 4, 12  # of the naturals of Banakil
NUM_NATURALS = NUM_SUITS * NUM_RANKS

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

SMALL = Config(
    "small",
    "sb3",
    pool=Pool(("greedy", "past"), every=256, size=2),
    network=Shape((16,)),
    reward=Reward(unit=1.0),
    rollout=Rollouts(tables=8, steps=32),
    optimizer=Optimizer(batch=64, epochs=1),
    evaluation=Evaluation(times=1, deals=2),
    steps=512,
    threads=1,
)
FAST = dataclasses.replace(
    SMALL,
    name="small-fast",
    trainer="fast",
    pool=Pool(("self", "past", "greedy"), every=256, size=2),
    imitation=Imitation("greedy", decisions=256),
)
AGGREVATE = dataclasses.replace(
    SMALL,
    name="small-aggrevate",
    trainer="aggrevate",
    pool=Pool(("self", "expert")),
    network=Shape((16,), advice="expert", channels=6),
    optimizer=dataclasses.replace(SMALL.optimizer, epochs=2, average=0.9),
)
JAWAKER = {"num_players": 4, "rules": "jawaker"}


def columns(of: str) -> slice:
    first = banakil.game.features.first[of]
    return slice(first, first + next(group.count for group in banakil.game.features.columns if group.name == of))


@pytest.fixture(scope="module", params=[SMALL, FAST, AGGREVATE], ids=lambda config: config.trainer)
def config(request):
    """A small run, of each trainer."""
    return request.param


@pytest.fixture(scope="module")
def finished(config, tmp_path_factory):
    """The folder of that run, when it has ended."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    begin.make_run(config, folder).train()
    return folder


# Features -------------------------------------------------------------------------------------------------------------


def slow_features(seen) -> dict[str, list[float]]:
    """Some columns by plain loops over the record, as the notes of the columns say."""
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
        "melds": melds[:, :4].reshape(-1).tolist(),
        "twos": twos[:, :4].reshape(-1).tolist(),
        "jokers": jokers[:, :4].reshape(-1).tolist(),
        "set_melds": melds[:, 4:].reshape(-1).tolist(),
        "set_twos": twos[:, 4:].reshape(-1).tolist(),
        "set_jokers": jokers[:, 4:].reshape(-1).tolist(),
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
    found, _ = encode(banakil.game, observations, threads=2)
    assert found.shape == (150, banakil.game.features.width)
    for row, observation in zip(found, observations):
        for name, values in slow_features(banakil.fields(observation)).items():
            np.testing.assert_allclose(row[columns(name)], values, rtol=1e-6, err_msg=name)


def test_the_depths_are_those_of_the_pile():
    observations, _ = rows(positions(150, seed=8, **JAWAKER))
    _, depths = encode(banakil.game, observations)
    for row, seen in zip(depths, banakil.fields(observations)):
        size = int(seen.pile_size)
        assert (row[size:] == NUM_FACES).all()
        for place, face in enumerate(row[:size], 1):
            assert place in seen.pile[face]


def test_the_legal_actions_alone_have_the_logits_that_they_have_among_all():
    observations, masks = rows(positions(150, seed=9, **JAWAKER))
    network = Network(banakil.game, Shape((8,)), seed=3)
    torch.nn.init.normal_(network.takes.weight)
    logits, values = network.of_rows(observations)
    x, depths = encode(banakil.game, observations)
    longest = int(masks.sum(1).max())
    moves, faces = np.zeros((150, longest), np.int16), np.zeros((150, longest), np.uint8)
    assert list_moves(banakil.game, masks, depths, moves[:, :1], faces[:, :1]) == longest  # more than fit are counted
    assert list_moves(banakil.game, masks, depths, moves, faces) == longest
    some, same = network.among(torch.from_numpy(x), torch.from_numpy(moves), torch.from_numpy(faces))
    assert torch.equal(values, same)
    for row, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        assert moves[row, : len(legal)].tolist() == legal.tolist()
        assert torch.allclose(some[row, : len(legal)], logits[row, legal], atol=1e-5)
        assert (some[row, len(legal) :] == FORBIDDEN).all()
    again, sparse, _ = network.legal_of_rows(observations, masks)
    assert np.array_equal(again, moves)
    assert torch.allclose(sparse, some, atol=1e-5)


def test_numbers_of_two_bytes_are_read_with_their_sign():
    state = banakil.new(seed=1, episode="match")
    state.scores[:2] = -300, 250
    observation = banakil.observe(state, 0)["observation"][None]
    scaled = encode(banakil.game, observation)[0][0, columns("scaled")]
    numbers = [one for one in banakil.game.observation_fields.numbers if one.field.role == SCALED]
    names = [one.name for one in numbers for _ in range(one.count)]
    assert scaled[names.index("scores")].tolist() == -3.0
    assert scaled[names.index("scores") + 1].tolist() == 2.5


# Agents ---------------------------------------------------------------------------------------------------------------


def test_a_trained_agent_plays_in_the_arena(finished):
    results = play_match([make_player(f"net:{finished}"), CompiledPlayer("random")], deals=3, num_players=2)
    assert results.failures() == []


def test_one_network_plays_every_table():
    player = NetworkPlayer(Network(banakil.game, Shape((8,)), seed=1))
    for table in ({"num_players": 3}, JAWAKER):
        assert play_match([player, CompiledPlayer("random")], deals=1, **table).failures() == []


def test_a_row_gets_the_same_action_alone_and_in_a_batch(finished):
    player = make_player(f"net:{finished}")
    states = positions(150, seed=2)
    observations, masks = rows(states)
    together = player.act(observations, masks, np.zeros(len(states), np.uint64))
    alone = [choose(player, {"observation": o, "action_mask": m}) for o, m in zip(observations, masks)]
    assert together.tolist() == alone
    assert all(mask[action] for mask, action in zip(masks, alone))


def test_playing_needs_no_stable_baselines(finished):
    program = (
        f"import sys; from agents import make_player; make_player('net:{finished}').prepare(); "
        "print([name for name in ('stable_baselines3', 'sb3_contrib') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_an_agent_says_where_it_comes_from(finished):
    about = load(finished).about
    assert about["config"]["name"] in ("small", "small-fast", "small-aggrevate")
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
        (lambda content: content.replace(b"banakil-agent-3", b"banakil-agent-9"), "is of format 'banakil-agent-9'"),
    ],
    ids=["a bit", "truncated", "a pickle", "empty", "another version"],
)
def test_a_damaged_agent_is_refused(finished, tmp_path, change, said):
    path = damaged(finished, tmp_path, change)
    with pytest.raises(AgentError, match=said):
        load(path)
    with pytest.raises(PlayerError, match="cannot be made"):
        make_player(f"net:{path}")


def test_weights_in_half_the_bytes(tmp_path):
    """They are read as float32, and as they were but for the rounding; either name of the file in a folder will do."""
    network = Network(banakil.game, Shape((64,), "greedy"), 0)
    save_agent(tmp_path / "agent.safetensors", network, {"by": "hand"})
    half = tmp_path / "half"
    half.mkdir()
    save_agent(half / "model.safetensors", network, {"by": "hand"}, torch.float16)
    assert (half / "model.safetensors").stat().st_size < 0.51 * (tmp_path / "agent.safetensors").stat().st_size
    agent = load(half)
    assert agent.about == {"by": "hand"}
    for name, tensor in agent.network.state_dict().items():
        assert tensor.dtype == torch.float32
        torch.testing.assert_close(tensor, network.state_dict()[name], rtol=1e-3, atol=1e-7)


def test_weights_of_two_types_are_refused(tmp_path):
    network = Network(banakil.game, Shape((8,)), 0)
    network.value.half()
    save_agent(tmp_path / "agent.safetensors", network, {})
    assert load(tmp_path).network.value.weight.dtype == torch.float32  # written as one type
    tensors = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    with safetensors.safe_open(str(tmp_path / "agent.safetensors"), "pt") as opened:
        said = opened.metadata()
    said["digest"] = digest(said, tensors)
    (tmp_path / "agent.safetensors").write_bytes(safetensors.save(tensors, said))
    with pytest.raises(AgentError, match=r"value.bias is F16 .* and should be F32"):
        load(tmp_path)


def test_weights_of_other_shapes_are_refused(tmp_path):
    """A digest that fits does not make shapes fit."""
    network = Network(banakil.game, Shape((8,)), 0)
    path = tmp_path / "agent.safetensors"
    network.shape = Shape((9,))
    save_agent(path, network, {})
    with pytest.raises(AgentError, match=r"own description: layers.0.bias is .*8,\), and should be .*9,\)"):
        load(path)


def test_another_version_of_the_features_is_refused(tmp_path):
    before = dataclasses.replace(banakil.game, features=dataclasses.replace(banakil.game.features, version=0))
    save_agent(tmp_path / "agent.safetensors", Network(before, Shape((8,)), 0), {})
    with pytest.raises(AgentError, match="was trained on version 0 of the features"):
        load(tmp_path)


def test_an_agent_that_is_not_there_is_named(tmp_path):
    with pytest.raises(AgentError, match="there is no agent at"):
        load(tmp_path / "nowhere")
    with pytest.raises(PlayerError, match="name the file of the agent"):
        make_player("net:")


def test_a_crash_while_writing_leaves_the_old_file(finished, tmp_path, monkeypatch):
    path = tmp_path / "agent.safetensors"
    save_agent(path, Network(banakil.game, Shape((8,)), 0), {"which": "old"})
    monkeypatch.setattr("os.fsync", lambda file: (_ for _ in ()).throw(OSError("the disk is full")))
    with pytest.raises(OSError, match="full"):
        save_agent(path, Network(banakil.game, Shape((8,)), 1), {"which": "new"})
    assert load(path).about == {"which": "old"}
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_the_digest_sees_every_part():
    tensors = {"a": torch.zeros(2), "b": torch.ones(2)}
    said = {"format": "x"}
    assert digest(said, tensors) == digest(dict(said), dict(reversed(tensors.items())))
    assert digest(said, tensors) != digest({"format": "y"}, tensors)
    assert digest(said, tensors) != digest(said, {"a": tensors["b"], "b": tensors["a"]})


# Runs -----------------------------------------------------------------------------------------------------------------


def test_a_run_leaves_its_files(config, finished):
    names = {path.name for path in finished.iterdir()}
    assert names == {"config.json", "checkpoint.safetensors", "agent.safetensors", "curve.json", "curve.png"}
    curve = json.loads((finished / "curve.json").read_text())
    assert (curve[0]["steps"], curve[-1]["steps"]) == (0, 512)
    assert from_json((finished / "config.json").read_text()) == config
    assert (finished / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_a_curve_counts_the_seconds_of_the_processor(finished):
    points = json.loads((finished / "curve.json").read_text())
    taken = [point["cpu_seconds"] for point in points]
    assert taken == sorted(taken)
    assert 0 <= taken[0] < taken[-1]


def test_every_episode_draws_its_rules(config, tmp_path):
    """Each table of the batch has rules of the list, and not all have the same."""
    variants = ("pagat", "pagat max_turns=7", "pagat max_turns=9")
    run = begin.make_run(dataclasses.replace(config, variants=variants), tmp_path)
    drawn = {int(turns) for tables in run.tables for turns in tables.snapshot()[0]["rules"]["max_turns"]}
    assert len(drawn) > 1
    assert drawn <= {300, 7, 9}


def test_variants_are_rules_of_the_game():
    with pytest.raises(ConfigError, match="variants: "):
        with_(SMALL, {"variants": ["denexa"]})


def test_the_same_seed_trains_the_same_agent(config, finished, tmp_path):
    begin.make_run(config, tmp_path).train()
    first, second = load(finished).network.state_dict(), load(tmp_path).network.state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_run_goes_on_from_its_checkpoint(config, finished, tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes((finished / "checkpoint.safetensors").read_bytes())
    run = begin.go_on(tmp_path, dataclasses.replace(config, steps=1024))
    before = load(finished).network.state_dict()
    assert all(torch.equal(before[name], tensor) for name, tensor in run.agent.state_dict().items())
    kept = {"sb3": [0, 256], "fast": [256], "aggrevate": []}
    assert run.past.steps == kept[config.trainer]
    progress = run.train()
    assert progress.steps == 1024
    assert [point.steps for point in progress.points][-1] == 1024
    assert len(run.optimizer.state_dict()["state"]) == len(run.optimizer.param_groups[0]["params"])
    load(tmp_path)


def test_a_run_begins_with_an_agents_weights(config, finished, tmp_path):
    network = begin.make_run(dataclasses.replace(config, begin_from=str(finished)), tmp_path).network
    before = load(finished).network.state_dict()
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state_dict().items())
    with pytest.raises(ConfigError, match=r"begin_from: .*network\.hidden"):
        begin.make_run(
            dataclasses.replace(
                config, begin_from=str(finished), network=dataclasses.replace(config.network, hidden=(8,))
            ),
            tmp_path,
        )
    other = dataclasses.replace(config.network, channels=None if config.network.channels else 4)
    with pytest.raises(ConfigError, match=r"begin_from: .*network\.channels"):
        begin.make_run(dataclasses.replace(config, begin_from=str(finished), network=other), tmp_path)
    with pytest.raises(ConfigError, match="begin_from: there is no agent"):
        begin.make_run(dataclasses.replace(config, begin_from=str(tmp_path / "nothing")), tmp_path)
    stage = tmp_path / "gin-2p-4"  # an agent that is not kept, whose recipe is
    with pytest.raises(ConfigError, match=r"no agent .*`python -m train gin-2p-4` trains it, into runs/gin-2p-4: "):
        begin.make_run(dataclasses.replace(config, begin_from=str(stage)), tmp_path)


def test_a_run_with_sets_begins_with_an_agent_without(finished, config, tmp_path):
    """And plays the same at first; the other way round, and from plain layers, it cannot."""
    if config.network.channels is None:
        with_channels = dataclasses.replace(config.network, channels=4, sets=True)
        with pytest.raises(ConfigError, match=r"begin_from: .*network\.channels"):
            first_network(dataclasses.replace(config, begin_from=str(finished), network=with_channels))
        return
    with_sets = dataclasses.replace(config.network, sets=True)
    network = first_network(dataclasses.replace(config, begin_from=str(finished), network=with_sets))
    rows = torch.rand(3, config.game.features.width)
    depths = torch.zeros(3, config.game.features.max_depth, dtype=torch.uint8)
    for one, other in zip(network(rows, depths), load(finished).network(rows, depths)):
        assert torch.equal(one, other)
    save_agent(tmp_path / "agent.safetensors", network, {})
    with pytest.raises(ConfigError, match=r"begin_from: .* with sets; set .*network\.takes to the same"):
        first_network(dataclasses.replace(config, begin_from=str(tmp_path)))


def test_a_run_that_asks_nobody_begins_with_an_agent_that_asks(tmp_path):
    agent = make_network(AGGREVATE.game, AGGREVATE.network, seed=1)
    save_agent(tmp_path / "agent.safetensors", agent, {})
    alone = dataclasses.replace(AGGREVATE.network, advice=None)
    network = first_network(dataclasses.replace(FAST, begin_from=str(tmp_path), network=alone))
    assert torch.equal(network.policy.weight, agent.policy.weight)


def test_a_run_that_has_ended_trains_no_more(finished, tmp_path):
    (tmp_path / "checkpoint.safetensors").write_bytes((finished / "checkpoint.safetensors").read_bytes())
    assert begin.go_on(tmp_path).train().steps == 512


def test_a_run_does_not_go_on_with_another_configuration(config, finished):
    with pytest.raises(checkpoint.CheckpointError, match="has another configuration"):
        begin.go_on(finished, dataclasses.replace(config, seed=1))


def test_a_run_that_is_killed_again_and_again_comes_to_its_end(tmp_path, amount):
    """SIGKILL at random moments; what was learned stays, the curve has no gap and no point twice."""
    rng = np.random.default_rng(3)
    changes = {
        "steps": amount(2_000, 8_000, 8_000),
        "evaluation.times": 4,
        "checkpoint_seconds": 0.0,
        "pool.every": 1_000,
    }
    config = with_(FAST, changes)
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "asked.json").write_text(config.to_json())
    program = (
        "import sys; from pathlib import Path; from train import begin; from train.config import from_json;"
        "folder = Path(sys.argv[1]); start = (folder / 'checkpoint.safetensors').is_file();"
        "config = from_json((folder / 'asked.json').read_text());"
        "run = begin.go_on(folder, config) if start else begin.make_run(config, folder);"
        "print('begun', flush=True); run.train()"
    )
    reached = []
    for _ in range(amount(1, 2, 10)):
        with subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"begun\n"
            time.sleep(rng.uniform(0.2, 2.0))
            process.kill()
        if (folder / checkpoint.FILE).is_file():
            reached.append(checkpoint.read(folder / checkpoint.FILE).progress.steps)
    assert reached == sorted(reached)
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True, capture_output=True)
    steps = [point["steps"] for point in json.loads((folder / "curve.json").read_text())]
    assert steps == sorted(set(steps))
    assert steps[0] == 0
    assert steps[-1] >= config.steps
    assert load(folder).about["steps"] >= config.steps
    assert not list(folder.glob(".*.part"))


@pytest.mark.parametrize("what", ["checkpoint", "agent"])
def test_a_full_disk_leaves_the_last_file_whole(config, finished, tmp_path, monkeypatch, what):
    for path in finished.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    run = begin.go_on(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("os.fsync", lambda file: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        getattr(run, f"write_{what}")()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_written_is_named(capsys, tmp_path):
    (tmp_path / "file").write_text("in the way")
    arguments = ["demo", "--seconds", "1", "--out", str(tmp_path / "file" / "run")]
    assert main(arguments) == 1
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_a_damaged_checkpoint_is_refused(finished, tmp_path):
    content = bytearray((finished / "checkpoint.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / "checkpoint.safetensors").write_bytes(content)
    with pytest.raises(checkpoint.CheckpointError, match="digest"):
        begin.go_on(tmp_path)
    with pytest.raises(checkpoint.CheckpointError, match="there is no checkpoint"):
        begin.go_on(tmp_path / "nowhere")


def test_past_selves_stay_evenly_spread():
    past = PastSelves(Pool(("past",), every=1, size=4), seed=0, game=banakil.game)
    for steps in range(9):
        past.keep(steps, Network(banakil.game, Shape((1,)), 0))
    assert past.steps[0] == 0
    assert past.steps[-1] == 8
    assert len(past.steps) == 4


def test_a_trained_player_of_the_pool_is_asked_once_for_many_tables(tmp_path):
    path = tmp_path / "agent.safetensors"
    save_agent(path, Network(banakil.game, Shape((32,)), 3), {})
    pool = PastSelves(Pool((f"net:{path}", "greedy", "self", f"net:{path}", "past")), 0, banakil.game)
    first, second, third = pool.others
    assert first is third
    assert second == "greedy"
    rng = np.random.default_rng(1)
    masks = (rng.random((70, 799)) < 0.02).astype(np.int8)
    masks[:, 0] = 1
    actions = first(np.zeros((70, 1000), np.uint8), masks)
    assert masks[np.arange(70), actions].all()
    assert opponent("expert", banakil.game) == "expert"


def test_a_pool_with_a_player_that_does_not_exist_is_refused(tmp_path, capsys):
    with pytest.raises(ConfigError, match="there is no 'human:x'"):
        with_(SMALL, {"pool.players": ["human:x"]})
    assert main(["demo", "--set", 'pool.players=["net:nothing"]', "--out", str(tmp_path / "out")]) == 1
    assert "there is no agent at nothing" in capsys.readouterr().err


def test_the_learners_rewards_are_scaled_once():
    env = ScaledTables(4, scale=0.5, opponents="random", seed=0, num_players=2)
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


@pytest.mark.parametrize("name", [name for name in recipe_names() if name not in (*LEARNED, *ALONE)])
def test_there_is_a_recipe_for_every_table_of_every_game(name):
    config = recipe(name)
    assert from_json(config.to_json()) == config
    assert set(config.evaluation.opponents) <= set(config.game.players)


def test_the_recipe_of_a_game_is_that_of_its_main_table():
    assert [main_recipe(game).name for game in GAMES] == [find(game).tables[0].name for game in GAMES]
    with pytest.raises(ConfigError, match="there is no game 'bridge'"):
        main_recipe("bridge")


def test_single_values_change():
    changed = with_(recipe("demo"), {"optimizer.batch": 512, "pool.players": ["random"], "seconds": 60})
    assert (changed.optimizer.batch, changed.pool.players, changed.seconds) == (512, ("random",), 60.0)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("ppo.speed", 1, "there is no 'ppo.speed'"),
        ("optimizer.batch", "many", "optimizer.batch must be int, not 'many'"),
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
    assert main(["demo", "--set", "ppo.speed=1", "--out", str(tmp_path)]) == 1
    assert "there is no 'ppo.speed'" in capsys.readouterr().err


# The demo -------------------------------------------------------------------------------------------------------------


def test_the_demo_from_end_to_end(tmp_path, capsys):
    """In a second nothing is learned; all parts are there: lines of progress, a decision, matches, files."""
    pytest.importorskip("tyro")
    from train import demo

    assert demo.main(["--seconds", "1", "--deals", "4", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^ *0% +0 s  0 decisions, .* to greedy .* to expert", said, re.MULTILINE)
    assert re.search(r"^ *100% .* decisions", said, re.MULTILINE)
    assert re.search(r"likeliest actions +before +after\n( +\w.* +[\d.]+% +[\d.]+%\n){5}", said)
    results = json.loads((tmp_path / "results.json").read_text())
    game = find(results["config"]["table"]["game"])
    assert set(results["matches"]) == set(game.kinds)
    assert Plain(game).is_over(replay(game, (tmp_path / "game.txt").read_text())[0])
    assert (tmp_path / "curve.png").is_file()
    load(tmp_path)
