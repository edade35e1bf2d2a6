"""Positions as text in games of books: hands, known cards, melds of two sides, red Threes, pile and stock.

A game makes a subclass of `BookPositions`, which defines its lines, its pack and its melds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from banakil_env.core.game import PositionError
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.kit.books.kinds import FACES, JOKER_FACE, RED_FACES, add_faces, faces_of
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import DEALT, Line
from banakil_env.kit.notation import Lines
from banakil_env.kit.positions import Positions
from banakil_env.kit.table_state import DRAW, PLAY
from banakil_env.kit.two_sides import ANSWER, NO, NUM_SIDES, YES

# For games with partners: the words of the phases in the line `turn`, and the decisions.
PHASES = {DRAW: "draw", PLAY: "play", ANSWER: "answer"}
DECISIONS = {DRAW: "draw or take the pile", PLAY: "meld or discard", ANSWER: "answer whether the partner may go out"}
_ANSWERS = {YES: "yes", NO: "no"}
_ANSWER_NOTES = ("the partner has said that the seat may go out", "the partner has said that it may not")

# The words of the line `turn` after the phase, in the order of writing.
_WORDS = ("opening", "taking", "concealed", *_ANSWERS.values(), "last")
_OF_SIDES = ("melds", "red threes")


def explain_turn(state: Any, decision: str, *, opening: str, answer: str, last: str) -> str:
    """Explain the decision of the turn and the restrictions on plays; see `core.game.Texts`.

    Args:
        decision: the decision in words.
        opening: the number of the rule about the value of the first meld.
        answer: the number of the rule about the partner's answer.
        last: the number of the rule about the last turn.
    """
    said = f"seat {state.seat} is to {decision}"
    if state.opening:
        said += f"; the first meld has to reach its value first ({opening})"
    if state.answer:
        said += f"; the partner has said {_ANSWERS[int(state.answer)]} ({answer})"
    return said + f"; it is the last turn, without a discard ({last})" * int(state.last)


def reds_of(state: Any, side: int) -> list[int]:
    """The red Threes that a side has laid down, as faces."""
    return [face for face, count in zip(RED_FACES, state.red_threes[side]) for _ in range(int(count))]


class BookPositions(Positions):
    """Positions of a game of books. Cards that no line names are dealt: to hands without a line, then to the stock.

    Attributes:
        packs: the number of packs.
        jokers: the number of Jokers in all packs together.
    """

    faces: ClassVar[Faces] = FACES
    notes: ClassVar[Mapping[str, Line]] = {
        "hand S": Line("the cards of seat S; of equal ranks known cards leave first, then in the order c d h s", DEALT),
        "known S": Line("cards of hand S that everybody knows: they were taken up with the pile"),
        "melds S": Line("the melds of side S with ` | ` between them, in the order of ranks"),
        "red threes S": Line("red Threes that side S has laid down"),
    }
    deals_rest: ClassVar[bool] = True
    packs: ClassVar[int]
    jokers: ClassVar[int] = 0

    def decision(self, state: Any) -> str:
        """The decision in words. If the stock is empty, they do not offer a draw."""
        if state.phase != DRAW or state.stock_size:
            return DECISIONS.get(int(state.phase), "")
        may_pass = getattr(self.game.rules_of(state), "must_take", "able") != "able"
        return "take the pile" + " or pass" * may_pass

    def described_words(self) -> dict[str, str]:
        """The notes of all words that can follow the phase in the line `turn`, in their order, including answers."""
        words = super().described_words()
        words |= dict(zip(_ANSWERS.values(), _ANSWER_NOTES)) if "answer" in self.game.state_fields else {}
        return {word: words[word] for word in _WORDS if word in words}

    # Methods that a game defines.

    def deal(self, state: Any) -> None:
        """Deal a round from the generator of a state.

        Rules, players, dealer, turns, rounds and scores of the state are set.
        """
        raise NotImplementedError

    def hand_size(self, state: Any) -> int:
        """The number of cards to deal to a hand without a line."""
        raise NotImplementedError

    def books_of(self, state: Any, side: int) -> list[list[int]]:
        """The melds of a side, each as its faces, in the order of texts."""
        raise NotImplementedError

    def read_book(self, state: Any, side: int, text: str) -> None:
        """Read a meld. ValueError: it is not a meld, or the side cannot have another meld of its rank."""
        raise NotImplementedError

    # Writing.

    def words_of_turn(self, state: Any) -> list[str]:
        """The words of the line `turn` after the phase, in their order, including the partner's answer."""
        words = super().words_of_turn(state)
        words += [_ANSWERS[state.answer]] if "answer" in self.game.state_fields and state.answer else []
        return sorted(words, key=_WORDS.index)

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines about cards: hands, known cards, melds and red Threes by side, pile and stock."""
        sides = range(NUM_SIDES)
        books = [self.books_of(state, side) for side in sides]
        reds = [self._reds(state, side) for side in sides]
        return [
            *((f"hand {seat}", FACES.text(faces_of(state.hands[seat]))) for seat in range(int(state.num_players))),
            *self.seat_lines("known", state, state.known),
            *((f"melds {side}", " | ".join(map(FACES.text, books[side]))) for side in sides if books[side]),
            *((f"red threes {side}", FACES.text(reds[side])) for side in sides if reds[side]),
            ("pile", FACES.text(state.pile[: state.pile_size])),
            ("stock", FACES.text(state.stock[: state.stock_size][::-1])),
        ]

    def seat_lines(self, name: str, state: Any, rows: Any) -> list[tuple[str, str]]:
        """One line `name S` for each seat with cards in its row of stacks; `rows` has one such row per seat."""
        seats = range(int(state.num_players))
        return [(f"{name} {seat}", FACES.text(faces_of(rows[seat]))) for seat in seats if any(rows[seat])]

    def _reds(self, state: Any, side: int) -> list[int]:
        return reds_of(state, side) if "red threes S" in self.keys else []

    # Reading.

    def read_players(self, lines: Lines, numbers: tuple[int, ...]) -> int:
        """The number of players, from the line `players`.

        Without this line it is one more than the highest seat with a line about its hand, and at least the smallest of
        `numbers`. Without such lines it is the largest of `numbers`, the possible numbers of players, ascending.
        PositionError: the number is not one of `numbers`.
        """
        named = [int(key.split()[1]) for key in lines.values if re.fullmatch(r"(hand|known) [0-9]", key)]
        least = max(numbers[0], 1 + max(named, default=numbers[-1] - 1))
        players = lines.number("players", least, 0, 9)
        if players not in numbers:
            raise lines.fail("players", f"expected {' or '.join(map(str, numbers))}, not {players}")
        for key in lines.values:
            match = re.fullmatch(r"(.*) ([0-9])", key)
            if match and match[1] in _OF_SIDES and int(match[2]) >= NUM_SIDES:
                raise lines.fail(key, f"there are sides 0 to {NUM_SIDES - 1}")
            if match and match[1] not in _OF_SIDES and int(match[2]) >= players:
                raise lines.fail(key, f"there are seats 0 to {players - 1}")
        return players

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards. If no line is about cards, the turn or the end, deal a round instead."""
        for key in ("scores", "points"):
            if state.num_players == 4 and list(state[key][:2]) != list(state[key][2:]):
                raise lines.fail(key, "partners must have the same number: seats 0 and 2, seats 1 and 3")
        seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
        about_cards = self.keys[self.keys.index("turn") : self.keys.index("over") + 1]
        if not any(re.sub(r" [0-9]$", " S", key) in about_cards for key in lines.values):
            turns = state.turns
            self.deal(state)
            state.turns = turns
            self.read_fields(lines, state, given=True)
            return
        self.read_table(lines, state)
        self._place_the_rest(lines, state)

    def read_table(self, lines: Lines, state: Any) -> None:
        """Read all cards that have a line, except the stock."""
        for seat in range(int(state.num_players)):
            self.read_stacks(lines, f"hand {seat}", state.hands[seat])
            self.read_stacks(lines, f"known {seat}", state.known[seat])
        for side in range(NUM_SIDES):
            melds = lines.values.get(f"melds {side}", "")
            for part in melds.split("|") if melds else ():
                try:
                    self.read_book(state, side, part)
                except ValueError as error:
                    raise lines.fail(f"melds {side}", str(error)) from None
            for face in lines.cards(f"red threes {side}"):
                if face not in RED_FACES or state.red_threes[side, face - 1] == self.packs:
                    raise lines.fail(f"red threes {side}", f"expected 3d and 3h, at the most {self.packs} of each")
                state.red_threes[side, face - 1] += 1
        self._read_heap(lines, state, "pile", lines.cards("pile"))

    def read_stacks(self, lines: Lines, key: str, stacks: Any, with_reds: bool = False) -> None:
        """Read the cards of a line into a row of stacks."""
        faces = lines.cards(key)
        if not with_reds and "red threes S" in self.keys and any(face in RED_FACES for face in faces):
            raise lines.fail(key, "no hand holds a red Three: it is laid down at once")
        if any(faces.count(face) > self._copies(face) for face in faces):
            raise lines.fail(key, "more cards than the pack has of a face")
        add_faces(stacks, faces)

    def _copies(self, face: int) -> int:
        return self.jokers if face == JOKER_FACE else self.packs

    def _read_heap(self, lines: Lines, state: Any, name: str, faces: list[int]) -> None:
        if len(faces) > len(state[name]):
            raise lines.fail(name, f"{len(faces)} cards, and there are {len(state[name])}")
        state[name][: len(faces)] = faces
        state[f"{name}_size"] = len(faces)

    def places(self, state: Any) -> list[list[int]]:
        """The faces in each place except the stock."""
        placed = [faces_of(state.hands[seat]) for seat in range(int(state.num_players))]
        for side in range(NUM_SIDES):
            placed += [*self.books_of(state, side), self._reds(state, side)]
        return [*placed, list(state.pile[: state.pile_size])]

    def _place_the_rest(self, lines: Lines, state: Any) -> None:
        """Read the stock, and deal the cards that no line names.

        Raises:
            PositionError: the lines name more cards of a face than the pack has, or there is a line `stock` and some
                cards are in no line.
        """
        left = np.array([self._copies(face) for face in range(len(FACES))])
        for faces in [*self.places(state), lines.cards("stock")]:
            np.subtract.at(left, np.asarray(faces, int), 1)
        if (left < 0).any():
            raise PositionError(f"{FACES.text(np.flatnonzero(left < 0))}: more cards than the pack has of this face")
        mixed = np.repeat(np.arange(len(FACES)), left)
        shuffle(state, mixed, len(mixed))
        rest = [int(face) for face in mixed]
        self._deal_hands(lines, state, rest)
        self._read_heap(lines, state, "stock", self.rest_or_line(lines, "stock", rest)[::-1])

    def _deal_hands(self, lines: Lines, state: Any, rest: list[int]) -> None:
        """Deal the hands that have no line from the remaining cards; each gets its known cards first."""
        known = {
            seat: faces_of(state.known[seat]) for seat in range(int(state.num_players)) if f"hand {seat}" not in lines
        }
        for seat, faces in known.items():
            for face in faces:
                if face not in rest:
                    raise lines.fail(f"known {seat}", f"{FACES.names[face]} is not among the remaining cards")
                rest.remove(face)
        for seat, faces in known.items():
            dealt = [face for face in rest if face not in RED_FACES or "red threes S" not in self.keys]
            dealt = dealt[: max(0, self.hand_size(state) - len(faces))]
            if len(faces) + len(dealt) < self.hand_size(state):
                raise PositionError(f"hand {seat}: the line is missing, and too few cards are left to deal it")
            add_faces(state.hands[seat], faces + dealt)
            for face in dealt:
                rest.remove(face)

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn` after the phase, including `yes` and `no`. Returns False for other words."""
        if name not in _ANSWERS.values() or rest or "answer" not in self.game.state_fields:
            return super().read_word(lines, state, name, rest)
        if state.answer:
            raise lines.fail("turn", "both yes and no are given; only one can be true")
        state.answer = next(answer for answer, word in _ANSWERS.items() if word == name)
        return True
