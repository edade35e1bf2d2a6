"""Canasta in words: positions, how it ended, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import Game, Outcome, PositionError, Texts
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.rules import Rules
from banakil_env.games.canasta.scoring import CANASTA
from banakil_env.kit import table_state as T
from banakil_env.kit.book_table import is_frozen
from banakil_env.kit.books import (
    FACES,
    JOKER,
    JOKER_FACE,
    KINDS,
    NUM_SUITS,
    RED_FACES,
    THREE,
    TWO,
    add_faces,
    faces_of,
)
from banakil_env.kit.notation import Lines, finished, joined, written
from banakil_env.kit.outcomes import outcome_of
from banakil_env.kit.two_sides import NUM_SIDES, partner_of, side_of

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


def header(state: Any) -> list[tuple[str, str]]:
    """The lines that say which game is played: rules, players, episode."""
    lines = [("rules", rules_of(state).text()), ("players", str(state.num_players))]
    return [*lines, ("episode", "match")] if state.episode == T.MATCH_EPISODE else lines


def ending(state: Any) -> str:
    """How the game ended, in the words of the key `over`; "" while it goes on."""
    if not state.ending:
        return ""
    text = S.ENDINGS[int(state.ending)]
    return text if state.winner == T.NO_SEAT else f"{text}, seat {state.winner}"


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
    lines = header(state) + [(key, str(value)) for key, value, default in numbers if value != default]
    lines += [(key, joined(state[key][:n])) for key in ("scores", "points") if any(state[key])]
    lines += [] if state.phase == T.OVER else [("turn", turn_text(state))]
    lines += [(f"hand {seat}", FACES.text(faces_of(state.hands[seat]))) for seat in range(n)]
    lines += [(f"known {seat}", FACES.text(faces_of(state.known[seat]))) for seat in range(n) if any(state.known[seat])]
    lines += [
        (f"melds {side}", " | ".join(FACES.text(faces) for faces in books))
        for side in range(NUM_SIDES)
        if (books := books_of(state, side))
    ]
    lines += [(f"red threes {side}", FACES.text(reds)) for side in range(NUM_SIDES) if (reds := _reds(state, side))]
    lines += [("pile", FACES.text(state.pile[: state.pile_size]))]
    lines += [("stock", FACES.text(state.stock[: state.stock_size][::-1]))]
    lines += [("over", ending(state))] if state.phase == T.OVER else []
    return written([*lines, ("rng", str(state.rng))])


def _reds(state: Any, side: int) -> list[int]:
    return [face for face, count in zip(RED_FACES, state.red_threes[side]) for _ in range(int(count))]


def from_text(text: str) -> npt.NDArray[Any]:
    """An array of one state. PositionError: what is wrong, and in which line."""
    game = _game()
    lines = Lines(text, KEYS, FACES)
    players = _players(lines)
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
    _read_cards(lines, state)
    if "over" in lines:
        _read_ending(lines, state)
    else:
        _read_turn(lines, state)
    if "rng" in lines:
        state.rng = lines.rng()
    return finished(game, states)


def _players(lines: Lines) -> int:
    """2 or 4, as said or as the lines of hands tell; four without any."""
    named = [int(key.split()[1]) for key in lines.values if re.fullmatch(r"(hand|known) [0-9]", key)]
    players = lines.number("players", max(named, default=S.MAX_SEATS - 1) + 1, 0, 9)
    if players not in S.SEATS:
        raise lines.fail("players", f"expected {' or '.join(map(str, S.SEATS))}, not {players}")
    for key in lines.values:
        match = re.fullmatch(r"(hand|known|melds|red threes) ([0-9])", key)
        count = players if match and match[1] in ("hand", "known") else NUM_SIDES
        if match and int(match[2]) >= count:
            raise lines.fail(key, f"there are {'seats' if count == players else 'sides'} 0 to {count - 1}")
    return players


def _read_cards(lines: Lines, state: Any) -> None:
    """Read hands, melds, red Threes, pile and stock into a blank state; a stock left out is the rest of the pack."""
    for seat in range(int(state.num_players)):
        if f"hand {seat}" not in lines:
            raise PositionError(f"hand {seat}: the line is missing; a position tells what every seat holds")
        for key, stacks in ((f"hand {seat}", state.hands[seat]), (f"known {seat}", state.known[seat])):
            faces = lines.cards(key)
            if any(face in RED_FACES for face in faces):
                raise lines.fail(key, "no hand holds a red Three: it is laid down at once (C2)")
            if len(faces) > S.NUM_CARDS:
                raise lines.fail(key, f"{len(faces)} cards, and there are {S.NUM_CARDS}")
            add_faces(stacks, faces)
    for side in range(NUM_SIDES):
        if f"melds {side}" in lines:
            _read_melds(lines, state, side)
        for face in lines.cards(f"red threes {side}"):
            if face not in RED_FACES or state.red_threes[side, face - 1] == S.PACKS:
                raise lines.fail(f"red threes {side}", "expected 3d and 3h, two of each at the most")
            state.red_threes[side, face - 1] += 1
    left = _count_cards(lines, state)
    if "stock" not in lines:
        _put(state, "stock", np.repeat(np.arange(len(FACES)), left)[::-1])
        if "seed" in lines:
            stock = state.stock[: state.stock_size].astype(np.int64)
            shuffle(state, stock, len(stock))
            state.stock[: state.stock_size] = stock
    elif left.any():
        raise PositionError(f"{FACES.text(np.flatnonzero(left))}: in no line; a position tells where all cards are")


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


def _count_cards(lines: Lines, state: Any) -> npt.NDArray[np.int64]:
    """How many cards of each face are in no line. PositionError: some are too many."""
    left = np.full(len(FACES), S.PACKS)
    left[JOKER_FACE] = S.JOKERS
    placed = [faces_of(state.hands[seat]) for seat in range(int(state.num_players))]
    for side in range(NUM_SIDES):
        placed += [*books_of(state, side), _reds(state, side)]
    for key in ("pile", "stock"):
        faces = lines.cards(key)
        placed.append(faces)
        if len(faces) <= S.NUM_CARDS:
            _put(state, key, faces if key == "pile" else faces[::-1])
    for faces in placed:
        np.subtract.at(left, np.asarray(faces, int), 1)
    if (left < 0).any():
        raise PositionError(f"{FACES.text(np.flatnonzero(left < 0))}: more cards than the pack has of this face")
    return left


def _put(state: Any, name: str, faces: Any) -> None:
    state[name][: len(faces)] = faces
    state[f"{name}_size"] = len(faces)


def _read_ending(lines: Lines, state: Any) -> None:
    numbers = {text: number for number, text in S.ENDINGS.items()}
    match = re.fullmatch(r"(\w+)(?:\s*,\s*seat\s+([0-9]+))?", lines.values["over"])
    with_seat = (T.OUT, T.MATCH)
    if not match or match[1] not in numbers or (numbers[match[1]] in with_seat) != (match[2] is not None):
        said = [text + ", seat S" * (number in with_seat) for number, text in S.ENDINGS.items()]
        raise lines.fail("over", f"expected {'; '.join(said)}; not {lines.values['over']!r:.80}")
    if "turn" in lines:
        raise lines.fail("turn", "a game that is over has no turn")
    state.ending, state.phase = numbers[match[1]], T.OVER
    if match[2] is not None:
        state.winner = lines.seat("over", match[2], int(state.num_players))


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
    return outcome_of(state, ending(state))


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
    rules, n, over = rules_of(state), int(state.num_players), state.phase == T.OVER
    stock = FACES.names_of(state.stock[: state.stock_size][::-1])
    turn = f"turn {state.turns + (not over)} of at most {rules.max_turns}"
    match = f"round {state.rounds + (not over)} of the match to {rules.target}"
    names = ("red threes 0", "red threes 1")
    return Scene(
        title="Canasta",
        rules=f"{rules.text()}, {n} players",
        seats=tuple(_seat(state, seat, viewer) for seat in range(n)),
        areas=(
            Area(
                "pile",
                FACES.names_of(state.pile[: state.pile_size]),
                int(state.pile_size),
                "frozen" if is_frozen(state) else "",
            ),
            Area("stock", stock if viewer is None else (None,) * len(stock), len(stock)),
            *(Area(name, FACES.names_of(reds := _reds(state, side)), len(reds)) for side, name in enumerate(names)),
        ),
        melds=tuple(_meld(side, faces) for side in range(NUM_SIDES) for faces in books_of(state, side)),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else _DECISIONS[int(state.phase)],
        facts=(match, turn) if state.episode == T.MATCH_EPISODE else (turn,),
        result=ending(state),
        points=tuple(int(points) for points in state.points[:n]) if state.rounds or over else (),
    )


def _meld(side: int, faces: list[int]) -> Meld:
    mixed = faces[-1] // NUM_SUITS >= TWO
    note = ("mixed canasta" if mixed else "natural canasta") if len(faces) >= CANASTA else ""
    return Meld(None, side, FACES.names_of(faces), note=note)


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    faces = faces_of(state.hands[seat])
    groups = ([face for face in faces if face // NUM_SUITS == kind] for kind in range(JOKER + 1))
    notes: tuple[str, ...] = ("dealer",) if seat == state.dealer else ()
    if seat == state.seat or (state.phase == S.ANSWER and seat == partner_of(int(state.seat))):
        notes += tuple(word for word in ("opening", "last") if state[word])
    return SeatView(
        seat=seat,
        side=side_of(state, seat),
        hand=tuple(FACES.names_of(group) for group in groups if group) if viewer in (None, seat) else None,
        size=len(faces),
        known=FACES.names_of(faces_of(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == T.MATCH_EPISODE else None,
        notes=notes,
    )


TEXTS = Texts(to_text, from_text, header, explain)
