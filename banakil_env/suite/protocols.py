"""Protocols: questions that one table cannot answer, with the games to play and the figures to compare.

The protocols are data, in `protocols.toml`. The full id of a protocol ends in a digest of its definition. There are
five kinds:

| kind | measurement |
|---|---|
| transfer | the normalized score (`random` 0, `expert` 1) at tables of training and at held-out ones, and the gap |
| partners | points per deal ahead of two `expert`: of the player with each partner, and with another copy of itself |
| solved | how much a perfect opponent wins against the player, on all deals of a small pack or of an endgame |
| cost | points over `random`, per million decisions and per minute of processor time of the training |
| left out | the normalized score at a game that the agent has not learned, and after some decisions there |
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from banakil_env.arena.options import TableOptions
from banakil_env.core.game import Game
from banakil_env.core.hints import did_you_mean
from banakil_env.games import find
from banakil_env.suite.tasks import DIGITS, EXPERT, GREEDY, TaskError

PROTOCOLS = Path(__file__).with_name("protocols.toml")
TRANSFER, PARTNERS, SOLVED, COST, LEFT_OUT = "transfer", "partners", "solved", "cost", "left out"
KINDS = (TRANSFER, PARTNERS, SOLVED, COST, LEFT_OUT)
# The keys of a definition by kind, in addition to kind, question and game.
_KEYS = {
    TRANSFER: {"training", "held_out", "deals"},
    PARTNERS: {"table", "partners", "deals"},
    SOLVED: set[str](),
    COST: {"table", "deals"},
    LEFT_OUT: {"table", "decisions", "deals"},
}


@dataclass(frozen=True)
class Protocol:
    """One protocol.

    Attributes:
        name: the name with the version, such as `yaniv-new-rules-v1`.
        kind: one of KINDS.
        question: the question in one sentence.
        game: the name of the game.
        deals: the number of deals of each match. SOLVED has none, since all deals are played.
        training, held_out: for TRANSFER, tables as options of the game.
        table: for PARTNERS, COST and LEFT_OUT, the table as options of the game.
        partners: for PARTNERS, the players that sit opposite the measured player.
        decisions: for LEFT_OUT, the numbers of decisions at the game after which agents are measured, ascending from 0.
    """

    name: str
    kind: str
    question: str
    game: str
    deals: int = 0
    training: tuple[Mapping[str, Any], ...] = ()
    held_out: tuple[Mapping[str, Any], ...] = ()
    table: Mapping[str, Any] | None = None
    partners: tuple[str, ...] = ()
    decisions: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """The full id, with the digest of the definition."""
        digest = hashlib.sha256(json.dumps(self.definition(), sort_keys=True).encode()).hexdigest()
        return f"{self.name}+{digest[:DIGITS]}"

    def definition(self) -> dict[str, Any]:
        """Everything that the protocol fixes, as plain values."""
        said: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return {name: value for name, value in said.items() if name == "name" or value}

    @property
    def found(self) -> Game:
        """The game."""
        return find(self.game)

    @property
    def reference(self) -> str:
        """The opponent: `expert`, or `greedy` in games without `expert`."""
        return EXPERT if EXPERT in self.found.players else GREEDY

    def key_of(self, key: str, table: Mapping[str, Any]) -> str:
        """The key for the deals at one table. Each table of each protocol gets different deals."""
        said = f"{self.name} {json.dumps(dict(table), sort_keys=True)}"
        return hmac.digest(bytes.fromhex(key), said.encode(), hashlib.sha256).hex()


def table_text(game: str, table: Mapping[str, Any]) -> str:
    """The description of a table in a few words."""
    options = TableOptions(game=game, **table)
    return f"{options.seats} players, {options.rules}"


@functools.cache
def protocols() -> Mapping[str, Protocol]:
    """All protocols, by name, in the order of `protocols.toml`."""
    found = {}
    for name, said in tomllib.loads(PROTOCOLS.read_text(encoding="utf-8"))["protocol"].items():
        assert said.keys() == {"kind", "question", "game"} | _KEYS[said["kind"]], name
        lists = {key: tuple(said[key]) for key in ("training", "held_out", "partners", "decisions") if key in said}
        found[name] = Protocol(name=name, **(said | lists))
    return found


def find_protocol(name: str) -> Protocol:
    """The protocol with a short or full id. Raises TaskError if there is none, or its digest differs."""
    short, _, digest = name.partition("+")
    known = protocols()
    if short not in known:
        raise TaskError(
            f"there is no protocol {name!r:.80}{did_you_mean(short, known)}; `banakil suite protocols` lists them"
        )
    found = known[short]
    if digest and digest != found.id.partition("+")[2]:
        raise TaskError(f"{name:.100} is another protocol than the {found.id} of this installation")
    return found
