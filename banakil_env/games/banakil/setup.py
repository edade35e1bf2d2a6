"""The options of a table other than rules, players and episode: partners and the limit of turns. Also checks the
pack.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from banakil_env.core.game import Option
from banakil_env.games.banakil.rules import Rules, usual_target
from banakil_env.games.banakil.state import MAX_TAKE
from banakil_env.kit.partners import plays_partners
from banakil_env.kit.switches import RulesError

OWN_OPTIONS = (
    Option("partners", None, "whether four players play as partners; None: yes"),
    Option("max_turns", None, "turns after which a round ends unscored; None: the number in the rules"),
)


def prepare(blank: Any, partners: bool | None = None, max_turns: int | None = None) -> None:
    """Write the options into a state that has rules, players and episode. RulesError: the options do not agree."""
    rules, players = Rules.read(blank.rules), int(blank.num_players)
    if max_turns is not None:
        dataclasses.replace(rules, max_turns=max_turns).write(blank.rules)
    blank.partners = plays_partners(players, partners, default=players == 4)
    _check_pack(rules, players)
    if rules.target == usual_target(players, bool(blank.partners)):
        blank.rules.target = 0


def _check_pack(rules: Rules, num_players: int) -> None:
    """Check that the deal leaves a stock, and that no pile can outgrow the largest take (B10.4). RulesError:
    otherwise.
    """
    dealt = num_players * rules.hand_cards
    left = rules.pack_size - dealt
    described = f"the pack has {rules.pack_size} cards, and {num_players} players are dealt {rules.hand_cards} each"
    if left < 2:
        raise RulesError(
            f"{described}: at least two cards must remain for the first turn and the stock; deal fewer (hand_cards) or "
            f"leave fewer out (ranks, suits, copies, twos, jokers)"
        )
    if left > MAX_TAKE:
        raise RulesError(
            f"{described}: a pile could grow to {left} cards, but at most {MAX_TAKE} can be taken; deal more "
            f"(hand_cards) or leave more out (ranks, suits, copies, twos, jokers)"
        )
    if rules.cutter_takes_wilds and rules.num_wilds > rules.hand_cards:
        raise RulesError(
            f"cutter_takes_wilds: the cutter could take {rules.num_wilds} wilds, but a hand has {rules.hand_cards}; "
            f"deal more (hand_cards) or leave out wilds (twos, jokers)"
        )
