"""Does the exported network play as the network does, to the last move, and is what is not an agent refused?"""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from shared import REPOSITORY
from tables import TABLES
from test_players import positions, rows

from banakil_env.agents import PlayerError, make_player
from banakil_env.agents.encoding import encode
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape, legal_logits
from banakil_env.agents.network import NetworkPlayer, load, save_agent
from banakil_env.agents.onnx import OnnxError, OnnxPlayer, export
from banakil_env.arena.plan import Plan
from banakil_env.arena.tables import Table, play_tables
from banakil_env.envs.vector import Tables
from banakil_env.games import find

# Logits that are closer than this are a tie: sums are added up in another order.
TIE = 1e-4
DEALS = 30
GAME = find("banakil")


@pytest.fixture(scope="module")
def file(agent, tmp_path_factory):
    path = tmp_path_factory.mktemp("onnx") / "agent.onnx"
    export(agent, path)
    return path


@pytest.fixture(scope="module")
def seen():
    """Positions of random games, of all presets and numbers of players: observations, masks."""
    return rows([state for i, table in enumerate(TABLES.values()) for state in positions(250, seed=i, **table)])


def given(observations):
    """What the graph takes of observations."""
    return dict(zip(("features", "depths"), encode(GAME, observations)))


def test_the_same_action_at_thousands_of_positions(agent, file, seen):
    no_dice = np.zeros(len(seen[0]), np.uint64)
    by_torch = make_player(f"net:{agent}").act(*seen, no_dice)
    by_onnx = make_player(f"onnx:{file}").act(*seen, no_dice)
    masks = torch.from_numpy(seen[1] == 1)
    with torch.inference_mode():
        best = legal_logits(load(agent).network.of_rows(seen[0])[0], masks).topk(2, dim=1).values.numpy()
    tied = best[:, 0] - best[:, 1] < TIE
    assert len(tied) == 3000
    assert tied.sum() < 10
    assert (by_onnx[~tied] == by_torch[~tied]).all()
    assert seen[1][np.arange(len(by_onnx)), by_onnx].all()


def test_logits_and_values_are_those_of_the_network(agent, file, seen):
    session = onnxruntime.InferenceSession(str(file))
    actions, logits, values = session.run(None, {**given(seen[0][:300]), "masks": seen[1][:300]})
    with torch.inference_mode():
        theirs, expected = load(agent).network.of_rows(seen[0][:300])
    legal = seen[1][:300] == 1
    np.testing.assert_allclose(logits[legal], theirs.numpy()[legal], atol=TIE)
    np.testing.assert_allclose(values, expected.numpy(), atol=TIE)
    np.testing.assert_array_equal(actions, np.where(legal, logits, -np.inf).argmax(1))


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65])
def test_any_number_of_rows(file, seen, count):
    player, dice = OnnxPlayer(file), np.zeros(65, np.uint64)
    together = player.act(seen[0][:65], seen[1][:65], dice)
    assert player.act(seen[0][:count], seen[1][:count], dice[:count]).tolist() == together[:count].tolist()


def test_the_same_result_in_the_arena(agent, file):
    plan = Plan(("agent", "expert"), deals=DEALS)
    tables = [Table(deal, seats) for deal in range(DEALS) for seats in ((0, 1), (1, 0))]
    found = []
    for text in (f"net:{agent}", f"onnx:{file}"):
        outcomes = play_tables([make_player(text), make_player("expert")], plan.players, tables, plan.settings(True))
        found.append([{**outcome, "seconds": None} for outcome in outcomes])
    assert found[0] == found[1]


def test_it_plays_without_pytorch(file):
    program = (
        "import sys, numpy as np; from agents import make_player; from banakil_env.games import banakil;"
        f"player = make_player('onnx:{file}'); seen = banakil.observe(banakil.new(seed=1), 0);"
        "print(player.act(seen['observation'][None], seen['action_mask'][None], np.zeros(1, np.uint64)),"
        "'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def test_goes_to_other_processes(file, seen):
    player = OnnxPlayer(file)
    other, dice = pickle.loads(pickle.dumps(player)), np.zeros(10, np.uint64)
    assert other.name == player.name == f"onnx:{file}"
    assert other.act(seen[0][:10], seen[1][:10], dice).tolist() == player.act(seen[0][:10], seen[1][:10], dice).tolist()


def test_it_says_where_the_agent_comes_from(agent, file):
    assert OnnxPlayer(file).about == load(agent).about


def test_a_damaged_file_is_refused(file, tmp_path):
    content = bytearray(file.read_bytes())
    weights = max(onnx.load(file).graph.initializer, key=lambda one: len(one.raw_data)).raw_data
    content[bytes(content).index(weights) + len(weights) // 2] ^= 1
    (tmp_path / "flipped.onnx").write_bytes(content)
    with pytest.raises(OnnxError, match="its digest does not match its content"):
        OnnxPlayer(tmp_path / "flipped.onnx")
    (tmp_path / "short.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(OnnxError, match="is damaged or no ONNX file"):
        OnnxPlayer(tmp_path / "short.onnx")


def test_another_model_is_refused(tmp_path):
    value = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1])
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Identity", ["x"], ["y"])],
        "g",
        [value],
        [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1])],
    )
    onnx.save(
        onnx.helper.make_model(graph, ir_version=9, opset_imports=[onnx.helper.make_opsetid("", 18)]),
        tmp_path / "other.onnx",
    )
    with pytest.raises(OnnxError, match="is of format None, and 'banakil-onnx-2' can be played"):
        OnnxPlayer(tmp_path / "other.onnx")


@pytest.mark.parametrize(
    ("text", "message"), [("onnx:", "name the file"), ("onnx:nowhere", "there is no file nowhere")]
)
def test_a_file_that_is_not_there(text, message):
    with pytest.raises(PlayerError, match=message):
        make_player(text)


def test_a_network_to_which_suits_are_alike_and_its_advice(tmp_path, seen):
    save_agent(
        tmp_path / "agent.safetensors", make_network(GAME, Shape((12, 10), "expert", channels=6, sets=True), 3), {}
    )
    export(tmp_path, tmp_path / "agent.onnx")
    observations, masks = (part[::50] for part in seen)
    network = load(tmp_path).network
    advice = network.advice(observations, masks)
    session = onnxruntime.InferenceSession(str(tmp_path / "agent.onnx"))
    _, logits, values = session.run(None, {**given(observations), "masks": masks, "advice": advice.numpy()})
    with torch.inference_mode():
        theirs, expected = network.of_rows(observations, advice)
    np.testing.assert_allclose(logits[masks == 1], theirs.numpy()[masks == 1], atol=TIE)
    np.testing.assert_allclose(values, expected.numpy(), atol=TIE)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("canasta", Shape((12, 10), channels=6)), ("rummy", Shape((12, 10), channels=6, sets=True, rests=True))],
    ids=["ranks of one suit", "what discards leave"],
)
def test_a_network_of_another_game(name, shape, tmp_path):
    game, tables = find(name), Tables(64, game=name)
    tables.reset(5)
    save_agent(tmp_path / "agent.safetensors", make_network(game, shape, 3), {})
    export(tmp_path, tmp_path / "agent.onnx")
    network = load(tmp_path).network
    features = dict(zip(("features", "depths"), encode(game, tables.observations, features=network.features)))
    session = onnxruntime.InferenceSession(str(tmp_path / "agent.onnx"))
    needed = {each.name for each in session.get_inputs()}
    asked = {name: value for name, value in {**features, "masks": tables.masks}.items() if name in needed}
    _, logits, values = session.run(None, asked)
    with torch.inference_mode():
        theirs, expected = network.of_rows(tables.observations)
    np.testing.assert_allclose(logits[tables.masks == 1], theirs.numpy()[tables.masks == 1], atol=TIE)
    np.testing.assert_allclose(values, expected.numpy(), atol=TIE)
    dice = np.zeros(64, np.uint64)
    player, other = OnnxPlayer(tmp_path / "agent.onnx", game), NetworkPlayer(network)
    given = tables.observations, tables.masks, dice
    np.testing.assert_array_equal(player.act(*given), other.act(*given))
