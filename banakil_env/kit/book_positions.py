"""The cards of a position in a game of books: hands, what is known of them, red Threes, pile and stock, as lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from banakil_env.core.game import PositionError
from banakil_env.core.random import shuffle
from banakil_env.kit.books import FACES, JOKER_FACE, RED_FACES, add_faces, faces_of
from banakil_env.kit.notation import Lines
from banakil_env.kit.two_sides import NUM_SIDES

_OF_SEATS, _OF_SIDES = ("hand", "known"), ("melds", "red threes")


def reds_of(state: Any, side: int) -> list[int]:
    """The red Threes that a side has laid down, as faces."""
    return [face for face, count in zip(RED_FACES, state.red_threes[side]) for _ in range(int(count))]


def players_of(lines: Lines, numbers: Sequence[int]) -> int:
    """How many play: as said, or one more than the highest seat that has a hand, or the most there can be."""
    named = [int(key.split()[1]) for key in lines.values if re.fullmatch(r"(hand|known) [0-9]", key)]
    players = lines.number("players", max(named, default=numbers[-1] - 1) + 1, 0, 9)
    if players not in numbers:
        raise lines.fail("players", f"expected {' or '.join(map(str, numbers))}, not {players}")
    for key in lines.values:
        match = re.fullmatch(r"(.*) ([0-9])", key)
        if match and match[1] in _OF_SEATS and int(match[2]) >= players:
            raise lines.fail(key, f"there are seats 0 to {players - 1}")
        if match and match[1] in _OF_SIDES and int(match[2]) >= NUM_SIDES:
            raise lines.fail(key, f"there are sides 0 to {NUM_SIDES - 1}")
    return players


def hand_lines(state: Any) -> list[tuple[str, str]]:
    """The lines `hand S` and `known S`."""
    seats = range(int(state.num_players))
    lines = [(f"hand {seat}", FACES.text(faces_of(state.hands[seat]))) for seat in seats]
    return lines + [
        (f"known {seat}", FACES.text(faces_of(state.known[seat]))) for seat in seats if any(state.known[seat])
    ]


def pile_lines(state: Any) -> list[tuple[str, str]]:
    """The lines `red threes S`, `pile` and `stock`."""
    lines = [(f"red threes {side}", FACES.text(reds)) for side in range(NUM_SIDES) if (reds := reds_of(state, side))]
    lines += [("pile", FACES.text(state.pile[: state.pile_size]))]
    return [*lines, ("stock", FACES.text(state.stock[: state.stock_size][::-1]))]


def read_hands(lines: Lines, state: Any) -> None:
    """Read hands and what is known of them into a blank state."""
    for seat in range(int(state.num_players)):
        if f"hand {seat}" not in lines:
            raise PositionError(f"hand {seat}: the line is missing; a position tells what every seat holds")
        for key, stacks in ((f"hand {seat}", state.hands[seat]), (f"known {seat}", state.known[seat])):
            faces = lines.cards(key)
            if any(face in RED_FACES for face in faces):
                raise lines.fail(key, "no hand holds a red Three: it is laid down at once")
            if len(faces) > len(state.stock):
                raise lines.fail(key, f"{len(faces)} cards, and there are {len(state.stock)}")
            add_faces(stacks, faces)


def read_piles(lines: Lines, state: Any, packs: int, jokers: int, melded: list[list[int]]) -> None:
    """Read red Threes, pile and stock; a stock that is left out is the rest of the pack, shuffled if there is a seed.

    Args:
        packs, jokers: what the pack has. melded: the faces of every meld.

    Raises:
        PositionError: there are more cards of a face than in the pack, or some are in no line.
    """
    for side in range(NUM_SIDES):
        for face in lines.cards(f"red threes {side}"):
            if face not in RED_FACES or state.red_threes[side, face - 1] == packs:
                raise lines.fail(f"red threes {side}", f"expected 3d and 3h, at the most {packs} of each")
            state.red_threes[side, face - 1] += 1
    left = np.full(len(FACES), packs)
    left[JOKER_FACE] = jokers
    placed = [faces_of(state.hands[seat]) for seat in range(int(state.num_players))] + melded
    placed += [reds_of(state, side) for side in range(NUM_SIDES)]
    piles = {key: lines.cards(key) for key in ("pile", "stock")}
    for faces in [*placed, *piles.values()]:
        np.subtract.at(left, np.asarray(faces, int), 1)
    if (left < 0).any():
        raise PositionError(f"{FACES.text(np.flatnonzero(left < 0))}: more cards than the pack has of this face")
    if "stock" not in lines:
        rest = np.repeat(np.arange(len(FACES)), left)
        if "seed" in lines:
            shuffle(state, rest, len(rest))
        piles["stock"] = list(rest)
    elif left.any():
        raise PositionError(f"{FACES.text(np.flatnonzero(left))}: in no line; a position tells where all cards are")
    for name, faces in (("pile", piles["pile"]), ("stock", piles["stock"][::-1])):
        state[name][: len(faces)] = faces
        state[f"{name}_size"] = len(faces)
