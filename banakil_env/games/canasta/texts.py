"""Canasta as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from typing import Any, ClassVar

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Meld, Scene
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import needed_canastas
from banakil_env.games.canasta.scoring import CANASTA
from banakil_env.kit import table_state as T
from banakil_env.kit.books.kinds import FACES, KINDS, NUM_SUITS, RED_FACES, THREE, TWO
from banakil_env.kit.books.melds import faces_at, put_faces
from banakil_env.kit.books.positions import PHASES, BookPositions, explain_turn
from banakil_env.kit.books.scenes import book_scene
from banakil_env.kit.setup import forfeits
from banakil_env.kit.two_sides import NUM_SIDES, side_of

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 2000, "match": 8000})


# Melds ---------------------------------------------------------------------------------------------------------------


def books_of(state: Any, side: int) -> list[list[int]]:
    """Return the melds of a side, each as its faces, in the order of ranks."""
    return [faces_at(state, side, int(kind)) for kind in state.naturals[side].nonzero()[0]]


def parse_book(text: str) -> tuple[int, list[int]]:
    """Read a meld; return its kind and its faces. ValueError: not a meld (C4)."""
    faces = FACES.parse_all(text)
    kinds = sorted({face // NUM_SUITS for face in faces})
    naturals = [kind for kind in kinds if kind < TWO]
    count = sum(face // NUM_SUITS < TWO for face in faces)
    wild = len(faces) - count
    if len(naturals) != 1 or len(faces) < 3 or count < 2 or wild > 3 or (naturals == [THREE] and wild):
        raise ValueError(
            f"{text!r:.80} is not a meld: it needs three or more cards of one rank, two or more natural, at most three "
            f"wild; black Threes without wild cards (C4)"
        )
    if any(face in RED_FACES for face in faces):
        raise ValueError(f"{text!r:.80}: red Threes are not melded, they have a separate line")
    return naturals[0], faces


# Positions -----------------------------------------------------------------------------------------------------------


class CanastaPositions(BookPositions):
    """Writes and reads positions of Canasta as text."""

    keys: ClassVar[tuple[str, ...]] = (
        *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points", "turn"),
        *("hand S", "known S", "melds S", "red threes S", "pile", "stock", "over", "seed", "rng"),
    )
    packs: ClassVar[int] = S.PACKS
    jokers: ClassVar[int] = S.JOKERS

    def deal(self, state: Any) -> None:
        """Deal a round with the generator of `state`; its rules, players, dealer and number fields are already set."""
        S.deal(state)

    def hand_size(self, state: Any) -> int:
        """Return the number of cards dealt to a hand without a line."""
        return int(S.HAND_SIZE[state.num_players])

    def books_of(self, state: Any, side: int) -> list[list[int]]:
        """Return the melds of a side, each as its faces in order."""
        return books_of(state, side)

    def read_book(self, state: Any, side: int, text: str) -> None:
        """Read a meld of a side from text into the state. ValueError: it is not a meld, or its rank is taken."""
        kind, faces = parse_book(text)
        if state.naturals[side, kind]:
            raise ValueError(f"two melds of {KINDS[kind]}: a side has at most one of a rank (C4.2)")
        if len(faces) > S.NUM_CARDS:
            raise ValueError(f"{len(faces)} cards, but the pack has {S.NUM_CARDS}")
        put_faces(state, side, kind, faces)


POSITIONS = CanastaPositions(S.ENDINGS, seat_endings=(T.OUT, T.MATCH), phases=PHASES)


# The decision and the scene -------------------------------------------------------------------------------------------


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    said = explain_turn(state, POSITIONS.decision(state), opening="C5.3", answer="C7.4", last="C8.3")
    canastas = sum(len(faces) >= CANASTA for faces in books_of(state, interpreted(side_of)(state, int(state.seat))))
    needed = interpreted(needed_canastas)(int(state.rules.canastas), int(state.num_players))
    if state.phase != T.PLAY or canastas >= needed:
        return said
    return f"{said}; the side has {canastas} of the {needed} canastas to go out; else a card stays in the hand (C3.4)"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return book_scene(
        state,
        viewer,
        POSITIONS,
        melds=[_meld(side, faces) for side in range(NUM_SIDES) for faces in books_of(state, side)],
        notes=("opening", "last"),
        freezes=True,
    )


def _meld(side: int, faces: list[int]) -> Meld:
    mixed = faces[-1] // NUM_SUITS >= TWO
    note = ("mixed canasta" if mixed else "natural canasta") if len(faces) >= CANASTA else ""
    return Meld(None, side, FACES.names_of(faces), note=note)
