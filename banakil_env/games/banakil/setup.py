"""The options of a table apart from rules, players and episode: partners, length and pack."""

from __future__ import annotations

import dataclasses
from typing import Any

from banakil_env.core.game import Option
from banakil_env.games.banakil.rules import Rules, usual_target
from banakil_env.games.banakil.state import MAX_TAKE
from banakil_env.kit.partners import plays_partners
from banakil_env.kit.switches import RulesError

OWN_OPTIONS = (
    Option("partners", None, "whether four play as partners; None: they do"),
    Option("max_turns", None, "turns after which a round ends unscored; None: the rules' own number"),
)


def prepare(blank: Any, partners: bool | None = None, max_turns: int | None = None) -> None:
    """Write the fields of a state other than rules, players and episode. RulesError: options that do not fit."""
    rules, players = Rules.read(blank.rules), int(blank.num_players)
    if max_turns is not None:
        dataclasses.replace(rules, max_turns=max_turns).write(blank.rules)
    blank.partners = plays_partners(players, partners, default=players == 4)
    _check_pack(rules, players)
    if rules.target == usual_target(players, bool(blank.partners)):
        blank.rules.target = 0


def _check_pack(rules: Rules, num_players: int) -> None:
    """B10.4: the deal leaves a stock, and no pile can outgrow the largest take. RulesError: otherwise."""
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
