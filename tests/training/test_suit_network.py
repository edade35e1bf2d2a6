"""Are all suits alike to it, and does it keep to what every network does?"""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from tables import TABLES

from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape
from banakil_env.agents.network import load, save_agent
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.sparse_suits import Where, suit_layer
from banakil_env.agents.suit_layout import seen_of
from banakil_env.agents.suit_network import SuitNetwork
from banakil_env.arena.players import CompiledPlayer
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.cards import SUITS as SUIT_NAMES
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

torch = pytest.importorskip("torch")

SHAPE = Shape((12, 10), "expert", channels=6)
WITH_SETS = Shape((12, 10), "expert", channels=6, sets=True)
SHAPES = pytest.mark.parametrize("shape", [SHAPE, WITH_SETS], ids=["without sets", "with sets"])
CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")


def lively(seed: int = 1, shape: Shape = SHAPE) -> SuitNetwork:
    """A network all of whose weights say something."""
    network = make_network(banakil.game, shape, seed)
    generator = torch.Generator().manual_seed(seed)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, 0, 0.3, generator=generator)
    return network


def renamed(text: str, named: dict[str, str]) -> str:
    """A position or an action with other names of the suits."""
    return CARD.sub(lambda found: found[1] + named[found[2]], text)


def renamed_action(action: int, named: dict[str, str]) -> int:
    word, *cards = renamed(banakil.action_text(action), named).split()
    if word == "open" and len({card[0] for card in cards if card != "JK"}) == 1:  # a set names its suits in their order
        cards.sort(key=lambda card: 4 if card == "JK" else SUIT_NAMES.index(card[1]))
    return banakil.parse_action(" ".join([word, *cards]))


@SHAPES
@pytest.mark.parametrize("name", ["pagat two", "jawaker partners", "gamefarm individuals"])
def test_with_other_names_of_the_suits_it_says_the_same(name, shape):
    rng, network = random.Random(7), lively(shape=shape)
    state, tried = banakil.new(**TABLES[name], seed=2), set()
    for move in range(150):
        if banakil.is_over(state):
            state = banakil.new(**TABLES[name], seed=move)
        named = dict(zip(SUIT_NAMES, rng.sample(SUIT_NAMES, 4)))
        other = banakil.from_text(renamed(banakil.to_text(state), named))
        legal = banakil.legal_actions(state)
        advice, found = rng.choice(legal), []
        for one, advised in ((state, advice), (other, renamed_action(advice, named))):
            seen = banakil.observe(one, banakil.seat_to_move(one))["observation"][None]
            found.append(network.of_rows(seen, torch.tensor([advised])))
        (logits, value), (their_logits, their_value) = found
        theirs = their_logits[0, [renamed_action(action, named) for action in legal]]
        assert torch.allclose(logits[0, legal], theirs, atol=1e-4)
        assert torch.allclose(value, their_value, atol=1e-4)
        tried |= {banakil.action_text(action).split()[0] for action in legal}
        banakil.apply(state, rng.choice(legal))
    assert tried >= {"draw", "take", "open", "add", "discard"}


@SHAPES
def test_legal_actions_alone_have_the_logits_that_they_have_among_all(shape):
    network, rng = lively(shape=shape), random.Random(3)
    state = banakil.new(4, seed=3)
    for _ in range(60):
        seen = banakil.observe(state, banakil.seat_to_move(state))
        legal = banakil.legal_actions(state)
        rows = seen["observation"][None], seen["action_mask"][None]
        advice = torch.tensor([rng.choice(legal)])
        logits, value = network.of_rows(rows[0], advice)
        moves, some, same = network.legal_of_rows(*rows, advice)
        assert moves[0].tolist() == legal
        assert torch.allclose(some[0], logits[0, legal], atol=1e-4)
        assert torch.allclose(value, same, atol=1e-4)
        again, _ = network(*map(torch.from_numpy, encode(banakil.game, rows[0])), advice)
        assert torch.equal(again, logits)
        banakil.apply(state, rng.choice(legal))


@pytest.mark.parametrize("name", ["canasta", "hand_and_foot", "mille"])
def test_where_only_ranks_matter_every_action_has_a_logit_of_its_own(name):
    game = find(name)
    plain, rng, tried = Plain(game), random.Random(3), set()
    network, generator = make_network(game, SHAPE, 1), torch.Generator().manual_seed(1)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, 0, 0.3, generator=generator)
    state = plain.new(seed=3)
    for _ in range(150):
        if plain.is_over(state):
            state = plain.new(seed=4)
        seen, legal = plain.observe(state, plain.seat_to_move(state)), plain.legal_actions(state)
        advice = torch.tensor([rng.choice(legal)])
        logits, value = network.of_rows(seen["observation"][None], advice)
        moves, some, same = network.legal_of_rows(seen["observation"][None], seen["action_mask"][None], advice)
        assert moves[0].tolist() == legal
        assert len(set(some[0].tolist())) == len(legal)
        assert torch.allclose(some[0], logits[0, legal], atol=1e-4)
        assert torch.allclose(value, same, atol=1e-4)
        tried |= set(legal)
        plain.apply(state, rng.choice(legal))
    assert len(tried) > 40


@SHAPES
@pytest.mark.parametrize("threads", [1, 2])
def test_features_that_are_there_alone_give_the_same_gradients(threads, shape):
    network, count = lively(shape=shape), 150
    tables = Tables(count)
    tables.reset(5)
    for step in range(13):
        asked = CompiledPlayer("expert").act(tables.observations, tables.masks, np.zeros(count, np.uint64))
        if step < 12:
            tables.step(asked)
    x, depths = encode(banakil.game, tables.observations)
    moves = np.empty((count, int(tables.masks.sum(1).max())), np.int16)
    faces = np.empty(moves.shape, np.uint8)
    list_moves(banakil.game, tables.masks, depths, moves, faces)
    given = [torch.from_numpy(array) for array in (moves, faces, asked)]
    found, before = [], torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        for seen in (torch.from_numpy(x), Sparse.of(x)):
            network.zero_grad()
            logits, value = network.among(seen, *given)
            (logits.clamp(min=-100).square().sum() + value.square().sum()).backward()
            found.append((logits, value, {name: weight.grad.clone() for name, weight in network.named_parameters()}))
    finally:
        torch.set_num_threads(before)
    (logits, value, gradients), (same, same_value, others) = found
    assert torch.allclose(logits, same, atol=1e-3)
    assert torch.allclose(value, same_value, atol=1e-3)
    for name, gradient in gradients.items():
        assert torch.allclose(others[name], gradient, rtol=1e-3, atol=1e-4 * gradient.abs().max()), name
        assert gradient.abs().max() > 0


def test_every_column_is_seen_once():
    seen = seen_of(banakil.game, banakil.game.features)
    columns = np.concatenate([part.reshape(-1) for part in (seen.cards, seen.suits, *seen.wilds, seen.plain)])
    assert sorted(columns.tolist()) == list(range(banakil.game.features.width))


def test_it_begins_with_its_advice():
    state = banakil.new(seed=4)
    seen = banakil.observe(state, banakil.seat_to_move(state))
    rows = seen["observation"][None], seen["action_mask"][None]
    network = make_network(banakil.game, SHAPE, 0)
    advice = network.advice(*rows)
    moves, logits, _ = network.legal_of_rows(*rows, advice)
    assert moves[0, logits.argmax()] == advice[0]


@SHAPES
def test_an_agent_of_it_comes_back_from_its_file(tmp_path, shape):
    network = lively(shape=shape)
    save_agent(tmp_path / "agent.safetensors", network, {})
    other = load(tmp_path).network
    assert isinstance(other, SuitNetwork)
    assert other.shape == network.shape
    assert all(torch.equal(one, two) for one, two in zip(network.parameters(), other.parameters()))


def test_without_advice_there_is_nobody_to_trust():
    assert (
        not {"trust.bias", "advised.weight"}
        & make_network(banakil.game, Shape((8, 8), channels=4), 0).state_dict().keys()
    )


@pytest.mark.parametrize("channels", [0, -1, 4096, 2.5])
def test_channels_that_cannot_be_are_refused(channels):
    with pytest.raises(ValueError, match="channels is None or from 1 to 256"):
        Shape((8,), channels=channels)


@pytest.mark.parametrize(("channels", "sets"), [(None, True), (4, {}), (4, 1), (4, "yes")])
def test_sets_are_for_networks_of_suits(channels, sets):
    with pytest.raises(ValueError, match="sets is true or false, and true only with channels"):
        Shape((8,), channels=channels, sets=sets)


def test_the_text_of_a_shape_is_as_it_was_for_agents_without_sets():
    """Digests of agents are of it: `banakil_env.agents.network.NetworkPlayer.identity`."""
    assert repr(SHAPE) == "Shape(hidden=(12, 10), advice='expert', channels=6)"


@SHAPES
def test_a_place_sees_which_cards_of_other_suits_are_of_its_rank(shape):
    """Without sets it gets a sum over all places, in which one card of another suit is as good as the next but one."""
    network, features = lively(shape=shape), banakil.game.features
    torch.nn.init.zeros_(network.ranks)  # a number of each rank would tell cards apart in that sum
    rows = torch.zeros(2, features.width)
    table, rank = features.faces, 5
    for row, held in zip(rows, (rank, rank + 2)):
        row[features.first["hand"] + table.cells.index(table.ranks + held)] = 1
    one, other = network._of_places(rows, None)[0][:, :, rank]
    assert torch.allclose(one, other, atol=1e-6) != shape.sets


def test_sets_begin_with_what_the_network_said_without_them():
    without, network = lively(), make_network(banakil.game, WITH_SETS, 5)
    network.load_state_dict(without.state_dict(), strict=False)
    seen = banakil.observe(banakil.new(seed=4), 0)["observation"][None]
    for one, other in zip(network.of_rows(seen, torch.tensor([3])), without.of_rows(seen, torch.tensor([3]))):
        assert torch.equal(one, other)


@pytest.mark.parametrize("what", ["a feature", "a suit"])
def test_places_that_do_not_exist_are_refused(what):
    """Compiled code would read and write elsewhere."""
    count = 3
    places = [np.zeros(count, np.int16) for _ in range(3)]
    weights = [torch.ones(shape, requires_grad=True) for shape in ((1, 3, 2), (1, 13, 2), (1, 4), (13, 2), (4,))]
    table = Sparse.of(np.eye(count, dtype=np.float32))
    sums = [each.sum() for each in suit_layer(table, Where(*places), 4, *weights)]
    if what == "a feature":
        table.columns[2, 0] = count
    else:
        places[1][2] = 4
    with pytest.raises(IndexError, match="names a feature or an action that the network does not have"):
        suit_layer(table, Where(*places), 4, *weights)
    with pytest.raises(IndexError, match="names a feature or an action that the network does not have"):
        sum(sums).backward()
