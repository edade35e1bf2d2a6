"""RLCard's gin player as a player of this arena.

    banakil arena train.plugins.rlcard_gin:Novice greedy expert --game gin --deals 1000

RLCard contains one player for gin, `GinRummyNoviceRuleAgent`: it draws at random, knocks as soon as it can, and
discards a card that leaves the least deadwood. Here RLCard's code decides, with the choices of our game translated to
RLCard's actions. Melds and lay-offs are chosen as our `greedy` does, since RLCard's game does both automatically.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from rlcard.games.base import Card
from rlcard.games.gin_rummy.utils.action_event import (
    ActionEvent,
    DiscardAction,
    DrawCardAction,
    KnockAction,
    PickUpDiscardAction,
)
from rlcard.games.gin_rummy.utils.utils import encode_cards
from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

from banakil_env.arena import CompiledPlayer
from banakil_env.games import find
from banakil_env.kit.melds.deadwood import deadwood
from banakil_env.kit.pack52 import FACES, NUM_FACES

GAME = find("gin")
A_DRAW, A_TAKE, A_PASS, A_KNOCK, A_DISCARD = (
    GAME.actions.first(block) for block in ("draw", "take", "pass", "knock", "discard")
)
CARDS = [Card(name[1].upper(), name[0]) for name in (FACES.names[face] for face in range(NUM_FACES))]
FACE_OF = {str(card): face for face, card in enumerate(CARDS)}
LIMIT = 10  # most deadwood with which a player can knock


class Novice:
    """RLCard's gin player as a player of the arena, with melds and lay-offs chosen by `greedy`."""

    name = "rlcard novice"

    def __init__(self) -> None:
        self._agent, self._settles = GinRummyNoviceRuleAgent(), CompiledPlayer("greedy", GAME)

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Let RLCard's player decide, and `greedy` about melds and lay-offs; the arguments are as in `Player.act`."""
        settled = self._settles.act(observations, masks, dice)
        rows = observations.view(GAME.observation).reshape(-1)
        chosen = [self._choose(row, mask, int(bits)) for row, mask, bits in zip(rows, masks, dice)]
        return np.array([own if action is None else action for own, action in zip(settled, chosen)], np.int64)

    def _choose(self, seen: Any, mask: npt.NDArray[np.int8], bits: int) -> int | None:
        """The action of our game that RLCard's player chooses; None for a decision about melds and lay-offs."""
        hand = [face for face in range(NUM_FACES) if seen["hand"][face]]
        discards = [face for face in hand if mask[A_DISCARD + face]]
        if mask[A_TAKE]:
            legal = [DrawCardAction(), PickUpDiscardAction()]
        else:
            legal = _knocks(hand, discards) or [DiscardAction(CARDS[face]) for face in discards]
        if not legal:
            return None
        np.random.seed(bits & 0xFFFFFFFF)  # noqa: NPY002 it throws these dice
        ids = [event.action_id for event in legal]
        state = {"legal_actions": ids, "obs": [encode_cards([CARDS[face] for face in hand])]}
        event = ActionEvent.decode_action(int(self._agent.step(state)))
        if isinstance(event, PickUpDiscardAction):
            return A_TAKE
        if isinstance(event, DrawCardAction):
            return A_DRAW if mask[A_DRAW] else A_PASS
        if mask[A_KNOCK]:
            return A_KNOCK  # the discard is chosen in the next decision
        return A_DISCARD + FACE_OF[str(event.card)]


def _knocks(hand: list[int], discards: list[int]) -> list[KnockAction]:
    """RLCard's knocks, one for each discard that leaves at most ten points; if some leave no points, only these.

    RLCard calls a discard that leaves no points gin, and picks it itself. If such a discard is legal, our game also
    offers a knock, or the player has already announced one.
    """
    left = {face: deadwood(sum(1 << other for other in hand if other != face)) for face in discards}
    most = 0 if min(left.values(), default=LIMIT) == 0 else LIMIT
    return [KnockAction(CARDS[face]) for face in discards if left[face] <= most]
