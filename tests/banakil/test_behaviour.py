"""Is what is said of a player's behaviour what it did? Counted again from the written records of the same games."""

from __future__ import annotations

import csv
import itertools
import json

import numpy as np
import pytest

from banakil_env.arena import CompiledPlayer, Plan
from banakil_env.arena.tables import play_tables
from banakil_env.games import banakil
from banakil_env.games.banakil.faces import TWO
from banakil_env.games.banakil.meld_text import meld_text
from banakil_env.games.banakil.melds import Meld
from banakil_env.kit.pack54 import faces_in
from banakil_env.kit.table_state import PLAY
from banakil_env.record import Recording

torch = pytest.importorskip("torch")

from train.banakil import behaviour  # noqa: E402

NAMES = ("expert", "random")
DEALS = 5
TABLES = {"two": {"num_players": 2}, "jawaker": {"num_players": 4, "rules": "jawaker"}}
KINDS = {"low": "3456", "middle": "789", "high": "TJQK", "ace": "A", "wild": "2"}


def players() -> list[CompiledPlayer]:
    return [CompiledPlayer(name) for name in NAMES]


def counted(options: dict) -> dict[tuple[str, int], list[float]]:
    """Every measure but `discard_fits`, as the list of its cases for each player, from the records."""
    plan = Plan(NAMES, **options, deals=DEALS, budget=None)
    tables = plan.tables(range(DEALS))
    found: dict[tuple[str, int], list[float]] = {}
    for table, outcome in zip(tables, play_tables(players(), NAMES, tables, plan.settings(record=True))):
        turns: list[list[list[str]]] = [[] for _ in table.seats]
        for line in outcome["record"].splitlines():
            seat, colon, moves = line.partition(": ")
            if colon and seat.isdigit():
                turns[int(seat)].append(moves.split("; "))
        end = banakil.replay(outcome["record"])[0]
        for seat, own in enumerate(turns):
            for name, case in measures(own, seat, end, outcome):
                found.setdefault((name, table.seats[seat]), []).append(case)
    return found


def measures(turns, seat, end, outcome):
    """What one seat did in one round, as pairs of a measure and a case."""
    out = outcome["ending"] == "out"
    won = out and outcome["winner"] == seat
    yield "out", won
    yield "hand", won and "hand" in outcome["marks"]
    wilds = sum(face >= TWO for face in faces_in(end.hands[seat]))
    yield "wilds_at_end", wilds
    partners = {outcome["winner"], (outcome["winner"] + 2) % 4} if out and end["partners"] else {outcome["winner"]}
    if out and seat not in partners:
        yield "wilds_when_lost", wilds
    opened = [number for number, moves in enumerate(turns, 1) if any(move.startswith("open") for move in moves)]
    yield "melded", bool(opened)
    if opened:
        yield "first_meld", opened[0]
    laid = 0
    for number in range(1, behaviour.TURNS + 1):
        for move in turns[number - 1] if number <= len(turns) else []:
            laid += {"open": 3, "add": 1, "swap": 1}.get(move.split()[0], 0)
        yield f"laid_by_{number}", laid
    for word, *cards in (move.split() for moves in turns for move in moves):
        if word in ("draw", "take"):
            yield "take", word == "take"
        if word == "take":
            yield "cards_taken", int(cards[0])
        if word == "discard":
            for kind, ranks in KINDS.items():
                yield f"discard_{kind}", kind == "wild" if cards[0] == "JK" else cards[0][0] in ranks


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_every_rate_is_that_of_the_written_games(options):
    found = behaviour.compare(players(), Recording(NAMES, **options, deals=DEALS, seeds="arena-v1"))
    cases = counted(options)
    for name in set(behaviour.MEASURES) - {"discard_fits"}:
        for player in range(2):
            own = found[name].players[player].mean
            expected = cases.get((name, player), [])
            assert own == pytest.approx(np.mean(expected) if expected else np.nan, nan_ok=True), (name, player)


def test_a_discard_that_another_side_can_add(tmp_path):
    """Discards next to a natural of the other's sequence, by the text of the tables before each."""
    recording = Recording(NAMES, deals=3, seeds="arena-v1")
    found = behaviour.compare(players(), recording)["discard_fits"]
    plan = Plan(NAMES, deals=3, budget=None)
    tables = plan.tables(range(3))
    cases: list[list[bool]] = [[], []]
    for table, outcome in zip(tables, play_tables(players(), NAMES, tables, plan.settings(record=True))):
        states = banakil.replay_states(outcome["record"])
        for before, after in itertools.pairwise(states):
            card = thrown(before[0], after[0])
            if card is not None:
                cases[table.seats[before[0].seat]].append(fits_other(before[0], card))
    assert [one.mean for one in found.players] == pytest.approx([np.mean(of) for of in cases])


def thrown(before, after) -> str | None:
    """The card that was discarded between two states."""
    if before.phase != PLAY or after.pile_size != before.pile_size + 1:
        return None
    return banakil.FACES.names[after.pile[after.pile_size - 1]]


def fits_other(state, card: str) -> bool:
    ranks = "3456789TJQKA"
    for meld in map(Meld.unpack, state.melds[: state.num_melds]):
        cards = [text for text in meld_text(meld, False).split() if text[0] in ranks and text != "JK"]
        suits = {text[1] for text in cards}
        if meld.owner == state.seat or len(suits) > 1 or card[0] not in ranks or card == "JK" or card[1] not in suits:
            continue
        if any(abs(ranks.index(text[0]) - ranks.index(card[0])) == 1 for text in cards):
            return True
    return False


def test_what_is_written(tmp_path, capsys):
    assert behaviour.main(["greedy", "random", "--deals", "3", "--out", str(tmp_path)]) == 0
    assert "wilds_at_end" in capsys.readouterr().out
    said = json.loads((tmp_path / "behaviour.json").read_text())
    assert set(said["measures"]) == set(behaviour.MEASURES)
    rows = list(csv.DictReader((tmp_path / "behaviour.csv").open()))
    assert [row["measure"] for row in rows] == list(behaviour.MEASURES)
    first = said["measures"]["take"]["greedy"]
    assert float(rows[4]["greedy low"]) == first["low"] <= first["mean"]
    assert (tmp_path / "behaviour.png").read_bytes()[:4] == b"\x89PNG"


def test_a_player_that_is_none(capsys, tmp_path):
    assert behaviour.main(["nobody", "random", "--out", str(tmp_path / "out")]) == 1
    assert "there is no player 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
