"""Writes the network for all games as an agent of the zoo, with its card. See `train.family_study`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import torch

from banakil_env.agents.family import digest_of_layout, load_family, save_family
from banakil_env.arena.generations import MODEL
from banakil_env.core.files import write_whole
from banakil_env.games import find

CARD = """---
library_name: banakil-env
license: mit
tags:
- reinforcement-learning
- card-game
- rummy
---

# rummy-family

One network that plays all thirteen games of banakil-env at every table: any rules and any number of players. It reads
`observation="cards"` and scores described actions; nothing in it belongs to one game. {weights:,} weights, stored in
float16.

```
banakil arena zoo:rummy-family expert --game tonk --players 4
```

## How it fares

The score is 0 for `random` and 1 for `expert`, by points per deal against `expert`, on {deals} deals of `tuning-v1` at
the main table of each game, with 95 % intervals. Training saw none of these deals.

{table}

[One network for all games](../../../docs/one-network.md) has more: what a network plays at a game
that was left out of its training, and how fast it learns that game.

## How it was trained

`python -m train.family` in {minutes:.0f} minutes of one core (seed {seed}): {decisions:,} decisions at the main tables
of all games at once, each with the move of `expert` there. It *stands alone*: it plays without
another player's help. It has learned from no games of people.
"""


def write_agent(file: Path, folder: Path, results: list[dict[str, Any]]) -> None:
    """Write the agent for the zoo and its card.

    Args:
        file: the network trained at all main tables.
        folder: the folder of the agent.
        results: the measured scores of the network.
    """
    network, about = load_family(file)
    config = about["config"]
    measured = [one for one in results if one["part"] == "all" and one["seed"] == config["seed"]]
    folder.mkdir(parents=True, exist_ok=True)
    save_family(folder / MODEL, network, about, torch.float16)
    said = {"layout": digest_of_layout(), "shape": dataclasses.asdict(network.shape), **about}
    write_whole(folder / "config.json", (json.dumps(said, indent=1) + "\n").encode())
    rows = ["| game | table | score |", "| --- | --- | --- |"]
    for one in measured:
        game, found = one["game"], one["score"]
        rows.append(
            f"| {find(game).title} | `{find(game).tables[0].name}` | {found['mean']:.2f} ± {found['half_width']:.2f} |"
        )
    text = CARD.format(
        weights=sum(weights.numel() for weights in network.parameters()),
        table="\n".join(rows),
        minutes=about["seconds"] / 60,
        decisions=about["decisions"],
        seed=config["seed"],
        deals=measured[0]["deals"],
    )
    write_whole(folder / "README.md", text.encode())
