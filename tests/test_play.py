"""Can people play every game at the terminal: by number, by text, with hints, taking moves back, several of them?"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.generations import MODEL, newest
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.zoo_folders import VARIABLE
from banakil_env.core.game import IllegalAction
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.play import allowed, command, defaults
from banakil_env.play.command import play, seats_of
from banakil_env.play.names import described
from banakil_env.play.session import Session, matching
from banakil_env.play.terminal import HELP, Stopped, Terminal, _completion
from banakil_env.render.suits import with_symbols

SEED = 1  # of a deal of Rummy for two in which nobody can meld in the first turn
every_game = pytest.mark.parametrize("name", GAMES)


class Person:
    """Answers prompts from a list, and keeps what was shown."""

    def __init__(self, lines: Iterator[str] | list[str]) -> None:
        self.lines, self.prompts, self.shown = iter(lines), [], ""  # type: ignore[var-annotated]

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return next(self.lines, "quit")

    def say(self, text: str) -> None:
        self.shown += text + "\n"

    def play(self, session: Session, **options: Any) -> None:
        Terminal(session, ask=self.ask, say=self.say, **options).play()


@every_game
def test_a_game_played_by_numbers(name: str) -> None:
    game = find(name)
    count = game.seats[-1]
    session = Session.deal(name, [None, *["random"] * (count - 1)], seed=3)
    # The last move that is offered: a discard, where there is one.
    person = Person(iter(lambda: str(len(session.plain.legal_actions(session.state))), ""))
    person.play(session)
    assert session.seat_to_move is None
    assert max(map(len, person.shown.splitlines())) <= 80
    assert "Over: " in person.shown
    assert Plain(game).replay(session.record()).tobytes() == session.state.tobytes()


@pytest.mark.parametrize("line", ["discard 10♥", "discard 10h", "DISCARD TH", "discard T♥"])
def test_cards_are_written_as_people_do(line: str) -> None:
    texts = ["draw", "discard Th", "meld 10"]
    assert matching(line, texts) == 1
    assert matching("meld 10", texts) == 2
    assert str(matching("discard 11h", texts)).startswith("'discard 11h' is not among the legal moves")


def test_text_beginnings_and_what_is_none() -> None:
    texts = ["draw", "take 1", "take 2", "discard 7h"]
    assert [matching(line, texts) for line in ("1", " TAKE  2 ", "dis", "dr")] == [0, 2, 3, 0]
    assert matching("take", texts) == "'take' may be take 1, take 2"
    assert matching("5", texts) == "there is no move 5: they have numbers 1 to 4"
    assert matching("knock", texts) == "'knock' is not among the legal moves"
    assert matching("", texts) == "'' is not among the legal moves"


def test_a_move_that_is_misspelled_gets_suggestions() -> None:
    texts = ["draw", "take 1", "discard Ks", "discard 10h", "discard Kh"]
    assert matching("discrad Ks", texts).startswith(
        "'discrad ks' is not among the legal moves; the nearest are: discard Ks"
    )  # type: ignore[union-attr]
    assert "discard Ks" in str(matching("discrad K♠", texts))
    session = Session.deal("rummy", [None, "greedy"], seed=SEED)
    person = Person(["drwa", "quit"])
    with pytest.raises(Stopped):
        person.play(session)
    assert "'drwa' is not among the legal moves; the nearest are: draw" in person.shown


@every_game
def test_with_symbols_no_card_is_shown_as_a_letter(name: str) -> None:
    """At the table, in the moves, in hints, and in what the others have done."""
    game = find(name)
    session = Session.deal(name, [None, *["greedy"] * (game.seats[0] - 1)], seed=3)
    person = Person(["hint", *["1"] * 12, "moves", "table", "quit"])
    with contextlib.suppress(Stopped):
        person.play(session, symbols=True, adviser=CompiledPlayer("greedy", name))
    assert re.findall(r"\b[2-9TJQKA][cdhs]\b", person.shown) == []
    assert max(map(len, person.shown.splitlines())) <= 80


def test_with_symbols_the_record_is_as_always() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=SEED)
    person = Person(["draw", "1", "record", "quit"])
    with pytest.raises(Stopped):
        person.play(session, symbols=True)
    assert session.record() in person.shown
    assert "♣" in person.shown


def test_seconds_in_the_name_of_a_player_are_no_spade() -> None:
    assert with_symbols("Seat 1 (search:2s): draw; discard 2s; pile 1:2s") == (
        "Seat 1 (search:2s): draw; discard 2♠; pile 1:2♠"
    )


def held(session: Session) -> Counter[str]:
    """The cards of seat 0."""
    return Counter(card for group in session.game.scene(session.state, 0).seats[0].hand or () for card in group)


def test_the_card_that_was_drawn_is_named_and_marked() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=SEED)
    before = held(session)
    person = Person(["draw", "quit"])
    with pytest.raises(Stopped):
        person.play(session)
    [card] = (held(session) - before).elements()
    last = " ".join(person.shown.partition("New in your hand")[2].split())
    assert last.startswith(f": {card}. Seat 0 (human) is to")
    assert f" {card}* " in f"{last} "
    assert last.count("*") == 1


def test_a_card_that_came_after_the_own_turn_is_named_in_the_next() -> None:
    """In Yaniv a turn ends with drawing."""
    session = Session.deal("yaniv", [None, "greedy"], seed=SEED)
    person = Person(["1", "draw", "quit"])
    with pytest.raises(Stopped):
        person.play(session)
    assert person.shown.count("New in your hand: ") == 1


def test_nothing_is_new_in_a_hand_that_was_just_dealt() -> None:
    session = Session.deal("yaniv", [None, None], seed=SEED, options={"episode": "match"})
    terminal, rng = Terminal(session), np.random.default_rng(SEED)
    terminal._new_cards(0)
    while session.state.rounds == 0:
        session.play(int(rng.choice(session.plain.legal_actions(session.state))))
    assert not terminal._new_cards(0)
    session.play(session.plain.legal_actions(session.state)[0])
    assert sum(terminal._new_cards(0).values()) <= 1


def test_nothing_is_new_after_moves_are_taken_back() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=SEED)
    person = Person(["draw", "undo", "quit"])
    with pytest.raises(Stopped):
        person.play(session, practice=True)
    assert person.shown.count("New in your hand: ") == 1


def test_a_player_that_fails_is_told_of_in_words() -> None:
    class Bad:
        name = "bad"

        def act(self, observations: Any, masks: Any, dice: Any) -> Any:
            return [find("rummy").actions.parse("discard Ks")]

    session = Session.deal("rummy", [Bad(), "greedy"], seed=5)  # type: ignore[list-item]
    with pytest.raises(PlayerFailed, match="bad answered discard Ks, which is not legal"):
        session.move_player()


def test_everything_is_prepared_before_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players, and the events of a move: a person would wait for their library after the first move."""

    class Counts:
        def __init__(self, name: str) -> None:
            self.name, self.prepared = name, 0

        def prepare(self) -> None:
            self.prepared += 1

        def act(self, observations: Any, masks: Any, dice: Any) -> Any:
            return [int(masks[0].argmax())]

    player, adviser = Counts("player"), Counts("adviser")
    session = Session.deal("rummy", [None, player], seed=SEED)  # type: ignore[list-item]
    start, game, told = session.state.copy(), session.game, []

    def events(before: Any, action: int, after: Any) -> Any:
        told.append(game.actions.text(action))
        return game.events(before, action, after)

    with monkeypatch.context() as patch:
        patch.setattr(session, "game", dataclasses.replace(game, events=events))
        session.prepare(adviser)  # type: ignore[arg-type]
    assert (player.prepared, adviser.prepared, told) == (1, 1, ["draw"])
    assert session.state.tobytes() == start.tobytes()
    assert session.moves == []
    session.play(session.plain.legal_actions(session.state)[0])
    while session.player_to_move is None:
        session.play(session.plain.legal_actions(session.state)[0])
    session.move_player()
    assert player.prepared == 1


def test_the_greeting_fits_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    play(["greedy"], game="rummy500", num_players=8, seat=0, seed=3, adviser="greedy", out=None)
    said = capsys.readouterr().out.partition("stopped")[0]
    assert "seat 7 greedy" in said.replace("\n", " ")
    assert max(map(len, said.splitlines())) <= 80


def test_commands_at_the_prompt() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=5)
    person = Person(["help", "hint", "moves", "table", "record", "undo", "frobnicate", "draw", "", "quit"])
    with pytest.raises(Stopped):
        person.play(session, adviser=CompiledPlayer("greedy", "rummy"))
    for part in (HELP, "greedy: draw", "in practice only", "'frobnicate' is not among", "Hand: ", "end: unfinished"):
        assert part in person.shown
    assert len(session.moves) == 1


def test_moves_are_taken_back_to_the_start_of_the_turn_and_of_the_one_before() -> None:
    session = Session.deal("rummy", [None, "greedy"], seed=SEED)
    start = session.state.copy()
    with pytest.raises(Stopped):
        Person(["draw", "undo", "quit"]).play(session, practice=True)
    assert session.state.tobytes() == start.tobytes()
    with pytest.raises(Stopped):
        Person(["undo", "draw", "1", "quit"]).play(session, practice=True)
    assert {move.seat for move in session.moves} == {0, 1}
    assert session.seat_to_move == 0
    assert session.undo_turn(0)
    assert session.moves == []
    assert not session.undo_turn(0)


def test_two_people_at_one_keyboard_do_not_see_each_others_hands() -> None:
    session = Session.deal("rummy", [None, None], seed=SEED, names=["Ann", "Ben"])
    person = Person(["draw", "1", "", "draw", "1", "quit"])
    with pytest.raises(Stopped):
        person.play(session)
    assert person.prompts[2].startswith("Seat 1 (Ben): press Enter when only you")
    hands = [" ".join(session.game.scene(session.moves[0].state[0], seat).seats[seat].hand[0]) for seat in (0, 1)]  # type: ignore[index]
    before, after = person.shown.split("\n" * 40)[:2]
    assert hands[0] in before
    assert hands[1] not in before
    assert hands[1] in after


def test_players_alone_are_watched() -> None:
    person = Person([])
    person.play(Session.deal("gin", ["greedy", "random"], seed=5))
    assert "Seat 0 (Greedy): " in person.shown
    assert "Over: " in person.shown


def test_one_seed_one_game() -> None:
    def played() -> str:
        session = Session.deal("yaniv", ["random"] * 3, seed=9)
        while session.player_to_move is not None:
            session.move_player()
        return session.record()

    assert played() == played()


def test_a_player_that_fails_and_a_move_that_is_illegal_leave_the_game_as_it_is() -> None:
    class Fails:
        name = "fails"

        def act(self, observations: Any, masks: Any, dice: Any) -> Any:
            return [-1]

    session = Session.deal("rummy", [Fails(), "greedy"], seed=5)  # type: ignore[list-item]
    with pytest.raises(PlayerFailed, match="fails answered the number -1, which is not legal"):
        session.move_player()
    with pytest.raises(IllegalAction):
        session.play(session.plain.parse_action("discard Ks"))
    assert session.moves == []


def test_who_sits_where() -> None:
    rummy = find("rummy")
    assert seats_of(rummy, [], 3, 1, "greedy") == ["greedy", None, "greedy"]
    assert seats_of(rummy, ["random", "greedy"], 3, 1, "x") == ["greedy", None, "random"]
    assert seats_of(rummy, ["random", "human"], 3, 0, "x") == [None, "random", None]
    assert seats_of(rummy, ["human", "random"], 2, 0, "x") == [None, "random"]
    with pytest.raises(ValueError, match=r"2 players are named for a table of 5: name one, 4 .* or 5 "):
        seats_of(rummy, ["random", "greedy"], 5, 0, "x")
    with pytest.raises(ValueError, match="there is no seat 2: 2 play"):
        seats_of(rummy, [], 2, 2, "x")


@pytest.fixture
def no_agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without agents, in which networks can be played."""
    monkeypatch.setattr(defaults, "_is_there", lambda module: True)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "zoo"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("no_agents")
def test_the_default_player_is_the_agent_made_for_the_table(tmp_path: Path) -> None:
    rummy = find("rummy")
    strongest = list(rummy.players)[-1]
    assert defaults.default_player(rummy, 2, {}) == strongest
    folder = tmp_path / "agents" / "zoo" / "rummy-2p"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").touch()
    assert defaults.default_player(rummy, 2, {"episode": "match"}) == "net:agents/zoo/rummy-2p"
    assert defaults.default_player(rummy, 3, {}) == strongest
    assert defaults.default_player(rummy, 2, {"rules": "memory"}) == strongest
    assert list(defaults.agents(rummy)) == ["net:agents/zoo/rummy-2p"]


@pytest.mark.usefixtures("no_agents")
def test_where_no_agent_was_trained_the_network_of_all_games_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not give the hints: at some tables it is weaker than the strongest rule-based player."""
    rummy = find("rummy")
    for folder in (tmp_path / "zoo" / "rummy-family", tmp_path / "agents" / "zoo" / "rummy-2p"):
        folder.mkdir(parents=True)
        (folder / MODEL).touch()
    assert defaults.default_player(rummy, 2, {}) == "net:agents/zoo/rummy-2p"
    assert defaults.default_adviser(rummy, 2, {}) == "net:agents/zoo/rummy-2p"
    for seats, options in ((3, {}), (2, {"rules": "memory"})):
        assert defaults.default_player(rummy, seats, options) == "zoo:rummy-family"
        assert defaults.default_adviser(rummy, seats, options) == rummy.strongest_player
        assert "zoo:rummy-family" in allowed.Allowed().names(rummy, seats)
    monkeypatch.setattr(defaults, "_is_there", lambda module: module != "torch")
    assert defaults.default_player(rummy, 3, {}) == rummy.strongest_player
    assert "zoo:rummy-family" not in allowed.Allowed().names(rummy, 3)


@pytest.mark.usefixtures("no_agents")
def test_outside_a_checkout_the_agent_of_the_table_comes_from_the_zoo(tmp_path: Path) -> None:
    rummy = find("rummy")
    for name in ("rummy-2p", "rummy-2p-3", "rummy-family"):
        (tmp_path / "zoo" / name).mkdir(parents=True)
        (tmp_path / "zoo" / name / MODEL).touch()
    assert defaults.default_player(rummy, 2, {}) == "zoo:rummy-2p-3"
    assert defaults.default_player(rummy, 3, {}) == "zoo:rummy-family"
    assert "zoo:rummy-2p-3" in allowed.Allowed().names(rummy, 2)
    assert described("zoo:rummy-2p-3", rummy) == "Trained agent, strong"


@pytest.mark.usefixtures("no_agents")
def test_a_match_has_an_agent_of_its_own_where_there_is_one(tmp_path: Path) -> None:
    for name in ("gin-2p", "gin-match"):
        (tmp_path / "agents" / "zoo" / name).mkdir(parents=True)
        (tmp_path / "agents" / "zoo" / name / MODEL).touch()
    gin = find("gin")
    assert defaults.default_player(gin, 2, {"rules": "common", "episode": "match"}) == "net:agents/zoo/gin-match"
    assert defaults.default_player(gin, 2, {"rules": "common", "episode": "round"}) == gin.strongest_player
    assert defaults.default_player(gin, 2, {"rules": "openspiel", "episode": "match"}) == "net:agents/zoo/gin-2p"


@pytest.mark.usefixtures("no_agents")
def test_an_agent_is_offered_at_tables_of_its_own_size(tmp_path: Path) -> None:
    for name in ("banakil-3p", "banakil-4p", "gin-2p"):
        (tmp_path / "agents" / "zoo" / name).mkdir(parents=True)
        (tmp_path / "agents" / "zoo" / name / "model.safetensors").touch()
    banakil = find("banakil")
    assert [len(defaults.agents(banakil, count)) for count in banakil.seats] == [0, 1, 1]
    assert len(defaults.agents(banakil)) == 2
    assert list(defaults.agents(find("gin"), 2)) == [
        "net:agents/zoo/gin-2p"
    ]  # its tables do not name a number of players


@pytest.mark.usefixtures("no_agents")
def test_the_newest_agent_of_a_table_is_offered(tmp_path: Path) -> None:
    zoo = tmp_path / "agents" / "zoo"
    for name in ("gin-2p-2", "gin-2p-10", "gin-2p-learned", "gin-2p-11-new", "tonk-2p"):  # the others are not kept
        (zoo / name).mkdir(parents=True)
        (zoo / name / MODEL).touch()
    (zoo / "gin-2p-12").mkdir()  # without weights
    assert newest(zoo, "gin-2p") == zoo / "gin-2p-10"
    assert newest(zoo, "tonk-2p") == zoo / "tonk-2p"
    assert newest(zoo, "yaniv-2p") is None
    assert list(defaults.agents(find("gin"), 2)) == ["net:agents/zoo/gin-2p-10"]
    assert defaults.default_player(find("gin"), 2, {}) == "net:agents/zoo/gin-2p-10"


def test_a_record_that_cannot_be_written_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    asked = (None, False, False, lambda prompt: "quit", print)
    monkeypatch.setattr(command.Terminal.__init__, "__defaults__", asked)
    with pytest.raises(SystemExit, match=r"the record cannot be written .*: keep it from above"):
        play(["greedy"], game="rummy", num_players=2, seed=5, out=tmp_path / "file" / "game.txt")
    text = capsys.readouterr().out.partition("reads it):")[2].strip() + "\n"
    assert Plain(find("rummy")).replay(text) is not None


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def asked(lines: list[str]) -> Callable[[str], str]:
        answers = itertools.chain(lines, itertools.repeat("quit"))
        return lambda prompt: next(answers)

    monkeypatch.setattr(command.Terminal.__init__, "__defaults__", (None, False, False, asked(["draw", "1"]), print))
    play(["greedy"], game="rummy", num_players=3, seed=5, out=tmp_path / "game.txt")
    shown = capsys.readouterr().out
    assert "seat 0 human, seat 1 greedy, seat 2 greedy" in shown
    assert "stopped" in shown
    text = (tmp_path / "game.txt").read_text(encoding="utf-8")
    assert "# seats: human; greedy; greedy" in text
    assert Plain(find("rummy")).replay(text) is not None
    with pytest.raises(SystemExit, match="banakil play: there is no game 'whist'"):
        play([], game="whist")
    with pytest.raises(SystemExit, match=r"banakil play: .*seat 4"):
        play([], game="rummy", seat=4)


def test_tab_completes_the_whole_line() -> None:
    readline = pytest.importorskip("readline")
    with _completion(["take 1", "take 2", "draw"]):
        complete = readline.get_completer()
        assert [complete("take", state) for state in range(3)] == ["take 1", "take 2", None]
        assert complete("D", 0) == "draw"
    assert readline.get_completer() is not complete
