"""What does a player in OpenSpiel see and remember? Events, their text, and the tensors made of them.

The observation is that of every other interface. The information state adds everything that has happened, as the
player saw it: perfect recall, which an observation lacks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyspiel

from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of

NOBODY = -1
NO_ACTION = -1
NO_CARD = -1
FACE_BITS = 6  # 1 + a face: no pack of the family has more than 53


class Event(NamedTuple):
    """Something that happened: what a seat was dealt, a card turned up, or an action."""

    seat: int  # NOBODY: a card turned up
    text: str  # what everybody saw
    secret: str = ""  # what this seat alone saw: the cards that it was dealt or drew
    action: int = NO_ACTION
    face: int = NO_CARD  # the card drawn
    before: Any = None  # the records before and after the action
    after: Any = None


def recall(events: tuple[Event, ...], player: int) -> str:
    """The text of everything that a player remembers."""
    told = ((event.text, event.secret if event.seat == player else "") for event in events)
    return " | ".join(" ".join(filter(None, parts)) for parts in told if any(parts))


def is_of_a_player(iig_obs_type: Any) -> bool:
    """Whether an observer of this type sees exactly the view of a player; other observers do not exist here."""
    if iig_obs_type is None:
        return True
    return bool(iig_obs_type.public_info) and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER


class View:
    """Writes what a player sees, as tensors and as text; with perfect recall also what it remembers.

    A state of OpenSpiel must have `record`, the record of the game, and `events`.

    Tensors, float32, all within 0..1:
        player (seats): which seat looks on.
        observation (bytes of it): the bytes of the observation, each over the highest that it can be.
        history (actions of the longest deal, 20 for Banakil), with perfect recall: one row per action since the cards
            were dealt, in order. The action's index in binary; the seat that took it, counted from the player on; 1 +
            the card that the player drew, in binary. Deals that were void (B9.9) are remembered in the text alone:
            nothing depends on them.
    """

    def __init__(self, game: Game, iig_obs_type: Any, params: Any, players: int, most_actions: int) -> None:
        if params:
            raise ValueError(f"observers have no parameters; given were {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        self._game, self._kernels = game, kernels_of(game)
        self._action_bits = game.num_actions.bit_length()
        self._remembers = kind.perfect_recall
        shapes: dict[str, tuple[int, ...]] = {"player": (players,), "observation": (game.observation.itemsize,)}
        if self._remembers:
            shapes["history"] = (most_actions, self._action_bits + game.max_seats + FACE_BITS)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict = {}
        first = 0
        for name, shape in shapes.items():
            last = first + int(np.prod(shape))
            self.dict[name] = self.tensor[first:last].reshape(shape)
            first = last

    def set_from(self, state: Any, player: int) -> None:
        """Write the player's view of a state into `tensor`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        np.divide(
            self._observe(state, player),
            self._game.observation_fields.highest_bytes,
            out=self.dict["observation"],
            casting="same_kind",
        )
        if self._remembers:
            for row, event in zip(self.dict["history"], _since_deal(state.events), strict=False):
                self._write_row(row, event, player, state.num_players())

    def string_from(self, state: Any, player: int) -> str:
        """The player's view (the table in words, not for machines) or memory, as text."""
        if self._remembers:
            return f"seat {player} | {recall(state.events, player)}"
        return f"seat {player} | {self._observe(state, player).tobytes().hex()}"

    def _observe(self, state: Any, player: int) -> Any:
        observation, mask = np.empty(1, self._game.observation), np.empty(self._game.num_actions, np.int8)
        self._kernels.observe_one(state.record.reshape(1), player, observation, mask)
        return observation.view(np.uint8)

    def _write_row(self, row: Any, event: Event, player: int, players: int) -> None:
        row[: self._action_bits] = _bits(event.action, self._action_bits)
        row[self._action_bits + (event.seat - player) % players] = 1
        if event.seat == player and event.face != NO_CARD:
            row[-FACE_BITS:] = _bits(1 + event.face, FACE_BITS)


def _since_deal(events: tuple[Event, ...]) -> tuple[Event, ...]:
    first = len(events)
    while first and events[first - 1].action != NO_ACTION:
        first -= 1
    return events[first:]


def _bits(number: int, count: int) -> list[int]:
    return [number >> bit & 1 for bit in range(count)]
