"""The network for all games in a page without a server: its weights, and the meaning of each action.

`script/network.js` computes the network in the same way as `agents/family_network.py`. This module does not need
PyTorch: it reads the stored file of the agent directly.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.zoo_folders import found_model
from banakil_env.core.game import Game
from banakil_env.kit.common.channels import DEPTHS_UNIT, MELD_COLUMNS, OTHERS, PILE_DEPTH
from banakil_env.kit.common.columns import RULES_AT
from banakil_env.kit.common.faces import NUM_RANKS, NUM_SUITS
from banakil_env.kit.common.family_moves import MELD_PLAIN, PLAIN, POOLED, MoveLister
from banakil_env.play.names import OF_ALL_GAMES

HALF, HALF_BYTES = "F16", 2


def network_file() -> Path | None:
    """The file of the agent; None if it is not available here."""
    return found_model(OF_ALL_GAMES.partition(":")[2])


def packed_network(file: Path) -> tuple[dict[str, Any], bytes]:
    """The description of a network as JSON, and its weights as bytes.

    Raises ValueError if the weights are not stored in 16 bits.
    """
    content = file.read_bytes()
    begin = 8 + int.from_bytes(content[:8], "little")
    tensors = {}
    for name, said in json.loads(content[8:begin]).items():
        if name == "__metadata__":
            continue
        if said["dtype"] != HALF:
            raise ValueError(f"{file}: {name} is stored as {said['dtype']}, and a page takes {HALF}")
        tensors[name] = {"begin": said["data_offsets"][0], "size": math.prod(said["shape"])}
    about = {
        "tensors": tensors,
        "suits": NUM_SUITS,
        "ranks": NUM_RANKS,
        "booksAt": RULES_AT["books"],
        "pooled": list(POOLED),
        "plainWidth": len(PLAIN),
        "meldColumns": MELD_PLAIN.tolist(),
        "meldWidth": len(MELD_COLUMNS),
        "owners": OTHERS + 1,
        "depthAt": PILE_DEPTH,
        "depthsUnit": DEPTHS_UNIT,
    }
    return about, content[begin:]


def moves_of(game: Game) -> list[dict[str, Any]]:
    """The vector of each action of a game, for `script/network.js`: a dict per action, see `family_moves.Moves`.

    Only nonzero numbers are listed, as pairs of a column, or of a face, and the number.
    """
    return [
        {
            "plain": [(int(column), float(plain[column])) for column in np.flatnonzero(plain)],
            "named": named,
            "standsFor": stands_for,
            "meld": meld,
            "depth": depth,
        }
        for plain, named, stands_for, meld, depth in MoveLister([game]).described()
    ]
