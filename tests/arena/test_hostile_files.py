"""Is a file that anybody may have written refused with one error, quickly, and before anything is made of it?

Every file here is signed: its digest matches, so that only what it says is wrong.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
import types
import zipfile

import numpy as np
import pytest

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.agents import PlayerError, hub, make_player
from banakil_env.agents.making import make_network, unbuilt_network
from banakil_env.agents.metadata import digest_of_columns, features_said, object_of
from banakil_env.agents.model import MAX_CHANNELS, MAX_LAYERS, MAX_WIDTH, Shape
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.agents.onnx import FORMAT as ONNX_FORMAT
from banakil_env.agents.onnx import OnnxError, OnnxPlayer, _digest
from banakil_env.agents.tensors import digest
from banakil_env.core.files import MOST_LEVELS, parse_json
from banakil_env.games import find
from train import __main__ as command
from train import begin, checkpoint
from train.config import Config, Evaluation, Optimizer, Pool, Reward, Rollouts, with_
from train.run import DivergedError

GAME = find("banakil")

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

RUN = Config(
    "small",
    pool=Pool(("self",), size=2),
    network=Shape((16,)),
    reward=Reward(unit=1.0),
    rollout=Rollouts(tables=8, steps=32),
    optimizer=Optimizer(batch=64, epochs=1),
    evaluation=Evaluation(times=0, deals=2),
    steps=512,
    threads=1,
)
NESTED = "[" * 100_000 + "]" * 100_000


def resigned(path, change, tensors_change=None):
    """Change an agent's or a checkpoint's metadata and tensors in place, and sign the file again."""
    with safetensors.safe_open(str(path), "pt") as opened:
        said = opened.metadata()
        tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    change(said)
    if tensors_change:
        tensors_change(tensors)
    said["digest"] = digest(said, tensors)
    path.write_bytes(safetensors.save(tensors, said))


@pytest.fixture
def agent(tmp_path):
    """The file of a small agent."""
    save_agent(tmp_path / "agent.safetensors", make_network(GAME, Shape((8,)), 0), {"by": "hand"})
    return tmp_path / "agent.safetensors"


@pytest.fixture
def nothing_built(monkeypatch):
    """No network is made with memory for its weights."""

    def build(*given):
        raise AssertionError("a network was made of it")

    monkeypatch.setattr("banakil_env.agents.network.network_with", build)
    monkeypatch.setattr(
        "torch.nn.init.orthogonal_", lambda tensor, *given, **options: tensor if tensor.is_meta else build()
    )


# Agents -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [
        {"hidden": [8192, 8192, 8192], "advice": None, "channels": None},
        {"hidden": [8, 8], "advice": None, "channels": 1024},
        {"hidden": [8] * 300, "advice": None, "channels": None},
        {"hidden": [MAX_WIDTH] * MAX_LAYERS, "advice": None, "channels": None},  # within bounds, and not what is there
        {"hidden": [MAX_WIDTH, 8], "advice": None, "channels": MAX_CHANNELS},
        {"hidden": [8, 10**30], "advice": None, "channels": None},
    ],
    ids=["wide", "channels", "deep", "largest", "largest of suits", "huge"],
)
def test_a_small_file_that_promises_a_large_network(agent, nothing_built, shape):
    resigned(agent, lambda said: said.update(shape=json.dumps(shape)))
    with pytest.raises(
        AgentError, match=r"has an impossible shape|has no shape that can be read|does not fit its own description"
    ):
        load(agent)


@pytest.mark.parametrize(
    "text",
    [
        "5", "null", "[]", "{}", "", "{", '"x"', "NaN", NESTED, '{"hidden": 5}', '{"hidden": null}', '{"hidden": []}',
        '{"hidden": [8.0]}', '{"hidden": [true]}', '{"hidden": [[8]]}', '{"hidden": ["8"]}', '{"hidden": {"8": 8}}',
        '{"hidden": [-8]}', '{"hidden": [8], "advice": 5}', '{"hidden": [8], "advice": ["expert"]}',
        '{"hidden": [8], "advice": "nobody"}', '{"hidden": [8], "channels": "6"}', '{"hidden": [8], "channels": true}',
        '{"hidden": [8], "channels": 4, "sets": 1}', '{"hidden": [8], "channels": 4, "sets": null}',
        '{"hidden": [8], "sets": true}', '{"hidden": [8], "depth": 3}', '{"hidden": [' + "9" * 10_000 + "]}",
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_a_shape_that_is_none(agent, nothing_built, text):
    resigned(agent, lambda said: said.update(shape=text))
    with pytest.raises(AgentError, match=r"has an invalid shape|has an impossible shape|has no (shape|object)"):
        load(agent)


@pytest.mark.parametrize("text", ["null", "5", "[]", "", "{", NESTED, f'{{"a": {NESTED}}}'], ids=range(7))
def test_an_about_that_is_none(agent, text):
    resigned(agent, lambda said: said.update(about=text))
    with pytest.raises(AgentError, match=r"has no about that can be read|has no object as its about"):
        load(agent)


@pytest.mark.parametrize("name", ["game", "features", "shape", "about"])
def test_metadata_that_are_missing(agent, name):
    resigned(agent, lambda said: said.pop(name))
    with pytest.raises(AgentError, match="in its metadata; an agent has about, columns, digest"):
        load(agent)


@pytest.mark.parametrize(
    "name", ["", "chess", "banakil", "rummy/os-v0", "rummy/banakil-v1", "../banakil", "x" * 10_000]
)
def test_a_game_that_is_none(agent, nothing_built, name):
    resigned(agent, lambda said: said.update(game=name))
    with pytest.raises(AgentError, match=r"plays .*there is no game .*; there are rummy/banakil-v0"):
        load(agent)


def test_an_agent_of_another_game_is_refused_as_a_player(agent):
    other = dataclasses.replace(GAME, name="other")
    with pytest.raises(PlayerError, match=r"plays rummy/banakil-v0, not rummy/other-v0"):
        make_player(f"net:{agent}", other)


def test_an_agent_of_other_columns_is_refused_with_the_way_out(agent, nothing_built):
    """The version says nothing of columns that were moved without it, as once in Canasta."""
    resigned(agent, lambda said: said.update(columns="0123456789abcdef"))
    with pytest.raises(AgentError) as caught:
        load(agent)
    said = str(caught.value)
    assert "was trained on the feature columns 0123456789abcdef of rummy/banakil-v0" in said
    assert digest_of_columns(GAME.features) in said
    assert "train it again, or play it with the release that made it" in said


def test_an_agent_of_columns_in_another_order_is_refused(tmp_path):
    first, second, *others = GAME.features.columns
    moved = dataclasses.replace(GAME.features, columns=(second, first, *others))
    network = make_network(dataclasses.replace(GAME, features=moved), Shape((8,)), 0)
    save_agent(tmp_path / "agent.safetensors", network, {})
    with pytest.raises(AgentError, match=f"was trained on the feature columns {digest_of_columns(moved)}"):
        load(tmp_path)


def test_an_agent_that_does_not_say_its_columns_is_refused(agent):
    resigned(agent, lambda said: said.pop("columns"))
    with pytest.raises(AgentError, match="in its metadata; an agent has about, columns"):
        load(agent, GAME)


def test_metadata_that_are_not_known(agent):
    resigned(agent, lambda said: said.update(extra="{" * 10))
    with pytest.raises(AgentError, match="says about, columns, digest, extra, "):
        load(agent)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("stored", [torch.float32, torch.float16])
def test_weights_that_are_not_finite(agent, number, stored):
    save_agent(agent, make_network(GAME, Shape((8,)), 0), {}, stored)
    resigned(agent, lambda said: None, lambda tensors: tensors["policy.weight"][3].fill_(number))
    with pytest.raises(AgentError, match=r"holds numbers that are not finite: policy\.weight"):
        load(agent)


@pytest.mark.parametrize(("number", "stored"), [(float("nan"), torch.float32), (1e6, torch.float16)])
def test_weights_that_are_not_finite_are_not_written(agent, number, stored):
    """1e6 is infinite as a float16."""
    network, before = make_network(GAME, Shape((8,)), 0), agent.read_bytes()
    torch.nn.init.constant_(network.value.bias, number)
    with pytest.raises(AgentError, match=r"is not written: the network holds numbers that are not finite: value\.bias"):
        save_agent(agent, network, {}, stored)
    assert agent.read_bytes() == before


def test_tensors_that_are_too_many_too_few_or_of_another_type(agent):
    whole = agent.read_bytes()
    for change, said in (
        (lambda tensors: tensors.update(more=torch.zeros(2)), "more is F32 .*should be not there"),
        (lambda tensors: tensors.pop("value.bias"), r"value\.bias is not there"),
        (lambda tensors: tensors.update({"value.bias": torch.zeros(1, dtype=torch.int64)}), r"value\.bias is I64"),
        (lambda tensors: tensors.update({"value.bias": torch.zeros(1, dtype=torch.bfloat16)}), r"value\.bias is BF16"),
    ):
        agent.write_bytes(whole)
        resigned(agent, lambda said: None, change)
        with pytest.raises(AgentError, match=said):
            load(agent)


@pytest.mark.parametrize("shape", [Shape((16, 8), "expert"), Shape((16, 8), "greedy", channels=4)], ids=str)
def test_a_network_that_is_loaded_is_the_one_that_was_saved(tmp_path, shape):
    """To the last bit, in memory in the same order, and with gradients."""
    network = make_network(GAME, shape, 3)
    save_agent(tmp_path / "agent.safetensors", network, {})
    other = load(tmp_path).network
    for one, two in zip(network.parameters(), other.parameters(), strict=True):
        assert torch.equal(one, two)
        assert one.stride() == two.stride()
        assert two.requires_grad
    assert all(torch.equal(one, two) for one, two in zip(network.buffers(), other.buffers(), strict=True))
    assert all(weights.is_meta for weights in unbuilt_network(GAME, shape).parameters())


def test_json_may_be_nested_so_far_and_no_further():
    deepest = "[" * MOST_LEVELS + "]" * MOST_LEVELS
    assert json.dumps(parse_json(deepest)) == deepest
    with pytest.raises(ValueError, match=f"more than {MOST_LEVELS} lists and objects"):
        parse_json(f"[{deepest}]")
    with pytest.raises(ValueError, match="has no about"):
        object_of({}, "about")


@pytest.mark.parametrize("text", [NESTED, f'{{"a": {NESTED}}}', "\udcff", ""], ids=range(4))
def test_a_configuration_of_the_hub_that_cannot_be_read(tmp_path, text):
    save_agent(tmp_path / "model.safetensors", make_network(GAME, Shape((8,)), 0), {})
    (tmp_path / "config.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(AgentError, match=r"config\.json is damaged"):
        hub.load_folder(tmp_path)


@pytest.mark.parametrize(
    "config", [{"table": 5}, {"table": {"num_players": 99}}, {"table": {"x": 1}}, {"table": []}], ids=str
)
def test_an_agent_of_a_table_that_cannot_be(tmp_path, config):
    save_agent(tmp_path / "agent.safetensors", make_network(GAME, Shape((8,)), 0), {"config": config})
    with pytest.raises(AgentError, match="trained at an impossible table"):
        hub.export(tmp_path, tmp_path / "out", ["random"])


# ONNX ---------------------------------------------------------------------------------------------------------------


def number(value: int) -> bytes:
    """A number as protobuf writes it."""
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def field(place: int, value: int | bytes) -> bytes:
    """A field of a protobuf message."""
    if isinstance(value, int):
        return number(place << 3) + number(value)
    return number(place << 3 | 2) + number(len(value)) + value


def onnx_file(graph=b"", more=b"", **changes) -> bytes:
    """A signed ONNX file; a value of None leaves that part of the metadata out."""
    said = {"format": ONNX_FORMAT, "game": GAME.id, **features_said(GAME.features), "about": "{}"}
    said |= {"advice": "", "digest": "0" * 64} | changes
    content = field(1, 9) + field(7, graph) + more
    for name, text in said.items():
        if text is not None:
            content += field(14, field(1, name.encode()) + field(2, text.encode()))
    return content.replace(b"0" * 64, _digest(content).encode()) if said["digest"] == "0" * 64 else content


def tensor(kind: int, raw: bytes, place: int = 9) -> bytes:
    return field(1, 1) + field(2, kind) + field(place, raw)


@pytest.fixture
def sessions(monkeypatch):
    """The sessions that are started: with a runtime that runs nothing."""
    started = []
    fake = types.ModuleType("onnxruntime")
    fake.SessionOptions = types.SimpleNamespace

    def session(content, *given, **options):
        started.append(content)
        raise RuntimeError("a session was started")

    fake.InferenceSession = session
    monkeypatch.setitem(sys.modules, "onnxruntime", fake)
    return started


def refused(tmp_path, content: bytes, said: str) -> None:
    (tmp_path / "x.onnx").write_bytes(content)
    with pytest.raises(OnnxError, match=said):
        OnnxPlayer(tmp_path / "x.onnx")


def test_a_file_that_is_right_is_given_to_the_runtime(tmp_path, sessions):
    finite = tensor(1, struct.pack("<2f", 1.5, -2.0)) + field(8, b"name")
    content = onnx_file(field(5, finite) + field(1, field(5, field(5, tensor(7, b"\xff" * 8)))))
    refused(tmp_path, content, "a session was started")
    assert sessions == [content]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": None}, "is of format None"),
        ({"format": "other"}, "is of format 'other'"),
        ({"digest": None}, "in its metadata; an agent has"),
        ({"digest": ""}, "has an invalid digest: ''"),
        ({"digest": "0"}, "has an invalid digest"),
        ({"digest": "a" * 64}, "its digest does not match"),
        ({"game": None}, "in its metadata; an agent has"),
        ({"game": "chess"}, "plays chess: there is no game"),
        ({"game": "rummy/banakil-v9"}, "plays rummy/banakil-v9: there is no game"),
        ({"game": "rummy/../os-v0"}, "there is no game"),
        ({"features": None}, "in its metadata; an agent has"),
        ({"columns": "0" * 16}, "was trained on the feature columns 0000000000000000"),
        ({"features": "1"}, "was trained on version 1 of the features, and this is version 2"),
        ({"advice": "nobody"}, "is advised by 'nobody'"),
        ({"about": "null"}, "has no object as its about"),
        ({"about": NESTED}, "has no about that can be read"),
        ({"about": None}, "in its metadata; an agent has"),
        ({"extra": "x"}, "in its metadata; an agent has"),
    ],
    ids=range(18),
)  # fmt: skip
def test_no_session_is_started_for_metadata_that_are_wrong(tmp_path, sessions, changes, said):
    refused(tmp_path, onnx_file(**changes), said)
    assert not sessions


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (field(5, tensor(1, struct.pack("<2f", 1, np.nan))), "not finite"),
        (field(5, tensor(1, struct.pack("<2f", 1, np.inf), place=4)), "not finite"),
        (field(5, tensor(10, struct.pack("<2e", 1, -np.inf))), "not finite"),
        (field(5, tensor(11, struct.pack("<d", np.nan))), "not finite"),
        (field(5, field(9, struct.pack("<f", np.nan)) + field(2, 1)), "not finite"),  # the type behind the bytes
        (field(1, field(5, field(5, tensor(1, struct.pack("<f", np.nan))))), "not finite"),
        (field(5, field(13, field(1, b"location"))), "in another file"),
        (field(5, field(14, 1)), "in another file"),
        (field(1, field(5, field(6, b""))), "graph or sparse weights inside of a node"),
        (field(15, b""), "sparse weights"),
        (field(5, tensor(1, b"123")), "is damaged|buffer size"),
        (field(5, 7), "is damaged"),
    ],
)
def test_no_session_is_started_for_weights_that_are_wrong(tmp_path, sessions, graph, said):
    refused(tmp_path, onnx_file(graph), said)
    assert not sessions


def test_no_session_is_started_for_what_is_no_plain_graph(tmp_path, sessions):
    refused(tmp_path, onnx_file(more=field(7, b"")), "has 2 graphs instead of one")
    refused(tmp_path, onnx_file(more=field(25, b"")), "has functions")
    refused(tmp_path, onnx_file(more=field(14, field(1, b"game") + field(2, b"x"))), "says its 'game' twice")
    assert not sessions


@pytest.mark.parametrize(
    "content", [b"", b"\x00", b"\xff" * 40, b"\x0a", b"\x0a\xff\x01", b"\x0b", b"MZ\x90", b"\x70\x05"]
)
def test_no_session_is_started_for_other_bytes(tmp_path, sessions, content):
    refused(tmp_path, content, "is damaged or no ONNX file|is of format None")
    assert not sessions


def test_a_file_of_onnx_that_is_too_large_is_not_read(tmp_path, sessions, monkeypatch):
    monkeypatch.setattr("banakil_env.agents.onnx.MOST_BYTES", 100)
    refused(tmp_path, onnx_file(), "and at most 100 are read")
    assert not sessions


# Files with holes ---------------------------------------------------------------------------------------------------


HUGE = 100 * 2**30  # bytes, none of which is on the disk


def huge(path, content=b""):
    """A file that begins with `content` and has HUGE bytes."""
    path.write_bytes(content)
    with path.open("r+b") as file:
        try:
            file.truncate(HUGE)
        except OSError:
            pytest.skip("a disk without files of this size")
    return path


@pytest.mark.parametrize("kind", ["ppo", "onnx", "sb3", "hub", "hub config", "python"])
def test_a_huge_file_with_holes_is_refused_by_its_size(kind, tmp_path):
    tensors = json.dumps({"a": {"dtype": "U8", "shape": [HUGE - 71], "data_offsets": [0, HUGE - 71]}}).encode()
    if kind in ("ppo", "hub"):
        huge(tmp_path / "model.safetensors", struct.pack("<Q", 63) + tensors.ljust(63))
        (tmp_path / "config.json").write_text("{}")
        name = f"{kind}:{tmp_path}"
    elif kind == "hub config":
        save_agent(tmp_path / "model.safetensors", make_network(GAME, Shape((8,)), 0), {})
        huge(tmp_path / "config.json", b"{")
        name = f"hub:{tmp_path}"
    elif kind == "sb3":
        pytest.importorskip("sb3_contrib")
        with zipfile.ZipFile(huge(tmp_path / "m.zip"), "a") as archive:
            archive.writestr("data", "{}")
        name = f"sb3:{tmp_path / 'm.zip'}"
    else:
        file = huge(tmp_path / ("huge_player.py" if kind == "python" else "a.onnx"))
        name = f"{file}:play" if kind == "python" else f"onnx:{file}"
    with pytest.raises(PlayerError, match=r"has 107,374,\d+,\d+ bytes, and at most [\d,]+ are read"):
        make_player(name)


def test_an_archive_that_is_huge_when_unpacked_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("sb3_contrib")
    monkeypatch.setattr("banakil_env.agents.sb3.MOST_BYTES", 10**6)
    with zipfile.ZipFile(tmp_path / "m.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data", " " * 10**7)
    with pytest.raises(PlayerError, match=r"m\.zip has 10,000,000 bytes when it is unpacked, and at most 1,000,000"):
        make_player(f"sb3:{tmp_path / 'm.zip'}")


# Checkpoints --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """The folder of a small run that has ended."""
    folder = tmp_path_factory.mktemp("run")
    begin.make_run(RUN, folder).train()
    return folder


@pytest.fixture
def saved(run_folder, tmp_path):
    """A copy of its checkpoint, for a test that spoils it."""
    path = tmp_path / checkpoint.FILE
    path.write_bytes((run_folder / checkpoint.FILE).read_bytes())
    return path


def test_a_checkpoint_that_is_signed_again_is_still_good(saved):
    resigned(saved, lambda said: None)
    assert checkpoint.read(saved).config == RUN


def test_a_checkpoint_of_other_columns_is_refused(saved):
    resigned(saved, lambda said: said.update(columns="0123456789abcdef"))
    with pytest.raises(checkpoint.CheckpointError, match="0123456789abcdef"):
        checkpoint.read(saved)


@pytest.mark.parametrize("name", ["config", "progress"])
@pytest.mark.parametrize(
    "text", ["5", "null", "[]", "", "{", NESTED, '{"steps": "x"}', '{"points": [5]}'], ids=range(8)
)
def test_a_checkpoint_that_says_what_cannot_be_read(saved, name, text):
    resigned(saved, lambda said: said.update({name: text}))
    with pytest.raises(checkpoint.CheckpointError):
        checkpoint.read(saved)


PAST = ["5", "null", "[-1]", "[1.5]", "[2, 1]", "[1, 1]", NESTED, "[1, 2, 3]", "[10000000000000]"]


@pytest.mark.parametrize("past", PAST, ids=range(9))
def test_a_checkpoint_with_past_selves_that_cannot_be(saved, past):
    resigned(saved, lambda said: said.update(past=past))
    with pytest.raises(checkpoint.CheckpointError):
        checkpoint.read(saved)


@pytest.mark.parametrize("name", ["game", "features", "config", "progress", "past"])
def test_a_checkpoint_whose_metadata_are_missing(saved, name):
    resigned(saved, lambda said: said.pop(name))
    with pytest.raises(checkpoint.CheckpointError, match="a run continues from"):
        checkpoint.read(saved)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("network.value.weight", lambda tensor: tensor.fill_(float("nan"))),
        ("adam.0.exp_avg_sq", lambda tensor: tensor.fill_(float("inf"))),
        ("network.value.weight", lambda tensor: tensor[:, :3].contiguous()),
        ("adam.0.exp_avg", lambda tensor: tensor[:3].contiguous()),
        ("tables.states", lambda tensor: tensor[:3].contiguous()),
        ("tables.dice", lambda tensor: tensor.float()),
        ("random.torch", lambda tensor: torch.full_like(tensor, 255)),
        ("random.torch", lambda tensor: tensor[:100].contiguous()),
        ("random.numpy", lambda tensor: torch.cat([tensor[:-2], torch.tensor([625, 0])])),
        ("random.numpy", lambda tensor: torch.cat([tensor[:-2], torch.tensor([-1, 0])])),
        ("random.numpy", lambda tensor: torch.full_like(tensor, -1)),
        ("random.gauss", lambda tensor: torch.full_like(tensor, float("nan"))),
    ],
)
def test_a_checkpoint_whose_tensors_cannot_be(saved, name, change):
    resigned(saved, lambda said: None, lambda tensors: tensors.update({name: change(tensors[name])}))
    with pytest.raises(checkpoint.CheckpointError, match=r"is random|of shape|not finite|holds no state"):
        checkpoint.read(saved)


def test_a_checkpoint_of_a_run_that_would_not_fit(saved, monkeypatch):
    """Its configuration is within bounds, and its tensors are those of a small run."""
    monkeypatch.setattr("torch.linalg.qr", lambda *given: pytest.fail("a network was made of it"))

    def larger(said):
        config = json.loads(said["config"])
        config["network"]["hidden"] = [MAX_WIDTH] * MAX_LAYERS
        config["rollout"] |= {"tables": 2**16, "steps": 2**7}
        said["config"] = json.dumps(config)

    resigned(saved, larger)
    with pytest.raises(checkpoint.CheckpointError, match="does not fit its own description"):
        begin.go_on(saved.parent)


def test_generators_of_any_state_deal_whole_games(saved):
    """Nothing else of a table is in a checkpoint."""
    numbers = torch.tensor([-1, 0, 2**62, -(2**63)] * 2)
    resigned(
        saved,
        lambda said: None,
        lambda tensors: tensors.update({"tables.states": numbers, "tables.dice": numbers.clone()}),
    )
    run = begin.go_on(saved.parent, dataclasses.replace(RUN, steps=RUN.steps + 256))
    assert run.train().steps == RUN.steps + 256


# Runs that diverge --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trainer", ["fast", "aggrevate", "sb3"])
def test_a_run_whose_weights_become_nan_stops_and_keeps_its_checkpoint(tmp_path, monkeypatch, trainer):
    changes = {"trainer": trainer, "steps": 10_000, "checkpoint_seconds": 0.0, "evaluation.times": 0}
    if trainer == "sb3":
        changes["pool.players"] = ["greedy"]
    if trainer == "aggrevate":
        changes["network.advice"] = "expert"
    run = begin.make_run(with_(RUN, changes), tmp_path)
    good, between = [], type(run).between

    def spoil(self, display):
        last = between(self, display)
        if self.steps >= 512 and not good:
            good.append((tmp_path / checkpoint.FILE).read_bytes())
            with torch.no_grad():
                self.network.value.weight[0, 0] = float("nan")
        return last

    monkeypatch.setattr(type(run), "between", spoil)
    with pytest.raises(DivergedError, match=r"became NaN or infinite after about .*checkpoint\.safetensors, is"):
        run.train()
    assert [(tmp_path / checkpoint.FILE).read_bytes()] == good
    assert checkpoint.read(tmp_path / checkpoint.FILE).progress.steps >= 256
    load(tmp_path)


@pytest.mark.parametrize("trainer", ["fast", "aggrevate"])
def test_a_loss_that_is_nan_stops_the_run(tmp_path, trainer):
    changes = {"trainer": trainer, "network.advice": "expert"}
    run = begin.make_run(with_(RUN, changes), tmp_path)
    run.roll_out()
    (run.gains if trainer == "aggrevate" else run.returns)[:] = np.inf
    with pytest.raises(DivergedError, match=r"loss became NaN or infinite .* no checkpoint had been written yet"):
        run.update()
    with pytest.raises(DivergedError, match="weights"):
        run.check_weights()
    with pytest.raises(checkpoint.CheckpointError, match="is not written: the run holds numbers that are not finite"):
        run.write_checkpoint()
    assert not (tmp_path / checkpoint.FILE).exists()


def test_the_command_says_that_a_run_has_diverged(tmp_path, monkeypatch, capsys):
    def diverge(*given):
        raise DivergedError("the loss became NaN")

    monkeypatch.setattr(command, "begin_or_go_on", diverge)
    assert command.main(["demo", "--out", str(tmp_path)]) == 1
    assert "train: the loss became NaN" in capsys.readouterr().err
