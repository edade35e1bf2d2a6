"""The description of a match in one value: players, rules, deals and precision."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from banakil_env.arena.options import TableOptions
from banakil_env.arena.seatings import PAIRS, SEATINGS, company, groups, seatings
from banakil_env.arena.seeds import SEEDS_IN_SET, seed_of
from banakil_env.arena.tables import Settings, Table

# Increase this when the same match would be played or scored differently: matches stored in another format are not
# continued.
FORMAT = 5

MOST_SECONDS = 10**6  # largest budget of one decision


class PlanError(ValueError):
    """A match that cannot be played."""


@dataclass(frozen=True)
class Plan(TableOptions):
    """The settings of a match, in addition to those of its table.

    Attributes:
        players: the names of the players, each different.
        seating: "pairs", two players at a table, each pair of them in turn; or "mixed", a different player on every
            seat (with partners, on every side), each combination of players in turn.
        seed_set: the set of seeds of the deals (`seeds.SEED_SETS`), or "keyed".
        key: the key from which the deals of "keyed" are made, in hexadecimal digits. Results store only its digest.
        deals: the largest number of deals.
        least: the number of deals before the width is first checked.
        width: stop when every pair's interval of the margin is at most this wide on either side of the mean, in
            points per deal. It is checked after the numbers of deals in `looks`. None: play all deals.
        level: the confidence level of the intervals, such as 0.95.
        budget: time limit of a decision in seconds; None for no limit.
        moves: store the actions of every table with its outcome.
        forfeit: points that a player loses with a table where it fails; None for the default of the game.
    """

    players: tuple[str, ...]
    seed_set: str = "arena-v1"
    deals: int = 1000
    least: int = 100
    width: float | None = None
    level: float = 0.95
    budget: float | None = 60.0
    seating: str = PAIRS
    key: str | None = field(default=None, repr=False)
    moves: bool = False
    forfeit: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.players) < 2:
            raise PlanError(f"a match needs at least two players, not {len(self.players)}: name another, or one twice")
        if len(set(self.players)) < len(self.players):
            raise PlanError(f"two players have one name in {', '.join(self.players)}: labels() tells them apart")
        if self.seating not in SEATINGS:
            raise PlanError(f"seating is one of {', '.join(SEATINGS)}, not {self.seating!r}")
        if not 1 <= self.deals <= SEEDS_IN_SET:
            raise PlanError(f"deals must be a number from 1 to {SEEDS_IN_SET}, not {self.deals!r}")
        if not 0 < self.level < 1:
            raise PlanError(f"level must lie between 0 and 1, such as 0.95, not {self.level!r}")
        if self.width is not None and not self.width > 0:
            raise PlanError(f"width must be a number of points above 0, not {self.width!r}")
        if self.budget is not None and not 0 < self.budget <= MOST_SECONDS:
            raise PlanError(f"budget must be a number of seconds above 0, at most {MOST_SECONDS}, not {self.budget!r}")
        if self.least < 2:
            raise PlanError(f"an interval needs two deals at least, not {self.least!r}")
        self.seed_of(self.deals - 1)
        size = company(self.seats, self.plays_partners, self.seating)
        if len(self.players) < size:
            raise PlanError(
                f"a mixed table of {size} needs as many players, not {len(self.players)}: name others, or one twice; "
                f"or seat them in pairs"
            )

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups of players that share a table, as indices: every pair, or every combination for a mixed table."""
        return groups(len(self.players), company(self.seats, self.plays_partners, self.seating))

    def seed_of(self, deal: int) -> int:
        """The seed of a deal."""
        return seed_of(self.seed_set, deal, self.key)

    def looks(self) -> Iterator[int]:
        """The numbers of deals after which the width is checked: `least`, then each about 10 % larger than the last."""
        look = self.least
        while True:
            yield look
            look += max(1, look // 10)

    def tables(self, deals: Sequence[int]) -> list[Table]:
        """All tables of these deals, ordered by deal, then group, then seating."""
        shapes = seatings(self.seats, self.plays_partners, self.seating)
        seats = [tuple(group[who] for who in shape) for group in self.groups for shape in shapes]
        return [Table(deal, each) for deal in deals for each in seats]

    def settings(self, record: bool = False) -> Settings:
        """The settings that all tables share. `record`: whether games are recorded."""
        return Settings(self.game, self.options, self.seed_of, self.budget, record, self.moves, self.forfeit)

    def header(self) -> dict[str, Any]:
        """Everything that decides how each deal is played, except the number of deals and the players' identities."""
        beside = ("game", "deals", "least", "width", "level", "key", "moves", "forfeit")
        fields = {name: value for name, value in dataclasses.asdict(self).items() if name not in beside}
        if self.key is not None:
            fields["key_sha256"] = hashlib.sha256(bytes.fromhex(self.key)).hexdigest()
        if self.moves:
            fields["moves"] = True
        if self.forfeit is not None:
            fields["forfeit"] = self.forfeit
        return {"format": FORMAT, "game": self.found.id} | fields | {"players": list(self.players)}


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """The names, made different: the second player with the same name becomes `name#2`, the third `name#3`, etc."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(found)
