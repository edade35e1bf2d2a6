"""Descriptions of the functions, arguments and fields in a C header."""

from __future__ import annotations

from collections.abc import Mapping

# Functions by the name of the entry.
ENTRIES: Mapping[str, str] = {
    "start_one": "Begin an episode at a table from a seed. The state holds the rules and the number of players.",
    "start_next": "Begin the next episode at a table, from the generator in its state.",
    "legal_one": "Write 1 for each legal action, 0 for the others.",
    "apply_one": (
        "Carry out an action. Returns the next seat to move, BANAKIL_OVER, or BANAKIL_ILLEGAL if nothing has changed."
    ),
    "observe_one": "Write what a seat sees, and its legal actions: all 0 for a seat that is not to move.",
    "show_one": "The same as `observe_one`, and the observation as columns for a network.",
    "end_one": (
        "Write the reward of each seat, 0 while the episode goes on. Returns BANAKIL_RUNNING, BANAKIL_TERMINATED or "
        "BANAKIL_TRUNCATED."
    ),
    "redeal_hidden_one": "Deal the cards again that a seat cannot see.",
    "random_play": "Play random legal moves, episode after episode. Returns the number of episodes that have ended.",
    "start_many": "Begin an episode at each table from its seed, and write which seat is to move.",
    "look_many": "Write what the seats to move see, their legal actions, and 64 random bits for each.",
    "move_many": "Carry out an action at some tables each, and write the next seat, BANAKIL_OVER or BANAKIL_ILLEGAL.",
    "first_fault": (
        "Check states, such as those read from a file. Every other function trusts its states. Returns BANAKIL_SOUND, "
        "or row * BANAKIL_FAULTS + the number of the fault."
    ),
    "write_rows": "Write observations as columns for a network, and the face at each depth of the pile.",
    "advance": (
        "Take each row one step on, and let compiled players move until it is the caller's turn or the episode is "
        "over. Rows are independent: threads can share them. Returns the number of rows with an illegal action, whose "
        "`refused` is then 1, or with a fault."
    ),
    "decide_many": "The action of a compiled player for each observation. It sees the observation and the mask only.",
    "play_out_rows": (
        "Let compiled players play copies of states to their end, and write the reward of every seat. Returns the "
        "first row whose move is illegal, or -1."
    ),
    "choose_randomly": "A legal action of each row, each with equal probability; 0 in a row without legal actions.",
    "draw_dice": "The next 64 random bits of some generators.",
    "seed_dice": "Seed every generator.",
}

# Arguments by name, or by `entry.name` if an entry has a different meaning.
ARGUMENTS: Mapping[str, str] = {
    "states": "the tables",
    "seed": "any number",
    "seeds": "a seed for each table",
    "mask": "1 for a legal action",
    "masks": "1 for a legal action",
    "action": "a number of the action table",
    "actions": "a number of the action table for each row",
    "seat": "the observer",
    "seats": "the seat to move, BANAKIL_NOBODY if the episode is over",
    "observations": "what is seen",
    "seen": "observations",
    "end_one.kind": "BANAKIL_MARGIN, BANAKIL_POINTS or BANAKIL_WIN; see BANAKIL_IN_UNITS",
    "decide_many.kind": "of the compiled player",
    "rewards": "by seat",
    "generators": "of random numbers",
    "decide_many.generators": "work space",
    "random_play.moves": "how many",
    "play_out_rows.moves": "the first action of each row, or BANAKIL_NO_MOVE",
    "tables": "numbers of rows, each from 0 to less than n",
    "dice": "64 random bits for each row",
    "advance.dice": "generators for the compiled players and the seating",
    "play_out_rows.dice": "work space",
    "play_out_rows.observations": "work space",
    "play_out_rows.mask": "work space",
    "to_move": "the next seat",
    "cells": "the same records as bytes",
    "rows": "numbers of rows, each from 0 to less than n",
    "out": "a row for each record",
    "features": "a row for each record",
    "advance.cells": "the observations as bytes; NULL: no features",
    "advance.features": "a row for each observation; NULL: none",
    "advance.depths": "the face at each depth of the pile; NULL: no features",
    "depths": "the face at each depth of the pile",
    "first": "the first of `rows` to write",
    "last": "the last of `rows` to write, plus 1",
    "order": "BANAKIL_SERVE, BANAKIL_ACT, ...",
    "autoreset": "BANAKIL_NEXT_STEP, BANAKIL_SAME_STEP or BANAKIL_DISABLED",
    "controls": "a control for each table",
    "opponents": "compiled players to choose from, for each place after the learner",
    "numbers": "the action of each row, or its seed",
    "terminated": "the episode has ended in this step",
    "truncated": "the same by the limit of turns or rounds, if `truncates` of the control is set",
    "finals": "the last state of the last episode that has ended",
    "befores": "NULL: it is for histories",
    "works": "NULL: it is for histories",
    "logs": "NULL: it is for histories",
    "final_logs": "NULL: it is for histories",
    "history": "NULL: it is for histories",
    "kinds": "the compiled player of each seat",
    "reward_kind": "BANAKIL_MARGIN, BANAKIL_POINTS or BANAKIL_WIN",
    "orders": "number of random orders of the stock to average over; 0: the stock as it is",
    "copies": "work space",
}

# Sizes that several arrays share.
SIZES: Mapping[str, str] = {
    "n": "how many records there are",
    "k": "how many rows are named",
    "tables": "how many tables there are",
    "rows": "how many rows are named",
    "choices": "how many compiled players each place has to choose from",
    "shown": "the same as num_tables; 0: no features",
    "kept": "0: no histories",
    "log": "0: no histories",
    "words": "0: no histories",
    "seats": "how many seats there is room for",
    "actions": "the number of actions of the game",
}

# Fields of the control record.
CONTROL: Mapping[str, str] = {
    "seed": "from which the row was last dealt",
    "episodes": "ended since then",
    "unplayed": "ended before the learner's first decision, and dealt again at once",
    "returns": "of the last episode that has ended, by seat",
    "payoff": "the learner's reward in this step",
    "decisions": "of the learner in this episode; without a learner, of all seats",
    "length": "the same for the last episode that has ended",
    "players": "of each seat: a compiled player, or BANAKIL_CALLER",
    "learner": "the learner's seat; BANAKIL_NOBODY: every seat is the caller's",
    "last_learner": "the same in the last episode that has ended",
    "acted": "the seat that moved last by the caller's action",
    "seating": "a seat, or BANAKIL_ROTATING, BANAKIL_RANDOM_SEAT, BANAKIL_EVERY_SEAT",
    "reward": "BANAKIL_MARGIN, BANAKIL_POINTS or BANAKIL_WIN; see BANAKIL_IN_UNITS",
    "truncates": "1: a limit of turns or rounds is a truncation, and not a termination",
    "reported": "the episode is over, and its rewards were written",
    "refused": "the last action was illegal, and nothing has changed",
    "faulty": "1: a compiled player has answered illegally; 2: the learner never gets a turn",
}
