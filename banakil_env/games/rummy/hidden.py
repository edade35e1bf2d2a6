"""Redeals the hidden cards, as in `kit/hidden.py`. A seat that goes rummy gets a hand that can be emptied (R7.2)."""

from __future__ import annotations

from banakil_env.games.rummy.moves import goes_rummy
from banakil_env.games.rummy.records import State
from banakil_env.games.rummy.state import STATE
from banakil_env.kit import held, hidden
from banakil_env.kit.going_on import can_go_on
from banakil_env.kit.melds.runs_and_sets import places
from banakil_env.kit.one_pack import hidden as one_pack
from banakil_env.kit.one_pack import table as O

one_pack.serve(STATE)
hidden.read_turn.fill(STATE)(one_pack.read_common)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose


@hidden.can_stand.fill(STATE)
def can_stand(state: State) -> bool:
    """Return whether the seat to move can go on with this hand. The check concerns only a seat that goes rummy."""
    return not goes_rummy(state, state.opened) or can_go_on(state)


@held.faces_taken.fill(STATE)
def faces_taken(state: State, seat: int) -> int:
    """Return the cards that fit any meld on the table (R5.2), as a mask."""
    return places(O.cards_in_runs(state), O.cards_in_sets(state))


@hidden.give_up.fill(STATE)
def give_up(state: State) -> None:
    """Make a turn of going rummy an ordinary turn with one opened meld.

    It is used if no redealt hand allows another seat to go rummy.
    """
    state.opened, state.in_one_turn = 1, 0
