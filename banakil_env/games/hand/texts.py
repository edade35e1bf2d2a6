"""Hand as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Area, Scene
from banakil_env.games.hand import state as S
from banakil_env.games.hand.rules import JOKERS
from banakil_env.games.hand.state import ENDINGS, HAND_SIZE, NOTHING
from banakil_env.kit import pack52
from banakil_env.kit import table_state as T
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import GIVEN, LINES, Line
from banakil_env.kit.melds.one_wild_melds import FACES, WILD, meld_faces, parse_meld
from banakil_env.kit.notation import Lines
from banakil_env.kit.pack54 import faces_in, hand_of
from banakil_env.kit.partners import PartnerPositions
from banakil_env.kit.positions import KEYS, ByRules
from banakil_env.kit.scenes import card_scene, facts_of
from banakil_env.kit.setup import forfeits

PHASES = {S.REDEAL: "redeal", S.DISCARD: "discard", T.DRAW: "draw", T.PLAY: "play", T.OVER: "over"}
_DECISIONS = {
    S.REDEAL: "decide whether the hands are thrown in",
    S.DISCARD: "discard a card",
    T.DRAW: "draw or take",
    T.PLAY: "play or discard",
    T.CHOOSE: "choose a meld",
}
MARKS = {"full hand": "the round was won with a full hand (H9.2)"}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 400, "match": 1500})


class HandPositions(PartnerPositions):
    """Writes and reads positions of Hand as text. Cards that no line names are dealt."""

    keys: ClassVar[tuple[str, ...]] = (
        *KEYS[: KEYS.index("turn") + 1],
        *("indicator", "need", "unscored", "hand S", "melds S", "order", "known S", "pile", "stock"),
        *KEYS[KEYS.index("over") :],
    )
    notes: ClassVar[Mapping[str, Line]] = {
        "rules": Line("a preset, `partners` or `individuals` with four, then switches as `name=value`", "`pagat`"),
        "round": Line("rounds of the match that have been scored or given up", "0"),
        "turn": Line(
            f"{LINES['turn'].says}; after the end, the seat that acted last",
            f"{LINES['turn'].default}; after the end, the seat that went out, else it must be given",
        ),
        "over": Line("how the game ended", "the game goes on"),
        "melds S": Line(
            LINES["melds S"].says
            + "; a sequence in the order of its places, a group in the order of suits with `W` last"
        ),
        "known S": Line("cards of hand S that everybody knows: taken from the pile, or exchanged"),
        "indicator": Line("the card turned up, as printed; no line with `wilds=jokers`", GIVEN),
    }
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = True

    def phase_words(self) -> tuple[str, ...]:
        """Return the phases that the line `turn` can name."""
        return (*PHASES.values(), "choose PLAY")

    def waiting_text(self, state: Any) -> str:
        """Return the card that waits for its meld, as text."""
        return S.ACTIONS.texts[S.ADD + int(state.named)]

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """Read the card that waits for its meld; return False if no such card can wait."""
        try:
            action = S.ACTIONS.parse(text)
        except UnknownAction as error:
            raise lines.fail("turn", str(error)) from None
        if not S.ADD <= action < S.DROP:
            raise lines.fail("turn", f"only an addition or exchange waits for its meld, not {text!r:.80}")
        state.named = action - S.ADD
        return True

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn` after the phase; return False if there is no such word."""
        read = super().read_word(lines, state, name, rest)
        if state.taken != NOTHING:
            self._know(state, int(state.taken))
        if state.owes_wild:
            self._know(state, WILD)
        return read

    def meld_text(self, state: Any, slot: int) -> str:
        """Return a meld as text."""
        return FACES.text(meld_faces(state.melds[slot]))

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Read a meld from text into the state; return its cards. ValueError: it is not a meld."""
        state.melds[slot] = parse_meld(text)
        return meld_faces(state.melds[slot])

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards.

        Cards that no line names are mixed: each hand without a line gets 14 of them. If the stock has no line, it gets
        the rest.
        """
        rest = self.mixed(lines, state, self._cards_left(lines, state, self.read_melds(lines, state)))
        for seat in range(int(state.num_players)):
            key = f"hand {seat}"
            hand = lines.cards(key) if key in lines else [rest.pop() for _ in range(min(HAND_SIZE, len(rest)))]
            self.write_hand(lines, state, seat, hand)
        self.write_heap(state, "pile", lines.cards("pile"))
        self.write_heap(state, "stock", self.rest_or_line(lines, "stock", rest)[::-1])

    def _cards_left(self, lines: Lines, state: Any, melds: list[int]) -> list[int]:
        """Return the cards of the packs that no line names; `melds` are the cards in melds.

        PositionError: a card is named more often than the packs have it.
        """
        left = np.array(self.cards_of(state))
        aces = int(interpreted(S.aces_for_taken)(state))
        np.subtract.at(left, melds, 1)
        for key in lines.values:
            if key.split()[0] in ("hand", "pile", "stock"):
                np.subtract.at(left, lines.cards(key), 1)
        for face in range(WILD):
            if left[face] < 0 and aces >> face & 1:  # a wild card taken from the pile (H7.4)
                left[WILD] += left[face]
                left[face] = 0
        if (left < 0).any():
            raise PositionError(f"{FACES.text(np.flatnonzero(left < 0))}: named more often than the packs have it")
        return [face for face, count in enumerate(left) for _ in range(count)]

    def _know(self, state: Any, face: int) -> None:
        """Make a card that the line `turn` names a known card, even if no line `known` names it."""
        known = faces_in(state.known[state.seat])
        if face not in known and face in faces_in(state.hands[state.seat]):
            state.known[state.seat] = hand_of([*known, face])[: S.LAYERS]

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """Return the marks of the last finished round or match, as names out of `Game.marks`."""
        full = state.ending == T.OUT and state.points[state.winner] < -30
        return ("full hand",) if full else ()


def _indicator_by_rules(rules: Any) -> int | None:
    """Return NOTHING if the rules turn up no card, because Jokers are wild (H2.2); None: a line must give the card."""
    return NOTHING if rules.wilds == JOKERS else None


def _need_by_rules(rules: Any) -> int:
    """Return the points that the first meld of a round needs (H5.1)."""
    return int(rules.first_meld)


POSITIONS = HandPositions(
    *(ENDINGS, (T.OUT, T.MATCH), PHASES),
    by_rules={
        "indicator": ByRules(_indicator_by_rules, GIVEN),
        "need": ByRules(_need_by_rules, "the switch `first_meld`", written=False),
    },
)


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays required before the discard; see `core.game.Texts`."""
    said = f"seat {state.seat} is to {_DECISIONS[int(state.phase)]}"
    if state.taken != NOTHING:
        said += f"; {FACES.names[state.taken]} was taken and has to be laid (H7.1)"
    if state.owes_wild:
        said += "; an exchanged wild card has to be laid at once (reuse_wild)"
    if state.down_to_one:
        said += "; at most one card may be left (H6.3)"
    return said + f"; the first meld must be worth {state.need} (H5.1)" * int(state.in_one_turn)


# The scene -----------------------------------------------------------------------------------------------------------


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    n, mover, phase = int(state.num_players), int(state.seat), int(state.phase)
    if phase == S.REDEAL and viewer not in (None, mover):  # H2.5
        mover, phase = (int(state.dealer) + 1) % n, S.DISCARD
    kind = ("partners" if state.partners else "individuals") if n == 4 else "players"
    turned = () if state.indicator == NOTHING else (pack52.FACES.names[state.indicator],)
    return card_scene(
        state,
        viewer,
        POSITIONS,
        _decision(state, phase),
        areas=(Area("indicator", turned, len(turned), "as printed"),),
        facts=(*facts_of(state, POSITIONS, f"of {state.rules.rounds} rounds"), f"first melds need {state.need}"),
        side_of=interpreted(S.side_of),
        mover=mover,
        players=kind,
    )


def _decision(state: Any, phase: int) -> str:
    said = _DECISIONS.get(phase, "")
    if phase == T.CHOOSE:
        said += f" for {S.ACTIONS.texts[S.ADD + int(state.named)]}"
    return said + (f"; {FACES.names[state.taken]} was taken" if state.taken != NOTHING else "")
