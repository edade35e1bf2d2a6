"""The identity of each player of a match, compared with the identity that a folder of results stores."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.arena.behaviour import behaviour_of
from banakil_env.arena.plan import Plan
from banakil_env.arena.protocol import Player
from banakil_env.core.digests import digest_of, identity_said
from banakil_env.core.identity import Identity, change_of, files_of


def identity_of(player: Player) -> Identity:
    """The identity of a player: the result of its method `identity()`, if it has one.

    Otherwise the identity covers the code of its class, its pickled values, and the files that its attribute `plays_by`
    names.

    Raises:
        ValueError: one of those files cannot be read.
    """
    own = identity_said(player)
    if own is not None:
        return dataclasses.replace(own, name=player.name)
    parts = {"code": digest_of(type(player)), "values": digest_of(player)}
    return Identity(player.name, parts | files_of(player, player.name))


def heading(plan: Plan, identities: Sequence[Identity]) -> dict[str, Any]:
    """The first line of a file of results: everything that decides how each deal is played."""
    said = {"identities": [one.as_dict() for one in identities], "behaviour": behaviour_of(plan.found)}
    return plan.header() | said


def difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str | None:
    """The difference between the first line of a file of results and this match; None if they are the same match.

    Args:
        there: the value of the line, of any type.
        here: this match, from `heading`.
    """
    if there.get("format") != here["format"]:  # no other value can be compared
        old = "; it does not say what decides each player's moves" if "identities" not in there else ""
        return f"format is {there.get('format')!r:.200} there, {here['format']!r} here{old}"
    compared = [name for name in {**here, **there} if name not in ("identities", "behaviour")]
    different = [name for name in compared if there.get(name) != here.get(name)]
    if different:
        return "; ".join(
            f"{name} is {there.get(name)!r:.200} there, {here.get(name)!r:.200} here" for name in different
        )
    if there.get("behaviour") != here["behaviour"]:
        return (
            f"{here['game']} behaves differently since: fixed games had the digest {there.get('behaviour')!s:.12}, and "
            f"have {here['behaviour'][:12]}"
        )
    return _changed_player(here["players"], there.get("identities"), here["identities"])


def _changed_player(names: Sequence[str], there: Any, here: Sequence[Mapping[str, Any]]) -> str | None:
    """A text about the first player that has changed; None if no player has changed."""
    if not isinstance(there, list) or len(there) != len(here) or not all(isinstance(one, dict) for one in there):
        return "it does not say what decides each player's moves"
    for name, expected, found in zip(names, there, here):
        change = change_of(expected, found)
        if change:
            return f"the player {name} has changed: {change}"
    return None
