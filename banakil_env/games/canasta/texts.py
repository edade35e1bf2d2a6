"""Canasta in words: positions, how it ended, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Game, Outcome, Texts
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word
from banakil_env.core.scene import Meld, Scene
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.rules import Rules
from banakil_env.games.canasta.scoring import CANASTA
from banakil_env.kit import table_state as T
from banakil_env.kit.book_positions import hand_lines, pile_lines, players_of, read_hands, read_piles
from banakil_env.kit.book_scenes import book_scene
from banakil_env.kit.books import (
    FACES,
    JOKER_FACE,
    KINDS,
    NUM_SUITS,
    RED_FACES,
    THREE,
    TWO,
    faces_of,
)
from banakil_env.kit.notation import Lines, finished, joined, written
from banakil_env.kit.outcomes import outcome_of
from banakil_env.kit.positions import Positions
from banakil_env.kit.two_sides import NUM_SIDES

KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points", "turn"),
    *("hand S", "known S", "melds S", "red threes S", "pile", "stock", "over", "seed", "rng"),
)
_CARD_KEYS = ("hand", "known", "melds", "red", "pile", "stock")
PHASES = {T.DRAW: "draw", T.PLAY: "play", S.ANSWER: "answer"}
ANSWERS = {S.YES: "yes", S.NO: "no"}
_DECISIONS = {T.DRAW: "draw or take the pile", T.PLAY: "meld or discard", S.ANSWER: "answer: may the partner go out?"}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
_FORFEITS = {"round": 2000, "match": 8000}


def _game() -> Game:
    from banakil_env.games.canasta.game import GAME  # which is made of these texts

    return GAME


POSITIONS = Positions(_game, S.ENDINGS, seat_endings=(T.OUT, T.MATCH))


def rules_of(state: Any) -> Rules:
    """The rules that a state holds."""
    return Rules.read(state.rules)


# Melds ---------------------------------------------------------------------------------------------------------------


def book_faces(state: Any, side: int, kind: int) -> list[int]:
    """The cards of a side's meld of this kind, in the order of texts; none if there is no such meld."""
    naturals = [kind * NUM_SUITS + face for face in faces_of([state.naturals[side, kind]])]
    twos = [TWO * NUM_SUITS + face for face in faces_of([state.twos[side, kind]])]
    return naturals + twos + [JOKER_FACE] * int(state.jokers[side, kind])


def books_of(state: Any, side: int) -> list[list[int]]:
    """The melds of a side, each as its faces, in the order of ranks."""
    return [faces for kind in range(S.NUM_PLACES) if (faces := book_faces(state, side, kind))]


def parse_book(text: str) -> tuple[int, list[int]]:
    """Kind and faces of a meld. ValueError: it is none (C4)."""
    faces = FACES.parse_all(text)
    kinds = sorted({face // NUM_SUITS for face in faces})
    naturals = [kind for kind in kinds if kind < TWO]
    count = sum(face // NUM_SUITS < TWO for face in faces)
    wild = len(faces) - count
    if len(naturals) != 1 or len(faces) < 3 or count < 2 or wild > 3 or (naturals == [THREE] and wild):
        raise ValueError(
            f"{text!r:.80} is no meld: three or more cards of one rank, two of them natural, at most three wild; "
            f"black Threes without wild cards (C4)"
        )
    if any(face in RED_FACES for face in faces):
        raise ValueError(f"{text!r:.80}: red Threes are not melded, they have a line of their own")
    return naturals[0], faces


# Positions -----------------------------------------------------------------------------------------------------------


def turn_text(state: Any) -> str:
    """The line `turn`: seat, phase, and what has happened in the turn."""
    words = [f"seat {state.seat}", PHASES[int(state.phase)]]
    words += [word for word in ("opening", "taking", "concealed") if state[word]]
    words += [ANSWERS[int(state.answer)]] if state.answer else []
    return ", ".join(words + ["last"] * int(state.last))


def to_text(state: Any) -> str:
    """The whole position; reading it back gives the same bytes."""
    n = int(state.num_players)
    numbers = [("dealer", state.dealer, n - 1), ("round", state.rounds, 0), ("turns", state.turns, 0)]
    lines = POSITIONS.header(state) + [(key, str(value)) for key, value, default in numbers if value != default]
    lines += [(key, joined(state[key][:n])) for key in ("scores", "points") if any(state[key])]
    lines += [] if state.phase == T.OVER else [("turn", turn_text(state))]
    lines += hand_lines(state)
    lines += [
        (f"melds {side}", " | ".join(FACES.text(faces) for faces in books))
        for side in range(NUM_SIDES)
        if (books := books_of(state, side))
    ]
    lines += pile_lines(state)
    lines += [("over", POSITIONS.ending(state))] if state.phase == T.OVER else []
    return written([*lines, ("rng", str(state.rng))])


def from_text(text: str) -> npt.NDArray[Any]:
    """An array of one state. PositionError: what is wrong, and in which line."""
    game = _game()
    lines = Lines(text, KEYS, FACES)
    players = players_of(lines, S.SEATS)
    rules = lines.parse("rules", Rules.parse) if "rules" in lines else Rules.parse("")
    states = game.new(num_players=players, rules=rules, episode=lines.one_of("episode", T.EPISODES[0], T.EPISODES))
    state, seed = states[0], seed_word(lines.number("seed", 0, 0, MAX_SEED))
    if not any(key == "turn" or key == "over" or key.split()[0] in _CARD_KEYS for key in lines.values):
        kernels_of(game).start_one(states, seed)
        return states
    fields = game.state_fields
    state.dealer = lines.number("dealer", players - 1, 0, players - 1)
    state.rounds = lines.number("round", 0, 0, fields["rounds"].highest)
    state.turns = lines.number("turns", 0, 0, fields["turns"].highest)
    for key in ("scores", "points"):
        state[key][:players] = lines.numbers(key, players, fields[key].lowest, fields[key].highest)
        if players == 4 and list(state[key][:2]) != list(state[key][2:]):
            raise lines.fail(key, "partners have the same: seats 0 and 2, seats 1 and 3")
    state.winner = T.NO_SEAT
    seed_generator(state, seed)
    read_hands(lines, state)
    for side in range(NUM_SIDES):
        if f"melds {side}" in lines:
            _read_melds(lines, state, side)
    read_piles(lines, state, S.PACKS, S.JOKERS, [faces for side in range(NUM_SIDES) for faces in books_of(state, side)])
    if "over" in lines:
        POSITIONS.read_ending(lines, state)
    else:
        _read_turn(lines, state)
    if "rng" in lines:
        state.rng = lines.rng()
    return finished(game, states)


def _read_melds(lines: Lines, state: Any, side: int) -> None:
    key = f"melds {side}"
    for part in lines.values[key].split("|"):
        try:
            kind, faces = parse_book(part)
        except ValueError as error:
            raise lines.fail(key, str(error)) from None
        if state.naturals[side, kind]:
            raise lines.fail(key, f"two melds of {KINDS[kind]}: a side has one of a rank (C4.2)")
        if len(faces) > S.NUM_CARDS:
            raise lines.fail(key, f"{len(faces)} cards, and there are {S.NUM_CARDS}")
        for face in faces:
            if face == JOKER_FACE:
                state.jokers[side, kind] += 1
            else:
                stacks = state.twos if face // NUM_SUITS == TWO else state.naturals
                stacks[side, kind] += 1 << 8 * (face % NUM_SUITS)


def _read_turn(lines: Lines, state: Any) -> None:
    """Read the line `turn`; the seat after the dealer draws where it is left out."""
    n = int(state.num_players)
    said = lines.values.get("turn", f"seat {(int(state.dealer) + 1) % n}, draw")
    first, phase, *words = [" ".join(word.split()) for word in said.split(",")] + [""] * ("," not in said)
    name, _, number = first.partition(" ")
    if name != "seat":
        raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
    state.seat = lines.seat("turn", number, n)
    phases = {text: number for number, text in PHASES.items()}
    if phase not in phases:
        raise lines.fail("turn", f"expected {', '.join(phases)} after the seat, not {phase!r:.80}")
    state.phase = phases[phase]
    answers = {text: number for number, text in ANSWERS.items()}
    if len(set(words)) < len(words) or {"yes", "no"} <= set(words):
        raise lines.fail("turn", "one word is said twice, or both yes and no")
    for word in words:
        if word in answers:
            state.answer = answers[word]
        elif word in ("opening", "taking", "concealed", "last"):
            state[word] = 1
        else:
            raise lines.fail("turn", f"{word!r:.80} is none of opening, taking, concealed, yes, no, last")


# What is said of a game ----------------------------------------------------------------------------------------------


def outcome(state: Any) -> Outcome:
    """How the round or match ended, or stands."""
    return outcome_of(state, POSITIONS.ending(state))


def explain(state: Any) -> str:
    """What is to be decided, and what is forbidden; see `core.game.Texts`."""
    said = f"seat {state.seat} is to {_DECISIONS[int(state.phase)]}"
    if state.opening:
        said += "; the first meld has to reach its value first (C5.3)"
    if state.answer:
        said += f"; the partner has said {ANSWERS[int(state.answer)]} (C7.4)"
    return said + "; it is the last turn, without a discard (C8.3)" * int(state.last)


def forfeit(options: Mapping[str, Any]) -> int:
    """Points that a player loses who fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")]


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    rules = rules_of(state)
    return book_scene(
        state,
        viewer,
        title="Canasta",
        rules=rules.text(),
        goal=f"to {rules.target}",
        phases=_DECISIONS,
        result=POSITIONS.ending(state),
        melds=[_meld(side, faces) for side in range(NUM_SIDES) for faces in books_of(state, side)],
        notes=("opening", "last"),
    )


def _meld(side: int, faces: list[int]) -> Meld:
    mixed = faces[-1] // NUM_SUITS >= TWO
    note = ("mixed canasta" if mixed else "natural canasta") if len(faces) >= CANASTA else ""
    return Meld(None, side, FACES.names_of(faces), note=note)


TEXTS = Texts(to_text, from_text, POSITIONS.header, explain)
