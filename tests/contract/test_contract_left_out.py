"""Is a line that a position leaves out what the rules say? Else the text is refused.

Every line of written positions is left out, one at a time. The page of a game says what holds then.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from contract_cases import each_of_few
from contract_loop import play_at_random
from contract_play import ENDLESS, Case, sampled, start

from banakil_env.core.game import PositionError
from banakil_env.core.kernels import GENERATOR
from banakil_env.kit.line_notes import GIVEN
from banakil_env.text.positions import described

CARDS = {"hand S", "known S", "foot S", "pile", "stock", "melds S", "red threes S", "indicator", "laid"}
HEADER = {"rules", "players", "episode"}
GENERATOR_LINES = {"rng", "seed"}


def key_of(line: str) -> str:
    """The key of a line as pages write it: `hand S`."""
    return re.sub(r" [0-9]$", " S", line.partition(":")[0])


def without_each_line(text: str) -> list[tuple[str, str, str]]:
    """The key of each line, the line, and the text without it."""
    lines = text.splitlines()
    return [(key_of(line), line, "\n".join([*lines[:i], *lines[i + 1 :]])) for i, line in enumerate(lines)]


def said_out_loud(default: str, line: str) -> str | None:
    """The line with the value that its page names for a line left out; None: the page names no plain value."""
    key, _, value = line.partition(": ")
    if default == "zeros":
        return f"{key}: {' '.join('0' for _ in value.split())}"
    if re.fullmatch(r"[0-9]+|`no`|`round`", default):
        return f"{key}: {default.strip('`')}"
    return None


@each_of_few
def test_a_line_left_out_is_what_its_page_says_or_refused(case: Case, long: bool) -> None:
    pages, compared, refused = described(case.game).lines, Counter[str](), Counter[str]()
    for state in sampled(case, long)[:: 1 if long else 2]:
        for key, line, text in without_each_line(case.plain.to_text(state[0])):
            default = pages[key].default
            try:
                read = case.plain.from_text(text)
            except PositionError:
                refused[key] += 1
                continue
            assert default != GIVEN, f"{line!r} left out is not refused"
            spoken = said_out_loud(default, line)
            if spoken is not None:
                compared[key] += 1
                assert case.plain.from_text(f"{text}\n{spoken}").tobytes() == read.tobytes(), (line, default)
    assert refused
    assert compared


@each_of_few
def test_from_a_position_with_a_line_left_out_the_game_goes_on_to_its_end(case: Case, long: bool) -> None:
    ended = 0
    for state in sampled(case, long)[:: 1 if long else 4]:
        for key, line, text in without_each_line(case.plain.to_text(state[0])):
            try:
                read = case.plain.from_text(text)
            except PositionError:
                continue
            ended += 1
            states = np.asarray(read).reshape(1)
            played = play_at_random(case.game, states, np.zeros(1, GENERATOR), ENDLESS)
            assert played >= 0, f"without {key} ({line}) the game comes to a position without a legal action"
            assert case.plain.check(states[0]) is None
            assert case.plain.is_over(states[0])
    assert ended


@each_of_few
def test_at_the_deal_what_is_no_card_follows_from_the_rules(case: Case) -> None:
    """Limits, contracts, needs: a line left out gives the same state, or is refused.

    The first decision of a deal may be asked of a seat with certain cards, such as a tonk: the line `turn` says so.
    """
    refused: set[str] = set()
    for seed in range(20):
        state = start(case, case.seed + seed)
        for key, line, text in without_each_line(case.plain.to_text(state[0])):
            if key in CARDS | HEADER | GENERATOR_LINES | {"dealer", "turn"}:
                continue
            try:
                read = case.plain.from_text(text)
            except PositionError:
                refused.add(key)
                continue
            assert read.tobytes() == state.tobytes(), line
    assert refused <= {"limit", "doubled"}


@each_of_few
def test_the_turn_left_out_is_the_turn_of_the_seat_whose_turn_it_is(case: Case, long: bool) -> None:
    """Where a turn begins with a draw. Or the text is refused: the other lines do not say whose turn it is."""
    for state in sampled(case, long):
        text = case.plain.to_text(state[0])
        turn = re.search(r"^turn: seat \d, (draw|play)\n", text, re.MULTILINE)
        if not turn or (case.name != "yaniv" and turn[1] == "play"):
            continue
        try:
            read = case.plain.from_text(text.replace(turn[0], ""))
        except PositionError:
            continue
        assert case.plain.seat_to_move(read) == case.plain.seat_to_move(state[0]), text
