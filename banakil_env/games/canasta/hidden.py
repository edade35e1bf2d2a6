"""What could the hidden cards be? Another deal that looks the same from one seat, and fits what has been said."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.check import can_have_asked
from banakil_env.games.canasta.moves import count_actions
from banakil_env.kit import table_state as T
from banakil_env.kit.books.hidden import (
    deal_until_possible,
    redeal_unseen,
    suppose_melds,
    suppose_places,
    suppose_round,
    whole_pack,
)
from banakil_env.kit.books.kinds import NUM_KINDS
from banakil_env.kit.other_deals import redeal_or_leave

_deal_until_possible = deal_until_possible("canasta", redeal_unseen, can_have_asked, count_actions)
redeal_hidden = redeal_or_leave("canasta", _deal_until_possible)


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`. The points of rounds before are zero.

    If no hands are found that fit what has been said in the turn, nothing has been said, and all melds are old.
    """
    seed_generator(state, seed)
    S.clear_table(state)
    state.num_players = seen.num_players
    state.concealed = seen.concealed
    suppose_round(seen, state)
    left = scratch(NUM_KINDS)
    whole_pack(left, wide(S.PACKS), wide(S.JOKERS))
    suppose_melds(seen, state, left)
    suppose_places(seen, state, left, wide(seen.pile_reds))
    if not _deal_until_possible(state, wide(0)) and state.phase != T.DRAW:
        state.phase = T.PLAY
        state.opening = state.taking = state.concealed = state.answer = 0
