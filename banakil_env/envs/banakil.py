"""How does one make Banakil for PettingZoo? `env(...)`, or `raw_env(...)` without checks of the order of calls.

>>> import pettingzoo, banakil_env
>>> env = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4)
"""

from __future__ import annotations

from typing import Any

from banakil_env.envs.aec import OrderEnforced, RummyAEC
from banakil_env.games.banakil import GAME


class raw_env(RummyAEC):
    """Banakil for two to four players.

    **The same agent moves several times in a row**: it draws, plays to the table as often as it likes, and discards.
    Go by `agent_selection` (or `agent_iter()`); do not alternate seats.

    Agents are `player_0` and so on, in the order of play; partners sit opposite (0 and 2, 1 and 3). There are 799
    actions and 1000 bytes of observation for every table: `banakil.action_text(action)` and
    `banakil.fields(observation)` say what they mean. The reward is 0 on every step but the last, when every agent gets
    its own.

    Args:
        num_players: 2, 3 or 4.
        partners: whether four play as partners; None means that they do.
        rules: a preset ("pagat", "jawaker", "gamefarm"; "single", "mini" with smaller packs), one with switches behind
            it ("pagat wilds=fixed"), or a `banakil.Rules`.
        episode: "round" or "match".
        max_turns: turns after which a round is truncated, instead of the rules' own number.
        reward: "margin", own side's points minus the mean of the other sides' (zero-sum); "points", own side's;
            "win", 1, 0 when tied, or -1.
        render_mode: "ansi" makes `render()` return the table as text, all hands open.

    An illegal action raises `IllegalAction` and changes nothing. Whoever wants it to end the game instead wraps the
    environment in PettingZoo's own wrapper, which gives the one who moved `illegal_reward` and all others 0:

        env = pettingzoo.utils.TerminateIllegalWrapper(env, illegal_reward=-100)
    """

    game = GAME


def env(**options: Any) -> OrderEnforced:
    """`raw_env` with the order of calls enforced, and nothing more; the options are those of `raw_env`."""
    return OrderEnforced(raw_env(**options))
