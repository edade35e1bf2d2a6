"""The plain interface of a game for people, tests and notebooks: the same names for every game.

A game's package offers the methods of one `Plain` as its own functions:

    >>> from banakil_env.games import rummy
    >>> state = rummy.new(num_players=2, seed=7)
    >>> rummy.apply(state, rummy.parse_action("draw"))
    >>> [rummy.action_text(action) for action in rummy.legal_actions(state)][-1]
"""

from __future__ import annotations

import contextlib
import operator
import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core import engine
from banakil_env.core.actions import UnknownAction
from banakil_env.core.checking import check_records, check_states, fault_of
from banakil_env.core.game import RUNNING, TRUNCATED, Game, IllegalAction
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, kernels_of, legal_actions, refusal, writable
from banakil_env.core.random import check_seed, seed_word
from banakil_env.kit.cards import respelled
from banakil_env.kit.records import Move, Recorder, replay, replay_moves, replay_states


class Plain:
    """The functions of one game over single records of its state."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # The bytes of the last state found sound: comparing bytes is quicker than checking the state again.
        self._sound = b""

    def new(self, num_players: int | None = None, *, seed: int | None = None, **options: Any) -> Any:
        """Deal a game: one record of the game's state.

        Args:
            num_players: number of players; None: the fewest.
            seed: 0..2**64 - 1; one seed gives the same game on every machine and in every interface. None: random.
            options: of the game: `rules` (a preset, then switches, or a `Rules`), `episode` ("round" or "match"),
                and the game's own.

        Raises:
            TypeError: an option that the game does not have. RulesError: a value that an option cannot have, or options
                that do not fit together. ValueError: an invalid seed.
        """
        if unknown := sorted(set(options) - set(self.game.option_names)):
            raise TypeError(
                f"new() has no option {', '.join(unknown)}; {self.game.name} takes {', '.join(self.game.option_names)}"
            )
        chosen = {} if num_players is None else {"num_players": num_players}
        states = self.game.new(**chosen, **options)
        kernels_of(self.game).start_one(states, seed_word(secrets.randbits(64) if seed is None else check_seed(seed)))
        return states[0]

    def from_bytes(self, content: bytes) -> Any:
        """The state from the bytes of `state.tobytes()`, as a new record. BadState: the bytes are not a position."""
        if len(content) != self.game.state.itemsize:
            raise ValueError(f"a state of {self.game.title} has {self.game.state.itemsize} bytes, not {len(content)}")
        states = np.frombuffer(bytearray(content), self.game.state)
        check_states(self.game, states)
        return states[0]

    def check(self, state: Any) -> str | None:
        """Why a record is not a position of the game, in words; None if it is a position."""
        return fault_of(self.game, self._memory(state))

    def legal_actions(self, state: Any) -> list[int]:
        """The legal actions of the seat to move, ascending; empty only when the game is over."""
        return legal_actions(self.game, self._row(state))

    def action_text(self, action: int) -> str:
        """The text of an action, such as `discard 7h`. UnknownAction: the index is not in the table."""
        return self.game.actions.text(action)

    def parse_action(self, text: str) -> int:
        """The index of the action that `text` names. UnknownAction: no such action; the nearest texts are named.

        Cards can be written as in positions: `discard 10♥` is `discard Th`.
        """
        try:
            return self.game.actions.parse(text)
        except UnknownAction:
            with contextlib.suppress(UnknownAction):
                return self.game.actions.parse(respelled(str(text)))
            raise

    def apply(self, state: Any, action: int) -> None:
        """Carry out an action of the seat to move, in place. IllegalAction: not legal; the state is unchanged."""
        row = self._memory(state)
        if not row.flags.writeable:
            raise ValueError(
                "the state lies in memory that is read-only: play on with a copy (state.copy()), "
                "or make the state with from_bytes()"
            )
        self._row(state)
        try:
            index = self.game.actions.check(action)
        except UnknownAction as error:
            raise IllegalAction(str(error)) from None
        if kernels_of(self.game).apply_one(row, index) == ILLEGAL:
            raise IllegalAction(refusal(self.game, row[0], index))
        self._sound = row.tobytes()

    def observe(self, state: Any, seat: int) -> dict[str, npt.NDArray[Any]]:
        """The observation of a seat: `observation` (uint8) and `action_mask` (int8; zero unless the seat is to
        move).
        """
        row = self._row(state)
        observation = np.empty(1, self.game.observation)
        mask = np.empty(self.game.num_actions, np.int8)
        kernels_of(self.game).observe_one(row, self._seat(row[0], seat), observation, mask)
        return {"observation": observation.view(np.uint8), "action_mask": mask}

    def fields(self, observation: npt.NDArray[np.uint8]) -> Any:
        """An observation as a record with its fields by name; of a batch (n, bytes), n records.

        A view, no copy.
        """
        dtype = self.game.observation
        if observation.dtype != np.uint8 or observation.shape[-1:] != (dtype.itemsize,):
            raise ValueError(
                f"the record of an observation is uint8 of length {dtype.itemsize}, not {observation.dtype} of shape "
                f'{observation.shape}; environments show it with observation="record"'
            )
        records = observation.view(dtype)[..., 0]
        return records.view(np.recarray) if observation.ndim > 1 else records[()]

    def is_over(self, state: Any) -> bool:
        """Whether the episode has ended, by the rules or by a limit on turns or rounds."""
        return self._status(state) != RUNNING

    def is_truncated(self, state: Any) -> bool:
        """Whether the episode has ended by a limit on turns or rounds.

        Environments report such an end as a termination, unless they are made with `truncate_at_limit=True`.
        """
        return self._status(state) == TRUNCATED

    def seat_to_move(self, state: Any) -> int | None:
        """The seat to move; None when the game is over."""
        seat = int(interpreted(engine.seat_to_move)(self._row(state)[0]))
        return None if seat < 0 else seat

    def scores(self, state: Any) -> list[int]:
        """Points by seat in the game's own sign: of the round when it is over, in a match the score so far."""
        return list(self.game.outcome(self._row(state)[0]).scores)

    def to_text(self, state: Any) -> str:
        """The whole game as text, hidden cards included; reading it back gives the same bytes.

        All hands and the stock are in it: do not give it to a player. `render.as_text(game, state, seat)` writes the
        table as one seat sees it.
        """
        return self.game.texts.to_text(self._row(state)[0])

    def from_text(self, text: str) -> Any:
        """The position that a text describes, one record. PositionError: the line at fault, and why."""
        return self.game.texts.from_text(text)[0]

    def redeal_hidden(self, state: Any, seat: int, seed: int) -> Any:
        """Another state that looks the same from this seat: hidden cards are dealt again, from `seed`."""
        other = self._row(state).copy()
        kernels_of(self.game).redeal_hidden_one(other, self._seat(other[0], seat), seed_word(check_seed(seed)))
        return other[0]

    def rules_of(self, state: Any) -> Any:
        """The rules that a state holds, a `Rules` of the game."""
        return self.game.rules_of(self._row(state)[0])

    def recorder(self, state: Any, seed: int | None = None) -> Recorder:
        """A writer that records a game while it is played, from this state on; `seed`: the seed of the deal, if any."""
        return Recorder(self.game, self._row(state)[0], seed)

    def replay(self, text: str) -> Any:
        """Replay a game record; returns the array of its last state. RecordError: the line at fault, and why."""
        return replay(self.game, text)

    def replay_states(self, text: str) -> list[npt.NDArray[Any]]:
        """Every state of a recorded game, the start first and one more after each action, each an array of one."""
        return replay_states(self.game, text)

    def replay_moves(self, text: str) -> list[Move]:
        """Every decision of a recorded game: the state before it, the seat, the action."""
        return replay_moves(self.game, text)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _status(self, state: Any) -> int:
        return int(interpreted(engine.status)(self._row(state)[0]))

    def _seat(self, state: Any, seat: Any) -> int:
        """The seat as a plain number. ValueError: no such seat."""
        players = int(interpreted(engine.num_seats)(state))
        try:
            number = -1 if isinstance(seat, bool) else operator.index(seat)
        except TypeError:
            number = -1
        if not 0 <= number < players:
            raise ValueError(f"there is no seat {seat!r:.80}: {players} play, seats from 0 on")
        return number

    def _memory(self, state: Any) -> npt.NDArray[Any]:
        """The record as an array of one that shares its memory; its dtype is the game's own.

        A record that `numpy.load` has read has the same fields, but not as attributes.
        """
        row = np.asarray(state)
        if row.dtype != self.game.state or row.size != 1:
            raise TypeError(
                f"a state is one record of {self.game.state.itemsize} bytes, as new() and from_text() give it; "
                f"not {type(state).__name__} of dtype {row.dtype if row.dtype.names is None else 'with other fields'}, "
                f"size {row.size}"
            )
        return row.reshape(1).view(self.game.state)

    def _row(self, state: Any) -> npt.NDArray[Any]:
        """The same, checked; a copy of read-only memory. BadState: the record is not a position of the game."""
        row = writable(self._memory(state))
        content = row.tobytes()
        if content != self._sound:
            check_records(self.game, row)
            self._sound = content
        return row
