"""Mille as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.scene import Meld, Scene
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import NUM_RANKS
from banakil_env.games.mille.scoring import is_eight
from banakil_env.kit import table_state as T
from banakil_env.kit.books.kinds import FACES, JOKER_FACE, NUM_SUITS, RANKS, TWO, add_faces
from banakil_env.kit.books.melds import book_faces
from banakil_env.kit.books.positions import BookPositions
from banakil_env.kit.books.scenes import book_scene
from banakil_env.kit.line_notes import Line
from banakil_env.kit.notation import joined
from banakil_env.kit.setup import forfeits

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 1000, "match": 3000})


# Melds ---------------------------------------------------------------------------------------------------------------


def faces_at(state: Any, seat: int, rank: int) -> list[int]:
    """Return the cards of a seat's meld of a rank; an empty list if there is no such meld."""
    return book_faces(rank, state.melds[seat, rank], state.wild[seat, rank] if rank < TWO else 0, 0)


def parse_meld(text: str) -> tuple[int, list[int]]:
    """Read a meld; return its rank and its faces. ValueError: not a meld (M4)."""
    faces = FACES.parse_all(text)
    ranks = {face // NUM_SUITS for face in faces}
    if len(faces) < 3 or len(ranks - {TWO}) > 1 or JOKER_FACE in faces:
        raise ValueError(
            f"{text!r:.80} is not a meld: it needs three or more cards of one rank, with any number of Twos (M4)"
        )
    if any(faces.count(face) > S.PACKS for face in faces):
        raise ValueError(f"{text!r:.80}: more cards of a face than the pack has")
    return min(ranks), faces


# Positions -----------------------------------------------------------------------------------------------------------


class MillePositions(BookPositions):
    """Writes and reads positions of Mille as text."""

    keys: ClassVar[tuple[str, ...]] = (
        *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points"),
        *(
            "naturals",
            "chapeaux",
            "payment",
            "turn",
            "hand S",
            "known S",
            "melds S",
            "pile",
            "stock",
            "over",
            "seed",
            "rng",
        ),
    )
    packs: ClassVar[int] = S.PACKS
    notes: ClassVar[Mapping[str, Line]] = {
        **BookPositions.notes,
        "melds S": Line("the melds of seat S with ` | ` between them, in the order of ranks, the meld of Twos last"),
        "naturals": Line("naturals marked in the match so far (M6.5); a number for each seat", "zeros"),
        "chapeaux": Line("rounds of the match in which each seat scored below zero; a number for each seat", "zeros"),
        "payment": Line("payment that each seat gains in a finished match (M7.4)", "zeros"),
    }

    def deal(self, state: Any) -> None:
        """Deal a round with the generator of `state`; its rules, players, dealer and number fields are already set."""
        S.deal(state)

    def hand_size(self, state: Any) -> int:
        """Return the number of cards dealt to a hand without a line."""
        return S.HAND_SIZE

    def books_of(self, state: Any, side: int) -> list[list[int]]:
        """Return the melds of a side, each as its faces in order."""
        return [faces for rank in range(NUM_RANKS) if (faces := faces_at(state, side, rank))]

    def read_book(self, state: Any, side: int, text: str) -> None:
        """Read a meld of a side from text into the state. ValueError: it is not a meld, or its rank is taken."""
        rank, faces = parse_meld(text)
        if state.melds[side, rank]:
            raise ValueError(f"two melds of {RANKS[rank]}: a player has at most one of a rank (M4.3)")
        add_faces(state.melds[side], [face for face in faces if face // NUM_SUITS == rank])
        wild = [face - NUM_SUITS * (TWO - rank) for face in faces if face // NUM_SUITS != rank]
        add_faces(state.wild[side], wild)  # the index is the rank


POSITIONS = MillePositions(S.ENDINGS, seat_endings=(T.OUT, T.MATCH))


# The decision and the scene -------------------------------------------------------------------------------------------


def explain(state: Any) -> str:
    """Describe the decision of the seat to move; see `core.game.Texts`."""
    return f"seat {state.seat} is to {POSITIONS.decision(state)}"


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    paid = f"; payment {joined(state.payment)}" if any(state.payment) else ""
    table = book_scene(
        state,
        viewer,
        POSITIONS,
        melds=[
            Meld(None, seat, FACES.names_of(faces), note="natural of eight" if is_eight(state, seat, rank) else "")
            for seat in range(S.NUM_SEATS)
            for rank in state.melds[seat, :NUM_RANKS].nonzero()[0].tolist()
            if (faces := faces_at(state, seat, rank))
        ],
    )
    return dataclasses.replace(table, result=table.result + paid)
