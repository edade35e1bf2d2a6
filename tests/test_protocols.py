"""Do protocols say what is measured? Standing answers follow from their deals, which rule-based players play again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import KINDS
from banakil_env.games import GAMES, find
from banakil_env.suite.answers import ITSELF, Answer, answers_text, figures_text, read_answer, read_answers
from banakil_env.suite.ask import answer, write_answer
from banakil_env.suite.command import suite
from banakil_env.suite.learned import check_learned, runs_of
from banakil_env.suite.protocols import COST, LEFT_OUT, PARTNERS, SOLVED, TRANSFER, find_protocol, protocols
from banakil_env.suite.tasks import TaskError

FOLDER = Path(__file__).resolve().parents[1] / "suite" / "protocols"
ANSWERS = read_answers(FOLDER)
RULES, PARTNER = "yaniv-new-rules-v1", "hand-new-partners-v1"
AGAIN = [each for each in ANSWERS if each.player in ("random", "greedy", "expert") and each.protocol.kind != COST]
LEFT = "tonk-left-out-v1"
ZOO = Path(__file__).resolve().parents[1] / "agents" / "zoo"


def ask(name: str, player: Any = "greedy", deals: int | None = 3, **options: Any) -> dict[str, Any]:
    return answer(find_protocol(name), player, deals=deals, **options)


@pytest.mark.parametrize("name", protocols())
def test_every_table_exists(name: str) -> None:
    protocol = find_protocol(name)
    tables = [*protocol.training, *protocol.held_out, *([protocol.table] if protocol.table else [])]
    for table in tables:
        partners = TableOptions(game=protocol.game, **table).plays_partners
        assert partners == (protocol.kind == PARTNERS) or protocol.kind == LEFT_OUT
    assert not [table for table in protocol.training if table in protocol.held_out]
    assert bool(tables) == (protocol.kind != SOLVED)


def test_every_kind_has_a_standing_answer() -> None:
    assert {each.protocol.kind for each in ANSWERS} == {TRANSFER, PARTNERS, SOLVED, COST, LEFT_OUT}
    assert answers_text(ANSWERS).count("`banakil suite ask ") == len(ANSWERS)


def test_solved_games_are_solved() -> None:
    """CFR+ falls below 0.01 points in three games, and no player is exploited by less than nothing."""
    solved = [each for each in ANSWERS if each.protocol.kind == SOLVED]
    assert len({each.protocol.game for each in solved if each.said["rows"]["cfr"]["1000"] < 0.01}) >= 3
    assert all(each.figures["exploitability"] >= -1e-6 for each in solved)


@pytest.mark.parametrize("kept", AGAIN, ids=lambda each: f"{each.protocol.name}-{each.player}")
def test_a_rule_based_player_plays_a_standing_answer_again(kept: Answer) -> None:
    said = ask(kept.protocol.name, kept.player)
    if kept.protocol.kind == SOLVED:
        assert said["rows"] == kept.said["rows"]
    assert said["player"]["digest"] == kept.said["player"]["digest"]
    assert _begins(kept.said["rows"], said["rows"])


def _begins(whole: Any, first: Any) -> bool:
    """Whether every list of numbers in one value begins with that in the other."""
    if isinstance(first, dict):
        return whole.keys() == first.keys() and all(_begins(whole[key], first[key]) for key in first)
    if isinstance(first, list) and first and isinstance(first[0], dict):
        return len(whole) == len(first) and all(map(_begins, whole, first))
    if isinstance(first, list):
        return bool(whole[: len(first)] == first)
    return bool(whole == first)


def test_the_same_question_has_the_same_answer() -> None:
    one, other = ask(RULES), ask(RULES)
    assert {**one, "machine": None} == {**other, "machine": None}


def test_the_reference_is_one_everywhere_and_loses_nothing_by_other_rules() -> None:
    figures = ask(RULES, "expert")["figures"]
    assert figures["mean_training"]["mean"] == figures["mean_held_out"]["mean"] == 1
    assert figures["gap"]["mean"] == 0


def test_the_reference_with_itself_is_level_with_the_reference() -> None:
    """Every deal is played from both sides."""
    said = ask(PARTNER, "expert")
    assert said["rows"][ITSELF] == [0.0, 0.0, 0.0]
    assert "expert" not in said["rows"]  # a player never meets itself
    unmet = np.mean([of for name, of in said["rows"].items() if name != ITSELF])
    assert said["figures"]["unmet"]["mean"] == pytest.approx(unmet, abs=1e-6)
    assert said["figures"]["gap"]["mean"] == pytest.approx(unmet, abs=1e-6)


@dataclasses.dataclass
class Trained:
    """Plays the first legal action, and says that it was trained."""

    name: str
    about: dict[str, Any]

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        return masks.argmax(1)


@pytest.fixture
def trained(tmp_path: Path) -> Trained:
    """An agent with its curve: half a million decisions, two minutes of a processor."""
    points = [{"steps": 500_000 * n, "seconds": 200.0 * n, "cpu_seconds": 120.0 * n} for n in range(2)]
    (tmp_path / "curve.json").write_text(json.dumps(points))
    table = find_protocol("yaniv-cost-v1").table
    assert table is not None
    own = dataclasses.asdict(TableOptions(game="yaniv", **table))
    return Trained(f"net:{tmp_path}/agent.safetensors", {"config": {"table": own}})


def test_what_a_point_costs(trained: Trained) -> None:
    figures = ask("yaniv-cost-v1", trained)["figures"]
    points = figures["points"]["mean"]
    assert points != 0
    assert figures["points_per_million_decisions"]["mean"] == pytest.approx(2 * points, abs=1e-5)
    assert figures["points_per_cpu_minute"]["mean"] == pytest.approx(points / 2, abs=1e-5)
    assert figures["decisions_per_cpu_second"] == pytest.approx(500_000 / 120, abs=1e-5)


def test_what_was_not_trained_there_has_no_cost(trained: Trained) -> None:
    with pytest.raises(TaskError, match="asks an agent that `python -m train` has trained at the table 2 players"):
        ask("yaniv-cost-v1", "greedy")
    curve = Path(trained.name.partition(":")[2]).with_name("curve.json")
    curve.write_text('[{"steps": 1, "seconds": 1.0, "cpu_seconds": null}]')
    with pytest.raises(TaskError, match="it says no seconds of the processor"):
        ask("yaniv-cost-v1", trained)
    points = [{"steps": 1000 * n, "seconds": 1.0 * n, "cpu_seconds": 1.0 * n} for n in range(2)]
    curve.write_text(json.dumps(points))
    of_another = dataclasses.replace(trained, about={**trained.about, "last": points[0]})
    with pytest.raises(TaskError, match="it is the curve of another agent"):
        ask("yaniv-cost-v1", of_another)
    curve.unlink()
    with pytest.raises(TaskError, match=r"cannot be read from .*curve\.json: "):
        ask("yaniv-cost-v1", trained)


def test_every_game_is_left_out_once_at_its_main_table() -> None:
    asked = [protocol for protocol in protocols().values() if protocol.kind == LEFT_OUT]
    assert [protocol.game for protocol in asked] == list(GAMES)
    for protocol in asked:
        assert protocol.table is not None
        own = TableOptions(game=protocol.game, **protocol.table)
        assert own.options == TableOptions(game=protocol.game, **find(protocol.game).tables[0].options).options
        assert (protocol.decisions[0], protocol.deals) == (0, 200)


def learner(name: str, *runs: dict[str, Any], decisions: int = 0) -> Trained:
    """An agent of all games, whose file tells of these runs and then of one at tonk."""
    config = {"games": ["tonk"], "without": [], "begin": "runs/before" if runs else None}
    about: dict[str, Any] = {"trainer": "family", "decisions": decisions, "config": config}
    for run in runs:
        about["begun"] = {"trainer": "family", "decisions": run["decisions"], "config": run | {"begin": None}}
    return Trained(name, about)


OTHERS = {"games": [], "without": ["tonk"], "decisions": 150_000}
ALL = {"games": [], "without": [], "decisions": 4_000_000}


def test_an_agent_of_other_games_is_measured_before_it_has_learned_the_game() -> None:
    said = ask(LEFT, learner("mine", OTHERS))
    assert said["rows"]["learned"]["0"][0]["decisions"] == 150_000
    assert said["figures"]["normalised"].keys() == {"0"}
    other = ask(LEFT, "greedy")
    assert other["rows"]["learned"] == {"0": None}, "a rule-based player tells nothing"


def test_the_reference_scores_one_where_a_game_is_left_out() -> None:
    assert ask(LEFT, "expert")["figures"]["normalised"]["0"]["mean"] == 1


def test_what_has_learned_the_game_is_not_asked_as_if_it_had_not() -> None:
    with pytest.raises(
        TaskError, match="mine has learned from 4,000,000 decisions in runs with tonk, as its file says"
    ):
        ask(LEFT, learner("mine", ALL))
    with pytest.raises(
        TaskError, match=r"from 20,000 decisions .* asked for as an agent that has learned from 0 there"
    ):
        ask(LEFT, learner("mine", OTHERS, decisions=20_000))
    with pytest.raises(TaskError, match="mine has learned from 4,020,000 decisions in runs with tonk"):
        ask(LEFT, learner("mine", ALL, decisions=20_000))


@pytest.mark.parametrize("begun", [{}, {"begin_from": "other"}, {"teacher": "zoo:tonk-2p"}])
def test_what_an_agent_tells_counts_even_where_it_does_not_tell_all(begun: dict[str, str]) -> None:
    single = Trained("mine", {"config": {"table": {"game": "tonk"}, **begun}, "last": {"steps": 500}})
    with pytest.raises(TaskError, match="mine has learned from 500 decisions at tables of tonk"):
        ask(LEFT, single)


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in ZOO.glob("*/config.json")), ids=lambda path: path.name
)
def test_every_agent_of_the_zoo_is_refused_as_one_that_has_not_learned_its_game(folder: Path) -> None:
    said = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    about = json.loads(said["about"]) if isinstance(said.get("about"), str) else said.get("about", said)
    game = (
        said.get("game", "rummy/gin-v0").removeprefix("rummy/").removesuffix("-v0")
    )  # the agent of all games has none
    with pytest.raises(TaskError, match="has learned from"):
        check_learned(runs_of(about)[0], game, 0, folder.name)


def after_some(decisions: str) -> Trained:
    """The agents of a name with `{decisions}` in it."""
    return learner(f"mine-{decisions}", OTHERS, decisions=int(decisions))


def test_an_agent_for_each_number_of_decisions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(KINDS, "mine", f"{__name__}:_of_kind")
    said = ask(LEFT, "mine:{decisions}", until=100_000)
    assert list(said["rows"]["agents"]) == list(said["figures"]["normalised"]) == ["0", "10000", "100000"]
    assert said["player"]["parts"].keys() == {"0", "10000", "100000"}
    assert said["command"] == (f"banakil suite ask {LEFT} 'mine:{{decisions}}' --until 100000 --deals 3 --out FILE")
    path = tmp_path / "answer.json"
    write_answer(said, path)
    text = figures_text(read_answer(path))
    assert "learned before: 12 games: 150,000 decisions" in text
    assert "after 10,000: " in text
    assert "| `mine:{decisions}` | Tonk | 12 games: 150,000 decisions |" in answers_text([read_answer(path)])
    with pytest.raises(TaskError, match="--until 5 is not among the numbers of decisions of tonk-left-out-v1: 0, 1"):
        ask(LEFT, "mine:{decisions}", until=5)
    with pytest.raises(TaskError, match=r"--until 10000 needs a name with \{decisions\} in it"):
        ask(LEFT, "greedy", until=10_000)
    with pytest.raises(TaskError, match=f"{RULES} measures one player"):
        ask(RULES, "mine:{decisions}")


def _of_kind(argument: str, game: Any) -> Trained:
    return after_some(argument)


def test_a_changed_answer_is_refused(tmp_path: Path) -> None:
    said = ask(RULES)
    path = tmp_path / RULES / "greedy.json"
    path.parent.mkdir()
    write_answer(said, path)
    assert read_answer(path).said == said
    with pytest.raises(TaskError, match="is not a standing answer: it has to be whole"):
        read_answers(tmp_path)
    changed = json.loads(path.read_text())
    changed["figures"]["gap"]["mean"] += 0.1
    path.write_text(json.dumps(changed))
    with pytest.raises(TaskError, match="do not follow from its rows"):
        read_answer(path)
    changed["rows"] = {}
    path.write_text(json.dumps(changed))
    with pytest.raises(TaskError, match=f"the rows of .* are not those of {RULES}"):
        read_answer(path)
    changed["protocol"] = f"{RULES}+000000000000"
    path.write_text(json.dumps(changed))
    with pytest.raises(TaskError, match="is another protocol than the yaniv-new-rules-v1"):
        read_answer(path)
    changed = ask(RULES) | {"rows": {"training": [], "held_out": []}}
    path.write_text(json.dumps(changed))
    with pytest.raises(TaskError, match=f"the rows of .* are not those of {RULES}"):
        read_answer(path)
    path.write_text("[]")
    with pytest.raises(TaskError, match="is not an answer to a protocol"):
        read_answer(path)


def test_the_commands(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert all(name in run(suite, ["protocols"]).output for name in protocols())
    shown = run(suite, ["ask", RULES, "greedy", "--deals", "2", "--out", str(tmp_path / "x.json")]).output
    assert "gap: " in shown
    assert "written: " in shown
    assert read_answer(tmp_path / "x.json").said["command"].endswith("--deals 2 --out FILE")
    wrong = run(suite, ["ask", "yaniv-new-rule-v1", "greedy", "--out", str(tmp_path / "y.json")])
    assert "did you mean 'yaniv-new-rules-v1'?" in str(wrong.exception)
    assert not (tmp_path / "y.json").exists()
