"""How does a game begin, and how do options become a state? Rules to fields and back."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from banakil_env.games.banakil.faces import ACE, COPIES, NO_FACE, NUM_SUITS
from banakil_env.games.banakil.pack import JOKER_LESS, NO_TWOS, ONE_OF_EACH
from banakil_env.games.banakil.rules import RANK_RUNS, Rules, resolve_table
from banakil_env.games.banakil.state import HAND_SIZE, MATCH_EPISODE, MAX_TAKE, NO_SEAT, ROUND_EPISODE, STATE
from banakil_env.kit.switches import RulesError

EPISODES = {"round": ROUND_EPISODE, "match": MATCH_EPISODE}

# The switches that a state holds as they are stored, each in a field of its own.
_SWITCHES = Rules.switches()
_FIELDS = {
    "partner_scoring": "partner_sum",
    "wilds": "fixed_wilds",
    **{name: name for name in _SWITCHES if name in (STATE.names or ()) and name not in ("ace_value", "target")},
}


def blank_state(
    num_players: int = 2,
    partners: bool | None = None,
    rules: str | Rules = "pagat",
    episode: str = "round",
    max_turns: int | None = None,
) -> Any:
    """An array of one state that holds the rules and nothing else. RulesError: options that do not exist or fit."""
    chosen = Rules.resolve(rules)
    if max_turns is not None:
        chosen = dataclasses.replace(chosen, max_turns=max_turns)
    plays_partners = resolve_table(num_players, partners)
    _check_pack(chosen, num_players)
    if not isinstance(episode, str) or episode not in EPISODES:
        raise RulesError(f"episode must be 'round' or 'match', not {episode!r:.80}")
    states = np.zeros(1, STATE)
    state = states[0]
    for name, field in _FIELDS.items():
        state[field] = _SWITCHES[name].stored(getattr(chosen, name))
    _leave_out(state, chosen)
    state.ace_value = round(2 * chosen.ace_value)
    state.target = chosen.target_for(num_players, plays_partners)
    state.num_players = num_players
    state.partners = plays_partners
    state.episode = EPISODES[episode]
    state.dealer = num_players - 1
    state.winner = NO_SEAT
    state.taken = state.banned = state.named = NO_FACE
    return states


def _check_pack(rules: Rules, num_players: int) -> None:
    """B10.4: what is dealt leaves a stock, and no pile can grow longer than can be taken. RulesError: it does not."""
    dealt = num_players * rules.hand_cards
    left = rules.pack_size - dealt
    described = f"the pack has {rules.pack_size} cards, and {num_players} players are dealt {rules.hand_cards} each"
    if left < 2:
        raise RulesError(
            f"{described}: one more to begin with and a stock of one or more do not remain; deal fewer (hand_cards) or "
            f"leave fewer out (ranks, suits, copies, twos, jokers)"
        )
    if left > MAX_TAKE:
        raise RulesError(
            f"{described}: a pile could grow to {left} cards, and no more than {MAX_TAKE} can be taken; deal more "
            f"(hand_cards) or leave more out (ranks, suits, copies, twos, jokers)"
        )
    if rules.cutter_takes_wilds and rules.num_wilds > rules.hand_cards:
        raise RulesError(
            f"cutter_takes_wilds: the cutter could take {rules.num_wilds} wilds for a hand of {rules.hand_cards}; deal "
            f"more (hand_cards) or leave out wilds (twos, jokers)"
        )


def _leave_out(state: Any, rules: Rules) -> None:
    """Write into a state what the pack of these rules leaves out (pack.py)."""
    low, high = RANK_RUNS[rules.ranks]
    state.fewer_ranks = low, ACE - high
    state.fewer_suits = NUM_SUITS - rules.suits
    state.fewer_copies = (
        ONE_OF_EACH * (COPIES - rules.copies) + NO_TWOS * (not rules.twos) + JOKER_LESS * (COPIES - rules.jokers)
    )
    state.fewer_dealt = HAND_SIZE - rules.hand_cards


def _pack_switches(state: Any) -> dict[str, Any]:
    """The switches of the pack (B10) that a state holds."""
    low, high = int(state.fewer_ranks[0]), ACE - int(state.fewer_ranks[1])
    fewer = int(state.fewer_copies)
    return {
        "ranks": next(text for text, ends in RANK_RUNS.items() if ends == (low, high)),
        "suits": NUM_SUITS - int(state.fewer_suits),
        "copies": COPIES - (fewer & ONE_OF_EACH),
        "twos": not fewer & NO_TWOS,
        "jokers": COPIES - fewer // JOKER_LESS,
        "hand_cards": HAND_SIZE - int(state.fewer_dealt),
    }


def rules_of(state: Any) -> Rules:
    """The rules that a state holds. A target that is the default for its table is given as None."""
    held = {name: _SWITCHES[name].loaded(state[field]) for name, field in _FIELDS.items()}
    rules = Rules(ace_value=1 if state.ace_value == 2 else 1.5, **held, **_pack_switches(state))
    if state.target != rules.target_for(int(state.num_players), bool(state.partners)):
        rules = dataclasses.replace(rules, target=int(state.target))
    return rules
