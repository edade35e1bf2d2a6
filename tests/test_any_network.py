"""Does every network serve an unknown game? It needs only what the game says of its columns and actions.

The game here is made up: a pack of 52 cards and two wild ones, columns of every sort, and actions of every sort.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from torch import Tensor

from banakil_env.agents.encoding import encode, list_moves
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.sparse import Sparse
from banakil_env.agents.suit_layout import said_of, seen_of
from banakil_env.core.actions import ActionTable, Block
from banakil_env.core.features import NOWHERE, OF_CARDS, OF_FACES, OF_SUITS, Columns, FaceTable, Features
from banakil_env.games import find

RANKS, SUITS, CARDS = 13, 4, 52
FACES = [f"{rank}{suit}" for suit in "cdhs" for rank in "A23456789TJQK"] + ["red", "black"]
TABLE = FaceTable(SUITS, RANKS, (*range(CARDS), NOWHERE, NOWHERE), (*[NOWHERE] * CARDS, 0, 1))
RUNS = [(suit * RANKS + low, suit * RANKS + low + 1, suit * RANKS + low + 2) for suit in range(4) for low in range(11)]
PAIRS = [(one * RANKS + rank, two * RANKS + rank) for rank in range(13) for one in range(4) for two in range(one)]
WITH_WILD = [(card, CARDS) for card in range(CARDS)]
COLUMNS = (
    Columns("hand", "", 2 * len(FACES), OF_FACES),
    Columns("turn", "", 3),
    Columns("fits", "", CARDS, OF_CARDS),
    Columns("runs", "", 2 * SUITS, OF_SUITS),
    Columns("scores", "", 2),
)


def texts(name: str, cards: list[tuple[int, ...]]) -> tuple[str, ...]:
    return tuple(" ".join([name, *(FACES[card] for card in some)]) for some in cards)


BLOCKS = (
    Block("draw", "", ("draw",)),
    Block("run", "", texts("run", RUNS), tuple(RUNS), (0,) * len(RUNS), middle=tuple(run[1] for run in RUNS)),
    Block("pair", "", texts("pair", PAIRS), tuple(PAIRS)),
    Block("wild_pair", "", texts("pair", WITH_WILD), tuple(WITH_WILD)),
    Block("discard", "", tuple(f"discard {face}" for face in FACES), tuple((face,) for face in range(len(FACES)))),
)
TAKE = Block("take", "", ("take 1", "take 2", "take 3"), subject="depth")


def write_nothing(seen, row, out, depths):
    """The features are made up."""


def game_with(*blocks: Block, depths: int = 0):
    features = Features(1, COLUMNS, write_nothing, len(FACES), depths, TABLE)
    return dataclasses.replace(find("banakil"), actions=ActionTable(*blocks), features=features)


PLAIN_GAME, PILE_GAME = game_with(*BLOCKS), game_with(BLOCKS[0], TAKE, *BLOCKS[1:], depths=3)
GAMES = pytest.mark.parametrize("game", [PLAIN_GAME, PILE_GAME], ids=["no depths", "depths"])
LAYERS, NEAR = Shape((12, 10), "expert"), Shape((12, 10), "greedy", channels=6)
SHAPES = pytest.mark.parametrize(
    "shape", [LAYERS, NEAR, dataclasses.replace(NEAR, sets=True)], ids=["layers", "suits", "suits with sets"]
)


def lively(game, shape: Shape) -> Network:
    """A network all of whose weights say something."""
    network, generator = make_network(game, shape, 1), torch.Generator().manual_seed(1)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, 0, 0.3, generator=generator)
    return network


def some_rows(game, count: int = 40) -> tuple[Tensor, Tensor, Tensor]:
    """Features, the face at each depth, and advice."""
    dice = np.random.default_rng(2)
    x = dice.normal(size=(count, game.features.width)) * (dice.random((count, game.features.width)) < 0.3)
    depths = dice.integers(0, len(FACES) + 1, (count, game.features.max_depth)).astype(np.uint8)
    advice = dice.integers(0, len(game.actions), count)
    return torch.from_numpy(x.astype(np.float32)), torch.from_numpy(depths), torch.from_numpy(advice)


@GAMES
@SHAPES
def test_legal_actions_alone_have_the_logits_that_they_have_among_all(game, shape):
    network, (x, depths, advice) = lively(game, shape), some_rows(game)
    assert (network.takes is not None if shape.channels is None else network.sees_depths) == (game is PILE_GAME)
    logits, values = network(x, depths, advice)
    assert logits.shape == (len(x), len(game.actions))
    masks = (np.random.default_rng(3).random(logits.shape) < 0.05).astype(np.int8)
    masks[:, 0] = 1
    width = int(masks.sum(1).max())
    moves, faces = np.zeros((len(x), width), np.int16), np.zeros((len(x), width), np.uint8)
    list_moves(game, masks, depths.numpy(), moves, faces)
    for seen in (x, Sparse.of(x.numpy())):
        some, same = network.among(seen, torch.from_numpy(moves), torch.from_numpy(faces), advice)
        assert torch.allclose(values, same, atol=1e-4)
        for row, mask in enumerate(masks):
            assert torch.allclose(some[row, : mask.sum()], logits[row, np.flatnonzero(mask)], atol=1e-4)


@GAMES
@pytest.mark.parametrize("sets", [False, True])
def test_with_other_names_of_the_suits_a_suit_network_says_the_same(game, sets):
    network, (x, depths, advice) = lively(game, Shape((12, 10), "expert", channels=6, sets=sets)), some_rows(game)
    suits = np.array([2, 0, 3, 1])  # what each suit is called then
    faces = np.array([*(suits[:, None] * RANKS + np.arange(RANKS)).reshape(-1), CARDS, CARDS + 1, len(FACES)])
    columns = np.arange(game.features.width)
    for group in game.features.columns:
        step = {OF_FACES: len(FACES), OF_CARDS: CARDS, OF_SUITS: SUITS}.get(group.about, 0)
        for start in range(game.features.first[group.name], game.features.first[group.name] + group.count, step or 999):
            if step:
                columns[start : start + step] = start + (suits if step == SUITS else faces[:step])
    index = {(action.block.name, *sorted(action.cards)): action.index for action in game.actions if action.cards}
    actions = np.array(
        [
            index[(action.block.name, *sorted(faces[list(action.cards)]))] if action.cards else action.index
            for action in game.actions
        ]
    )
    renamed = torch.zeros_like(x)
    renamed[:, columns] = x
    logits, values = network(x, depths, advice)
    theirs, same = network(renamed, torch.from_numpy(faces)[depths.long()], torch.from_numpy(actions)[advice])
    assert torch.allclose(theirs[:, actions], logits, atol=1e-4)
    assert torch.allclose(values, same, atol=1e-4)
    assert logits.std(0).min() > 0.01  # every action's says something


def test_columns_and_actions_have_their_places():
    seen, said = seen_of(PILE_GAME, PILE_GAME.features), said_of(PILE_GAME)
    columns = np.concatenate([part.reshape(-1) for part in (seen.cards, seen.suits, *seen.wilds, seen.plain)])
    assert sorted(columns.tolist()) == list(range(PILE_GAME.features.width))
    assert seen.cards.shape == (3, CARDS)
    assert [wilds.shape for wilds in seen.wilds] == [(2, 1), (2, 1)]
    # Read from places: runs, pairs, pairs with a wild card, discards, and the card at a depth.
    assert said.num_read == 5
    assert said_of(PLAIN_GAME).num_read == 4
    queen = PILE_GAME.actions.parse("discard Qd")
    same = [PILE_GAME.actions.text(i) for i in np.flatnonzero(said.places % CARDS == said.places[queen] % CARDS)]
    assert {"run Jd Qd Kd", "discard Qd"} <= set(same)


@pytest.mark.parametrize(("name", "wilds"), [("canasta", "2 JK"), ("hand_and_foot", "2 JK"), ("mille", "2")])
def test_where_only_ranks_matter_every_natural_kind_has_a_place_in_one_suit(name, wilds):
    game = find(name)
    table, seen, said = game.features.faces, seen_of(game, game.features), said_of(game)
    discards = [action for action in game.actions if action.block.name == "discard"]
    kinds = [game.actions.text(action.index).split()[1] for action in discards]
    naturals = [kind for kind in kinds if kind not in wilds.split()]
    hand = game.features.first["hand"]
    assert (table.suits, table.ranks, table.num_kinds) == (1, len(naturals), len(wilds.split()))
    for place, kind in enumerate(naturals):
        assert seen.cards[0, place] == hand + kinds.index(kind)
        assert said.places[discards[kinds.index(kind)].index] % table.ranks == place
    assert [columns[0, 0] for columns in seen.wilds] == [hand + kinds.index(kind) for kind in wilds.split()]


@pytest.mark.parametrize(
    ("cells", "kinds", "said"),
    [
        ((0, 0, 2, 3), (NOWHERE,) * 4, "every place from 0 to 3 needs exactly one face"),
        ((0, 1, 2), (NOWHERE,) * 3, "every place"),
        ((0, 1, 2, 3, NOWHERE), (NOWHERE,) * 5, "either a place or a kind"),
        ((0, 1, 2, 3), (0, NOWHERE, NOWHERE, NOWHERE), "either a place or a kind"),
    ],
)
def test_a_table_of_faces_that_cannot_be(cells, kinds, said):
    with pytest.raises(ValueError, match=said):
        FaceTable(2, 2, cells, kinds)


def test_where_all_ranks_are_of_one_suit_there_are_no_sets():
    with pytest.raises(ValueError, match="sets must be false: in Canasta all ranks are of one suit"):
        make_network(find("canasta"), Shape((8,), channels=4, sets=True))


def test_a_game_without_suits_has_no_network_of_them():
    game = dataclasses.replace(PLAIN_GAME, features=dataclasses.replace(PLAIN_GAME.features, faces=None))
    assert make_network(game, Shape((8,)), 1).takes is None
    with pytest.raises(ValueError, match="the features of Banakil were given no FaceTable"):
        make_network(game, Shape((8,), channels=4), 1)


def test_advice_is_of_a_player_of_the_game():
    with pytest.raises(ValueError, match="advice is None or one of random, greedy, expert, not 'nobody'"):
        make_network(PLAIN_GAME, Shape((8,), "nobody"))


def test_features_of_a_game_without_depths_are_written():
    observations = np.zeros((3, PLAIN_GAME.observation.itemsize), np.uint8)
    with pytest.raises(ValueError, match=r"^depths must be of shape \(3, 0\)"):
        encode(PLAIN_GAME, observations, depths=np.zeros((3, 1), np.uint8))
