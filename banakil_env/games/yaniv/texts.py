"""Yaniv in words: positions, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banakil_env.core.game import PositionError
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.core.scene import Area, Scene
from banakil_env.games.yaniv.observation import hands_are_open
from banakil_env.games.yaniv.state import ENDINGS, HAND_SIZE, YANIV, next_in_game, num_packs
from banakil_env.kit.cards import Faces
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack54 import FACES, JOKER, NUM_FACES, faces_in, hand_of, text_of
from banakil_env.kit.positions import KEYS, Positions
from banakil_env.kit.scenes import facts_of, pile_and_stock, seat_view, table_scene
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import DRAW, MATCH, OVER, PLAY

DECISIONS = {PLAY: "lay a discard, or call", DRAW: "draw, or lay further cards"}
MARKS = {
    "called": "the round ended with a call (Y2.1)",
    "asaf": "the caller was beaten (Y4.2)",
}
_PHASES = {"play": PLAY, "draw": DRAW, "over": OVER}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
forfeit = forfeits({"round": 100, "match": 300})


class YanivPositions(Positions):
    """Positions of Yaniv. Cards that no line names are dealt."""

    keys: ClassVar[tuple[str, ...]] = (
        *(key for key in KEYS if key not in ("melds S", "order", "played", "seen")),
        *("out", "last", "laid"),
    )
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = True

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """The seat to move, or the last to act, with the phase; and who is out."""
        phases = {number: word for word, number in _PHASES.items()}
        lines = [("turn", f"seat {state.seat}, {phases[int(state.phase)]}")]
        seats = [seat for seat in range(int(state.num_players)) if _is_out(state, seat)]
        return [*lines, ("out", joined(seats))] if seats else lines

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        seats = range(int(state.num_players))
        lines = [(f"hand {seat}", text_of(state.hands[seat])) for seat in seats]
        lines += [(f"known {seat}", text_of(state.known[seat])) for seat in seats if state.known[seat, 0]]
        lines.append(("pile", FACES.text(state.pile[: state.pile_size])))
        lines += [("last", str(state.last))] if state.last != 1 else []
        lines += [("laid", FACES.text(state.laid[: state.laid_size]))] if state.laid_size else []
        return [*lines, ("stock", FACES.text(state.stock[: state.stock_size][::-1]))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`. A hand left out is dealt, then the pile, then the stock, each from what is left."""
        players = int(state.num_players)
        out = lines.seats("out", players) if "out" in lines else []
        if len(set(out)) < len(out):
            raise lines.fail("out", "a seat is named twice")
        state.out = sum(1 << seat for seat in out)
        laid, rest = lines.cards("laid"), self._cards_left(lines, state)
        if len(laid) > HAND_SIZE:
            raise lines.fail("laid", f"{len(laid)} cards, and a hand has {HAND_SIZE} at the most")
        seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
        mixed = np.array(rest, np.int64)
        shuffle(state, mixed, len(rest))
        rest = mixed.tolist()
        seat_to_lay = self._seat(lines, state)
        for seat in range(players):
            size = 0 if seat in out else HAND_SIZE - (len(laid) if seat == seat_to_lay else 0)
            hand = lines.cards(f"hand {seat}") if f"hand {seat}" in lines else _taken(rest, size)
            state.hands[seat] = hand_of(hand)
            known = lines.cards(f"known {seat}")
            if any(known.count(face) > hand.count(face) for face in known):
                raise lines.fail(f"known {seat}", "cards that are not in the hand")
            state.known[seat] = hand_of(known)
        pile = lines.cards("pile") if "pile" in lines else _taken(rest, 1)
        stock = lines.cards("stock") if "stock" in lines else _taken(rest, len(rest))
        if rest:
            raise PositionError(f"{FACES.text(sorted(rest))}: in no line; a position tells where all cards are")
        state.last = lines.number("last", 1, 1, HAND_SIZE)
        for name, faces in (("pile", pile), ("stock", stock[::-1]), ("laid", laid)):
            state[name][: len(faces)], state[f"{name}_size"] = faces, len(faces)

    def _cards_left(self, lines: Lines, state: Any) -> list[int]:
        """The cards of the packs that no line names. PositionError: one is named more often than there are."""
        packs = _packs(state)
        left = [packs * (1 + (face == JOKER)) for face in range(NUM_FACES)]
        there = list(left)
        for key in lines.values:
            if key.split()[0] in ("hand", "pile", "laid", "stock"):
                for face in lines.cards(key):
                    left[face] -= 1
                    if left[face] < 0:
                        raise lines.fail(key, f"{FACES.names[face]}: named too often, there are {there[face]}")
        return [face for face, count in enumerate(left) for _ in range(count)]

    def _seat(self, lines: Lines, state: Any) -> int:
        """The seat that the line `turn` names; without it, the one that begins."""
        if "turn" not in lines:
            return int(next_in_game(state, int(state.dealer)))
        name, _, number = lines.values["turn"].partition(",")[0].strip().partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {name!r:.80}")
        return lines.seat("turn", number.strip(), int(state.num_players))

    def read_turn(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        called = "turn" not in lines and state.ending == YANIV
        state.seat = state.winner if called else self._seat(lines, state)
        default = "over" if "over" in lines else "draw" if "turn" in lines and state.laid_size else "play"
        phase = lines.values.get("turn", "").partition(",")[2].strip() or default
        if phase not in _PHASES:
            raise lines.fail("turn", f"expected {', '.join(_PHASES)} after the seat, not {phase!r:.80}")
        state.phase = _PHASES[phase]
        if (state.phase == OVER) != ("over" in lines):
            raise lines.fail("turn", "a game is over if there is a line 'over', and only then")

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """See `Positions`."""
        if state.ending != YANIV:
            return ()
        return ("called", "asaf") if state.points[state.winner] else ("called",)


def _is_out(state: Any, seat: int) -> bool:
    return bool(int(state.out) >> seat & 1)


def _packs(state: Any) -> int:
    return int(getattr(num_packs, "py_func", num_packs)(state))


def _taken(rest: list[int], count: int) -> list[int]:
    """The last cards of a list, taken from it. PositionError: there are too few."""
    if count > len(rest):
        raise PositionError("too few cards are left for what no line names")
    return [rest.pop() for _ in range(count)]


POSITIONS = YanivPositions(ENDINGS, seat_endings=(YANIV, MATCH))


def explain(state: Any) -> str:
    """What is to be decided; see `core.game.Texts`."""
    return f"seat {state.seat} is to {DECISIONS[int(state.phase)]} (Y2.5)"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    last = FACES.text(state.pile[state.pile_size - state.last : state.pile_size])
    pile, stock = pile_and_stock(state, FACES, open_stock=viewer is None, note=f"last discard {last}")
    laid = FACES.names_of(state.laid[: state.laid_size])
    return table_scene(
        state,
        viewer,
        POSITIONS,
        seats=(
            seat_view(
                state,
                seat,
                FACES,
                faces_in(state.hands[seat]),
                faces_in(state.known[seat]),
                shown=viewer in (None, seat) or hands_are_open(state),
                notes=["out"] if _is_out(state, seat) else [],
            )
            for seat in range(int(state.num_players))
        ),
        areas=(pile, Area("laid", laid, len(laid)), stock),
        melds=(),
        decision=DECISIONS.get(int(state.phase), ""),
        facts=facts_of(state, POSITIONS),
    )
