"""Hand and Foot as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Area, Meld, Scene
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.plans import is_meld
from banakil_env.kit import table_state as T
from banakil_env.kit.books.kinds import FACES, FOUR, KINDS, NUM_SUITS, RED_FACES, TWO, faces_of
from banakil_env.kit.books.melds import book_faces, faces_at, put_faces
from banakil_env.kit.books.positions import PHASES, BookPositions, explain_turn
from banakil_env.kit.books.scenes import book_scene
from banakil_env.kit.line_notes import Line
from banakil_env.kit.notation import Lines
from banakil_env.kit.setup import forfeits
from banakil_env.kit.two_sides import NUM_SIDES, side_of

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 5000, "match": 20_000})


# Melds ---------------------------------------------------------------------------------------------------------------


def parse_book(text: str) -> tuple[int, list[int]]:
    """Read a meld; return its place and its faces. ValueError: not a meld (HF4)."""
    faces = FACES.parse_all(text)
    naturals = [face // NUM_SUITS for face in faces if face // NUM_SUITS < TWO]
    wild = len(faces) - len(naturals)
    if not naturals and 3 <= wild <= S.PILE:
        return S.W, faces
    if len(set(naturals)) != 1 or naturals[0] < FOUR or not is_meld(len(naturals), wild):
        raise ValueError(
            f"{text!r:.80} is not a meld: it needs three to seven cards of one rank, 4 to A, at most one wild (of six "
            f"or seven cards, two), or three to seven wild cards (HF4)"
        )
    return naturals[0], faces


# Positions -----------------------------------------------------------------------------------------------------------


class HandAndFootPositions(BookPositions):
    """Writes and reads positions of Hand and Foot as text."""

    keys: ClassVar[tuple[str, ...]] = (
        *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points", "deal bonus", "turn"),
        *("hand S", "foot S", "known S", "melds S", "red threes S", "pile", "stock", "over", "seed", "rng"),
    )
    packs: ClassVar[int] = S.PACKS
    jokers: ClassVar[int] = S.JOKERS
    notes: ClassVar[Mapping[str, Line]] = {
        **BookPositions.notes,
        "round": Line("rounds of the match that have been played; it sets the value of a first meld (HF5.1)", "0"),
        "deal bonus": Line("1 for every seat that has the bonus of the deal (HF2.3), else 0", "zeros"),
        "foot S": Line("the cards of the foot of seat S, until it is taken up", "taken up"),
    }

    def deal(self, state: Any) -> None:
        """Deal a round with the generator of `state`; its rules, players, dealer and number fields are already set."""
        S.deal(state)

    def hand_size(self, state: Any) -> int:
        """Return the number of cards dealt to a hand without a line."""
        return S.HAND_SIZE

    def books_of(self, state: Any, side: int) -> list[list[int]]:
        """Return the melds of a side, each as its faces in order."""
        # Lists once, not numbers of NumPy one by one: a text for a seat must be quick.
        complete, naturals = state.complete[side].tolist(), state.naturals[side].tolist()
        twos, jokers = state.twos[side].tolist(), state.jokers[side].tolist()
        books = []
        for place in range(FOUR, len(complete)):
            cards = [(S.naturals_of(pile), S.twos_of(pile), S.jokers_of(pile)) for pile in complete[place] if pile]
            cards.append((naturals[place], twos[place], jokers[place]))
            books += [book_faces(place, *each) for each in cards if any(each)]
        return books

    def read_book(self, state: Any, side: int, text: str) -> None:
        """Read a meld of a side from text into the state. ValueError: it is not a meld, or its rank is taken."""
        place, faces = parse_book(text)
        name = "W" if place == S.W else KINDS[place]
        if faces_at(state, side, place):
            raise ValueError(f"two melds of {name} are not complete: a side has at most one of them (HF4.4)")
        if len(faces) == S.PILE and state.complete[side, place, S.MAX_PILES - 1]:
            raise ValueError(f"more than {S.MAX_PILES} piles of {name}: the packs do not have the cards")
        if any(faces.count(face) > S.PACKS for face in faces if face != FACES.parse("JK")):
            raise ValueError(f"{text!r:.80}: more cards of a face than the pack has")
        put_faces(state, side, place, faces)
        if len(faces) == S.PILE:
            S.complete_pile(state, side, place)

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """Return the lines about cards, as pairs (key, value)."""
        return super().card_lines(state) + self.seat_lines("foot", state, state.feet)

    def read_table(self, lines: Lines, state: Any) -> None:
        """Read all cards that have a line, except the stock."""
        super().read_table(lines, state)
        if any(face in RED_FACES for face in state.pile[: state.pile_size]):
            raise lines.fail("pile", "the pile has no red Three: they are laid down at once (HF2.5)")
        for seat in range(S.MAX_SEATS):
            self.read_stacks(lines, f"foot {seat}", state.feet[seat], with_reds=True)

    def places(self, state: Any) -> list[list[int]]:
        """Return the faces in each place except the stock: hands, melds, red Threes, the pile and the feet."""
        return super().places(state) + [faces_of(foot) for foot in state.feet]


POSITIONS = HandAndFootPositions(S.ENDINGS, seat_endings=(T.OUT, T.MATCH), phases=PHASES)


# The decision and the scene -------------------------------------------------------------------------------------------


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    said = explain_turn(state, POSITIONS.decision(state), opening="HF5.3", answer="HF8.3", last="HF9.3")
    if state.phase != T.PLAY or state.feet[state.seat].any() or _may_go_out(state):
        return said
    return f"{said}; the side may not go out yet, so a card must stay in the hand (HF3.4)"


def _may_go_out(state: Any) -> bool:
    """Return whether the side of the seat to move has its piles and has taken up both feet (HF8.1)."""
    side = interpreted(side_of)(state, int(state.seat))
    piles = Counter(_meld(side, faces).note for faces in POSITIONS.books_of(state, side))
    needed = zip(("clean pile", "dirty pile", "wild pile"), POSITIONS.game.rules_of(state).piles, strict=True)
    return not state.feet[side::NUM_SIDES].any() and all(piles[name] >= count for name, count in needed)


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and feet, and the stock, are open."""
    feet = [faces_of(foot) for foot in state.feet]
    return book_scene(
        state,
        viewer,
        POSITIONS,
        goal=f"of {S.NUM_ROUNDS} rounds",
        melds=[_meld(side, faces) for side in range(NUM_SIDES) for faces in POSITIONS.books_of(state, side)],
        notes=("opening", "last"),
        areas=[
            Area(f"foot {seat}", FACES.names_of(foot) if viewer is None else (None,) * len(foot), len(foot), owner=seat)
            for seat, foot in enumerate(feet)
        ],
    )


def _meld(side: int, faces: list[int]) -> Meld:
    wild = sum(face // NUM_SUITS >= TWO for face in faces)
    name = "wild pile" if wild == S.PILE else "dirty pile" if wild else "clean pile"
    return Meld(None, side, FACES.names_of(faces), note=name if len(faces) == S.PILE else "")
