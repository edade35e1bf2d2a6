"""Does text lose nothing, and is damaged text refused? Positions and game records of any game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from contract_cases import each_case, each_of_few
from contract_play import Case, plain_play, sampled, start
from fuzz_damage import DAMAGES, dropped, swapped, truncated

from banakil_env.core.game import PositionError
from banakil_env.kit.records import RecordError, replay, replay_moves, replay_states
from banakil_env.render.text import draw
from banakil_env.text.positions import wrapped

MOVES = 80


@each_case
def test_a_position_comes_back_to_the_byte(case: Case, long: bool) -> None:
    for state in sampled(case, long):
        text = case.plain.to_text(state[0])
        back = case.plain.from_text(text)
        assert back.tobytes() == state.tobytes(), text
        assert case.plain.to_text(back) == text


@each_of_few
def test_a_table_is_drawn_with_each_area_by_its_name(case: Case, long: bool) -> None:
    for state in sampled(case, long)[::4]:
        for seat in (None, 0):
            scene = case.game.scene(state[0], seat)
            drawn = draw(scene)
            assert "None" not in drawn
            assert all(any(line.startswith(f"{area.name} ") for line in drawn.splitlines()) for area in scene.areas)


@each_case
def test_a_position_is_one_key_and_value_a_line(case: Case) -> None:
    text = case.plain.to_text(start(case, case.seed)[0])
    lines = text.splitlines()
    assert text.isascii()
    assert text.endswith("\n")
    assert all(re.match(r"[a-z][a-z_ ]*[0-9]?:( \S.*)?$", line) for line in lines)
    assert len({line.partition(":")[0] for line in lines}) == len(lines)


@each_case
def test_the_header_and_a_seed_are_the_deal(case: Case) -> None:
    state = start(case, case.seed)
    header = [f"{key}: {value}" for key, value in case.game.texts.header(state[0])]
    assert set(header) <= set(case.plain.to_text(state[0]).splitlines())
    assert case.plain.from_text("\n".join([*header, f"seed: {case.seed}"])).tobytes() == state.tobytes()


@each_case
def test_lines_may_come_in_any_order_with_comments_and_blank_lines(case: Case, long: bool) -> None:
    dice = random.Random(case.seed)
    for state in sampled(case, long)[::6]:
        lines = case.plain.to_text(state[0]).splitlines()
        dice.shuffle(lines)
        text = "# a position\n\n" + "".join(f"  {line}   # {number}\n\n" for number, line in enumerate(lines))
        assert case.plain.from_text(text).tobytes() == state.tobytes()


@each_case
def test_the_phase_draw_may_be_left_out(case: Case, long: bool) -> None:
    for state in [start(case, case.seed), *sampled(case, long)]:
        text = case.plain.to_text(state[0])
        if turn := re.search(r"^turn: seat \d, draw$", text, re.MULTILINE):
            short = text.replace(turn[0], turn[0].removesuffix(", draw"))
            assert case.plain.from_text(short).tobytes() == state.tobytes()


@each_case
def test_commas_may_stand_between_cards(case: Case, long: bool) -> None:
    for state in sampled(case, long)[::6]:
        lines = case.plain.to_text(state[0]).splitlines()
        for number, line in enumerate(lines):
            key, _, cards = line.partition(":")
            if key.split()[0] in ("hand", "foot", "known", "melds", "pile", "stock"):
                lines[number] = f"{key}: " + " | ".join(", ".join(part.split()) for part in cards.split(" | "))
        assert case.plain.from_text("\n".join(lines)).tobytes() == state.tobytes(), lines


# Damaged texts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@each_of_few
def test_a_damaged_position_is_refused_or_sound(case: Case, damage: Callable[..., list[str]], long: bool) -> None:
    dice = random.Random(f"{case} {damage.__name__}")
    refused = 0
    states = sampled(case, long)
    for _ in range(500 if long else 25):
        text = "\n".join(damage(case.plain.to_text(dice.choice(states)[0]).splitlines(), dice))
        try:
            state = case.plain.from_text(text)
        except PositionError:
            refused += 1
        else:
            assert case.plain.check(state) is None
            assert case.plain.is_over(state) or case.plain.legal_actions(state), text
            assert case.plain.from_text(case.plain.to_text(state)).tobytes() == state.tobytes(), text
    assert refused or damage in (dropped, swapped, truncated)


@each_case
def test_what_is_no_text_of_a_position_is_refused_by_its_line(case: Case) -> None:
    lines = case.plain.to_text(start(case, case.seed)[0]).splitlines()
    for text in ("nothing", "nobody: 3", "hand 9: 3c"):
        with pytest.raises(PositionError, match=rf"line {len(lines) + 1}\b"):
            case.plain.from_text("\n".join([*lines, text]))
    with pytest.raises(PositionError, match=r"line 2: a second line"):
        case.plain.from_text("\n".join([lines[0], *lines]))


@each_case
def test_a_line_is_continued_after_a_backslash(case: Case) -> None:
    state = start(case, case.seed)[0]
    text = case.plain.to_text(state)
    short = wrapped(text, 40)
    assert max(map(len, short.splitlines())) <= 40
    assert case.plain.from_text(short).tobytes() == state.tobytes()
    with pytest.raises(PositionError, match=r"line 2: .* continues a line"):
        case.plain.from_text(text.splitlines()[0] + "\nhand 0: \\")
    with pytest.raises(PositionError, match=r"line 3: 'nobody: 3 4' does not begin with a key"):
        case.plain.from_text("\n\nnobody: 3 \\  # continued\n  4\n")


# Records ------------------------------------------------------------------------------------------------------------


def recorded(case: Case, moves: int, with_seed: bool) -> tuple[str, bytes, list[tuple[int, int]]]:
    """A record of a game's beginning, its last state, and who did what."""
    plain = case.plain
    state = plain.new(**case.options, seed=case.seed)
    recorder = plain.recorder(state, seed=case.seed if with_seed else None)
    done = []
    for _, seat, _, _, action in plain_play(case, case.seed, moves):
        recorder.note(state, action)
        plain.apply(state, action)
        done.append((seat, action))
    return recorder.text(state), state.tobytes(), done


@pytest.mark.parametrize("with_seed", [True, False], ids=["from-a-seed", "from-a-position"])
@each_case
def test_a_record_is_played_through_to_the_same_state(case: Case, with_seed: bool, long: bool) -> None:
    text, last, done = recorded(case, 3000 if long else 80, with_seed)
    assert replay(case.game, text)[0].tobytes() == last
    moves = replay_moves(case.game, text)
    assert [(move.seat, move.action) for move in moves] == done
    states = replay_states(case.game, text)
    assert len(states) == len(done) + 1
    assert [move.state.tobytes() for move in moves] == [state.tobytes() for state in states[:-1]]
    assert states[-1][0].tobytes() == last


@each_of_few
def test_a_whole_episode_is_recorded(case: Case) -> None:
    text, last, _ = recorded(case, 100_000 if case.episode == "round" else 2_000, True)
    assert text.startswith(f"game: {case.name}-v{case.game.version}\n")
    assert replay(case.game, text)[0].tobytes() == last


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@each_of_few
def test_a_damaged_record_is_refused_or_sound(case: Case, damage: Callable[..., list[str]], long: bool) -> None:
    dice = random.Random(f"{case} {damage.__name__}")
    lines = recorded(case, MOVES, dice.random() < 0.5)[0].splitlines()
    for _ in range(500 if long else 12):
        changed = damage(lines, dice)
        try:
            states = replay(case.game, "\n".join(changed))
        except RecordError as error:
            refusal = str(error)
        else:
            assert case.plain.check(states[0]) is None
            continue
        assert re.search(r"\bline \d+|^a record begins with|^the start of the record: ", refusal), refusal


@each_of_few
def test_a_turn_said_otherwise_is_refused_by_its_line(case: Case) -> None:
    """Another seat, one turn more, one turn less, an invalid action."""
    lines = recorded(case, MOVES, True)[0].splitlines()
    turns = [number for number, line in enumerate(lines) if re.match(r"\d:", line)]
    for at in (turns[0], turns[len(turns) // 2], turns[-1]):
        seat, _, moves = lines[at].partition(":")
        others = [
            [*lines[:at], f"{(int(seat) + 1) % case.num_players}:{moves}", *lines[at + 1 :]],
            [*lines[:at], f"{seat}: sing a song", *lines[at + 1 :]],
            [*lines[:at], f"{seat}:", *lines[at + 1 :]],
            [*lines[:at], *lines[at + 1 :]],
        ]
        for other in others:
            with pytest.raises(RecordError, match=r"^line \d+: "):
                replay(case.game, "\n".join(other))


@each_of_few
def test_a_record_without_its_end_is_truncated(case: Case) -> None:
    lines = recorded(case, MOVES, True)[0].splitlines()
    for left in (2, len(lines) // 2, len(lines) - 1):
        with pytest.raises(RecordError, match=r"^line \d+: the record stops without its 'end:' line"):
            replay(case.game, "\n".join(lines[:left]))
    with pytest.raises(RecordError, match=r"^line \d+: the moves lead to"):
        replay(case.game, "\n".join([*lines[:-1], lines[-1][:-8] + "00000000"]))


@each_of_few
def test_a_record_of_another_game_is_refused(case: Case) -> None:
    lines = recorded(case, 5, True)[0].splitlines()
    for text in ("", "game: chess-v6", "\n".join(lines[1:]), "\n".join(["game: chess-v6", *lines[1:]])):
        with pytest.raises(RecordError, match=f"^a record begins with 'game: {case.name}-v"):
            replay(case.game, text)
