"""Writes and reads positions as text: the keys that all games share, and the lines of the card table (`table_state`).

Each game makes one `Positions` object, which also describes how the game ended (`outcome`). Lines are written in the
order of `keys`. Fields that declare a word or a line (`Field.word`, `Field.line`) are written and read here. A subclass
defines the text of a meld (`meld_text`, `read_meld`) and further words and lines (`words_of_turn`, `read_word`,
`facts`). Games whose hands are not rows of layers override `card_lines` and `read_cards`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.fields import CARD, CARDS, NUMBER, SEAT, SEATS, Field, read_numbers
from banakil_env.core.game import Game, Outcome, PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import DEALT_LINES, LINES, Line
from banakil_env.kit.notation import Lines, finished, joined, written
from banakil_env.kit.pack52 import FACES, mask_of, text_of
from banakil_env.kit.pack54 import faces_in, hand_of
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import CHOOSE, DRAW, EPISODES, MATCH_EPISODE, NO_SEAT, OUT, OVER, PLAY, copies_of

KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "turn"),
    *("hand S", "melds S", "order", "known S", "played", "seen", "pile", "stock"),
    *("over", "points", "rng", "seed"),
)
_DEALT = {"rules", "players", "episode", "seed"}  # a position with these keys only is a fresh deal
PHASES = {DRAW: "draw", PLAY: "play"}
_OUTCOME = ("num_players", "winner", "points", "scores", "turns", "rounds")  # fields that `outcome` reads


# The argument of a word of the line `turn` in the documentation, by `Field.code`.
_SAID = {CARD: "CARD", SEAT: "S", NUMBER: "N"}


class ByRules(NamedTuple):
    """The default of a line, for lines whose default depends on the rules.

    Attributes:
        number: returns the default for the rules of a state; None if these rules have no default and the line is
            needed.
        default: the default in words, for the documentation.
        written: whether the line is also written when its value is the default.
    """

    number: Callable[[Any], int | None]
    default: str
    written: bool = True


def seat_of_turn(state: Any) -> int:
    """The seat whose turn it is, if turns go in order, starting with the seat after the dealer."""
    return (int(state.dealer) + 1 + int(state.turns)) % int(state.num_players)


def _note_of_line(declared: Field) -> str:
    """The note about the line of a field."""
    if _is_flag(declared):
        return f"1 if {declared.note}, else 0"
    by_seat = declared.by_seat and declared.code == NUMBER
    return f"{declared.note}; a number for each seat" if by_seat else declared.note


def _is_flag(declared: Field) -> bool:
    """Whether a field is a flag, whose word needs no argument."""
    return declared.code == NUMBER and declared.highest == 1


def _is_absent(state: Any, declared: Field) -> bool:
    """Whether a field has the value that means nothing; for a row, whether all its numbers are 0."""
    value = state[declared.name]
    return not value.any() if declared.shape else int(value) == declared.nothing


def _of_players(state: Any, declared: Field) -> Any:
    """The numbers of a field; from a row by seat, only those of the players."""
    value = state[declared.name]
    return value[: state.num_players] if declared.by_seat else value


def seats_in(flags: Any, players: int) -> list[int]:
    """The seats whose flag is set, in ascending order; `flags` is a mask, or a row with one flag per seat."""
    mask = sum(int(flag) << seat for seat, flag in enumerate(flags)) if np.ndim(flags) else int(flags)
    return [seat for seat in range(players) if mask >> seat & 1]


class CardsLeft:
    """The cards of a pack that no line has named yet; `there` has the number of cards of each face in the pack."""

    def __init__(self, pack: Faces, there: Sequence[int]) -> None:
        self.pack, self.there, self._left = pack, there, list(there)

    def take(self, lines: Lines, key: str, faces: Sequence[int]) -> None:
        """Take the cards that a line names. PositionError: more copies of a card than the pack has."""
        for face in faces:
            self._left[face] -= 1
            if self._left[face] < 0:
                said = f"{self.pack.names[face]}: named too often, there are {self.there[face]}"
                raise lines.fail(key, f"{said} in the pack")

    @property
    def faces(self) -> list[int]:
        """The faces of the cards left, in ascending order."""
        return [face for face, count in enumerate(self._left) for _ in range(count)]


@dataclass(eq=False)
class Positions:
    """Writes and reads the positions of one game.

    Attributes:
        game: the `Game` that uses this object; `kit.assembly` sets it.
        endings: the texts of the endings of a round or match, by number.
        seat_endings: the endings that name a seat.
        keys: the keys in the order of their lines; those of single seats end with `S`, as in `hand S`.
        fields_behind: the key after which lines of fields come that are not in `keys` (`Field.line`).
        faces: the cards of the game.
        deals_rest: whether cards that no line names are dealt; `read_cards` then deals them and writes the generator.
        phases: the word of each phase in the line `turn`, by number, except OVER and CHOOSE.
        by_rules: the defaults of lines that depend on the rules, by key. Other lines have the default `Field.nothing`.
        marks: the marks that each ending counts as (`Game.marks`), by number.
        notes: the notes of lines that differ from `line_notes.LINES` and from those of the fields.
        word_notes: the notes of words in the line `turn` that no field declares (`Field.word`).
        unused: words that the game never writes.
    """

    game: Game = field(init=False)
    endings: Mapping[int, str]
    seat_endings: tuple[int, ...]
    phases: Mapping[int, str] = field(default_factory=lambda: PHASES)
    by_rules: Mapping[str, ByRules] = field(default_factory=dict)
    marks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    keys: ClassVar[tuple[str, ...]] = KEYS
    fields_behind: ClassVar[str] = "turn"
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = False
    notes: ClassVar[Mapping[str, Line]] = {}
    word_notes: ClassVar[Mapping[str, str]] = {}
    unused: ClassVar[tuple[str, ...]] = ()

    def described_lines(self) -> dict[str, Line]:
        """The notes of all lines, in the order of the keys."""
        own = {key: Line(_note_of_line(declared), self._default(declared)) for key, declared in self.lines().items()}
        known = {**LINES, **(DEALT_LINES if self.deals_rest else {}), **own, **self.notes}
        return {key: known[key] for key in self.order()}

    def order(self) -> tuple[str, ...]:
        """All keys, in the order of their lines."""
        behind = self.keys.index(self.fields_behind) + 1
        return (*self.keys[:behind], *(key for key in self.lines() if key not in self.keys), *self.keys[behind:])

    def described_words(self) -> dict[str, str]:
        """The notes of all words that can follow the phase in the line `turn`."""
        own = {
            word if _is_flag(declared) else f"{word} {_SAID[declared.code]}": declared.note
            for word, declared in self.words().items()
            if word not in self.word_notes and word not in self.unused
        }
        return {**self.word_notes, **own}

    def _default(self, declared: Field) -> str:
        if declared.line in self.by_rules:
            return self.by_rules[declared.line].default
        if declared.code != NUMBER:
            return "none"
        return "zeros" if declared.shape else str(declared.nothing)

    def phase_words(self) -> tuple[str, ...]:
        """The words of the phases that the line `turn` can have."""
        chooses = any(block.subject == "meld" for block in self.game.actions.blocks)
        return (*self.phases.values(), *["choose add CARD"] * chooses)

    def header(self, state: Any) -> list[tuple[str, str]]:
        """The lines that define the game: rules, players and episode."""
        lines = [("rules", self.game.rules_of(state).text()), ("players", str(state.num_players))]
        return [*lines, ("episode", "match")] if state.episode == MATCH_EPISODE else lines

    def ending(self, state: Any) -> str:
        """How the game ended, in the words of the line `over`; "" while it is running."""
        ending, winner = read_numbers(state, ("ending", "winner"))
        if not ending:
            return ""
        return self.endings[ending] if winner == NO_SEAT else f"{self.endings[ending]}, seat {winner}"

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """The marks of the last finished round or match; see `Game.marks`."""
        return self.marks.get(int(state["ending"]), ())

    def outcome(self, state: Any) -> Outcome:
        """The outcome of a finished round or match, or the scores so far."""
        n, winner, points, scores, turns, rounds = read_numbers(state, _OUTCOME)
        text = self.ending(state)
        return Outcome(
            ending=text.partition(",")[0],
            winner=None if winner == NO_SEAT else winner,
            text=text,
            points=points[:n],
            scores=scores[:n],
            turns=turns,
            rounds=rounds,
            marks=self.marks_of(state),
        )

    def to_text(self, state: Any) -> str:
        """The whole position as text; `from_text` gives back the same bytes."""
        n = int(state.num_players)
        numbers = (("dealer", state.dealer, n - 1), ("round", state.rounds, 0), ("turns", state.turns, 0))
        rows = (("scores", state.scores), ("points", state.points))
        lines = [
            *self.header(state),
            *((key, str(value)) for key, value, default in numbers if value != default),
            *((key, joined(row[:n])) for key, row in rows if any(row)),
            *self.turn_lines(state),
            *self.own_lines(state),
            *self.facts(state),
            *self.card_lines(state),
            *([("over", self.ending(state))] if state.phase == OVER else []),
            ("rng", str(state.rng)),
        ]
        place = {key: number for number, key in enumerate(self.order())}
        return written(sorted(lines, key=lambda line: place[line[0] if line[0] in place else f"{line[0][:-1]}S"]))

    def from_text(self, text: str) -> npt.NDArray[Any]:
        """Read a position. Returns an array of one state. PositionError: names the wrong line and the reason."""
        game = self.game
        lines = Lines(text, self.order(), self.faces)
        states = self.table(lines)
        state, players = states[0], int(states[0].num_players)
        if set(lines.values) <= _DEALT:
            kernels_of(game).start_one(states, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
            return states
        if "seed" in lines and not self.deals_rest:
            raise lines.fail("seed", "a seed deals the cards: give no hands, melds, pile, stock or turn with it")
        fields = game.state_fields
        state.dealer = lines.number("dealer", players - 1, 0, players - 1)
        state.rounds = lines.number("round", 0, 0, fields["rounds"].highest)
        state.turns = lines.number("turns", 0, 0, fields["turns"].highest)
        for key in ("scores", "points"):
            state[key][:players] = lines.numbers(key, players, fields[key].lowest, fields[key].highest)
        self.read_fields(lines, state)
        self.read_cards(lines, state)
        if "over" in lines:
            self.read_ending(lines, state)
        self.read_turn(lines, state)
        if "rng" in lines or not self.deals_rest:
            state.rng = lines.rng()
        return finished(game, states)

    # Fields that declare a line or a word (`core/fields.py`) ----------------------------------------------------------

    def lines(self) -> dict[str, Field]:
        """The fields that have a line, by key."""
        return {each.line: each for each in self.game.state_fields.values() if each.line}

    def words(self) -> dict[str, Field]:
        """The fields that have a word in the line `turn`, by word."""
        return {each.word: each for each in self.game.state_fields.values() if each.word}

    def own_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines of the fields that have one. A line is left out if its value is the default."""
        return [
            (key, self.value_text(state, declared))
            for key, declared in self.lines().items()
            if self._is_written(state, declared)
        ]

    def _is_written(self, state: Any, declared: Field) -> bool:
        """Whether the line of a field is written; see `ByRules.written` for defaults that depend on the rules."""
        number, said = self._by_rules(state, declared), self.by_rules.get(declared.line)
        if said is not None and not said.written:
            return int(state[declared.name]) != number
        return not _is_absent(state, declared) or number != declared.nothing

    def value_text(self, state: Any, declared: Field) -> str:
        """The value of a field as text, for a line or a word."""
        value = np.asarray(state[declared.name])
        if declared.code == CARDS:
            return text_of(int(value))
        if declared.code == SEATS:
            return joined(seats_in(value, int(state.num_players)))
        if declared.code == SEAT:
            return str(int(value) - declared.first)
        return (
            self.faces.names[int(value) - declared.first]
            if declared.code == CARD
            else joined(_of_players(state, declared))
        )

    def _by_rules(self, state: Any, declared: Field) -> int | None:
        by_rules = self.by_rules.get(declared.line)
        return by_rules.number(state.rules) if by_rules else declared.nothing

    def read_fields(self, lines: Lines, state: Any, *, given: bool = False) -> None:
        """Read the fields that have a line; with `given`, only those whose line is present."""
        for key, declared in self.lines().items():
            if key in lines or not given:
                self._read_line(lines, state, declared)

    def _read_line(self, lines: Lines, state: Any, declared: Field) -> None:
        """Read the line of a field, or set the field to its default."""
        key, name = declared.line, declared.name
        if key not in lines:
            number = self._by_rules(state, declared)
            if number is None:
                raise lines.fail(
                    key, f"the line is missing, and these rules have no default for it: {_note_of_line(declared)}"
                )
            state[name] = number
        elif declared.code == CARD:
            state[name] = declared.first + lines.card(key, lines.values[key])
        elif declared.code == CARDS:
            state[name] = lines.parse(key, lambda text: mask_of(FACES.parse_all(text)))
        elif declared.code == SEATS:
            seats = lines.seats(key, int(state.num_players))
            if len(set(seats)) < len(seats):
                raise lines.fail(key, "a seat is named twice")
            if declared.shape:
                state[name][seats] = 1
            else:
                state[name] = sum(1 << seat for seat in seats)
        elif declared.shape:
            row = _of_players(state, declared)
            row[:] = lines.numbers(key, len(row), declared.lowest, declared.highest)
        else:
            state[name] = lines.number(key, 0, declared.lowest, declared.highest)

    def table(self, lines: Lines) -> npt.NDArray[Any]:
        """An array of one state in which only rules, players and episode are set, from their lines."""
        game = self.game
        players = self.read_players(lines, game.seats)
        rules = lines.parse("rules", game.rules.parse) if "rules" in lines else game.rules.parse("")
        episode = lines.one_of("episode", EPISODES[0], EPISODES)
        try:
            return game.new(num_players=players, rules=rules, episode=episode)
        except RulesError as error:
            raise lines.fail("rules", str(error)) from None

    def read_players(self, lines: Lines, numbers: tuple[int, ...]) -> int:
        """The number of players, one of `numbers`."""
        return lines.players(numbers)

    # The line `turn` -------------------------------------------------------------------------------------------------

    def phase_text(self, state: Any) -> str:
        """The phase in the words of the line `turn`."""
        return self.phases.get(int(state.phase)) or f"choose {self.waiting_text(state)}"

    def waiting_text(self, state: Any) -> str:
        """The action whose card waits for its meld in phase CHOOSE, as text: `add 7h`."""
        return f"add {self.faces.names[state.named]}"

    def words_of_turn(self, state: Any) -> list[str]:
        """The words of the line `turn` after the phase: those of fields that are not absent."""
        return [
            word if _is_flag(declared) else f"{word} {self.value_text(state, declared)}"
            for word, declared in self.words().items()
            if not _is_absent(state, declared)
        ]

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """The line `turn`, as a list; [] if the game is over and has no such line."""
        if state.phase == OVER and OVER not in self.phases:
            return []
        return [("turn", ", ".join([f"seat {state.seat}", self.phase_text(state), *self.words_of_turn(state)]))]

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Read the line `turn`. The cards and the ending are already read."""
        over = "over" in lines
        if over and OVER not in self.phases:
            if "turn" in lines:
                raise lines.fail("turn", "a game that is over has no turn")
            return
        said = lines.values["turn"] if "turn" in lines else self.usual_turn(lines, state, over)
        first, *words = (" ".join(word.split()) for word in said.split(","))
        name, _, number = first.partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
        state.seat = lines.seat("turn", number, int(state.num_players))
        phase, *words = words or [
            self.phases[OVER] if over else self.phases.get(DRAW, next(iter(self.phases.values())))
        ]
        self.read_phase(lines, state, phase)
        if len({word.partition(" ")[0] for word in words}) < len(words):
            raise lines.fail("turn", "a word occurs twice")
        for word in words:
            name, _, rest = word.partition(" ")
            if not self.read_word(lines, state, name, rest):
                raise lines.fail("turn", f"{word!r:.80} is not one of {', '.join(self.described_words())}")

    def usual_turn(self, lines: Lines, state: Any, over: bool) -> str:
        """The default of the line `turn`: the seat whose turn it is, at the beginning of the turn.

        PositionError: the other lines do not determine that seat.
        """
        if over:
            return f"seat {self.last_seat(lines, state)}, {self.phases[OVER]}"
        return f"seat {seat_of_turn(state)}, {self.phases[DRAW]}"

    def last_seat(self, lines: Lines, state: Any) -> int:
        """The seat that acted last in a finished game without a line `turn`: the seat that went out."""
        if state.ending != OUT:
            raise lines.fail(
                "turn", f"the line is missing; {self.ending(state)!r} does not determine the seat that acted last"
            )
        return int(state.winner)

    def read_phase(self, lines: Lines, state: Any, phase: str) -> None:
        """Read the phase and, in phase CHOOSE, the card that waits for its meld."""
        over = "over" in lines
        numbers = {text: number for number, text in self.phases.items() if (number == OVER) == over}
        verb, _, rest = phase.partition(" ")
        chooses = not over and any(word.startswith("choose") for word in self.phase_words())
        if phase in numbers:
            state.phase = numbers[phase]
        elif verb == "choose" and chooses and self.read_waiting(lines, state, rest):
            state.phase = CHOOSE
        elif phase in self.phases.values():
            raise lines.fail("turn", "a position has a line 'over' if and only if the game is over")
        else:
            known = ", ".join(numbers) if over else ", ".join(self.phase_words())
            when = "once the game is over" if over else "after the seat"
            raise lines.fail("turn", f"expected {known} {when}, not {phase!r:.80}")

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """Read the action whose card waits for its meld. Returns False if no card can wait for this action."""
        verb, _, rest = text.partition(" ")
        if verb == "add":
            state.named = lines.card("turn", rest)
        return verb == "add"

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn` after the phase. Returns False if there is no such word."""
        words = self.words()
        declared = words.get(f"{name} {rest}".rstrip()) or words.get(name)
        if declared is None or (_is_flag(declared) and declared.word != f"{name} {rest}".rstrip()):
            return False
        if _is_flag(declared):
            state[declared.name] = 1
        elif declared.code == CARD:
            state[declared.name] = declared.first + lines.card("turn", rest)
        elif declared.code == SEAT:
            state[declared.name] = declared.first + lines.seat("turn", rest, int(state.num_players))
        else:
            state[declared.name] = lines.within("turn", rest, 1, declared.highest)
        return True

    # The lines about cards -------------------------------------------------------------------------------------------

    def owner_of(self, state: Any, slot: int) -> int:
        """The seat that owns the meld in a slot."""
        return int(state.meld_owner[slot])

    def write_owner(self, state: Any, slot: int, owner: int) -> None:
        """Write the owner of the meld in a slot. The meld itself is read afterwards."""
        state.meld_owner[slot] = owner

    def meld_text(self, state: Any, slot: int) -> str:
        """The cards of the meld in a slot, as text."""
        raise NotImplementedError

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """The arguments of `core.scene.Meld` for the meld in a slot.

        They are its cards, optionally the cards that its wild cards represent, and optionally a note.
        """
        return (tuple(self.meld_text(state, slot).split()),)

    def read_meld(self, state: Any, slot: int, text: str) -> Sequence[int]:
        """Read the text of a meld into a slot of a state. Its owner is already written. Returns its cards.

        ValueError: the cards are not a meld.
        """
        raise NotImplementedError

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """The additional lines of a game, as pairs of key and text; [] by default."""
        return []

    def read_facts(self, lines: Lines, state: Any) -> None:
        """Read the lines of `facts`. Called before cards, owners and melds are read."""

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines about cards, as pairs of key and text."""
        seats, text = range(int(state.num_players)), self.faces.text
        lines = [(f"hand {seat}", text(faces_in(state.hands[seat]))) for seat in seats]
        lines += self._meld_lines(state) if "melds S" in self.keys else []
        lines += [(f"known {seat}", text(faces_in(state.known[seat]))) for seat in seats if state.known[seat, 0]]
        lines += [("pile", text(state.pile[: state.pile_size]))]
        return [*lines, ("stock", text(state.stock[: state.stock_size][::-1]))]

    def _meld_lines(self, state: Any) -> Iterator[tuple[str, str]]:
        owners = [self.owner_of(state, slot) for slot in range(int(state.num_melds))]
        for seat in sorted(set(owners)):
            own = [self.meld_text(state, slot) for slot, owner in enumerate(owners) if owner == seat]
            yield f"melds {seat}", " | ".join(own)
        if owners != sorted(owners):
            yield "order", joined(owners)

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards. Rules, players, dealer, turns, rounds and scores are already read."""
        self.read_facts(lines, state)
        left = CardsLeft(self.faces, self.cards_of(state))
        seats = range(int(state.num_players))
        for key in (*(f"hand {seat}" for seat in seats), "pile", "stock"):
            if key not in lines:
                raise PositionError(f"{key}: the line is missing; a position names the place of every card")
            left.take(lines, key, lines.cards(key))
        for seat in seats:
            self.write_hand(lines, state, seat, lines.cards(f"hand {seat}"))
        self.write_heap(state, "pile", lines.cards("pile"))
        self.write_heap(state, "stock", lines.cards("stock")[::-1])
        for slot, (owner, text) in enumerate(self._melds(lines, state)):
            left.take(lines, f"melds {owner}", self._read_meld(lines, state, slot, owner, text))
        if left.faces:
            raise PositionError(f"{self.faces.text(left.faces)}: in no line; a position names the place of every card")

    def mixed(self, lines: Lines, state: Any, faces: Sequence[int]) -> list[int]:
        """Shuffle cards by the seed in the line `seed`. The generator of the state continues from this seed."""
        seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
        cards = np.array(faces, np.int64)
        shuffle(state, cards, len(cards))
        return [int(face) for face in cards]

    def rest_or_line(self, lines: Lines, key: str, rest: list[int]) -> list[int]:
        """The cards of the line `key`; without this line, `rest`. PositionError: the line and `rest` are both given."""
        if key not in lines:
            return rest
        if rest:
            said = f"{self.faces.text(sorted(rest))}: in no line; leave this line out to put them there"
            raise lines.fail(key, said)
        return lines.cards(key)

    def cards_of(self, state: Any) -> list[int]:
        """The number of cards of each face in the game."""
        return [int(interpreted(copies_of)(state, face)) for face in range(len(self.faces))]

    def write_hand(self, lines: Lines, state: Any, seat: int, hand: Sequence[int]) -> None:
        """Write a hand, and the part of it that everybody knows (line `known`)."""
        known, layers = lines.cards(f"known {seat}"), state.hands.shape[1]
        if unknown := Counter(known) - Counter(hand):
            raise lines.fail(f"known {seat}", f"{self.faces.text(unknown)} is not in the hand")
        state.hands[seat], state.known[seat] = hand_of(hand)[:layers], hand_of(known)[:layers]

    def write_heap(self, state: Any, name: str, faces: Sequence[int]) -> None:
        """Write the pile or the stock; `faces` begins with the lowest card."""
        state[name][: len(faces)], state[f"{name}_size"] = faces, len(faces)

    def read_melds(self, lines: Lines, state: Any) -> list[int]:
        """Read all melds. Returns their cards."""
        cards: list[int] = []
        for slot, (owner, text) in enumerate(self._melds(lines, state)):
            cards += self._read_meld(lines, state, slot, owner, text)
        return cards

    def _read_meld(self, lines: Lines, state: Any, slot: int, owner: int, text: str) -> Sequence[int]:
        self.write_owner(state, slot, owner)
        state.num_melds = slot + 1
        try:
            return self.read_meld(state, slot, text)
        except ValueError as error:
            raise lines.fail(f"melds {owner}", str(error)) from None

    def _melds(self, lines: Lines, state: Any) -> list[tuple[int, str]]:
        """The owner and the text of every meld, in the order of opening."""
        seats = range(int(state.num_players))
        melds = {seat: lines.values[f"melds {seat}"].split("|") for seat in seats if lines.values.get(f"melds {seat}")}
        owners = [seat for seat, own in melds.items() for _ in own]
        if "order" in lines:
            order = lines.seats("order", len(seats))
            if sorted(order) != owners:
                raise lines.fail("order", f"expected the owners {joined(owners)} in the order of opening")
            owners = order
        if owners and len(owners) > len(state.melds):
            raise PositionError(f"{len(owners)} melds are too many; the game has cards for {len(state.melds)}")
        waiting = {seat: iter(own) for seat, own in melds.items()}
        return [(owner, next(waiting[owner])) for owner in owners]

    # The end ---------------------------------------------------------------------------------------------------------

    def read_ending(self, lines: Lines, state: Any) -> None:
        """Read the line `over` of a finished game: the ending, and the winner if it names one."""
        numbers = {(text, number in self.seat_endings): number for number, text in self.endings.items()}
        match = re.fullmatch(r"(.+?)(?:\s*,\s*seat\s+([0-9]+))?", lines.values["over"])
        ending = numbers.get((match[1], match[2] is not None)) if match else None
        if match is None or ending is None:
            said = [text + ", seat S" * (number in self.seat_endings) for number, text in self.endings.items()]
            raise lines.fail("over", f"expected {'; '.join(said)}; not {lines.values['over']!r:.80}")
        state.ending, state.phase = ending, OVER
        if match[2] is not None:
            state.winner = lines.seat("over", match[2], int(state.num_players))
