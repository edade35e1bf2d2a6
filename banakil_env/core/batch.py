"""The loop that steps thousands of tables in one call; one source for every game.

`advance` processes rows of an array of states, one by one. A row follows the arrows of this diagram, until it reaches a
result in brackets:

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

A call can also end for a row with an error. [ illegal player ]: a compiled player has chosen an illegal action.
[ never served ]: DEALS_TO_TRY episodes have ended before the caller could decide.

If the caller gives arrays for features, the loop writes the features of each observation for the caller while the
observation is in the processor's cache.

With histories, the loop also records all events, including the moves of compiled players, and writes what the served
seat has seen of them (`core/history.py`). This is a second entry from the same source: without histories, the
functions `_remember`, `_note` etc. are empty.

Rows are independent of each other: the result is the same in any order and on any number of threads. The data of a row
apart from its state are one record of `control_dtype`.
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

# What `advance` does first with a row. ACT_ON is the second half of a step, after one of the caller's players has
# moved: rewards and ends of episodes that the first half has written are kept.
SERVE, ACT, ACT_ON, DEAL, DEAL_FROM_SEED = range(5)

# When a finished table is dealt again: in the next step, in the same step, or on request (DISABLED).
NEXT_STEP, SAME_STEP, DISABLED = range(3)

# The learner's seat: a number from 0 on, or one of these. EVERY_SEAT: there is no learner, and every seat is served.
ROTATING, RANDOM_SEAT, EVERY_SEAT = -1, -2, -3

# The player of a seat: a compiled player (its number, 0 or more), the caller of `advance`, or (PLAYERS - i) the
# caller's i-th player.
CALLER, PLAYERS = -1, -2

NOBODY = -1

# Number of rows in advance for which memory is requested. A memory access takes about as long as processing a row; more
# than four rows in advance gain nothing. A processor limits the number of pending requests and stalls at the next one,
# so the state, the observation and the mask are requested with work in between (docs/performance.md).
ROWS_AHEAD = 4
WORDS_PER_LINE = 8  # in 64 bytes, the unit in which a processor loads memory

# Why a row failed although no action was refused: its compiled player chose an illegal action, or the learner never had
# a turn.
ILLEGAL_PLAYER, NEVER_SERVED = 1, 2
DEALS_TO_TRY = 1000

# Results of the first half of a step.
REFUSED, NOTHING_DONE, ACTED, DEALT = range(4)

# Makes the dice of the players independent of the cards, which are dealt from the same seed.
_DICE = np.uint64(0xD1CE5EED)


def action_of(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    """The action of compiled player number `kind`, or -1 if there is none; a placeholder that `advance_in` binds."""
    raise NotImplementedError


def write(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of an observation and the pile by depth; a placeholder that `advance_in` binds."""
    raise NotImplementedError


@functools.cache
def control_dtype(max_seats: int) -> np.dtype[Any]:
    """The dtype of a row's data apart from its state: settings, players, and the result of the last episode."""
    fields: list[Any] = [
        ("seed", "<u8"),  # of the row's last deal from a seed; later episodes continue from the generator in the state
        ("episodes", "<i8"),  # number of episodes that have ended since that deal
        ("unplayed", "<i8"),  # number of episodes that ended before the caller's first decision
        ("returns", "<f4", max_seats),  # rewards of the last episode that ended, by seat
        ("payoff", "<f4"),  # the learner's reward in this step
        ("decisions", "<i4"),  # number of the caller's decisions in this episode, over all its seats
        ("length", "<i4"),  # `decisions` of the last episode that ended
        ("players", "<i2", max_seats),  # the player of each seat
        ("learner", "i1"),  # the learner's seat; NOBODY if every seat is served
        ("last_learner", "i1"),  # `learner` of the last episode that ended
        ("acted", "i1"),  # the seat that was served last and has moved
        ("seating", "i1"),  # a seat, ROTATING, RANDOM_SEAT or EVERY_SEAT
        ("reward", "i1"),  # a number that core.game.reward_kind returns
        ("truncates", "i1"),  # whether a limit of turns or rounds is reported as a truncation, not as a termination
        ("reported", "i1"),  # the episode is over and has been reported
        ("refused", "i1"),  # the last action was illegal
        ("faulty", "i1"),  # ILLEGAL_PLAYER or NEVER_SERVED
    ]
    return record_dtype(*fields, align=True)


@inlined
def _seat_players(state: Any, control: Any, dice: Any, opponents: Any) -> None:
    """Choose the learner's seat for a new episode, and the players of the other seats in the order of play after it."""
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
    """Deal the next episode from the current state of its generator, and choose the learner's seat and the players."""
    start_episode(state)
    _seat_players(state, control, dice, opponents)


@inlined
def _report(state: Any, control: Any, final: Any, rewards: Any, terminated: Any, truncated: Any, row: int) -> None:
    """End the episode of a row: write the rewards of all seats, and whether it was terminated or truncated.

    The last state is copied into `final`.
    """
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
    """The first half of a step: deal, or carry out the action.

    `number` is the action, or with DEAL_FROM_SEED the seed.

    Returns:
        NOTHING_DONE, DEALT, ACTED, or REFUSED if the action is illegal; then nothing has changed.
    """
    if order == SERVE:
        return NOTHING_DONE
    if order == DEAL_FROM_SEED:
        start(state, np.uint64(number))  # type: ignore[arg-type]  # compiled, it takes a uint64
        seed_generator(dice, np.uint64(number) ^ _DICE)  # type: ignore[arg-type]  # compiled, it takes a uint64
        if control.seating == ROTATING:  # `_seat_players` advances this to the seat of the first learner
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
    """Set the rewards and the payoff of a row to 0 and its end flags to False, before the next step writes them."""
    for seat in range(rewards.shape[1]):
        rewards[row, seat] = 0
    control.payoff = 0
    terminated[row] = False
    truncated[row] = False


@inlined
def _show_end(state: Any, control: Any, observation: Any, mask: Any) -> int:
    """Write the learner's observation and an empty mask at the end of an episode. Returns the seat of the observation.

    Without a learner, the seat that moved last observes.
    """
    seat = control.acted if control.learner == NOBODY else control.learner
    observe(state, seat, observation)
    clear_cells(mask)
    return seat


@inlined
def _carried_out(state: Any, action: int, mask: Any) -> int:
    """Carry out the action that a compiled player has chosen, and return it; -1 if it is illegal and nothing has
    changed.
    """
    if action < 0 or action >= mask.shape[0] or not mask[action]:
        return -1
    carry_out(state, action)
    return action


# Histories ------------------------------------------------------------------------------------------------------------


def _remember(state: Any, befores: Any, at: int) -> None:
    """Copy the state before an action into `befores[at]`.

    `at` is the first row of this call: parallel calls use different rows.
    """
    befores[at] = state


def _note(befores: Any, at: int, action: int, state: Any, works: Any, logs: Any, row: int) -> None:
    """Add the events of the action that led from `befores[at]` to `state` to the row's log."""
    write_events(befores[at], action, state, works, at, logs[row])


def _forget(state: Any, logs: Any, row: int) -> None:
    """Begin the log of a new episode with its deal."""
    clear_log(logs[row])
    write_deal(state, logs[row])


def _keep_log(logs: Any, row: int, final_logs: Any) -> None:
    """Copy the log of the episode that has ended into `final_logs`."""
    for i in range(logs.shape[1]):
        final_logs[row, i] = logs[row, i]


def _expect(words: Any, row: int) -> None:
    """Request the memory of one row of `words` (logs or histories) before it is used."""
    cells = words[row]
    for first in range(0, cells.shape[0], WORDS_PER_LINE):
        fetch_ahead(cells[first : first + WORDS_PER_LINE])


def _tell(state: Any, seat: int, logs: Any, row: int, history: Any) -> None:
    """Write into `history` what a seat has seen of the last events in the row's log."""
    write_history(logs[row], seat, num_seats(state), history[row])


# The same functions without histories: the arrays have no rows.


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
    """Take each of `rows` one step further and serve the next seat to move. Returns the number of rows that refused or
    failed.

    Args:
        order: SERVE (write only), ACT, ACT_ON, DEAL or DEAL_FROM_SEED.
        autoreset: NEXT_STEP, SAME_STEP or DISABLED.
        states, controls, dice: one record per table (n). The dice (GENERATOR) are for compiled players and the seating.
        opponents: int64 (seats - 1, choices), the players that can be chosen for each place after the learner.
        numbers: int64 (n,), the action of each row, or the bits of its seed.
        rows: int64 (k,), the rows to step.
        observations, masks, rewards, terminated, truncated, seats, finals: n rows each, written in place.
        cells: the bytes of the observations.
        features, depths: n rows to write features into; with no rows, nothing is written.
        befores, works: n state records each, work space for histories.
        logs, final_logs, history: n rows of int64 each (`core.history`): the events of the current episode, those of
            the last episode that ended, and what the served seat has seen. Without histories, the five arrays from
            `befores` on have no rows.
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
        declare: adds an entry to a library (`Library.entry`).
        game: the game.
        action_of: chooses for every compiled player, `(kind, observation, mask, generator) -> action`.
        histories: whether to write histories; without them, the five arrays for histories have no rows.
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


# The library of functions that are the same for every game.
_COMMON = Library("tables")


def _choose_randomly(masks: Any, generators: Any, actions: Any) -> None:
    """Choose a legal action of every row, each with equal probability; 0 in a row without legal actions."""
    for row in range(masks.shape[0]):
        mask = masks[row]
        count = count_legal(mask)
        actions[row] = legal_at(mask, random_below(generators[row], count)) if count else 0


def _draw_dice(generators: Any, rows: Any, dice: Any) -> None:
    """Draw 64 random bits (uint64) from the generator of each of `rows`, and write them into `dice`."""
    for k in range(rows.shape[0]):
        dice[k] = random_bits(generators[rows[k]])


def _seed_dice(generators: Any, seeds: Any) -> None:
    """Seed each generator with the number at its index in `seeds` (uint64)."""
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
