"""What must a game provide? The seam between the rules of one game and everything that serves all of them.

A game is a NumPy dtype and compiled functions over one record of it; `kernels.py` makes loops over arrays of records
out of them, and the faces in `envs/` know nothing else. Seats are numbered in the order of play. One seat is to move
at a time; a game in which several may speak lets them do so one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# What `status` of a game answers.
RUNNING, TERMINATED, TRUNCATED = range(3)


class IllegalAction(ValueError):
    """An action that may not be carried out; the game is as it was."""


@dataclass(frozen=True, eq=False)
class Game:
    """One game of the family.

    Attributes:
        name: of the folder and the environment, `banakil` in `rummy/banakil-v0`.
        version: raised with every change of behaviour.
        state: dtype of the whole game, its rules, generator (`rng`) and scores included.
        observation: dtype of what one seat sees; its bytes are the observation vector.
        highest: the highest value of every byte of an observation, uint8.
        full_state: dtype of all there is, for central critics.
        num_actions: actions are 0..num_actions - 1; `core.masks` needs 32 or more.
        rewards: names of the kinds of reward, and what `reward` takes for them.
        baselines: names of the rule-based players, and the place of each in `players`.

    Compiled functions over a record `state`:
        start(state, seed): begin an episode; the record holds the rules, all else is made. `seed` is uint64.
        start_episode(state): begin the next episode from the generator as it stands.
        legal_mask(state, mask): write 1 for the legal actions and 0 for the others (int8, num_actions).
        apply(state, action) -> bool: carry out; False if illegal, and nothing has changed.
        carry_out(state, action): the same for an action known to be legal, unchecked.
        observe(state, seat, out): write what a seat sees into the record `out`.
        seat_to_move(state) -> seat; num_seats(state); status(state) -> RUNNING, TERMINATED or TRUNCATED.
        reward(state, seat, kind) -> float: 0 until the episode is over.
        redeal_hidden(state, seat, seed): deal anew what the seat cannot see, in place.
        players: of each rule-based player, by its number, what it does: act(observation, mask, generator) -> action. It
            gets a record of `observation` of the seat to move, the mask (int8, num_actions) and a record with a
            generator `rng` of its own, no state.

    Functions in Python:
        new(**options): an array of one state, ready to play; the options of the environments go here.
        new_options: the names of those options, for error messages.
        action_text(action), describe(state): the text of an action, of a whole state.
        explain(state, action): why an action is refused, what is legal: the text of the error.
        result(state, seat): what a seat's info says when the episode is over.
        write_full_state(state): the bytes of a `full_state` record, uint8.
    """

    name: str
    version: int
    max_seats: int
    num_actions: int
    state: np.dtype[Any]
    observation: np.dtype[Any]
    highest: npt.NDArray[np.uint8]
    full_state: np.dtype[Any]
    rewards: Mapping[str, int]
    start: Callable[[Any, int], None]
    start_episode: Callable[[Any], None]
    legal_mask: Callable[[Any, Any], None]
    apply: Callable[[Any, int], bool]
    carry_out: Callable[[Any, int], None]
    observe: Callable[[Any, int, Any], None]
    seat_to_move: Callable[[Any], int]
    num_seats: Callable[[Any], int]
    status: Callable[[Any], int]
    reward: Callable[[Any, int, int], float]
    redeal_hidden: Callable[[Any, int, int], None]
    baselines: Mapping[str, int]
    players: tuple[Callable[[Any, Any, Any], int], ...]
    new: Callable[..., npt.NDArray[Any]]
    new_options: tuple[str, ...]
    action_text: Callable[[int], str]
    describe: Callable[[Any], str]
    explain: Callable[[Any, Any], str]
    result: Callable[[Any, int], dict[str, Any]]
    write_full_state: Callable[[Any], npt.NDArray[np.uint8]]

    @property
    def id(self) -> str:
        """The name under which the environment is registered."""
        return f"rummy/{self.name}-v{self.version}"
