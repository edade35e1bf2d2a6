"""Redeals the hidden cards, as in `kit/hidden.py`. A new hand agrees with the decision that its seat has to make."""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import count_actions
from banakil_env.games.hand import state as S
from banakil_env.games.hand.observation import GROUP, named_cards
from banakil_env.games.hand.records import Observation, State
from banakil_env.games.hand.state import NOTHING, STATE
from banakil_env.kit import held, hidden
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M

redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose
held.has_melded.fill(STATE)(T.owns_meld)
hidden.read_heaps.fill(STATE)(hidden.read_depths)

# Many deals are needed to find a hand that reaches a first meld or can go out.
hidden.tries.fill_number(STATE, 20_000)


@held.in_partnership.fill(STATE)
def in_partnership(state: State) -> bool:
    """Return whether seats 0 and 2 play against seats 1 and 3."""
    return state.partners != 0


@hidden.can_stand.fill(STATE)
def can_stand(state: State) -> bool:
    """Return whether the hand of the seat to move agrees with the decision that this seat has to make."""
    if state.phase == S.REDEAL:
        return S.may_throw_in(state, state.seat)
    return count_actions(state) > (state.phase == T.CHOOSE)


@hidden.hold.fill(STATE)
def hold(state: State, seat: int, cards: Any) -> None:
    """Count into `cards` the cards of a hand that wait for their meld, so that they are not redealt."""
    if seat == state.seat and state.phase == T.CHOOSE:
        T.count_cards_in(named_cards(state.named), cards, 1)


@hidden.read_turn.fill(STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn, and the indicator, from an observation into `state`."""
    state.indicator = seen.indicator - 1 if seen.indicator else NOTHING
    state.taken = seen.taken - 1 if seen.taken else NOTHING
    state.named = seen.named - 1 if seen.named else 0


@hidden.meld_seen.fill(STATE)
def meld_seen(state: State, seen: Observation, slot: int) -> int:
    """Return the meld of an observation in this slot, packed as in the state; 0: no meld."""
    if not seen.meld_owner[slot]:
        return 0
    low, size, wild = seen.meld_low[slot] - 1, seen.meld_size[slot], seen.meld_wild[slot]
    if seen.meld_kind[slot] == GROUP:
        return M.packed(M.what_of_group(low), seen.meld_suits[slot], wild)
    return M.packed(seen.meld_kind[slot] - 1, ((1 << size) - 1) << low, wild)


@held.faces_taken.fill(STATE)
def faces_taken(state: State, seat: int) -> int:
    """Return the cards that fit a meld on the table, as a mask."""
    fits = 0
    for slot in range(state.num_melds):
        fits |= M.fitting(state.melds[slot])
    return fits
