"""Contract Rummy as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.scene import Scene
from banakil_env.games.contract import state as S
from banakil_env.games.contract.rules import CONTRACTS
from banakil_env.kit.contracts import positions as contract_positions
from banakil_env.kit.contracts.positions import ContractPositions, named_text
from banakil_env.kit.contracts.table import CALL, ENDINGS
from banakil_env.kit.line_notes import Line
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY

PHASES = {DRAW: "draw", PLAY: "play", CALL: "call"}
DECISIONS = {
    DRAW: "draw or take the upcard",
    PLAY: "play or discard",
    CHOOSE: "choose a meld",
    CALL: "take the upcard or pass",
}
MARKS = {"shared": "the match ended with several seats at the lowest total (N9.1)"}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 300, "match": 1500})


class ContractRummyPositions(ContractPositions):
    """Writes and reads positions of Contract Rummy as text."""

    notes: ClassVar[Mapping[str, Line]] = {
        **ContractPositions.notes,
        "melds S": Line(
            f"{ContractPositions.notes['melds S'].says}; `7h JK JK JK` is a run, and `set 7h JK JK JK` a set"
        ),
    }

    def fewest(self, state: Any) -> int:
        """Return the fewest naturals of an opening. With `jokers=any` one natural is enough (N4.2)."""
        return 2 - int(state.rules.jokers)


POSITIONS = ContractRummyPositions(ENDINGS, (OUT, MATCH), PHASES, contracts=CONTRACTS)


def contract_text(contract: int) -> str:
    """Return a contract in words, such as `one set of three and two runs of four`."""
    words = contract_positions.contract_text(int(S.SETS[contract]), int(S.RUNS[contract]))
    return words + (" or more, all cards at once" if contract == S.ALL_AT_ONCE else "")


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the remaining duties of the turn; see `core.game.Texts`."""
    said = f"seat {state.seat} is to {DECISIONS[int(state.phase)]}"
    if state.phase == CHOOSE:
        said += f" for {named_text(state)}"
    if state.owed:
        said += f"; {state.owed} Jokers taken from melds must open a new meld (N6.4)"
    elif state.phase == PLAY and state.seat not in state.meld_owner[: state.num_melds]:
        said += f"; first melds must meet contract {state.contract}, {contract_text(int(state.contract))} (N5.1)"
    return said


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return POSITIONS.scene(
        state,
        viewer,
        DECISIONS,
        contract_text(int(state.contract)),
        facts=(f"Jokers owed to a new meld: {state.owed}",) if state.owed else (),
    )
