"""The plain interface of a game for people, tests and notebooks, with the same names for every game.

A game's package exports the methods of one `Plain` as functions:

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
    """The functions of one game that work on single records of its state."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # The bytes of the last state that passed the check: comparing bytes is faster than another check.
        self._sound = b""

    def new(self, num_players: int | None = None, *, seed: int | None = None, **options: Any) -> Any:
        """Deal a new game. Returns one record of the game's state.

        Args:
            num_players: number of players; None for the smallest number.
            seed: 0..2**64 - 1; the same seed gives the same game on every machine and in every interface. None: random.
            options: options of the game: `rules` (a preset, then switches; or a `Rules`), `episode` ("round" or
                "match"), and further options of some games.

        Raises:
            TypeError: the game does not have an option.
            RulesError: an option has an invalid value, or options contradict each other.
            ValueError: an invalid seed.
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
        """Read a state from the bytes of `state.tobytes()`, as a new record. BadState: the bytes are not a position."""
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
        """The index of the action with this text. UnknownAction: no such action; the message has similar texts.

        Cards can be written as in positions: `discard 10♥` is `discard Th`.
        """
        try:
            return self.game.actions.parse(text)
        except UnknownAction:
            with contextlib.suppress(UnknownAction):
                return self.game.actions.parse(respelled(str(text)))
            raise

    def apply(self, state: Any, action: int) -> None:
        """Carry out an action of the seat to move, in place. IllegalAction: not legal; the state stays unchanged."""
        row = self._memory(state)
        if not row.flags.writeable:
            raise ValueError(
                "the state is in read-only memory: continue with a copy (state.copy()), "
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
        """The observation of a seat, as a dict.

        `observation` is uint8 of the record's length. `action_mask` is int8 with one number per action; it is zero
        unless the seat is to move.
        """
        row = self._row(state)
        observation = np.empty(1, self.game.observation)
        mask = np.empty(self.game.num_actions, np.int8)
        kernels_of(self.game).observe_one(row, self._seat(row[0], seat), observation, mask)
        return {"observation": observation.view(np.uint8), "action_mask": mask}

    def fields(self, observation: npt.NDArray[np.uint8]) -> Any:
        """View an observation (uint8) as a record with named fields; a batch of shape (n, bytes) gives n records.

        The result shares the memory of the argument.
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
        """The points by seat, with the sign that the game gives them: of a finished round, or of the match so far."""
        return list(self.game.outcome(self._row(state)[0]).scores)

    def to_text(self, state: Any) -> str:
        """The whole game as text, including hidden cards; `from_text` gives back the same bytes.

        The text contains all hands and the stock, so do not show it to a player. `render.as_text(game, state, seat)`
        writes the table as one seat sees it.
        """
        return self.game.texts.to_text(self._row(state)[0])

    def from_text(self, text: str) -> Any:
        """Read a position text as one record. PositionError: names the wrong line and the reason."""
        return self.game.texts.from_text(text)[0]

    def redeal_hidden(self, state: Any, seat: int, seed: int) -> Any:
        """Another state that looks the same from this seat: the hidden cards are dealt again, from `seed`."""
        other = self._row(state).copy()
        kernels_of(self.game).redeal_hidden_one(other, self._seat(other[0], seat), seed_word(check_seed(seed)))
        return other[0]

    def rules_of(self, state: Any) -> Any:
        """The rules of a state, as a `Rules` object of the game."""
        return self.game.rules_of(self._row(state)[0])

    def recorder(self, state: Any, seed: int | None = None) -> Recorder:
        """Make a recorder that writes down a game from this state on; `seed` is the seed of the deal, if it has one."""
        return Recorder(self.game, self._row(state)[0], seed)

    def replay(self, text: str) -> Any:
        """Replay a game record. Returns an array of its last state. RecordError: the wrong line and the reason."""
        return replay(self.game, text)

    def replay_states(self, text: str) -> list[npt.NDArray[Any]]:
        """All states of a recorded game, each as an array of one: the start, then the state after each action."""
        return replay_states(self.game, text)

    def replay_moves(self, text: str) -> list[Move]:
        """All decisions of a recorded game: the state before each, the seat, and the action."""
        return replay_moves(self.game, text)

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _status(self, state: Any) -> int:
        return int(interpreted(engine.status)(self._row(state)[0]))

    def _seat(self, state: Any, seat: Any) -> int:
        """The seat as an int. ValueError: no such seat."""
        players = int(interpreted(engine.num_seats)(state))
        try:
            number = -1 if isinstance(seat, bool) else operator.index(seat)
        except TypeError:
            number = -1
        if not 0 <= number < players:
            raise ValueError(f"there is no seat {seat!r:.80}: {players} play, seats from 0 on")
        return number

    def _memory(self, state: Any) -> npt.NDArray[Any]:
        """View a record as an array of one, with the game's dtype. It shares the record's memory.

        A record read by `numpy.load` has the same fields, but they are not attributes without this dtype.
        """
        row = np.asarray(state)
        if row.dtype != self.game.state or row.size != 1:
            raise TypeError(
                f"a state is one record of {self.game.state.itemsize} bytes, as new() and from_text() return it; "
                f"not {type(state).__name__} of dtype {row.dtype if row.dtype.names is None else 'with other fields'}, "
                f"size {row.size}"
            )
        return row.reshape(1).view(self.game.state)

    def _row(self, state: Any) -> npt.NDArray[Any]:
        """As `_memory`, but checked, and a copy if the memory is read-only. BadState: the record is not a position."""
        row = writable(self._memory(state))
        content = row.tobytes()
        if content != self._sound:
            check_records(self.game, row)
            self._sound = content
        return row
