"""Do the commands for teachers show what there is, hide what a seat may not see, and fit 80 columns?"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from arena_players import first_legal

from banakil_env.agents import KINDS, make_player
from banakil_env.arena import CompiledPlayer, Explanation, PlayerFailed, interval
from banakil_env.cli import main
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.render.columns import fits, folded, in_columns, turned
from banakil_env.render.text import table
from banakil_env.study.ask import answers
from banakil_env.study.reading import ReadError, read
from banakil_env.study.show import picture

banakil = Plain(find("banakil"))

REPOSITORY = Path(__file__).resolve().parents[2]
SETTINGS = {"COLUMNS": "80", "BANAKIL_QUIET": "1"}
POSITION = """
turn: seat 0, draw
hand 0: 7h 3c 9d JK 2s
hand 1: Kd Kd As
melds 0: 7d 8d 9d | 3c 3d 3h
pile: 4h Qh
"""


@pytest.fixture(scope="module")
def record() -> str:
    """A round between two greedy players, as text."""
    state, player = banakil.new(seed=5), CompiledPlayer("greedy")
    recorder = banakil.recorder(state, 5)
    while not banakil.is_over(state):
        seen = banakil.observe(state, banakil.seat_to_move(state))
        (action,) = player.act(seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64))
        recorder.note(state, int(action))
        banakil.apply(state, int(action))
    return recorder.text(state)


@pytest.fixture
def files(tmp_path, record) -> dict[str, str]:
    found = {"position": POSITION, "record": record}
    for name, text in found.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in found}


def command(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command `banakil` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "banakil_env.cli", *arguments],
        cwd=REPOSITORY,
        env=os.environ | SETTINGS,
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
    )


def command_here(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The same in the process of the tests, which has imported everything: a second sooner."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        patch.chdir(REPOSITORY)
        patch.setattr(sys, "argv", ["banakil", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    if isinstance(code, str):  # as Python ends with a message
        print(code, file=err)
    status = code if isinstance(code, int) else int(code is not None)
    return subprocess.CompletedProcess(["banakil", *arguments], status, out.getvalue(), err.getvalue())


def check_width(text: str) -> None:
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


# Tables of figures --------------------------------------------------------------------------------------------------


def test_columns_without_room_stand_below_and_nothing_is_cut():
    heads = ["player", *(f"column {number}" for number in range(20))]
    rows = [[name, *(f"+{number}.00 ± 1.00" for number in range(20))] for name in ("a", "b" * 60)]
    text = in_columns(heads, rows)
    check_width(text)
    blocks = text.split("\n\n")
    assert len(blocks) > 1
    assert all(block.startswith("player") for block in blocks)
    words = "".join(text.split())
    assert all(f"+{number}.00±1.00" in words for number in range(20))
    assert text.replace(" ", "").replace("\n", "").count("b") >= 60


def test_a_small_table_is_written_as_it_is():
    assert in_columns(["a", "b"], [["x", "10"], ["yy", "2"]]) == "a    b\nx   10\nyy   2"
    assert fits(["a", "b"], [["x", "10"]], 5)
    assert not fits(["a", "b"], [["x", "10"]], 4)
    assert turned(["a", "b"], [["x", "10"], ["yy", "2"]]) == (["a", "x", "yy"], [["b", "10", "2"]])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("net:agents/zoo/x", ["net:agents/", "zoo/x"]),
        ("abcdefghijklmnop", ["abcdefghijkl", "mnop"]),
        ("", [""]),
        ("one two", ["one two"]),
    ],
)
def test_texts_are_folded_behind_marks(text, lines):
    assert folded(text, 12) == lines


# show ---------------------------------------------------------------------------------------------------------------


def test_a_position_is_drawn_open_or_as_a_seat_sees_it(files):
    shown = command("show", files["position"])
    assert shown.returncode == 0, shown.stderr
    state = banakil.from_text(POSITION)
    assert shown.stdout == table(banakil.game, state) + "\nlegal: draw, take 1, take 2\n"
    check_width(shown.stdout)
    own = command_here("show", "-", "--seat", "1", text=POSITION)
    assert own.stdout == table(banakil.game, state, 1)
    assert "7h" not in own.stdout
    assert "legal" not in own.stdout


def test_a_record_is_drawn_at_any_move(files, record):
    reading = read(files["record"])
    states, moves = banakil.replay_states(record), banakil.replay_moves(record)
    for number in (0, 1, len(moves) // 2, len(moves)):
        text = picture(reading, number)
        check_width(text)
        assert table(banakil.game, states[number][0]) in text
        assert f"after move {number} of {len(moves)}" in text
    assert f"next: seat {moves[1].seat}, {banakil.action_text(moves[1].action)}" in " ".join(
        picture(reading, 1).split()
    )
    assert picture(reading) == picture(reading, len(moves))
    assert "Over: " in picture(reading)
    hidden = banakil.redeal_hidden(states[20][0], 0, 3)
    assert table(banakil.game, hidden, 0) in picture(reading, 20, 0)


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (["no/such/file"], None, "no/such/file cannot be read: No such file or directory; a file is expected, or -"),
        (["-"], "hand 0: 9x", "standard input is not a position of Banakil: line 1"),
        (["-"], "game: bridge-v0\n", "the record is of 'bridge-v0'; there are banakil-v0, "),
        (["-"], "game: gin\n", "the record is of 'gin'; there are banakil-v0, "),
        (["-"], "game: banakil-v0\nend: x", "standard input is not a record of Banakil: "),
        (["-", "--game", "bridge"], POSITION, "there is no game 'bridge'"),
        (["-", "--at", "3"], POSITION, "there is no move 3; a position has no moves: leave out --at"),
        (["-", "--seat", "2"], POSITION, "there is no seat 2: 2 play"),
    ],
    ids=lambda value: " ".join(value)[:12] if isinstance(value, list) else "",
)
def test_what_cannot_be_shown_is_told_in_a_line(arguments, text, said):
    done = command_here("show", *arguments, text=text or "")
    assert done.returncode == 1
    assert done.stderr.startswith(f"banakil show: {said}")
    assert done.stderr.count("\n") == 1


def test_a_move_that_the_record_does_not_have(files):
    with pytest.raises(ReadError, match=r"there is no move -1; the record has \d+ moves: --at is a number from 0"):
        read(files["record"]).at(-1)


# ask ----------------------------------------------------------------------------------------------------------------


class Explaining:
    """The first legal action, and what it thinks of each."""

    name = "explaining"

    def act(self, observations, masks, dice):
        return np.argmax(masks, 1)

    def explain(self, observation, mask, dice):
        legal = np.flatnonzero(mask).tolist()
        chances = {action: (number + 1) / sum(range(len(legal) + 1)) for number, action in enumerate(legal)}
        return Explanation(legal[0], chances, {legal[0]: interval([1.0, 3.0])}, value=-0.25, basis="from a book")


def test_players_are_asked_and_their_figures_stand_in_a_table():
    state = banakil.from_text(POSITION)
    text = answers(banakil.game, state, [CompiledPlayer("expert"), Explaining()])
    check_width(text)
    assert text.startswith("Seat 0 is to draw or take. 3 actions are legal.\n\nexpert: draw\n")
    words = " ".join(text.split())
    assert "explaining: draw; probability 16.7 %; expected margin +2.00 ± 12.71 points, 2 playouts" in words
    assert "value -0.25" in words
    assert "explaining: from a book" in words
    assert "draw * * +2.00 ± 12.71 take 2 50.0 % take 1 33.3 %" in words


def test_the_command_asks_by_name(files):
    done = command("ask", files["record"], "expert", "random", "arena_players:first_legal", "--at", "10")
    assert done.returncode == 1  # the tests' folder is not on the path
    assert done.stderr.startswith("banakil ask: the player 'arena_players:first_legal' cannot be loaded")
    done = command_here("ask", files["record"], "expert", "random", "--at", "10")
    assert done.returncode == 0, done.stderr
    check_width(done.stdout)
    move = banakil.replay_moves(Path(files["record"]).read_text())[10]
    assert done.stdout.startswith(f"Seat {move.seat} is to ")
    for action in banakil.legal_actions(move.state[0]):
        assert f"\n{banakil.action_text(action)} " in done.stdout or f"\n{banakil.action_text(action)}\n" in done.stdout
    over = command_here("ask", files["record"], "expert")
    assert over.stderr.startswith("banakil ask: there is no decision: the game is over (")


def test_a_player_that_fails_when_asked():
    def illegal(observation, mask):
        return int(np.argmin(mask))

    def raising(observation, mask):
        raise RuntimeError("no idea")

    state = banakil.from_text(POSITION)
    with pytest.raises(PlayerFailed, match=r"illegal answered: '.*' .* is not legal: seat 0 is to draw or take"):
        answers(banakil.game, state, [make_player(illegal)])
    with pytest.raises(PlayerFailed, match="raising raised RuntimeError: no idea"):
        answers(banakil.game, state, [make_player(first_legal), make_player(raising)])


def test_the_search_tells_what_each_move_brings():
    state = banakil.from_text(POSITION)
    seen = banakil.observe(state, 0)
    player = make_player("search:60")
    said = player.explain(seen["observation"], seen["action_mask"], 7)
    rows = seen["observation"][None], seen["action_mask"][None], np.array([7], np.uint64)
    assert said.action == make_player("search:60").act(*rows)[0]
    assert set(said.margins) == set(banakil.legal_actions(state))
    assert sum(each.deals for each in said.margins.values()) == player.tried
    banakil.apply(state, banakil.parse_action("draw"))


def test_a_network_tells_how_likely_it_does_what():
    pytest.importorskip("torch")
    player = make_player("net:agents/zoo/banakil-2p")
    state = banakil.from_text(POSITION)
    seen = banakil.observe(state, 0)
    said = player.explain(seen["observation"], seen["action_mask"], 0)
    rows = seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64)
    assert said.action == player.act(*rows)[0]
    assert list(said.probabilities) == banakil.legal_actions(state)
    assert sum(said.probabilities.values()) == pytest.approx(1)
    assert -3 < said.value < 3


# build and lists ----------------------------------------------------------------------------------------------------


def test_after_a_build_every_library_is_there():
    done = command("build", "--game", "tonk")
    assert done.returncode == 0, done.stderr
    assert "libraries are ready" in done.stdout
    again = command("build", "--game", "tonk")
    assert "built tonk" not in again.stdout + again.stderr
    played = command("arena", "expert", "random", "--game", "tonk", "--deals", "5")
    assert "building" not in played.stdout + played.stderr
    assert command_here("build", "--game", "bridge").stderr.startswith("banakil build: there is no game 'bridge'")


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["players"],
        ["solve", *["3c", "4c", "5c", "2h", "JK", "7d", "7h", "7s", "9c", "Tc", "Jc", "Ad", "Ac", "As"]],
    ],
)
def test_lists_fit_80_columns(arguments):
    done = command_here(*arguments)
    assert done.returncode == 0, done.stderr
    check_width(done.stdout)


@pytest.mark.parametrize("hand", [["8c", "9c", "10c", "5♥"], ["8c,", "9C,", "T♣,", "5h"], ["8c 9c", "Tc 5h"]])
def test_solve_takes_cards_as_people_write_them(hand):
    done = command_here("solve", *hand, "--by", "value", "--json")
    assert done.returncode == 0, done.stderr
    best = json.loads(done.stdout)["value"]
    assert best["left"] == ["5h"]
    assert "8c 9c Tc" in best["actions"][0]


def test_players_lists_every_kind():
    listed = [line.split(":")[0].split(" ")[0] for line in command_here("players").stdout.splitlines()]
    assert {*KINDS} <= {*listed}
