"""Compares the behavior of two players at the same tables, as a table and a chart.

    python -m train.banakil.behaviour net:agents/zoo/banakil-2p expert --deals 500 --out build/behaviour

Two players meet on duplicate deals of the arena, so that both hold the same hands. Every measure is a ratio, such as
takes from the pile divided by turns. It is counted per deal, and its interval over deals is computed by the delta
method. The folder receives behaviour.json, behaviour.csv and behaviour.png. MEASURES lists the measures.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents import PlayerError, make_player
from banakil_env.agents.encoding import encode
from banakil_env.arena import Interval, Player, interval, labels
from banakil_env.core.files import write_whole
from banakil_env.core.terminal import complain
from banakil_env.games.banakil.actions import ADD, CHOOSE_MELD, DISCARD, DRAW_STOCK, OPEN_SEQUENCE
from banakil_env.games.banakil.faces import ACE, JOKER, NUM_FACES, NUM_NATURALS, NUM_RANKS, RANKS, TWO
from banakil_env.games.banakil.game import GAME
from banakil_env.kit.table_state import OUT
from banakil_env.record import Decisions, Recording, RecordingError, decisions
from train.curve import save_picture

TURNS = 12  # of each seat, in the curve of its cards on the table
MELD_CARDS = 3  # number of cards that an opening lays down

# Kinds of discards: four groups of naturals by their value (B1.5), then the wild cards.
_SEVEN = RANKS.index("7")
KINDS = ("low", "middle", "high", "ace", "wild")
_BELOW = (_SEVEN, RANKS.index("T"), ACE, NUM_RANKS)  # the first rank above each of the first four groups
KIND_OF = np.array(
    [int(np.searchsorted(_BELOW, face % NUM_RANKS, side="right")) for face in range(NUM_NATURALS)]
    + [len(KINDS) - 1] * (NUM_FACES - NUM_NATURALS)
)

# The measures: name, unit, meaning. All are about the seats of one player.
MEASURES = {
    "out": ("%", "rounds in which the seat went out"),
    "hand": ("%", "rounds in which it went out in one turn"),
    "melded": ("%", "rounds in which it opened a meld"),
    "first_meld": ("turn", "its own turn in which it first opened a meld, where it did"),
    "take": ("%", "of its draws, those from the pile"),
    "cards_taken": ("cards", "how many a take was"),
    "wilds_at_end": ("cards", "wild cards in its hand when the round was over"),
    "wilds_when_lost": ("cards", "wild cards in its hand when another side went out"),
    **{f"discard_{kind}": ("%", f"of its discards, those that were {kind}") for kind in KINDS},
    "discard_fits": ("%", "of its discards, those next to a natural in another side's sequence"),
    **{f"laid_by_{n}": ("cards", f"it had laid down by the end of its turn {n}") for n in range(1, TURNS + 1)},
}


@dataclass(frozen=True)
class Found:
    """The result of one measure: each player's ratio, and the first ratio minus the second."""

    players: tuple[Interval, ...]
    difference: Interval


class Counts:
    """The counts of each player in each deal, for each measure: the numerator and the denominator of its ratio.

    Args:
        players: the number of players.
        deals: the number of deals.
    """

    def __init__(self, players: int, deals: int) -> None:
        self._shape = (players, deals)
        self._cases = {name: np.zeros(self._shape) for name in MEASURES}
        self._of = {name: np.zeros(self._shape) for name in MEASURES}

    def add(self, measure: str, players: Any, deals: Any, cases: Any, of: Any = 1) -> None:
        """Add rows to the counts of a measure.

        Args:
            measure: the measure.
            players: the player of each row.
            deals: the deal of each row.
            cases: added to the numerator.
            of: added to the denominator.
        """
        np.add.at(self._cases[measure], (players, deals), cases)
        np.add.at(self._of[measure], (players, deals), of)

    def found(self) -> dict[str, Found]:
        """The results of all measures; NaN for a player without any case to count."""
        found = {}
        for name in MEASURES:
            rows = [_by_deal(cases, of) for cases, of in zip(self._cases[name], self._of[name])]
            found[name] = Found(tuple(interval(row) for row in rows), interval(rows[0] - rows[1]))
        return found


def _by_deal(cases: npt.NDArray[Any], of: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The per-deal linearized ratio: one number per deal.

    Its mean is the overall ratio, and its spread gives the interval of the ratio.
    """
    if not of.any():
        return np.full(len(of), np.nan)
    ratio: float = cases.sum() / of.sum()
    return ratio + (cases - ratio * of) / of.mean()


def compare(players: Sequence[Player], recording: Recording) -> dict[str, Found]:
    """Play the recording, and count.

    Args:
        players: the two players that the recording names.
        recording: the games to play; its episodes are rounds.
    """
    counts = Counts(len(players), recording.deals)
    seats = np.array(recording.seatings())
    for batch in decisions(players, recording):
        _count_decisions(counts, batch)
        _count_ends(counts, batch, seats, recording.plays_partners)
    return counts.found()


def _count_decisions(counts: Counts, batch: Decisions) -> None:
    """Count draws and discards."""
    actions = batch.actions.astype(np.int64)
    draws = (actions >= DRAW_STOCK) & (actions < OPEN_SEQUENCE)
    takes = draws & (actions != DRAW_STOCK)
    who, deals = batch.players, batch.deals
    counts.add("take", who[draws], deals[draws], takes[draws])
    counts.add("cards_taken", who[takes], deals[takes], actions[takes] - DRAW_STOCK)
    thrown = np.flatnonzero((actions >= DISCARD) & (actions < CHOOSE_MELD))
    faces = actions[thrown] - DISCARD
    for number, kind in enumerate(KINDS):
        counts.add(f"discard_{kind}", who[thrown], deals[thrown], KIND_OF[faces] == number)
    natural = faces < NUM_NATURALS
    columns, _ = encode(GAME, batch.observations[thrown])
    fits = columns[np.arange(len(thrown)), GAME.features.first["fits_others"] + np.where(natural, faces, 0)] * natural
    counts.add("discard_fits", who[thrown], deals[thrown], fits)


def _count_ends(counts: Counts, batch: Decisions, seats: npt.NDArray[np.int64], partnered: bool) -> None:
    """Count the ends of rounds, the last hands, and the turns of laying cards down; one row per seat of a table."""
    tables, num_seats = len(batch.ends), seats.shape[1]
    firsts = np.searchsorted(batch.games, np.arange(tables))
    who = seats[batch.tables[firsts]].reshape(-1)
    deals = np.repeat(batch.deals[firsts], num_seats)
    ends = batch.ends
    out = (ends["ending"] == OUT)[:, None] & (ends["winner"][:, None] == np.arange(num_seats))
    side_out = out | out[:, (np.arange(num_seats) + 2) % num_seats] if partnered else out
    counts.add("out", who, deals, out.reshape(-1))
    counts.add("hand", who, deals, (out & (ends["in_one_turn"] != 0)[:, None]).reshape(-1))
    wilds = _wilds(ends["hands"][:, :num_seats]).reshape(-1)
    counts.add("wilds_at_end", who, deals, wilds)
    lost = ((ends["ending"] == OUT)[:, None] & ~side_out).reshape(-1)
    counts.add("wilds_when_lost", who[lost], deals[lost], wilds[lost])
    laid, opened = laid_by_turn(batch, num_seats)
    melded = opened > 0
    counts.add("melded", who, deals, melded)
    counts.add("first_meld", who[melded], deals[melded], opened[melded])
    for turn in range(TURNS):
        counts.add(f"laid_by_{turn + 1}", who, deals, laid[:, turn])


def _wilds(hands: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of wild cards in each hand; the last axis of `hands` has the two bit masks of a hand's faces."""
    bits = [(hands >> face & 1).sum(-1) for face in range(TWO, JOKER + 1)]
    return np.sum(bits, axis=0)


def laid_by_turn(batch: Decisions, num_seats: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The cards that each seat of each table laid down, by turn.

    A card that is exchanged for a Joker counts, and the Joker counts when it is laid down again. After the end of a
    round the numbers stay the same.

    Returns:
        (seats of all tables, TURNS): the cards laid down by the end of each turn; (seats of all tables,): the turn in
        which the seat opened its first meld, 0 for never.
    """
    actions = batch.actions.astype(np.int64)
    holders = batch.games * num_seats + batch.seats
    begins = np.ones(len(actions), bool)
    begins[1:] = holders[1:] != holders[:-1]
    # The turns of a seat are numbered from 1, in the order of the rows.
    order = np.argsort(holders, kind="stable")
    begun = np.cumsum(begins[order])
    firsts = np.searchsorted(holders[order], holders)
    turns = np.empty(len(actions), np.int64)
    turns[order] = begun
    turns -= begun[firsts] - 1
    opens = (actions >= OPEN_SEQUENCE) & (actions < ADD)
    cards = np.where(opens, MELD_CARDS, (actions >= ADD) & (actions < DISCARD))
    laid = np.zeros((len(batch.ends) * num_seats, TURNS), np.int64)
    early = turns <= TURNS
    np.add.at(laid, (holders[early], turns[early] - 1), cards[early])
    opened = np.zeros(len(laid), np.int64)
    # Written in reverse, so that the first turn of each seat is written last and stays.
    rows = np.flatnonzero(opens)[::-1]
    opened[holders[rows]] = turns[rows]
    return np.cumsum(laid, 1), opened


# Output -------------------------------------------------------------------------------------------------------------


def write(found: dict[str, Found], recording: Recording, folder: Path) -> None:
    """Write behaviour.json, behaviour.csv and behaviour.png."""
    said = {
        "players": recording.players,
        "table": recording.options,
        "deals": recording.deals,
        "seeds": recording.seeds,
        "measures": {
            name: {"unit": MEASURES[name][0], "means": MEASURES[name][1]}
            | {player: _plain(one) for player, one in zip(recording.players, of.players)}
            | {"difference": _plain(of.difference)}
            for name, of in found.items()
        },
    }
    write_whole(folder / "behaviour.json", (json.dumps(said, indent=1) + "\n").encode())
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    parts = ("", " low", " high")
    rows.writerow(["measure", "unit", *[name + part for name in (*recording.players, "difference") for part in parts]])
    for name, of in found.items():
        numbers = [_plain(one).values() for one in (*of.players, of.difference)]
        rows.writerow([name, MEASURES[name][0], *[number for three in numbers for number in three]])
    write_whole(folder / "behaviour.csv", text.getvalue().encode())
    _draw(found, recording, folder / "behaviour.png")


def _plain(one: Interval) -> dict[str, float | None]:
    numbers = {"mean": one.mean, "low": one.low, "high": one.high}
    return {name: round(number, 6) if np.isfinite(number) else None for name, number in numbers.items()}


def lines(found: dict[str, Found], recording: Recording) -> list[str]:
    """The table for a terminal, one line per measure."""
    heads = [*recording.players, "difference"]
    width = max(16, *map(len, heads)) + 2
    told = [f"{'':16}" + "".join(f"{head:>{width}}" for head in heads)]
    for name, of in found.items():
        unit = MEASURES[name][0]
        cells = [_text(one, unit) for one in (*of.players, of.difference)]
        told.append(f"{name:16}" + "".join(f"{cell:>{width}}" for cell in cells) + f"  {unit}")
    return told


def _text(one: Interval, unit: str) -> str:
    if not np.isfinite(one.mean):
        return "-"
    scale = 100 if unit == "%" else 1
    return f"{scale * one.mean:.2f} ± {scale * one.half_width:.2f}"


def _draw(found: dict[str, Found], recording: Recording, path: Path) -> None:
    """Draw shares and cards as points with their intervals, and the cards laid down by turn."""
    from matplotlib.figure import Figure  # imported here, since it takes a second, which would delay the first output

    figure = Figure(figsize=(11, 6.5), dpi=120, layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[3, 2])
    shares = [name for name in MEASURES if MEASURES[name][0] == "%"]
    laid = [name for name in MEASURES if name.startswith("laid_by_")]
    others = [name for name in MEASURES if name not in (*shares, *laid)]
    for axes, names, scale, label in (
        (figure.add_subplot(grid[:, 0]), shares, 100, "%"),
        (figure.add_subplot(grid[0, 1]), others, 1, "cards, and the turn of the first meld"),
    ):
        for number, player in enumerate(recording.players):
            ours = [found[name].players[number] for name in names]
            places = np.arange(len(names)) + 0.12 * (2 * number - 1)
            around = [scale * one.half_width for one in ours]
            axes.errorbar([scale * one.mean for one in ours], places, xerr=around, fmt="o", capsize=3, label=player)
        axes.set_yticks(np.arange(len(names)), [name.replace("_", " ") for name in names])
        axes.invert_yaxis()
        axes.set_xlabel(label)
        axes.grid(alpha=0.3)
    axes = figure.add_subplot(grid[1, 1])
    for number, player in enumerate(recording.players):
        ours = [found[name].players[number] for name in laid]
        means = np.array([one.mean for one in ours])
        widths = np.array([one.half_width for one in ours])
        axes.plot(range(1, TURNS + 1), means, marker="o", markersize=3, label=player)
        axes.fill_between(range(1, TURNS + 1), means - widths, means + widths, alpha=0.15, linewidth=0)
    axes.set_xlabel("own turn")
    axes.set_ylabel("cards laid down by then")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.suptitle(f"{' and '.join(recording.players)}: {recording.deals} deals of {recording.seeds}, 95 % intervals")
    save_picture(figure, path)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.banakil.behaviour", description="Compare what two players do."
    )
    parser.add_argument("players", nargs=2, metavar="player", help="as for `banakil arena`, such as net:PATH expert")
    parser.add_argument("--deals", type=int, default=500, help="of arena-v1, each in all seatings")
    parser.add_argument("--players", type=int, default=2, dest="num_players", help="2, 3 or 4 at a table")
    parser.add_argument("--rules", default="pagat", help="a preset, then switches")
    parser.add_argument("--out", type=Path, required=True, help="the folder to be written")
    options = parser.parse_args(arguments)
    try:
        made = [make_player(player) for player in options.players]
        recording = Recording(
            labels([player.name for player in made]),
            num_players=options.num_players,
            rules=options.rules,
            deals=options.deals,
            seeds="arena-v1",
        )
        found = compare(made, recording)
        write(found, recording, options.out)
    except (PlayerError, RecordingError, ValueError, OSError) as error:
        complain(f"train.banakil.behaviour: {error}")
        return 1
    print("\n".join(lines(found, recording)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
