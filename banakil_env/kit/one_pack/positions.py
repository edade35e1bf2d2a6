"""Positions as text for games with one pack of 52 cards: fields of the turn, and melds as masks of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from banakil_env.core.scene import Scene
from banakil_env.kit.melds.runs_and_sets import in_order, parse_meld
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack52 import FACES, NO_FACE, bit_of, faces_of
from banakil_env.kit.positions import Positions, seats_in
from banakil_env.kit.scenes import card_scene
from banakil_env.kit.table_state import CHOOSE


@dataclass(eq=False)
class OnePackPositions(Positions):
    """Writes and reads the positions of one game; `high_ace`: whether a run can also end with a high Ace."""

    high_ace: bool = False

    def meld_text(self, state: Any, slot: int) -> str:
        """The cards of the meld in a slot, as text."""
        return FACES.text(in_order(int(state.melds[slot]), self.high_ace))

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Read the text of a meld into a slot. Returns its cards. ValueError: the cards are not a meld."""
        state.melds[slot] = parse_meld(text, self.high_ace)
        return faces_of(state.melds[slot])

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """The lines `played` (seats that have played) and `seen` (public stock), if they are not the default."""
        seats = seats_in(state.played, int(state.num_players))
        lines = [("played", joined(seats) or "none")] if seats != _owners(state) else []
        return [*lines, ("seen", "yes")] if state.seen else lines

    def read_facts(self, lines: Lines, state: Any) -> None:
        """Read the line `seen`: whether the order of the stock is public."""
        state.seen = lines.one_of("seen", "no", ("no", "yes")) == "yes"

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards, then the line `played`, whose default is the seats that own melds."""
        super().read_cards(lines, state)
        played = lines.seats("played", int(state.num_players)) if "played" in lines else _owners(state)
        state.played[played] = 1

    def explain(self, state: Any, decisions: Mapping[int, str], rule: str) -> str:
        """The decision and the restrictions on plays, for the error about an illegal action.

        Args:
            decisions: the decisions in words, by number of the phase.
            rule: the number of the rule about the banned card.
        """
        said = f"seat {state.seat} is to {decisions[int(state.phase)]}"
        if state.phase == CHOOSE:
            said += f" for {FACES.names[state.named]}"
        if state.banned != NO_FACE and int(bit_of(int(state.banned))) & int(state.hands[state.seat, 0]):
            said += f"; {FACES.names[state.banned]} may not be discarded in this turn ({rule})"
        return said

    def scene(self, state: Any, viewer: int | None, decisions: Mapping[int, str]) -> Scene:
        """The table as `viewer` sees it; None for a viewer that sees all hands and the stock.

        Args:
            decisions: the decisions in words, by number of the phase.
        """
        decision = decisions.get(int(state.phase), "")
        banned = [f"may not discard {FACES.names[state.banned]}"] if state.banned != NO_FACE else []
        return card_scene(
            state,
            viewer,
            self,
            f"{decision} for {FACES.names[state.named]}" if state.phase == CHOOSE else decision,
            notes_of=lambda seat: banned if seat == state.seat else [],
        )


def _owners(state: Any) -> list[int]:
    """The seats that have melds."""
    return sorted(set(state.meld_owner[: state.num_melds].tolist()))
