"""Positions as text: the keys that all games share, and those of games with the fields of `table_state`.

A game makes one `Positions`, which also says how the game ended (`outcome`). The keys are written in the order
of `KEYS`, a game's own behind `turn`. Games differ in phases, endings, and the fields of their own. A game with other
cards or turns makes a subclass of `Positions` with its own `turn_lines`, `card_lines`, `read_cards` and `read_turn`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banakil_env.core.fields import Field, read_numbers
from banakil_env.core.game import Game, Outcome, PositionError
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import MAX_SEED, seed_word
from banakil_env.kit.cards import Faces
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, in_order, parse_meld
from banakil_env.kit.notation import Lines, finished, joined, written
from banakil_env.kit.pack52 import FACES, NO_FACE, bit_of, faces_of, mask_of, text_of
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import (
    CHOOSE,
    DRAW,
    EPISODES,
    MATCH_EPISODE,
    NO_SEAT,
    OVER,
    PLAY,
)

KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "turn"),
    *("hand S", "melds S", "order", "known S", "played", "seen", "pile", "stock"),
    *("over", "points", "rng", "seed"),
)
_DEALT = {"rules", "players", "episode", "seed"}  # keys that a deal is described by
PHASES = {DRAW: "draw", PLAY: "play"}
_OUTCOME = ("num_players", "winner", "points", "scores", "turns", "rounds")  # fields that an `Outcome` is made of


# What a line of a game's own says: `OwnLine.kind`.
NUMBERS, CARD, CARDS, SEAT = "numbers", "card", "cards", "seat"


@dataclass(frozen=True)
class OwnLine:
    """A line about a field that only this game has, or words of the line `turn`; left out where the field is 0.

    Attributes:
        key: of the line, or the first word. field: of the state.
        kind: NUMBERS, one or one a seat; CARD, 1 + a face; CARDS, a mask of faces; SEAT, 1 + a seat.
    """

    key: str
    field: str
    kind: str = NUMBERS

    def text(self, state: Any) -> str:
        """The value; "" where it is left out."""
        value = np.asarray(state[self.field])
        if not value.any():
            return ""
        if self.kind == CARDS:
            return text_of(int(value))
        if self.kind == SEAT:
            return str(int(value) - 1)
        return FACES.names[int(value) - 1] if self.kind == CARD else joined(value)

    def read_word(self, lines: Lines, text: str, state: Any) -> None:
        """Write the field as words of the line `turn` say: a card or a seat."""
        read = lines.card("turn", text) if self.kind == CARD else lines.seat("turn", text, int(state.num_players))
        state[self.field] = 1 + read

    def read(self, lines: Lines, state: Any, declared: Field) -> None:
        """Write the field as the line says."""
        if self.key not in lines:
            return
        if self.kind == CARD:
            state[self.field] = 1 + lines.card(self.key, lines.values[self.key])
        elif self.kind == CARDS:
            state[self.field] = lines.parse(self.key, lambda text: mask_of(FACES.parse_all(text)))
        elif declared.shape:
            state[self.field] = lines.numbers(self.key, declared.shape[0], declared.lowest, declared.highest)
        else:
            state[self.field] = lines.number(self.key, 0, declared.lowest, declared.highest)


@dataclass(eq=False)
class Positions:
    """The texts of one game.

    Attributes:
        game: the `Game` that is made of these texts, which `kit.assembly` writes here.
        endings: how a round or match can end, by number. seat_endings: those that name a seat.
        keys: of the lines, those of single seats as `hand S`. faces: the cards.
        deals_rest: cards that no line names are dealt, by `read_cards`, which then writes the generator too.
        phases: the words of the line `turn` for all phases but OVER and CHOOSE, by number.
        own: lines about fields that only this game has. turn_words: words of the line `turn` about such fields.
        marks: what each ending counts as: names out of `Game.marks`.
        points_last: the line `points` stands behind `over`, not behind `scores`.
        high_ace: the Ace may lie high in a run, too.
    """

    game: Game = field(init=False)
    endings: Mapping[int, str]
    seat_endings: tuple[int, ...]
    phases: Mapping[int, str] = field(default_factory=lambda: PHASES)
    own: tuple[OwnLine, ...] = ()
    turn_words: tuple[OwnLine, ...] = ()
    marks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    high_ace: bool = False
    keys: ClassVar[tuple[str, ...]] = KEYS
    faces: ClassVar[Faces] = FACES
    deals_rest: ClassVar[bool] = False
    points_last: ClassVar[bool] = True

    def header(self, state: Any) -> list[tuple[str, str]]:
        """The lines that say which game is played: rules, players, episode."""
        lines = [("rules", self.game.rules_of(state).text()), ("players", str(state.num_players))]
        return [*lines, ("episode", "match")] if state.episode == MATCH_EPISODE else lines

    def ending(self, state: Any) -> str:
        """How the game ended, in the words of the key `over`; "" while it goes on."""
        ending, winner = read_numbers(state, ("ending", "winner"))
        if not ending:
            return ""
        return self.endings[ending] if winner == NO_SEAT else f"{self.endings[ending]}, seat {winner}"

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """What the end of the last round or match counts as: names out of `Game.marks`."""
        return self.marks.get(int(state["ending"]), ())

    def outcome(self, state: Any) -> Outcome:
        """How the round or match ended, or stands."""
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
        """The whole position; reading it back gives the same bytes."""
        n = int(state.num_players)
        numbers = [
            ("dealer", state.dealer, n - 1),
            ("round", state.rounds, 0),
            ("turns", state.turns, 0),
        ]
        lines = self.header(state)
        lines += [(key, str(value)) for key, value, default in numbers if value != default]
        lines += [("scores", joined(state.scores[:n]))] if any(state.scores) else []
        points = [("points", joined(state.points[:n]))] if any(state.points) else []
        lines += [] if self.points_last else points
        lines += self.turn_lines(state)
        lines += [(line.key, text) for line in self.own if (text := line.text(state))]
        lines += self.card_lines(state)
        lines += [("over", self.ending(state))] if state.phase == OVER else []
        lines += points if self.points_last else []
        return written([*lines, ("rng", str(state.rng))])

    def from_text(self, text: str) -> npt.NDArray[Any]:
        """An array of one state. PositionError: what is wrong, and in which line."""
        game = self.game
        lines = Lines(text, (*self.keys, *(line.key for line in self.own)), self.faces)
        states = self.table(lines)
        state, players = states[0], int(states[0].num_players)
        if set(lines.values) <= _DEALT:
            kernels_of(game).start_one(states, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
            return states
        if "seed" in lines and not self.deals_rest:
            raise lines.fail("seed", "a seed deals the cards: give no hands, melds, pile, stock and turn with it")
        fields = game.state_fields
        state.dealer = lines.number("dealer", players - 1, 0, players - 1)
        state.rounds = lines.number("round", 0, 0, fields["rounds"].highest)
        state.turns = lines.number("turns", 0, 0, fields["turns"].highest)
        for key in ("scores", "points"):
            state[key][:players] = lines.numbers(key, players, fields[key].lowest, fields[key].highest)
        state.winner = NO_SEAT
        self.read_cards(lines, state)
        if "over" in lines:
            self.read_ending(lines, state)
        self.read_turn(lines, state)
        for line in self.own:
            line.read(lines, state, fields[line.field])
        if "rng" in lines or not self.deals_rest:
            state.rng = lines.rng()
        return finished(game, states)

    def table(self, lines: Lines) -> npt.NDArray[Any]:
        """An array of one state that holds rules, players and episode and nothing else."""
        game = self.game
        players = self.read_players(lines, game.seats)
        rules = lines.parse("rules", game.rules.parse) if "rules" in lines else game.rules.parse("")
        episode = lines.one_of("episode", EPISODES[0], EPISODES)
        try:
            return game.new(num_players=players, rules=rules, episode=episode)
        except RulesError as error:
            raise lines.fail("rules", str(error)) from None

    def read_players(self, lines: Lines, numbers: tuple[int, ...]) -> int:
        """How many play, one of these numbers."""
        return lines.players(numbers)

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """The line `turn` and others between `scores` and the hands."""
        return [] if state.phase == OVER else [("turn", turn_text(state, self.phases, self.turn_words))]

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines about cards, from `hand` to `stock`."""
        return card_lines(state, self.high_ace)

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards into a state that has rules, players, dealer and numbers, and no cards."""
        read_cards(lines, state, self.high_ace)

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Read the line `turn`; cards and ending have been read."""
        if "over" not in lines:
            read_turn(lines, state, self.phases, self.turn_words)
        elif "turn" in lines:
            raise lines.fail("turn", "a game that is over has no turn")

    def read_ending(self, lines: Lines, state: Any) -> None:
        """Read the line `over`: a game that has ended."""
        numbers = {(text, number in self.seat_endings): number for number, text in self.endings.items()}
        match = re.fullmatch(r"(.+?)(?:\s*,\s*seat\s+([0-9]+))?", lines.values["over"])
        ending = numbers.get((match[1], match[2] is not None)) if match else None
        if match is None or ending is None:
            said = [text + ", seat S" * (number in self.seat_endings) for number, text in self.endings.items()]
            raise lines.fail("over", f"expected {'; '.join(said)}; not {lines.values['over']!r:.80}")
        state.ending, state.phase = ending, OVER
        if match[2] is not None:
            state.winner = lines.seat("over", match[2], int(state.num_players))


# The cards -----------------------------------------------------------------------------------------------------------


def melds_of(state: Any) -> list[tuple[int, int]]:
    """Owner and cards (a mask) of every meld, in the order of opening."""
    return [(int(state.meld_owner[slot]), int(state.melds[slot])) for slot in range(int(state.num_melds))]


def card_lines(state: Any, high_ace: bool = False) -> list[tuple[str, str]]:
    """The lines about cards, from `hand` to `stock`."""
    seats, melds = range(int(state.num_players)), melds_of(state)
    owners = [owner for owner, _ in melds]
    lines = [(f"hand {seat}", text_of(state.hands[seat])) for seat in seats]
    lines += [
        (f"melds {seat}", " | ".join(FACES.text(in_order(cards, high_ace)) for owner, cards in melds if owner == seat))
        for seat in seats
        if seat in owners
    ]
    lines += [("order", joined(owners))] if owners != sorted(owners) else []
    lines += [(f"known {seat}", text_of(state.known[seat])) for seat in seats if state.known[seat]]
    if state.played != sum(1 << seat for seat in set(owners)):
        lines.append(("played", joined([seat for seat in seats if int(state.played) >> seat & 1]) or "none"))
    lines += [("seen", "yes")] if state.seen else []
    stock = state.stock[: state.stock_size][::-1]
    return [*lines, ("pile", FACES.text(state.pile[: state.pile_size])), ("stock", FACES.text(stock))]


def read_cards(lines: Lines, state: Any, high_ace: bool = False) -> None:
    """Read hands, melds, who has played, pile and stock into a blank state."""
    state.banned = state.named = NO_FACE
    seats = range(int(state.num_players))
    for key in (*(f"hand {seat}" for seat in seats), "pile", "stock"):
        if key not in lines:
            raise PositionError(f"{key}: the line is missing; a position tells where all cards are")
    for key in lines.values:
        if key.split()[0] in ("hand", "pile", "stock"):
            lines.parse(key, lambda text: mask_of(FACES.parse_all(text)))  # no card twice
    for seat in seats:
        state.hands[seat] = mask_of(lines.cards(f"hand {seat}"))
        if f"known {seat}" in lines:
            state.known[seat] = lines.parse(f"known {seat}", lambda text: mask_of(FACES.parse_all(text)))
            if strange := int(state.known[seat]) & ~int(state.hands[seat]):
                raise lines.fail(f"known {seat}", f"{text_of(strange)}: not in the hand")
    pile, stock = lines.cards("pile"), lines.cards("stock")
    state.pile[: len(pile)], state.pile_size = pile, len(pile)
    state.stock[: len(stock)], state.stock_size = stock[::-1], len(stock)
    state.seen = lines.one_of("seen", "no", ("no", "yes")) == "yes"
    _read_melds(lines, state, high_ace)
    state.played = sum(1 << seat for seat in {owner for owner, _ in melds_of(state)})
    if "played" in lines:
        state.played = sum(1 << seat for seat in set(lines.seats("played", len(seats))))
    _count_cards(state)


def _read_melds(lines: Lines, state: Any, high_ace: bool) -> None:
    melds = {}
    for seat in range(int(state.num_players)):
        if lines.values.get(f"melds {seat}"):
            melds[seat] = lines.parse(
                f"melds {seat}", lambda text: [parse_meld(part, high_ace) for part in text.split("|")]
            )
    owners = [seat for seat, own in melds.items() for _ in own]
    if "order" in lines:
        order = [lines.seat("order", word, int(state.num_players)) for word in lines.values["order"].split()]
        if sorted(order) != owners:
            raise lines.fail("order", f"expected the owners {joined(owners)} in the order of opening")
        owners = order
    if len(owners) > MAX_MELDS:
        raise PositionError(f"{len(owners)} melds; the pack has cards for {MAX_MELDS}")
    waiting = {seat: iter(own) for seat, own in melds.items()}
    for slot, owner in enumerate(owners):
        state.melds[slot], state.meld_owner[slot] = next(waiting[owner]), owner
    state.num_melds = len(owners)


def _count_cards(state: Any) -> None:
    """PositionError: a card is in two places, or in none."""
    places = [faces_of(cards) for cards in (*state.hands, *(meld for _, meld in melds_of(state)))]
    counts = np.zeros(len(FACES), int)
    for place in (*places, state.pile[: state.pile_size], state.stock[: state.stock_size]):
        np.add.at(counts, np.asarray(place, int), 1)
    twice, missing = np.flatnonzero(counts > 1), np.flatnonzero(counts == 0)
    if len(twice):
        raise PositionError(f"{FACES.text(twice)}: in two places, and the pack has one of each card")
    if len(missing):
        raise PositionError(f"{FACES.text(missing)}: in no line; a position tells where all 52 cards are")


# The turn ------------------------------------------------------------------------------------------------------------


def turn_text(state: Any, phases: Mapping[int, str], own: tuple[OwnLine, ...] = ()) -> str:
    """The line `turn`: seat, phase, and what has happened in the turn."""
    choosing = f"choose add {FACES.names[state.named]}" if state.phase == CHOOSE else ""
    words = [f"seat {state.seat}", choosing or phases[int(state.phase)]]
    words += [f"banned {FACES.names[state.banned]}"] if state.banned != NO_FACE else []
    words += [f"melds {state.opened}"] if state.opened else []
    words += ["in one turn"] * int(state.in_one_turn)
    return ", ".join([*words, *(f"{each.key} {text}" for each in own if (text := each.text(state)))])


def read_turn(lines: Lines, state: Any, words_of: Mapping[int, str], own: tuple[OwnLine, ...] = ()) -> None:
    """Read the line `turn`, with these words for the phases; `seat 0, draw` where it is left out."""
    first, *words = (" ".join(word.split()) for word in lines.values.get("turn", "seat 0, draw").split(","))
    name, _, number = first.partition(" ")
    if name != "seat":
        raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
    state.seat = lines.seat("turn", number, int(state.num_players))
    phases = {text: phase for phase, text in words_of.items()}
    phase, *words = words or ["draw"]
    if phase.startswith("choose add "):
        state.phase, state.named = CHOOSE, lines.card("turn", phase.removeprefix("choose add "))
    elif phase in phases:
        state.phase = phases[phase]
    else:
        raise lines.fail("turn", f"expected {', '.join(phases)} or choose add CARD after the seat, not {phase!r:.80}")
    if len({word.partition(" ")[0] for word in words}) < len(words):
        raise lines.fail("turn", "one word is said twice")
    own_words = {each.key: each for each in own}
    for word in words:
        name, _, rest = word.partition(" ")
        if name in own_words:
            own_words[name].read_word(lines, rest, state)
        elif name == "banned":
            state.banned = lines.card("turn", rest)
        elif name == "melds":
            state.opened = lines.within("turn", rest, 1, MAX_MELDS)
        elif word == "in one turn":
            state.in_one_turn = 1
        else:
            known = ", ".join([*own_words, "banned CARD", "melds N", "in one turn"])
            raise lines.fail("turn", f"{word!r:.80} is none of {known}")


def explain_turn(state: Any, phases: Mapping[int, str], rule: str) -> str:
    """What is to be decided, and what is forbidden, for the error of an illegal action; `rule`: that forbids it."""
    said = f"seat {state.seat} is to {phases[int(state.phase)]}"
    if state.phase == CHOOSE:
        said += f" for {FACES.names[state.named]}"
    if state.banned != NO_FACE and int(bit_of(int(state.banned))) & int(state.hands[state.seat]):
        said += f"; {FACES.names[state.banned]} may not be discarded in this turn ({rule})"
    return said
