"""Redeals the hidden cards: the new deal looks the same from one seat and agrees with the answers of partners."""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.records import Observation, State
from banakil_env.kit import held, hidden
from banakil_env.kit import table_state as T
from banakil_env.kit.books.hidden import deal, fits_question, suppose_melds, suppose_places, suppose_round, whole_pack
from banakil_env.kit.books.kinds import NUM_KINDS

hidden.deal.fill(S.STATE)(deal)
held.can_hold.fill(S.STATE)(fits_question)
redeal_hidden = hidden.redeal_hidden


@compiled
def suppose(seen: Observation, seed: int, state: State) -> None:
    """Write a whole state that agrees with an observation into `state`; see `core.game.Search`.

    The points of earlier rounds are zero. If no hands agree with the flags of the turn, the state has none of these
    flags, and all melds are of earlier turns.
    """
    seed_generator(state, seed)
    T.clear_table(state)
    suppose_round(seen, state)
    left = scratch(NUM_KINDS)
    whole_pack(left, S.PACKS, S.JOKERS)
    suppose_melds(seen, state, left)
    suppose_places(seen, state, left, seen.pile_reds)
    if not deal(state, 0) and state.phase != T.DRAW:
        state.phase = T.PLAY
        state.opening = state.taking = state.concealed = state.answer = 0
