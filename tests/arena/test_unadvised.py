"""Is an agent without its adviser the same network, and is its strength next to the agent's own?"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from banakil_env.agents import KINDS, PlayerError, make_player
from banakil_env.arena.identities import identity_of
from banakil_env.arena.players import current_name
from banakil_env.games import find

torch = pytest.importorskip("torch")

from banakil_env.agents import hub  # noqa: E402
from banakil_env.agents.model import Network, Shape  # noqa: E402
from banakil_env.agents.network import save_agent  # noqa: E402
from train import ladder  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
GAME = find("yaniv")


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """A network with random weights that follows its adviser."""
    save_agent(tmp_path / "agent.safetensors", Network(GAME, Shape((16,), advice="greedy"), 3), {})
    return f"net:{tmp_path / 'agent.safetensors'}"


def rows(count: int = 64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations and masks of first decisions, and dice."""
    from banakil_env.envs.vector import Tables

    tables = Tables(count, game=GAME)
    tables.reset(seed=1)
    return tables.observations.copy(), tables.masks.copy(), np.zeros(count, np.uint64)


def test_it_plays_what_the_network_says_alone(agent: str) -> None:
    asked = rows()
    advised, alone = make_player(agent, GAME), make_player(f"unadvised:{agent}", GAME)
    assert alone.name == f"unadvised:{agent}"
    greedy = make_player("greedy", GAME).act(*asked)
    assert (advised.act(*asked) == greedy).mean() > 0.9  # it trusts its adviser before anything is learned
    network = advised._network  # type: ignore[attr-defined]
    logits = network.of_rows(asked[0])[0].detach().numpy()
    assert (alone.act(*asked) == np.where(asked[1] > 0, logits, -np.inf).argmax(1)).all()
    assert (alone.act(*asked) != greedy).any()
    found = alone.explain(asked[0][0], asked[1][0], 0)  # type: ignore[attr-defined]
    assert found.action == alone.act(*asked)[0]


def test_it_is_another_player_to_results(agent: str) -> None:
    advised, alone = (make_player(name, GAME).identity() for name in (agent, f"unadvised:{agent}"))  # type: ignore[attr-defined]
    assert alone.parts == {"network": advised.parts["network"]}
    assert alone.digest != advised.digest


def test_who_has_no_adviser_is_refused(agent: str, tmp_path: Path) -> None:
    save_agent(tmp_path / "alone.safetensors", Network(GAME, Shape((16,)), 3), {})
    for name, said in (
        (f"unadvised:net:{tmp_path / 'alone.safetensors'}", "has no adviser that could be taken away"),
        (f"unadvised:unadvised:{agent}", "has no adviser that could be taken away"),
        ("unadvised:greedy", "takes a trained network, such as unadvised:zoo:gin-2p, not 'greedy'"),
        ("unadvised:", "there is no player ''"),
    ):
        with pytest.raises(PlayerError, match=said):
            make_player(name, GAME)


def test_it_is_a_rung_of_the_ladder() -> None:
    table = GAME.tables[0]
    found = ladder.measure(GAME, table, "unadvised", "expert", 4)
    assert (found.player, found.agent) == ("unadvised", ladder.newest(ladder.ZOO, table.name).name)  # type: ignore[union-attr]
    assert found.command.endswith("--table yaniv-2p --rung unadvised --against expert --deals 4")
    assert list(ladder.opponents_of(GAME, "unadvised")) == ["expert"]


def test_a_card_says_the_strength_without_the_adviser(agent: str, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    hub.export(agent.partition(":")[2], tmp_path / "out", ["greedy"], deals=4)
    text = " ".join((tmp_path / "out" / "README.md").read_text().split())
    assert re.search(
        r"Without the move of `greedy`, .* the agent is [-+\d.]+ ± [\d.]+ points per deal ahead of `greedy`", text
    )
    assert re.search(r"\| `greedy` \| [-+\d.]+ ± [\d.]+ \| ± [\d.]+ \|", text)


@pytest.fixture(scope="module")
def zoo_table() -> list[list[str]]:
    """The cells of the table of the zoo."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in generate.zoo_table().splitlines()]


def test_every_agent_of_the_zoo_has_its_strength_without_its_adviser(zoo_table: list[list[str]]) -> None:
    heads, _, *lines = zoo_table
    assert len(lines) == sum(len(game.tables) for game in map(find, ladder.GAMES))
    place = heads.index("the same without its adviser")
    assert all(re.fullmatch(r"[-+][\d.]+ ± [\d.]+, ± [\d.]+", line[place]) for line in lines)
    cards = {re.findall(r"\[(.*?)\]", line[0])[0]: line[place] for line in lines}
    for name, cell in cards.items():
        text = " ".join((ROOT / "agents" / "zoo" / name / "README.md").read_text().split())
        assert f"the agent is {cell.partition(',')[0]} points per deal ahead" in text, name


def test_no_column_repeats_another(zoo_table: list[list[str]]) -> None:
    means = [[cell.split(" ± ")[0] for cell in line[1:-1]] for line in zoo_table[2:]]
    assert len(set(zip(*means))) == len(means[0])


def test_leads_that_are_not_significant_are_marked(zoo_table: list[list[str]]) -> None:
    heads, _, *lines = zoo_table
    place, marked = heads.index("ahead of `expert` (95 %, 99 %)"), []
    for line in lines:
        mean, half = map(float, re.findall(r"[-+]?[\d.]+", line[place])[:2])
        assert ("†" in line[place]) == (mean <= half), line
        marked += [line[0]] * ("†" in line[place])
    assert 1 <= len(marked) < len(lines)


def test_random_is_marked_where_expert_does_better_against_it(zoo_table: list[list[str]]) -> None:
    marked = [re.findall(r"\[(.*?)\]", line[0])[0] for line in zoo_table[2:] if "‡" in line[1]]
    assert "gin-2p-5" in marked
    for name in marked:
        table = name.rpartition("-")[0] if name.count("-") > 1 else name
        [least] = [f for f in ladder.read() if (f.table, f.player, f.against) == (table, "random", "expert")]
        [line] = [each for each in zoo_table[2:] if f"[{name}]" in each[0]]
        assert -least.ahead > float(line[1].split()[0])
    assert "‡ `expert` is further ahead of `random`" in (ROOT / "docs" / "results.md").read_text()


def test_net_is_the_word_for_a_network_and_the_old_word_is_understood(agent: str) -> None:
    """A player keeps the name that it was made by: recorded results have such names."""
    old = agent.replace("net:", "ppo:")
    now, before = make_player(agent, GAME), make_player(old, GAME)
    assert (now.name, before.name) == (agent, old)
    assert identity_of(now).parts == identity_of(before).parts
    assert make_player(f"unadvised:{old}", GAME).name == f"unadvised:{old}"
    assert current_name(old) == agent
    assert current_name(f"unadvised:{old}") == f"unadvised:{agent}"
    assert current_name("zoo:gin-2p") == "zoo:gin-2p"
    assert "ppo" not in KINDS
