"""Do the compiled products with sparse features give what whole matrices give, forwards and backwards?"""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from test_players import positions, rows
from test_train import JAWAKER
from torch import Tensor

from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.model import FORBIDDEN, Network, Shape
from banakil_env.agents.network import load, save_agent
from banakil_env.agents.sparse import Sparse, by_feature, chosen_logits, first_layer
from banakil_env.agents.sparse_features import write_features
from banakil_env.games import find

GAME = find("banakil")

COUNT = 300  # more than a block of rows, and no multiple of one


@pytest.fixture(scope="module")
def seen():
    """Features, legal actions and the faces that takes end at, of positions of a game with four players."""
    observations, masks = rows(positions(COUNT, seed=21, **JAWAKER))
    x, depths = encode(GAME, observations)
    longest = int(masks.sum(1).max())
    moves, faces = np.zeros((COUNT, longest), np.int16), np.zeros((COUNT, longest), np.uint8)
    list_moves(GAME, masks, depths, moves, faces)
    return x, torch.from_numpy(moves), torch.from_numpy(faces)


def table_of(x, width):
    table = Sparse.zeros(len(x), width)
    table.write(x)
    return table


@pytest.fixture(autouse=True)
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def as_double(tensor: Tensor) -> Tensor:
    return tensor.detach().double().requires_grad_(True)


def close(found: Tensor, exact: Tensor) -> bool:
    """As near as sums of single precision come: by the size of what was added up."""
    found, exact = found.detach().double(), exact.detach()
    return bool((found - exact).abs().max() <= 1e-5 * max(1.0, float(exact.abs().max())))


def test_features_are_written_and_read_back(seen):
    x = seen[0]
    table = table_of(x, x.shape[1])
    assert np.array_equal(table.dense(x.shape[1]).numpy(), x)
    some = np.array([7, 3, 7])
    assert np.array_equal(table.part(some).dense(x.shape[1]).numpy(), x[some])


def test_a_row_with_more_features_than_fit_is_told_and_written_when_there_is_room(seen):
    x = seen[0]
    most = int((x != 0).sum(1).max())
    table = Sparse.zeros(COUNT, most - 1)
    assert table.write(x, threads=2) == most
    table = table.widened(most)
    assert table.write(x, threads=2) == most
    assert np.array_equal(table.dense(x.shape[1]).numpy(), x)


@pytest.mark.parametrize("width", [7, 64])
def test_the_first_layer_is_a_linear_layer(seen, width):
    x, numbers = seen[0], np.random.default_rng(0).permutation(COUNT)
    layer = torch.nn.Linear(x.shape[1], width)
    weight = torch.nn.Parameter(by_feature(layer.weight.detach()))
    exact = [as_double(tensor) for tensor in (weight, layer.bias)]
    wanted = torch.from_numpy(x[numbers]).double() @ exact[0].t() + exact[1]
    found = first_layer(table_of(x, 256).part(numbers), weight, layer.bias)
    assert close(found, wanted)
    by = torch.randn(COUNT, width)
    gradients = torch.autograd.grad(found, [weight, layer.bias], by)
    for one, other in zip(gradients, torch.autograd.grad(wanted, exact, by.double())):
        assert one.shape == other.shape
        assert close(one, other)


def test_chosen_logits_are_those_of_whole_layers(seen):
    _, moves, faces = seen
    network = Network(GAME, Shape((8, 24)), seed=1)
    for layer in (network.policy, network.takes):
        torch.nn.init.normal_(layer.weight)
        torch.nn.init.normal_(layer.bias)
    x = torch.randn(COUNT, 24, requires_grad=True)
    given = [x, network.policy.weight, network.policy.bias, network.takes.weight, network.takes.bias]
    exact = [as_double(tensor) for tensor in given]
    whole = (exact[0] @ exact[1].t() + exact[2]).gather(1, moves.long().clamp(min=0))
    whole = whole + torch.nn.functional.pad(exact[0] @ exact[3].t() + exact[4], (0, 1)).gather(1, faces.long())
    legal = moves >= 0
    assert (faces[legal] < GAME.features.no_face).any(), "no take among the positions"

    found = chosen_logits(x, moves, faces, network.policy, network.takes)
    assert close(found[legal], whole[legal])
    assert bool((found[~legal] == FORBIDDEN).all())
    by = torch.randn(moves.shape) * legal
    for one, other in zip(torch.autograd.grad(found, given, by), torch.autograd.grad(whole, exact, by.double())):
        assert close(one, other)


def test_any_number_of_threads_gives_the_same(seen):
    x, moves, faces = seen
    found = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        network = Network(GAME, Shape((256,)), seed=1)
        table = Sparse.zeros(COUNT, 256)
        table.write(x, threads)
        hidden = first_layer(table, network.layers[0].weight, network.layers[0].bias)
        logits = chosen_logits(hidden, moves, faces, network.policy, network.takes)
        logits.backward(torch.ones_like(logits) * (moves >= 0))
        weights = (network.layers[0].weight, network.policy.weight, network.takes.weight, network.policy.bias)
        found.append([logits.detach(), *(weight.grad for weight in weights)])
    for some in found[1:]:
        assert all(close(one, other.double()) for one, other in zip(some, found[0]))


def test_copies_and_files_keep_the_first_layer_feature_by_feature(tmp_path):
    network = Network(GAME, Shape((8, 8)), seed=1)
    save_agent(tmp_path / "agent.safetensors", network, {})
    for one in (network, copy.deepcopy(network), load(tmp_path).network):
        assert one.layers[0].weight.t().is_contiguous()
        assert torch.equal(one.layers[0].weight, network.layers[0].weight)


def test_nothing_of_a_longer_row_stays_behind_a_shorter_one():
    table = Sparse.zeros(1, 4)
    for columns in ([1, 3, 5, 7], [2]):
        x = np.zeros((1, 9), np.float32)
        x[0, columns] = 1
        table.write(x)
        assert np.array_equal(table.dense(9).numpy(), x)


def test_features_are_written_sparse_as_they_are_written_whole():
    """Into any rows of a table; where there is too little room, the answer says how much is needed."""
    observations, _ = rows(positions(150, seed=5, **JAWAKER))
    whole, depths = encode(GAME, observations)
    table, found = Sparse.zeros(400, 4), np.zeros_like(depths)
    chosen = np.random.default_rng(1).permutation(400)[:150]
    most = write_features(GAME, observations, table.part(chosen), found)
    assert most == np.count_nonzero(whole, axis=1).max()
    table = table.widened(most)
    assert write_features(GAME, observations, table.part(chosen), found, threads=2) == most
    assert np.array_equal(table.part(chosen).dense(whole.shape[1]).numpy(), whole)
    assert np.array_equal(found, depths)


def test_a_network_on_another_device_takes_the_rows_written_out():
    x = np.eye(3, 5, dtype=np.float32)
    table = Sparse.of(x)
    assert table.on(torch.device("cpu"), 5) is table
    written = table.on(torch.device("meta"), 5, torch.bfloat16)
    assert (written.device.type, written.dtype, written.shape) == ("meta", torch.bfloat16, x.shape)


# Numbers that the network does not have -------------------------------------------------------------------------------


def test_a_feature_that_the_network_does_not_have_is_refused(seen):
    """Forwards and backwards, in any thread: compiled code would read and write elsewhere."""
    x, *_ = seen
    table, weight = table_of(x, x.shape[1]), torch.zeros(8, x.shape[1], requires_grad=True)
    product = first_layer(table, weight, torch.zeros(8))
    table.columns[5, 0] = x.shape[1]
    with pytest.raises(IndexError, match="row 5 names a feature or an action that the network does not have"):
        first_layer(table, weight, torch.zeros(8))
    with pytest.raises(IndexError, match="row 5"):
        product.sum().backward()
    table.columns[5, 0], table.lengths[7] = 0, x.shape[1] + 1
    with pytest.raises(IndexError, match="row 7"):
        first_layer(table, weight, torch.zeros(8))


def test_an_action_that_the_network_does_not_have_is_refused(seen):
    _, moves, faces = seen
    moves, policy = moves.clone(), torch.nn.Linear(8, len(GAME.actions))
    logits = chosen_logits(torch.zeros(COUNT, 8, requires_grad=True), moves, faces, policy, None)
    moves.numpy()[3, 0] = len(GAME.actions)  # PyTorch does not notice
    with pytest.raises(IndexError, match="row 3 names a feature or an action that the network does not have"):
        chosen_logits(torch.zeros(COUNT, 8), moves, faces, policy, None)
    with pytest.raises(IndexError, match="row 3"):
        logits.sum().backward()
