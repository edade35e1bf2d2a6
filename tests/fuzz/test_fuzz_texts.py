"""Is a damaged text refused with its own error, or sound? Positions, game records and rules, of every game."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest
from contract_play import Case, few_cases_of, plain_of, plain_play, sampled
from fuzz_damage import DAMAGES, bytes_damaged

from banakil_env.core.game import PositionError
from banakil_env.games import GAMES, find
from banakil_env.kit import switches
from banakil_env.kit.records import RecordError, replay
from banakil_env.kit.switches import RulesError

HANG = 20.0  # seconds of the processor that no text may take: with a large heap, collecting garbage alone takes two


def damaged(text: str, dice: random.Random) -> str:
    """The text with one to three things wrong, or other bytes."""
    if dice.random() < 0.1:
        return bytes_damaged(text.encode(), dice).decode("utf-8", "surrogateescape")
    lines = text.splitlines()
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        if any(line.split() for line in lines):
            lines = dice.choice(DAMAGES)(lines, dice)
    return "\n".join(lines)


def soon(read: Callable[[str], None], text: str) -> None:
    """Read the text; it must not take long, by the clock of the process, which other work does not slow down."""
    begun = time.process_time()
    read(text)
    assert time.process_time() - begun < HANG


def recorded(case: Case, dice: random.Random) -> str:
    """The beginning of a game as a record."""
    plain = case.plain
    seed = dice.randrange(1 << 60)
    state = plain.new(**case.options, seed=seed)
    recorder = plain.recorder(state, seed=seed if dice.random() < 0.5 else None)
    for _, _, _, _, action in plain_play(case, seed, dice.choice((5, 20, 80))):
        recorder.note(state, action)
        plain.apply(state, action)
    return recorder.text(state)


def texts(name: str, make: Callable[[Case, random.Random], list[str]], dice: random.Random) -> Iterator[str]:
    """Damaged texts of a game, without end: fifty of each table in turn."""
    while True:
        good = make(dice.choice(few_cases_of(name)), dice)
        for _ in range(50):
            yield damaged(dice.choice(good), dice)


def prepare(name: str) -> None:
    """Compile whatever reading a text needs: that takes its time, and is no hang."""
    case = few_cases_of(name)[0]
    text = recorded(case, random.Random(1))
    state = replay(case.game, text)[0]
    assert case.plain.check(case.plain.from_text(case.plain.to_text(state))) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_position_is_refused_or_round_trips(name: str, long: bool) -> None:
    plain, dice = plain_of(name), random.Random(f"positions of {name}")
    found = texts(name, lambda case, _: [case.plain.to_text(state[0]) for state in sampled(case, False)], dice)
    refused, count = 0, 20_000 if long else 150
    prepare(name)

    def read(text: str) -> None:
        nonlocal refused
        said = ""
        try:
            state = plain.from_text(text)
        except PositionError as error:
            said = str(error)
        if said:
            refused += 1
            assert len(said) < 2000, text
            return
        assert plain.check(state) is None, text
        assert plain.is_over(state) or plain.legal_actions(state), text
        assert plain.from_text(plain.to_text(state)).tobytes() == state.tobytes(), text

    for _ in range(count):
        soon(read, next(found))
    assert refused > count / 4


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_record_is_refused_or_replayed(name: str, long: bool) -> None:
    plain, dice = plain_of(name), random.Random(f"records of {name}")
    found = texts(name, lambda case, dice: [recorded(case, dice)], dice)
    refused, count = 0, 5_000 if long else 50
    prepare(name)

    def read(text: str) -> None:
        nonlocal refused
        said = ""
        try:
            states = replay(find(name), text)
        except RecordError as error:
            said = str(error)
        if said:
            refused += 1
            assert len(said) < 2000, text
            return
        assert plain.check(states[0]) is None, text

    for _ in range(count):
        soon(read, next(found))
    assert refused > count / 4


@pytest.mark.parametrize("name", GAMES)
def test_damaged_rules_are_refused_or_written_back(name: str, long: bool) -> None:
    rules, dice = find(name).rules, random.Random(f"rules of {name}")
    assert issubclass(rules, switches.Rules)
    known = [each.text() for each in rules.presets.values()]
    words = [*rules.presets, *(f"{switch}=yes" for switch in rules.switches()), "=", "yes", "1", "none"]
    refused, count = 0, 20_000 if long else 300
    for _ in range(count):
        text = f"{dice.choice(known)} {dice.choice(words)} {dice.choice(words)}"
        text = damaged(text, dice).replace("\n", dice.choice((" ", "\n")))
        try:
            read = rules.parse(text)
        except RulesError:
            refused += 1
            continue
        assert rules.parse(read.text()) == read, text
    assert refused > count / 4
