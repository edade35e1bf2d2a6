"""Steps thousands of tables in one call: the loop of the batch, one source for every game.

`advance` takes rows of an array of states, one by one. A row goes through these states, and the call ends for it at a
state in brackets:

      SERVE, ACT_ON                        DEAL, DEAL_FROM_SEED, or ACT on an episode that is over (NEXT_STEP)
            |                                                       |
            |      ACT: the action is carried out                   | cards are dealt, seats are chosen
            v      (or refused: nothing has changed)                v
          +-----------------------------------------------------------+
          |                is the episode over?                       |<---------------------+
          +-----------------------------------------------------------+                      |
            | no                                              | yes                          |
            v                                                 v                              |
      the seat to move is shown what it sees       has the caller decided anything?          |
            |                    |                    | no              | yes, or no learner |
            | a caller's seat    | a compiled         |                 v                    |
            v                    | player's           |        rewards to all seats          |
        [ served ]               v                    |        SAME_STEP |      | others     |
                            it moves -----------------+------------------+      v            |
                                 |                    (dealt again)      |   [ over ]        |
                                 +-----------------------------------------------------------+

The two ways out that are errors: [ illegal player ], a compiled player has answered illegally; [ never served ],
DEALS_TO_TRY episodes have ended before the caller could decide.

Where there is room for features, the loop writes those of each observation that it shows to a seat outside, while the
observation is in the processor's cache.

With histories, the loop also writes down what happens, the moves of compiled players included, and what the seat that
is served has seen of it (`core/history.py`). That is a second entry, made of the same source: without histories the
functions `_remember` and so on are empty.

Rows are independent of each other: the result is the same in any order and on any number of threads. What a row needs
apart from its state is one record of `control_dtype`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.core.bits import clear_cells, fetch_ahead
from banakil_env.core.engine import (
    apply,
    carry_out,
    legal_mask,
    num_seats,
    observe,
    scaled_reward,
    seat_to_move,
    start,
    start_episode,
    status,
    write_deal,
    write_events,
)
from banakil_env.core.game import TRUNCATED, Game
from banakil_env.core.history import clear_log, write_history
from banakil_env.core.jit import INT, Entry, Library, bind_inlined, inlined, read, rows_of, written
from banakil_env.core.kernels import GENERATOR, shown_arrays
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.random import random_below, random_bits, seed_generator
from banakil_env.core.record_type import record_dtype

# What `advance` does with a row first. ACT_ON is the second part of a step, after a player outside has moved: the
# reports of the first part stay.
SERVE, ACT, ACT_ON, DEAL, DEAL_FROM_SEED = range(5)

# When a finished table is dealt again: in the next step, in the same step, or on request.
NEXT_STEP, SAME_STEP, DISABLED = range(3)

# Where the learner sits: a seat from 0 on, or one of these. EVERY_SEAT: there is no learner, each seat is served.
ROTATING, RANDOM_SEAT, EVERY_SEAT = -1, -2, -3

# Who plays a seat: a compiled player (its kind, from 0 on), the caller of `advance`, or from PLAYERS down one of the
# caller's own players.
CALLER, PLAYERS = -1, -2

NOBODY = -1

# How many rows in advance the memory of a row is requested. Memory takes about as long to answer as a row takes to
# process; more than four rows in advance gain nothing. A processor has a limit on requests in flight and stalls at the
# next one, so the state, the observation and the mask are requested with work in between (docs/performance.md).
ROWS_AHEAD = 4
WORDS_PER_LINE = 8  # of memory, 64 bytes

# Why a row failed without refusing an action: its compiled player answered illegally; the learner never gets a turn.
ILLEGAL_PLAYER, NEVER_SERVED = 1, 2
DEALS_TO_TRY = 1000

# What the first half of a step has done.
REFUSED, NOTHING_DONE, ACTED, DEALT = range(4)

# Separates the dice of the players from the cards: two uses of one seed give unrelated numbers.
_DICE = np.uint64(0xD1CE5EED)


def action_of(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    """The action of the compiled player of this kind; -1: there is no such player. Bound to the players of a game."""
    raise NotImplementedError


def write(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of an observation, and the faces of the pile by depth; bound to those of a game."""
    raise NotImplementedError


@functools.cache
def control_dtype(max_seats: int) -> np.dtype[Any]:
    """The dtype of the data of a row apart from its state: its players, and the result of the last episode."""
    fields: list[Any] = [
        ("seed", "<u8"),  # that the row was last dealt from; later episodes continue from the generator in the state
        ("episodes", "<i8"),  # ended since then
        ("unplayed", "<i8"),  # ended before the caller's first decision, and dealt again at once
        ("returns", "<f4", max_seats),  # of the last episode that ended, by seat
        ("payoff", "<f4"),  # the learner's reward in this step
        ("decisions", "<i4"),  # of the caller in this episode, at whichever seat
        ("length", "<i4"),  # the same for the last episode that ended
        ("players", "<i2", max_seats),  # who plays each seat
        ("learner", "i1"),  # the learner's seat, NOBODY if every seat is served
        ("last_learner", "i1"),  # the same in the last episode that ended
        ("acted", "i1"),  # the seat that was served last and moved
        ("seating", "i1"),  # a seat, ROTATING, RANDOM_SEAT or EVERY_SEAT
        ("reward", "i1"),  # a number of core.game.reward_kind
        ("truncates", "i1"),  # a limit of turns or rounds is reported as a truncation, not as a termination
        ("reported", "i1"),  # the episode is over and has been reported
        ("refused", "i1"),  # the last action was illegal
        ("faulty", "i1"),  # ILLEGAL_PLAYER or NEVER_SERVED
    ]
    return record_dtype(*fields, align=True)


@inlined
def _seat_players(state: Any, control: Any, dice: Any, opponents: Any) -> None:
    """Choose the learner's seat for a new episode and the players of the other seats, in the order of play after it."""
    seats = num_seats(state)
    control.decisions = 0
    control.reported = 0
    if control.seating == EVERY_SEAT:
        return
    if control.seating == ROTATING:
        learner = (control.learner + 1) % seats
    elif control.seating == RANDOM_SEAT:
        learner = random_below(dice, seats)
    else:
        learner = control.seating
    control.learner = learner
    control.players[learner] = CALLER
    choices = opponents.shape[1]
    for place in range(1, seats):
        choice = random_below(dice, choices) if choices > 1 else 0
        control.players[(learner + place) % seats] = opponents[place - 1, choice]


@inlined
def _deal_again(state: Any, control: Any, dice: Any, opponents: Any) -> None:
    """The next episode, from the generator as it stands."""
    start_episode(state)
    _seat_players(state, control, dice, opponents)


@inlined
def _report(state: Any, control: Any, final: Any, rewards: Any, terminated: Any, truncated: Any, row: int) -> None:
    """End an episode: write the reward of every seat and the reason for the end, and keep the last state."""
    kind = control.reward
    for seat in range(num_seats(state)):
        worth = scaled_reward(state, seat, kind)
        rewards[row, seat] = worth
        control.returns[seat] = worth
    if control.learner != NOBODY:
        control.payoff = control.returns[control.learner]
    truncated[row] = control.truncates != 0 and status(state) == TRUNCATED
    terminated[row] = not truncated[row]
    final[row] = state
    control.last_learner = control.learner
    control.length = control.decisions
    control.episodes += 1
    control.reported = 1


@inlined
def _begin(state: Any, control: Any, dice: Any, opponents: Any, order: int, autoreset: int, number: int) -> int:
    """The first half of a step: deal, or carry out the action. REFUSED: it is not legal, and nothing has changed."""
    if order == SERVE:
        return NOTHING_DONE
    if order == DEAL_FROM_SEED:
        start(state, np.uint64(number))  # type: ignore[arg-type]  # compiled, it takes a uint64
        seed_generator(dice, np.uint64(number) ^ _DICE)  # type: ignore[arg-type]  # compiled, it takes a uint64
        if control.seating == ROTATING:  # the next one is the first learner's seat
            control.learner = (np.uint64(number) + np.uint64(num_seats(state) - 1)) % np.uint64(num_seats(state))
        control.seed = np.uint64(number)
        control.episodes = 0
        control.unplayed = 0
        _seat_players(state, control, dice, opponents)
        return DEALT
    if order == DEAL or (order == ACT and autoreset != DISABLED and status(state)):
        _deal_again(state, control, dice, opponents)
        return DEALT
    seat = seat_to_move(state)
    if not apply(state, number):
        return REFUSED
    control.acted = seat
    control.decisions += control.players[seat] == CALLER
    return ACTED


@inlined
def _clear_outcome(control: Any, rewards: Any, terminated: Any, truncated: Any, row: int) -> None:
    """Clear the results of the step."""
    for seat in range(rewards.shape[1]):
        rewards[row, seat] = 0
    control.payoff = 0
    terminated[row] = False
    truncated[row] = False


@inlined
def _show_end(state: Any, control: Any, observation: Any, mask: Any) -> int:
    """Report the end of an episode with the learner's view (without a learner: of the last seat to move), no action.

    Returns the seat whose view it is.
    """
    seat = control.acted if control.learner == NOBODY else control.learner
    observe(state, seat, observation)
    clear_cells(mask)
    return seat


@inlined
def _carried_out(state: Any, action: int, mask: Any) -> int:
    """Carry out the answer of a compiled player, and return it. -1: it is not legal, and nothing has changed."""
    if action < 0 or action >= mask.shape[0] or not mask[action]:
        return -1
    carry_out(state, action)
    return action


# Histories ------------------------------------------------------------------------------------------------------------


def _remember(state: Any, befores: Any, at: int) -> None:
    """Keep the state before an action. Calls that run at once have different `at`: the first row of each."""
    befores[at] = state


def _note(befores: Any, at: int, action: int, state: Any, works: Any, logs: Any, row: int) -> None:
    """Write down what the action has done."""
    write_events(befores[at], action, state, works, at, logs[row])


def _forget(state: Any, logs: Any, row: int) -> None:
    """A new episode: its history begins with the deal."""
    clear_log(logs[row])
    write_deal(state, logs[row])


def _keep_log(logs: Any, row: int, final_logs: Any) -> None:
    """Keep the history of the episode that has ended."""
    for i in range(logs.shape[1]):
        final_logs[row, i] = logs[row, i]


def _expect(words: Any, row: int) -> None:
    """Request the memory of a row of a log or of a history."""
    cells = words[row]
    for first in range(0, cells.shape[0], WORDS_PER_LINE):
        fetch_ahead(cells[first : first + WORDS_PER_LINE])


def _tell(state: Any, seat: int, logs: Any, row: int, history: Any) -> None:
    """Write what a seat has seen of the last events."""
    write_history(logs[row], seat, num_seats(state), history[row])


# The same without histories: the arrays have no rows.


def _remember_nothing(state: Any, befores: Any, at: int) -> None:
    return


def _note_nothing(befores: Any, at: int, action: int, state: Any, works: Any, logs: Any, row: int) -> None:
    return


def _forget_nothing(state: Any, logs: Any, row: int) -> None:
    return


def _keep_nothing(logs: Any, row: int, final_logs: Any) -> None:
    return


def _expect_nothing(words: Any, row: int) -> None:
    return


def _tell_nothing(state: Any, seat: int, logs: Any, row: int, history: Any) -> None:
    return


def _advance(
    order: int,
    autoreset: int,
    states: Any,
    controls: Any,
    dice: Any,
    opponents: Any,
    numbers: Any,
    rows: Any,
    observations: Any,
    masks: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    seats: Any,
    finals: Any,
    cells: Any,
    features: Any,
    depths: Any,
    befores: Any,
    works: Any,
    logs: Any,
    final_logs: Any,
    history: Any,
) -> int:
    """Take each of `rows` one step on, and serve the next seat to move; returns how many rows have refused or failed.

    Args:
        order: SERVE (write only), ACT, ACT_ON, DEAL or DEAL_FROM_SEED.
        autoreset: NEXT_STEP, SAME_STEP or DISABLED.
        states, controls, dice: the tables, n records each; the dice (GENERATOR) are for the compiled players and the
            seating.
        opponents: int64 (seats - 1, choices): players to choose from for each place after the learner.
        numbers: int64, n: the action of each row, or the bits of its seed.
        rows: int64, k: which rows.
        observations, masks, rewards, terminated, truncated, seats, finals: n rows each, filled in place.
        cells, features, depths: the bytes of the observations, and their features, for n rows; no rows: they are not
            written.
        befores, works: with histories n records of a state each, work space. logs, final_logs, history: n rows of int64
            each (`core.history`): of the present episode, of the last one that ended, and what the served seat has
            seen. Without histories these five have no rows.
    """
    failed, at = 0, rows[0] if rows.shape[0] else 0
    for k in range(rows.shape[0]):
        row = rows[k]
        coming = rows[k + ROWS_AHEAD] if k + ROWS_AHEAD < rows.shape[0] else row
        fetch_ahead(states[coming])
        fetch_ahead(controls[coming])
        state, control, mask = states[row], controls[row], masks[row]
        if order != ACT_ON:
            _clear_outcome(control, rewards, terminated, truncated, row)
        control.faulty = 0
        _remember(state, befores, at)
        _expect(logs, coming)
        done = _begin(state, control, dice[row], opponents, order, autoreset, numbers[row])
        if done == ACTED:
            _note(befores, at, numbers[row], state, works, logs, row)
        elif done == DEALT:
            _forget(state, logs, row)
        control.refused = done == REFUSED
        failed += done == REFUSED
        deals = 0
        while True:
            if status(state):
                if not control.reported:
                    if control.learner != NOBODY and control.decisions == 0:
                        control.unplayed += 1
                        deals += 1
                        if deals == DEALS_TO_TRY:
                            control.faulty = NEVER_SERVED
                            failed += 1
                            seats[row] = NOBODY
                            break
                        _deal_again(state, control, dice[row], opponents)
                        _forget(state, logs, row)
                        continue
                    _report(state, control, finals, rewards, terminated, truncated, row)
                    _keep_log(logs, row, final_logs)
                if autoreset == SAME_STEP:
                    _deal_again(state, control, dice[row], opponents)
                    _forget(state, logs, row)
                    continue
                shown = _show_end(state, control, observations[row], mask)
                if row < features.shape[0]:
                    write(observations[row], cells[row], features[row], depths[row])
                _tell(state, shown, logs, row, history)
                seats[row] = NOBODY
                break
            seat = seat_to_move(state)
            fetch_ahead(observations[coming])
            observe(state, seat, observations[row])
            fetch_ahead(masks[coming])
            legal_mask(state, mask)
            seats[row] = seat
            player = control.players[seat]
            if player < 0:
                _expect(history, coming)
                _tell(state, seat, logs, row, history)
                if row < features.shape[0]:
                    write(observations[row], cells[row], features[row], depths[row])
                break
            _remember(state, befores, at)
            action = _carried_out(state, action_of(player, observations[row], mask, dice[row]), mask)
            if action >= 0:
                _note(befores, at, action, state, works, logs, row)
            else:
                control.faulty = ILLEGAL_PLAYER
                failed += 1
                break
    return failed


_HISTORIES: dict[str, Callable[..., None]] = {
    "_remember": _remember_nothing,
    "_note": _note_nothing,
    "_forget": _forget_nothing,
    "_keep_log": _keep_nothing,
    "_expect": _expect_nothing,
    "_tell": _tell_nothing,
}


def advance_in(
    declare: Callable[..., Entry], game: Game, action_of: Callable[[int, Any, Any, Any], int], *, histories: bool
) -> Entry:
    """`_advance` bound to the compiled players of a game, declared in a library.

    Args:
        action_of: the decision of every compiled player, `(kind, observation, mask, generator) -> action`.
        histories: whether to write histories; otherwise the five arrays for them have no rows.
    """
    calls: dict[str, Any] = {"action_of": action_of, "write": game.features.write}
    for name, nothing in _HISTORIES.items():
        piece = globals()[name] if histories else nothing
        calls[name] = bind_inlined(piece, f"{game.name}{piece.__name__}")
    n, seats = "tables", game.max_seats
    kept = n if histories else "kept"
    arguments = {
        "order": INT,
        "autoreset": INT,
        "states": written(game.state, n),
        "controls": written(control_dtype(seats), n),
        "dice": written(GENERATOR, n),
        "opponents": read("i8", seats - 1, "choices"),
        "numbers": read("i8", n),
        "rows": rows_of(n, "rows"),
        "observations": written(game.observation, n),
        "masks": written("i1", n, game.num_actions),
        "rewards": written("f4", n, seats),
        "terminated": written("?", n),
        "truncated": written("?", n),
        "seats": written("i8", n),
        "finals": written(game.state, n),
        **shown_arrays(game, "shown"),
        "befores": written(game.state, kept),
        "works": written(game.state, kept),
        "logs": written("i8", kept, "log"),
        "final_logs": written("i8", kept, "log"),
        "history": written("i8", kept, "words"),
    }
    return declare(_advance, arguments, result=True, long=True, **calls)


# What the tables of every game have in common.
_COMMON = Library("tables")


def _choose_randomly(masks: Any, generators: Any, actions: Any) -> None:
    """One of the legal actions of every row, each with equal probability; 0 in a row without legal actions."""
    for row in range(masks.shape[0]):
        mask = masks[row]
        count = count_legal(mask)
        actions[row] = legal_at(mask, random_below(generators[row], count)) if count else 0


def _draw_dice(generators: Any, rows: Any, dice: Any) -> None:
    """The next 64 random bits (uint64) of some generators, row by row."""
    for k in range(rows.shape[0]):
        dice[k] = random_bits(generators[rows[k]])


def _seed_dice(generators: Any, seeds: Any) -> None:
    """Start every generator from its seed (uint64)."""
    for i in range(generators.shape[0]):
        seed_generator(generators[i], seeds[i])


_DICE_ARGUMENTS = {"generators": written(GENERATOR, "n"), "rows": rows_of("n", "k"), "dice": written("u8", "k")}

choose_randomly = _COMMON.entry(
    _choose_randomly,
    {"masks": read("i1", "n", "actions"), "generators": written(GENERATOR, "n"), "actions": written("i8", "n")},
    long=True,
)
draw_dice = _COMMON.entry(_draw_dice, _DICE_ARGUMENTS)
seed_dice = _COMMON.entry(_seed_dice, {"generators": written(GENERATOR, "n"), "seeds": read("u8", "n")})
