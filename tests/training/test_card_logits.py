"""Do all cards share the weights that read a move from the columns about its card, forwards and backwards?"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

import train  # noqa: F401 - first, for what it asks of PyTorch's threads
from banakil_env.agents.card_logits import DenseCardLogits, card_logits, card_moves
from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape
from banakil_env.agents.network import load, save_agent
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.sparse_kernels import FORBIDDEN
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find
from train.widen import with_rests

SHAPE = Shape(hidden=(16, 8), cards=True)


def wide_shape(game):
    """With all columns that the game has, and with the cards that moves take from the pile."""
    rests, offers = (layout is not None for layout in (game.features.with_rests, game.features.with_offers))
    return dataclasses.replace(SHAPE, rests=rests, offers=offers, takes=True)


def network_of(game, shape, seed=0):
    """A network whose layer of cards is not zero."""
    network = make_network(game, shape, seed)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        torch.nn.init.normal_(network.cards.weight)
        torch.nn.init.normal_(network.cards.bias)
    return network


def positions(game, count=48, steps=30):
    """Observations and masks of tables after some random actions."""
    tables = Tables(count, game=game)
    tables.reset(3)
    for _ in range(steps):
        tables.step(tables.random_actions())
    return tables.observations.copy(), tables.masks.copy()


def seen_in(game, shape):
    """Features, depths, legal actions and the faces that they take."""
    observations, masks = positions(game)
    x, depths = encode(game, observations, features=shape.features(game))
    moves = np.empty((len(x), int(masks.sum(1).max())), np.int16)
    faces = np.empty(moves.shape, np.uint8)
    list_moves(game, masks, depths, moves, faces)
    return x, depths, torch.from_numpy(moves), torch.from_numpy(faces)


@pytest.mark.parametrize("name", GAMES)
def test_listed_moves_have_the_logits_of_all_actions(name):
    game = find(name)
    shape = wide_shape(game)
    network = network_of(game, shape)
    x, depths, moves, faces = seen_in(game, shape)
    whole = network(torch.from_numpy(x), torch.from_numpy(depths))[0].gather(1, moves.long().clamp(min=0))
    for features in (Sparse.of(x), torch.from_numpy(x)):
        listed = network.among(features, moves, faces)[0]
        assert (listed[moves < 0] == FORBIDDEN).all()
        torch.testing.assert_close(listed[moves >= 0], whole[moves >= 0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("threads", [1, 3])
def test_gradients_are_those_of_whole_matrices(threads):
    game = find("rummy")
    shape = wide_shape(game)
    network, (x, depths, moves, faces) = network_of(game, shape), seen_in(game, shape)
    amounts = torch.randn(moves.shape, generator=torch.Generator().manual_seed(1)) * (moves >= 0)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    (network.among(Sparse.of(x), moves, faces)[0].where(moves >= 0, 0) * amounts).sum().backward()
    torch.set_num_threads(before)
    found = {name: weights.grad.clone() for name, weights in network.named_parameters() if weights.grad is not None}
    network.zero_grad()
    whole = network(torch.from_numpy(x), torch.from_numpy(depths))[0].gather(1, moves.long().clamp(min=0))
    (whole * amounts).sum().backward()
    assert found["cards.weight"].abs().max() > 0
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, network.get_parameter(name).grad, rtol=1e-3, atol=1e-3)


def test_a_discard_is_read_from_its_own_card_and_nothing_else():
    game = find("gin")
    table = card_moves(game, game.features)
    first, plane = game.actions.first("discard"), 0
    x = np.zeros((1, game.features.width), np.float32)
    x[0, table.columns[plane, 17]] = 0.5
    weights = torch.zeros(1, table.num_weights)
    weights[0, table.block_of[first] * len(table.columns) + plane] = 3
    moves = torch.arange(first, first + 52, dtype=torch.int16)[None]
    faces = torch.full((1, 52), game.features.no_face, dtype=torch.uint8)
    logits = card_logits(Sparse.of(x), moves, faces, weights, table)[0]
    dense = DenseCardLogits(table)(torch.from_numpy(x), moves.long(), faces.long(), weights)
    assert torch.equal(dense[0], logits)
    [card] = np.flatnonzero(table.place_of[first:] == 17)
    assert logits[card] == 1.5
    assert logits.count_nonzero() == 1


def test_a_card_of_the_pile_is_read_from_its_own_columns():
    game = find("gin")
    table = card_moves(game, game.features, takes=True)
    take, plane, face = game.actions.first("take"), 3, 20
    place = table.place_of_face[face]
    x = np.zeros((2, game.features.width), np.float32)
    x[:, table.columns[plane, place]] = 0.5
    weights = torch.zeros(2, table.num_weights)
    weights[:, table.block_of[take] * len(table.columns) + plane] = 3
    moves = torch.tensor([[take], [take]], dtype=torch.int16)
    faces = torch.tensor([[face], [face + 1]], dtype=torch.uint8)
    logits = card_logits(Sparse.of(x), moves, faces, weights, table)
    assert logits.tolist() == [[1.5], [0.0]]
    assert torch.equal(DenseCardLogits(table)(torch.from_numpy(x), moves.long(), faces.long(), weights), logits)


def test_a_wild_card_of_the_pile_has_no_such_columns():
    game = find("yaniv")
    table = card_moves(game, game.features, takes=True)
    joker = game.features.no_face - 1
    assert table.place_of_face[joker] == table.place_of_face[game.features.no_face] == -1
    x, weights = np.ones((1, game.features.width), np.float32), torch.ones(1, table.num_weights)
    moves = torch.tensor([[game.actions.first("take")]], dtype=torch.int16)
    logits = card_logits(Sparse.of(x), moves, torch.tensor([[joker]], dtype=torch.uint8), weights, table)
    assert logits.tolist() == [[0.0]]


def test_numbers_that_the_network_does_not_have_are_refused():
    """Forwards and backwards: compiled code would read and write elsewhere."""
    game = find("gin")
    table = card_moves(game, game.features)
    x = Sparse.of(np.ones((3, game.features.width), np.float32))
    weights = torch.zeros(3, table.num_weights, requires_grad=True)
    moves, faces = torch.zeros(3, 2, dtype=torch.int16), torch.zeros(3, 2, dtype=torch.uint8)
    logits = card_logits(x, moves, faces, weights, table)
    moves.numpy()[2, 1] = len(game.actions)  # PyTorch does not notice
    with pytest.raises(IndexError, match="row 2 names a feature or an action that the network does not have"):
        card_logits(x, moves, faces, weights, table)
    with pytest.raises(IndexError, match="row 2"):
        logits.sum().backward()
    moves.numpy()[2, 1], x.columns[1, 0] = 0, game.features.width
    with pytest.raises(IndexError, match="row 1"):
        card_logits(x, moves, faces, weights, table)
    with pytest.raises(IndexError, match="row 0"):
        card_logits(Sparse.of(np.ones((3, 5), np.float32)), moves, faces, weights[:, :-1], table)


def test_at_first_nothing_is_added():
    game = find("gin")
    x, depths, _, _ = seen_in(game, SHAPE)
    network, given = make_network(game, SHAPE, 5), (torch.from_numpy(x), torch.from_numpy(depths))
    plain = make_network(game, dataclasses.replace(SHAPE, cards=False), 5)
    plain.load_state_dict({name: weights for name, weights in network.state_dict().items() if "cards" not in name})
    assert torch.equal(network(*given)[0], plain(*given)[0])


def test_a_file_keeps_the_layer(tmp_path):
    game = find("yaniv")
    network = network_of(game, SHAPE)
    save_agent(tmp_path / "agent.safetensors", network, {})
    again = load(tmp_path).network
    assert again.shape == SHAPE
    assert torch.equal(again.cards.weight, network.cards.weight)


def test_columns_of_discards_can_be_added_to_an_agent_without():
    """The new columns have weights of zero, so that the agent plays as before."""
    game = find("rummy")
    wider = dataclasses.replace(SHAPE, rests=True)
    network, grown = network_of(game, SHAPE), make_network(game, wider)
    grown.load_state_dict(with_rests(network.state_dict(), game, SHAPE))
    x, depths, _, _ = seen_in(game, wider)
    given, depths = torch.from_numpy(x), torch.from_numpy(depths)
    before = network(given[:, : game.features.width], depths)[0]
    torch.testing.assert_close(grown(given, depths)[0], before, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("cards", [1, "yes", {}])
def test_a_shape_with_another_value_is_refused(cards):
    with pytest.raises(ValueError, match="cards is true or false"):
        Shape(cards=cards)


def test_a_suit_network_has_no_such_layer():
    with pytest.raises(ValueError, match="cards is true or false, and true only without channels"):
        Shape(channels=8, cards=True)
