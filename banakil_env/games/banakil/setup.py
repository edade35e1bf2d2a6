"""How does a game begin, and how do options become a state? Rules to fields and back."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from banakil_env.games.banakil.faces import NO_FACE
from banakil_env.games.banakil.rules import BOOLEAN_SWITCHES, Rules, RulesError, resolve_rules, resolve_table
from banakil_env.games.banakil.state import (
    MATCH_EPISODE,
    NO_BONUS,
    NO_SEAT,
    ROUND_EPISODE,
    STATE,
)

EPISODES = {"round": ROUND_EPISODE, "match": MATCH_EPISODE}
OPTIONS = ("num_players", "partners", "rules", "episode", "max_turns")


def blank_state(
    num_players: int = 2,
    partners: bool | None = None,
    rules: str | Rules = "pagat",
    episode: str = "round",
    max_turns: int | None = None,
) -> Any:
    """An array of one state that holds the rules and nothing else. RulesError: options that do not exist or fit."""
    chosen = resolve_rules(rules)
    if max_turns is not None:
        chosen = dataclasses.replace(chosen, max_turns=max_turns)
    plays_partners = resolve_table(num_players, partners)
    if episode not in EPISODES:
        raise RulesError(f"episode must be 'round' or 'match', not {episode!r}")
    states = np.zeros(1, STATE)
    state = states[0]
    for switch in BOOLEAN_SWITCHES:
        state[switch] = getattr(chosen, switch)
    state.num_players = num_players
    state.partners = plays_partners
    state.episode = EPISODES[episode]
    state.partner_sum = chosen.partner_scoring == "sum"
    state.fixed_wilds = chosen.wilds == "fixed"
    state.ace_value = round(2 * chosen.ace_value)
    state.hand_bonus = (NO_BONUS, NO_BONUS) if chosen.hand_bonus is None else chosen.hand_bonus
    state.target = chosen.target_for(num_players, plays_partners)
    state.max_turns = chosen.max_turns
    state.max_rounds = chosen.max_rounds
    state.dealer = num_players - 1
    state.winner = NO_SEAT
    state.taken = state.banned = state.named = NO_FACE
    return states


def rules_of(state: Any) -> Rules:
    """The rules that a state holds. A target that is the default for its table is given as None."""
    rules = Rules(
        partner_scoring="sum" if state.partner_sum else "winner",
        wilds="fixed" if state.fixed_wilds else "free",
        ace_value=1 if state.ace_value == 2 else 1.5,
        hand_bonus=None if state.hand_bonus[0] == NO_BONUS else (int(state.hand_bonus[0]), int(state.hand_bonus[1])),
        max_turns=int(state.max_turns),
        max_rounds=int(state.max_rounds),
        **{switch: bool(state[switch]) for switch in BOOLEAN_SWITCHES},
    )
    if state.target != rules.target_for(int(state.num_players), bool(state.partners)):
        rules = dataclasses.replace(rules, target=int(state.target))
    return rules
