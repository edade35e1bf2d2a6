"""Yaniv as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.game import PositionError
from banakil_env.core.scene import Area, Scene
from banakil_env.games.yaniv.observation import hands_are_open
from banakil_env.games.yaniv.state import ENDINGS, HAND_SIZE, YANIV, next_in_game
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import Line
from banakil_env.kit.notation import Lines
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.positions import KEYS, CardsLeft, Positions
from banakil_env.kit.scenes import card_scene
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import DRAW, MATCH, OVER, PLAY

DECISIONS = {PLAY: "lay a discard, or call", DRAW: "draw, or lay further cards"}
MARKS = {
    "called": "the round ended with a call (Y2.1)",
    "asaf": "the caller was beaten (Y4.2)",
}
_PHASES = {PLAY: "play", DRAW: "draw", OVER: "over"}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 100, "match": 300})


class YanivPositions(Positions):
    """Writes and reads positions of Yaniv as text. Cards that no line names are dealt."""

    keys: ClassVar[tuple[str, ...]] = (
        *KEYS[: KEYS.index("turn") + 1],
        *("out", "hand S", "known S", "pile", "last", "laid", "stock"),
        *KEYS[KEYS.index("over") :],
    )
    notes: ClassVar[Mapping[str, Line]] = {
        "turn": Line(
            "`seat S, PHASE`; after the end, the seat that acted last",
            "`play` by the seat whose turn it is after `turns` turns; the first seat in the match after the dealer has "
            "the first; after the end, the seat that called",
        ),
        "over": Line("how the game ended", "the game goes on"),
        "hand S": Line(
            "the cards of seat S",
            "dealt: five cards, including those laid in this turn; no cards for a seat that is out",
        ),
        "known S": Line("cards of hand S that were taken from a discard"),
        "pile": Line(
            "all discards, each in the order in which it was laid, without the cards taken",
            "one of the remaining cards",
        ),
        "out": Line("seats that are out of the match"),
        "last": Line("number of cards at the top of the pile that are the last discard", "1"),
        "laid": Line("the cards laid in this turn, in order"),
    }
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = True

    def phase_words(self) -> tuple[str, ...]:
        """Return the phases that the line `turn` can name."""
        return tuple(_PHASES.values())

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """Return the additional lines of this game, as pairs (key, value)."""
        return [("laid", FACES.text(state.laid[: state.laid_size]))] if state.laid_size else []

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards. Hands without a line are dealt first, then the pile and the stock, from the
        cards left.
        """
        laid, left = lines.cards("laid"), CardsLeft(FACES, self.cards_of(state))
        for key in lines.values:
            if key.split()[0] in ("hand", "pile", "laid", "stock"):
                left.take(lines, key, lines.cards(key))
        if len(laid) > HAND_SIZE:
            raise lines.fail("laid", f"{len(laid)} cards, but a hand has at most {HAND_SIZE}")
        rest = self.mixed(lines, state, left.faces)
        seat_to_lay = self._seat(lines, state)
        for seat in range(int(state.num_players)):
            size = 0 if _is_out(state, seat) else HAND_SIZE - (len(laid) if seat == seat_to_lay else 0)
            self.write_hand(
                *(lines, state, seat),
                lines.cards(f"hand {seat}") if f"hand {seat}" in lines else _taken(rest, size),
            )
        self.write_heap(state, "pile", lines.cards("pile") if "pile" in lines else _taken(rest, 1))
        self.write_heap(state, "stock", self.rest_or_line(lines, "stock", rest)[::-1])
        self.write_heap(state, "laid", laid)

    def _seat(self, lines: Lines, state: Any) -> int:
        """Return the seat that the line `turn` names; without the line, the seat whose turn it is after the turns
        played.
        """
        if "turn" not in lines:
            seat = int(next_in_game(state, int(state.dealer)))
            for _ in range(int(state.turns) % (int(state.num_players) - int(state.out).bit_count())):
                seat = int(next_in_game(state, seat))
            return seat
        name, _, number = lines.values["turn"].partition(",")[0].strip().partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {name!r:.80}")
        return lines.seat("turn", number.strip(), int(state.num_players))

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Read the line `turn`. If it names only a seat, the cards laid determine the phase."""
        called = "turn" not in lines and state.ending == YANIV
        state.seat = state.winner if called else self._seat(lines, state)
        default = "over" if "over" in lines else "draw" if "turn" in lines and state.laid_size else "play"
        self.read_phase(lines, state, lines.values.get("turn", "").partition(",")[2].strip() or default)

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """Return the marks of the last finished round or match, as names out of `Game.marks`."""
        if state.ending != YANIV:
            return ()
        return ("called", "asaf") if state.points[state.winner] else ("called",)


def _is_out(state: Any, seat: int) -> bool:
    return bool(int(state.out) >> seat & 1)


def _taken(rest: list[int], count: int) -> list[int]:
    """Remove and return the last `count` cards of a list. PositionError: the list has fewer cards."""
    if count > len(rest):
        raise PositionError("too few cards are left to deal the hands, pile or stock without a line")
    return [rest.pop() for _ in range(count)]


POSITIONS = YanivPositions(ENDINGS, (YANIV, MATCH), _PHASES)


def explain(state: Any) -> str:
    """Describe the decision of the seat to move; see `core.game.Texts`."""
    return f"seat {state.seat} is to {DECISIONS[int(state.phase)]} (Y2.5)"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    last = FACES.text(state.pile[state.pile_size - state.last : state.pile_size])
    laid = FACES.names_of(state.laid[: state.laid_size])
    return card_scene(
        state,
        viewer,
        POSITIONS,
        DECISIONS.get(int(state.phase), ""),
        hands_open=hands_are_open(state),
        notes_of=lambda seat: ["out"] if _is_out(state, seat) else [],
        pile_note=f"last discard {last}",
        between=(Area("laid", laid, len(laid)),),
    )
