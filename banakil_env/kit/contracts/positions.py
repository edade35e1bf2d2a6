"""Positions of games of contracts as text: `Positions` with the lines for the fields of `contracts.table`.

A game makes a subclass, or an instance with other phases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from banakil_env.core.scene import Scene
from banakil_env.kit import table_state as T
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import LINES, Line
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.notation import Lines
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.positions import Positions
from banakil_env.kit.scenes import card_scene, facts_of

KEYS = (
    *("rules", "players", "episode", "dealer", "round", "contract", "turns", "scores", "turn", "over"),
    *("hand S", "melds S", "order", "known S", "calls", "pile", "stock", "points", "rng", "seed"),
)

_NAMED = (*W.ADD.texts, *W.ADD_JOKER.texts, *W.SWAP.texts)


_NUMBERS = ("no", "one", "two", "three", "four")


def contract_text(sets: int, runs: int) -> str:
    """A contract in words, such as `one set of three and two runs of four`."""
    counted = ((sets, "set", "three"), (runs, "run", "four"))
    return " and ".join(f"{_NUMBERS[n]} {what}{'s' * (n > 1)} of {size}" for n, what, size in counted if n)


def named_text(state: Any) -> str:
    """The text of the action whose card waits for its meld, such as `add 8h`."""
    return _NAMED[int(state.named) - 1]


def _lowest(state: Any) -> list[int]:
    """The seats with the lowest total."""
    scores = state.scores[: state.num_players].tolist()
    return [seat for seat, score in enumerate(scores) if score == min(scores)]


@dataclass(eq=False)
class ContractPositions(Positions):
    """Writes and reads the positions of one game.

    Attributes:
        contracts: the number of contracts in a match.
    """

    contracts: int = 1
    keys: ClassVar[tuple[str, ...]] = KEYS
    fields_behind: ClassVar[str] = "calls"
    faces: ClassVar[Faces] = FACES
    notes: ClassVar[Mapping[str, Line]] = {
        "round": Line("deals of the match that have been played, scored or not", "0"),
        "contract": Line("the number of the contract of this round", "the switch `contract`, 1 for `any`"),
        "melds S": Line(LINES["melds S"].says + "; a run by its places"),
        "over": Line("how the game ended; a match names all seats with the lowest total", LINES["over"].default),
        "calls": Line("calls of each seat in this round that brought it a card", "zeros"),
    }

    def described_words(self) -> dict[str, str]:
        """The notes of all words that can follow the phase in the line `turn`, including `active S`."""
        return {"active S": "the mover, where another seat is asked", **super().described_words()}

    def phase_words(self) -> tuple[str, ...]:
        """The words of the phases that the line `turn` can have."""
        return (*self.phases.values(), "choose ADD-OR-SWAP")

    def fewest(self, state: Any) -> int:
        """The smallest number of natural cards in a meld."""
        return 2

    def ending(self, state: Any) -> str:
        """How the game ended, in the words of the line `over`; a match names all seats with the lowest total."""
        if state.ending != T.MATCH:
            return super().ending(state)
        return ", ".join(["match", *(f"seat {seat}" for seat in _lowest(state))])

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """The marks of the last finished round or match; `shared` for a match with several winners."""
        return ("shared",) if state.ending == T.MATCH and len(_lowest(state)) > 1 else super().marks_of(state)

    def waiting_text(self, state: Any) -> str:
        """The action whose card waits for its meld in phase CHOOSE, as text: `add 8h`."""
        return named_text(state)

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """Read the action whose card waits for its meld. Returns False if the text is not such an action."""
        if text in _NAMED:
            state.named = 1 + _NAMED.index(text)
        return text in _NAMED

    def words_of_turn(self, state: Any) -> list[str]:
        """The words of the line `turn` after the phase, beginning with `active S` if another seat decides."""
        words = [f"active {state.active}"] if state.seat != state.active else []
        return words + super().words_of_turn(state)

    def read_phase(self, lines: Lines, state: Any, phase: str) -> None:
        """Read the phase. The seat to decide is also the mover, unless a later word names another one."""
        state.active = state.seat
        super().read_phase(lines, state, phase)

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn` after the phase. Returns False if there is no such word."""
        if name == "active":
            state.active = lines.seat("turn", rest, int(state.num_players))
        return name == "active" or super().read_word(lines, state, name, rest)

    def meld_text(self, state: Any, slot: int) -> str:
        """The cards of the meld in a slot, as text."""
        return W.meld_text(state.melds[slot])

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Read the text of a meld into a slot. Returns its cards. ValueError: the cards are not a meld."""
        state.melds[slot] = W.parse_meld(text, self.fewest(state))
        return W.meld_faces(state.melds[slot])

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """The line `contract`, with the number of the contract of this round."""
        return [("contract", str(state.contract))]

    def read_facts(self, lines: Lines, state: Any) -> None:
        """Read the line `contract`. Its default is the switch `contract`, or 1 if the switch is not a number."""
        switch = self.game.rules_of(state).contract
        default = switch if isinstance(switch, int) else 1
        state.contract = lines.number("contract", default, 1, self.contracts)

    def read_ending(self, lines: Lines, state: Any) -> None:
        """Read the line `over` of a finished game; for a match, it names all seats with the lowest total."""
        words = [" ".join(word.split()) for word in lines.values["over"].split(",")]
        if words[0] != self.endings[T.MATCH]:
            super().read_ending(lines, state)
            return
        state.ending, state.phase = T.MATCH, T.OVER
        lowest = min(state.scores[: state.num_players])
        first = [seat for seat in range(int(state.num_players)) if state.scores[seat] == lowest]
        state.winner = first[0]
        if ", ".join(words) != self.ending(state):
            raise lines.fail("over", f"expected {self.ending(state)}: the seats with the lowest total")

    # The scene -------------------------------------------------------------------------------------------------------

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """The arguments of `core.scene.Meld` for the meld in a slot: its cards, and the cards that Jokers represent."""
        meld = state.melds[slot]
        return FACES.names_of(W.meld_faces(meld)), W.stands_for(meld)

    def scene(
        self,
        state: Any,
        viewer: int | None,
        decisions: Mapping[int, str],
        contract: str,
        facts: Sequence[str] = (),
    ) -> Scene:
        """The table as `viewer` sees it; None for a viewer that sees all hands and the stock.

        Args:
            decisions: the decisions in words, by number of the phase.
            contract: the contract of this round in words, such as "two sets of three".
            facts: additional facts about the turn.
        """
        decision = decisions.get(int(state.phase), "")
        return card_scene(
            *(state, viewer, self, f"{decision} for {named_text(state)}" if state.phase == T.CHOOSE else decision),
            notes_of=lambda seat: [f"calls {state.calls[seat]}"] if state.calls[seat] else [],
            facts=(f"contract {state.contract}: {contract}", *facts_of(state, self, "of all contracts"), *facts),
        )
