"""Redeals the hidden cards, as in `kit/hidden.py`; a seat that goes rummy can get rid of its hand (R7.2)."""

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
    """Whether the seat to move, if it goes rummy, has a legal action."""
    return not goes_rummy(state, state.opened) or can_go_on(state)


@held.faces_taken.fill(STATE)
def faces_taken(state: State, seat: int) -> int:
    """The cards that fit any meld (R5.2)."""
    return places(O.cards_in_runs(state), O.cards_in_sets(state))


@hidden.give_up.fill(STATE)
def give_up(state: State) -> None:
    """If no hand is found with which another seat can go rummy, put that seat in an ordinary turn."""
    state.opened, state.in_one_turn = 1, 0
