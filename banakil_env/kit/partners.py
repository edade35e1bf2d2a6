"""Games that four can play as partners or each alone: how rules as text and tables say so.

`partners` or `individuals` stands among the words of the rules in a position; tables take an option `partners`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.kit.switches import RulesError

WORDS = {"partners": True, "individuals": False}


def split_partners(text: str) -> tuple[str, bool | None]:
    """A text of rules without `partners` or `individuals`, and which of them stood there; None: neither."""
    said = [word.lower() for word in text.split() if word.lower() in WORDS]
    if len(said) > 1:
        raise RulesError(f"{text!r:.80} says partners or individuals twice")
    rest = " ".join(word for word in text.split() if word.lower() not in WORDS)
    return rest, WORDS[said[0]] if said else None


def plays_partners(num_players: Any, partners: Any, default: bool) -> bool:
    """Whether a table plays as partners; `default` if the option is None.

    RulesError: neither that nor a truth value, or partners without four players.
    """
    if partners is None:
        return default
    if partners not in (True, False):
        raise RulesError(f"partners must be True, False or None, not {partners!r:.80}")
    if partners and num_players != 4:
        raise RulesError(f"partners need four players, not {num_players}; leave partners out or set it to False")
    return bool(partners)
