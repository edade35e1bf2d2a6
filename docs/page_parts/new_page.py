"""Makes the page of a game that has no page yet."""

from __future__ import annotations

import importlib
import inspect
import random

from banakil_env.core.game import Game
from banakil_env.kit.plain import Plain
from banakil_env.text.positions import wrapped

MOVES = 24  # moves before the example position on a new page


PAGE = """# {title}

{intro}

<!-- begin picture -->
<!-- end picture -->

[How to play, and the numbered rules](../rules/{name}.md). [Notation](../notation.md) describes how to write cards,
actions, positions and whole games.

## Usage

```python
import banakil_env, pettingzoo

env = pettingzoo.make("aec", "{id}")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

The same agent often moves several times in a row; `agent_selection` names the agent to move. The game without an
environment:

```python
from banakil_env.games import {name}

state = {name}.new(seed=7)
{name}.apply(state, {name}.legal_actions(state)[0])
print([{name}.action_text(action) for action in {name}.legal_actions(state)])
print({name}.to_text(state))
```

## Options

The arguments of each environment, with their defaults. An empty cell means that the environment does not have the
argument. `TablesVecEnv` (Stable-Baselines3) takes `seed` and the arguments of `make_vec`, except `autoreset_mode`.

<!-- begin options -->
<!-- end options -->

## Specs

<!-- begin specs -->
<!-- end specs -->

## Observation

An observation is one record. `observation="record"` gives its bytes, and `{name}.fields(observation)` its fields by
name, without a copy. Seats are relative: 0 is the observer, 1 the next seat to play. The record has the public
information and the observer's hand, and nothing else.

<!-- begin observation -->
<!-- end observation -->

## Features

The columns of `observation="features"` (float32), the default of the environments.

<!-- begin features -->
<!-- end features -->

## Cards

All games share the layout of `observation="cards"` ([Forms of observations](../observations.md)). The picture shows the
array `cards` for the seat to move in the example of [Positions](#positions): one row for each face of the game, one
column for each channel.

<!-- begin cards -->
<!-- end cards -->

## Actions

`game.described` has one vector for each action. All games share the verbs
([described actions](../observations.md#described-actions)).

<!-- begin actions -->
<!-- end actions -->

## Positions

Every position can be written as text and read back without loss: one `key: value` in each line, in any order. A
backslash at the end of a line continues it on the next. S is the number of a seat. [Notation](../notation.md) describes
how cards are written.

<!-- begin lines -->
<!-- end lines -->

An example:

```position
{position}```

## Rules

<!-- begin switches -->
<!-- end switches -->

## Rewards

Every agent is rewarded at the end of the round (or match). All earlier rewards are 0.

| reward | a seat gets |
|---|---|
| `margin` | its side's points minus the mean of the other sides'; zero-sum |
| `points` | its side's points; higher is better |
| `win` | 1 with the best score alone, 0 when tied for it, -1 otherwise |

`reward_scale="unit"` divides `margin` and `points` by the unit of the game (see [Specs](#specs)).

The table shows the length and the rewards of episodes, over the first 1,000 seeds, with the same rule-based player at
all seats. *Rewarded* is the share of episodes in which some seat gets a `margin` other than 0; *size* is the mean
absolute margin of a seat in those episodes.

<!-- begin lengths -->
<!-- end lengths -->

## Players

<!-- begin players -->
<!-- end players -->

## Results

`make table GAME={name}` plays these matches. [The arena](../arena.md) explains the protocol and the columns;
[Ladders](../ladders.md) has trained agents and search.

<!-- standing table -->
<!-- end of the standing table -->

## Version history

* `v0` (2026): first version.
"""


def new_page(game: Game) -> str:
    """The page of a game that has no page yet, from the declarations in its package."""
    said = inspect.getdoc(importlib.import_module(f"banakil_env.games.{game.name}")) or game.title
    intro = said.split("\n\n")[0]
    return PAGE.format(title=game.title, name=game.name, id=game.id, intro=intro, position=example_position(game))


def example_position(game: Game) -> str:
    """The text of a position in the middle of a round of random moves, at the game's main table."""
    plain, dice = Plain(game), random.Random(7)
    state = plain.new(**game.tables[0].options, seed=7)
    text = plain.to_text(state)
    for _ in range(MOVES):
        plain.apply(state, dice.choice(plain.legal_actions(state)))
        if plain.is_over(state):
            break
        text = plain.to_text(state)
    return wrapped(text)
