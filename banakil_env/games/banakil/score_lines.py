"""The points of a round of Banakil in parts (B7); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.banakil import scoring as P
from banakil_env.games.banakil.rules import SUM
from banakil_env.games.banakil.state import NO_BONUS, side_of
from banakil_env.kit.score_lines import Line
from banakil_env.kit.table_state import NO_SEAT


def lines(state: Any, seat: int) -> list[Line]:
    """The lines of each player of the side, and the line for rounding (B7.1 to B7.4)."""
    out = int(state.winner)
    side = interpreted(side_of)(state, seat)
    found = [Line(text, half / 2) for text, half in _halves(state, side, out) if half]
    odd = float(state.points[seat]) - sum(line.points for line in found)
    return [*found, Line("halves go up", odd)] if odd else found


def _halves(state: Any, side: int, out: int) -> list[tuple[str, int]]:
    """The parts of a side in half points; see `scoring.side_half_points`."""
    rules = state.rules
    if out != NO_SEAT and state.in_one_turn and rules.hand_bonus[0] != NO_BONUS:
        if interpreted(side_of)(state, out) != side:
            return []
        melded = interpreted(P.anybody_else_melded)(state, side, out)
        return [("a hand, all in one turn", 2 * int(rules.hand_bonus[0 if melded else 1]))]
    seats = [each for each in range(int(state.num_players)) if interpreted(side_of)(state, each) == side]
    if not state.partners or rules.partner_scoring == SUM or out == NO_SEAT:
        return [part for each in seats for part in _halves_of(state, each, out)]
    if interpreted(side_of)(state, out) == side:
        return _halves_of(state, out, out)  # the winner's points alone (B7.3)
    partner = (out + 2) % 4
    paid = int(interpreted(P._seat_points)(state, partner, out))
    found = [part for each in seats for part in _halves_of(state, each, out)]
    return [*found, (f"less the points of the winner's partner, seat {partner}", -paid)]


def _halves_of(state: Any, seat: int, out: int) -> list[tuple[str, int]]:
    """The same of one seat; see `scoring._seat_points`."""
    whose = f", seat {seat}" if state.partners else ""
    total = int(interpreted(P._seat_points)(state, seat, out))
    if state.melds_of[seat]:
        melds, held = int(interpreted(P.melds_value)(state, seat)), int(interpreted(P.hand_value)(state, seat))
        bonus = P.OUT_BONUS if seat == out else 0
        if total == melds - held + bonus:
            return [(f"melds{whose}", melds), (f"cards left in the hand{whose}", -held), (f"going out{whose}", bonus)]
    return [(f"{'all cards in one turn' if total > 0 else 'nothing melded'}{whose}", total)]
