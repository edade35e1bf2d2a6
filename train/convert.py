"""Converts an agent after its game gets new feature columns or actions: their weights are zeros.

    python -m train.convert agents/zoo/contract-3p --columns rules_own_discard rules_jokers \\
        --blocks open_lone_set open_lone_run

The file has the previous version of the features; the named columns and blocks of actions are new since then.
The agent plays the same moves as before wherever the new columns are 0 and the new actions illegal. The folder has the
Hub's layout (`banakil_env.agents.hub`); its model and its configuration are overwritten.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from banakil_env.agents import hub
from banakil_env.agents.metadata import check_columns, game_of, object_of
from banakil_env.agents.model import Shape, network_with, unbuilt_network
from banakil_env.agents.network import AgentError, save_agent, shape_said
from banakil_env.agents.suit_layout import Said, Seen, face_table, said_of, seen_of
from banakil_env.agents.tensors import layout_of_tensors, read_tensors
from banakil_env.arena.generations import MODEL
from banakil_env.core.actions import ActionTable
from banakil_env.core.features import NOWHERE, Features
from banakil_env.core.game import Game
from banakil_env.core.terminal import complain

Array = npt.NDArray[np.int64]


def game_before(game: Game, columns: Sequence[str], blocks: Sequence[str]) -> Game:
    """The game without these groups of feature columns and these blocks of actions, one version of features back.

    ValueError: the game has no such columns or blocks.
    """
    groups = [group.name for group in game.features.layouts[-1].columns]
    names = [block.name for block in game.actions.blocks]
    if strange := [*(set(columns) - set(groups)), *(set(blocks) - set(names))]:
        raise ValueError(f"{game.name} has no columns or actions {', '.join(sorted(strange))}")
    features, wider = _without(game.features, columns), game.features.with_rests
    return dataclasses.replace(
        game,
        features=dataclasses.replace(features, with_rests=wider and _without(wider, columns)),
        actions=ActionTable(*(block for block in game.actions.blocks if block.name not in blocks)),
    )


def _without(features: Features, columns: Sequence[str]) -> Features:
    """The features without these groups, one version back."""
    kept = tuple(group for group in features.columns if group.name not in columns)
    return dataclasses.replace(features, version=features.version - 1, columns=kept)


def places_kept(before: Game, after: Game, shape: Shape, wanted: Shape | None = None) -> tuple[Array, Array]:
    """The new number of every earlier column that a network of this shape sees, and of every earlier action."""
    first = (wanted or shape).features(after).first
    columns = np.concatenate([np.arange(group.count) + first[group.name] for group in shape.features(before).columns])
    return columns, np.array([after.actions.parse(text) for text in before.actions.texts])


def with_zeros(
    tensors: Mapping[str, Tensor], shape: Shape, before: Game, after: Game, wanted: Shape | None = None
) -> dict[str, Tensor]:
    """The weights of a network of the earlier game, converted to the present game, with zeros for new places.

    Args:
        shape: of the network. wanted: the same, or with `rests` where it had none; None: the same.
    """
    wanted = wanted or shape
    columns, actions = places_kept(before, after, shape, wanted)
    maps = _plain_maps(columns, actions)
    if shape.channels is not None:
        seen = seen_of(before, shape.features(before)), seen_of(after, wanted.features(after))
        maps = _suit_maps(columns, actions, before, after, *seen)
    out = {}
    for name, empty in unbuilt_network(after, wanted).state_dict().items():
        axis, numbers = maps.get(name, (0, None))
        if numbers is None:
            out[name] = tensors[name]
            continue
        out[name] = torch.zeros(empty.shape, dtype=tensors[name].dtype)
        out[name].index_copy_(axis, torch.from_numpy(numbers), tensors[name])
    return out


_Maps = dict[str, tuple[int, Array]]  # for a tensor: the axis that grows, and the new places of its earlier entries


def _plain_maps(columns: Array, actions: Array) -> _Maps:
    """The growth of the tensors of `model.Network`."""
    of_actions = dict.fromkeys(("policy.weight", "policy.bias", "advised.weight"), (0, actions))
    return {"layers.0.weight": (1, columns), **of_actions}


def _suit_maps(columns: Array, actions: Array, before: Game, after: Game, seen: Seen, seen_now: Seen) -> _Maps:
    """The growth of the tensors of `suit_network.SuitNetwork`."""
    old, new = seen.where, seen_now.where
    maps: _Maps = {}
    for name, placed in (("plain.weight", False), ("near.weight", True)):
        some = (old.suits != NOWHERE) == placed
        maps[name] = (1, _numbers(old.inputs[some], new.inputs[columns[some]]))
    read, whole = _kept_kinds(said_of(before), said_of(after), actions, face_table(after).num_cells)
    maps |= dict.fromkeys(("read.weight", "read.bias"), (0, read))
    maps |= dict.fromkeys(("policy.weight", "policy.bias"), (0, whole))
    kinds = np.concatenate([read, whole + said_of(after).num_read])
    return maps | dict.fromkeys(("advised.weight", "advised_place.weight"), (0, kinds))


def _kept_kinds(old: Said, new: Said, actions: Array, num_cells: int) -> tuple[Array, Array]:
    """The new number of every plane that is read from places, and of every number of the whole."""
    (old_kinds, _), (new_kinds, _) = old.kinds(num_cells), new.kinds(num_cells)
    placed = old_kinds < old.num_read
    old_sums, new_sums = _planes_of_sums(old), _planes_of_sums(new)
    summed = old.sum_of < len(old_sums)
    depths = np.arange(old.num_whole - old.depth_whole)
    read = _numbers(
        [*old_kinds[placed], *old_sums[old.sum_of[summed]], *range(old.depth_plane, old.num_read)],
        [*new_kinds[actions[placed]], *new_sums[new.sum_of[actions[summed]]], *range(new.depth_plane, new.num_read)],
    )
    whole = _numbers(
        [*(old_kinds[~placed] - old.num_read), *(old.depth_whole + depths)],
        [*(new_kinds[actions[~placed]] - new.num_read), *(new.depth_whole + depths)],
    )
    return read, whole


def _planes_of_sums(said: Said) -> Array:
    """Of every sum of `Said.sum_of`: its plane."""
    return np.array([plane for plane, cards in said.sums for _ in range(cards.shape[1])], np.int64)


def _numbers(old: Any, new: Any) -> Array:
    """An array that maps old numbers (all numbers from 0 on) to new ones."""
    table = dict(zip(map(int, old), map(int, new), strict=True))
    return np.array([table[i] for i in range(len(table))], np.int64)


def convert(folder: Path, columns: Sequence[str], blocks: Sequence[str]) -> None:
    """Write the agent of a folder again, for the present game. AgentError: it is not an agent of the earlier game."""
    file = folder / MODEL
    found: dict[str, Any] = {}

    def layout_of(said: dict[str, str], _: Any) -> Any:
        before = game_before(game_of(said), columns, blocks)
        if said["features"] != str(before.features.version):
            raise ValueError(f"is of version {said['features']} of the features, not {before.features.version}")
        shape = shape_said(said, before)
        check_columns(said, before, shape.features(before))
        found.update(before=before, shape=shape)
        wanted = layout_of_tensors(unbuilt_network(before, shape).state_dict())
        return {name: ("F16", size) for name, (_, size) in wanted.items()}

    try:
        said, tensors = read_tensors(file, layout_of)
    except (ValueError, KeyError) as error:
        raise AgentError(f"{file} {error}") from error
    after, shape = game_of(said), found["shape"]
    network = network_with(after, shape, with_zeros(tensors, shape, found["before"], after))
    save_agent(file, network, object_of(said, "about"), torch.float16)
    hub.write_config(folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the agents of some folders; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.convert", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="an agent in the Hub's layout")
    parser.add_argument("--columns", nargs="*", default=[], metavar="NAME", help="groups of feature columns: new")
    parser.add_argument("--blocks", nargs="*", default=[], metavar="NAME", help="blocks of actions: new")
    options = parser.parse_args(arguments)
    for folder in options.folders:
        try:
            convert(folder, options.columns, options.blocks)
        except AgentError as error:
            complain(error)
            return 1
        print(f"written: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
