"""One network for all games: suits are alike, other rows do not matter, and it plays every table of every game."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tyro")
torch = pytest.importorskip("torch")

from contract_play import cases_of  # noqa: E402

from banakil_env.agents import PlayerError, make_player  # noqa: E402
from banakil_env.agents import zoo as agents_zoo  # noqa: E402
from banakil_env.agents.family import FamilyPlayer, digest_of_layout, is_family, load_family, save_family  # noqa: E402
from banakil_env.agents.family_network import FamilyNetwork, FamilyShape, seen_of  # noqa: E402
from banakil_env.agents.network import FILE, AgentError, load  # noqa: E402
from banakil_env.arena import play_match  # noqa: E402
from banakil_env.core.views import encode_cards  # noqa: E402
from banakil_env.envs.mixed import MixedTables  # noqa: E402
from banakil_env.envs.vector import Tables  # noqa: E402
from banakil_env.games import GAMES, find  # noqa: E402
from banakil_env.kit.common.faces import NAMES, NUM_FACES  # noqa: E402
from banakil_env.kit.common.family_moves import MoveLister  # noqa: E402
from banakil_env.kit.plain import Plain  # noqa: E402
from banakil_env.suite.answers import answers_text, read_answer  # noqa: E402
from banakil_env.suite.learned import runs_of  # noqa: E402
from train import family, family_play, family_study  # noqa: E402
from train.family import Config, Learner  # noqa: E402
from train.family_games import FAMILIES  # noqa: E402

SMALL = FamilyShape(face=8, table=16, move=8)
AGENT = "rummy-family"
POSITION = """
rules: openspiel
players: 2
turns: 3
turn: seat 0, play
upcards: 1
limit: 10
hand 0: 2c 5c 6c Kc 4d 7d 8d Kd 8h 6s 8s
hand 1: 4c Ad 4h 6h 7h As Ts Js Qs Ks
known 1: Ts
pile: Qh Tc 7s
stock: 3s 9h 3c 3h Jd 7c Th Kh Td 5d 6d Ac 5s Qd 3d 4s 9s 2d 9d Jc Jh 5h 9c Qc 8c 2s Ah 2h
"""


def network():
    """A small one with random weights; those that begin at nearly zero are made larger, so that they count."""
    made = FamilyNetwork(SMALL, seed=3)
    with torch.no_grad():
        for weights in made.parameters():
            weights.add_(torch.randn(weights.shape, generator=torch.Generator().manual_seed(7)), alpha=0.3)
    return made.eval()


def seen_by(tables):
    """What the network is given of tables of one game."""
    arrays = {name: getattr(tables, name) for name in ("cards", "melds", "table", "rules")}
    return seen_of(arrays, MoveLister([tables.game]).legal(tables.masks, tables.cards, tables.melds))


def after(steps, **options):
    """Tables of the form that the network reads, after some random actions."""
    tables = Tables(6, observation="cards", threads=1, **options)
    tables.reset(seed=11)
    for _ in range(steps):
        tables.step(tables.random_actions())
    return tables


# What is listed -------------------------------------------------------------------------------------------------------


def faces_of(game, text, tables):
    """The faces that an action names in row 0, as text."""
    moves = MoveLister([game]).legal(tables.masks[:1], tables.cards[:1], tables.melds[:1])
    [place] = np.flatnonzero(moves.actions == game.actions.parse(text))
    ends = [*moves.cards.begins.tolist(), len(moves.cards.numbers)]
    return [NAMES[face % NUM_FACES] for face in moves.cards.numbers[ends[place] : ends[place + 1]]]


def test_a_discard_names_its_card_and_a_take_the_card_on_the_pile():
    game = find("gin")
    tables = Tables(1, game="gin", observation="cards")
    tables.reset(seed=0)
    tables.begin_from(POSITION)
    assert faces_of(game, "discard 5c", tables) == ["5c"]
    tables.begin_from(POSITION.replace("seat 0, play", "seat 0, draw").replace(" 8s\n", "\n").replace("3s", "3s 8s"))
    assert faces_of(game, "take", tables) == ["7s"]
    assert faces_of(game, "draw", tables) == []


def test_an_action_is_listed_once_and_in_order():
    for name in GAMES:
        tables = after(30, game=name)
        moves = MoveLister([tables.game]).legal(tables.masks, tables.cards, tables.melds)
        assert np.array_equal(np.argwhere(tables.masks), np.stack([moves.rows, moves.actions], 1))
        assert moves.places_of(moves.actions[moves.columns == 0]).tolist() == [0] * 6


# Suits ----------------------------------------------------------------------------------------------------------------


def chances(text):
    """How likely the network takes each action at a position of gin, by the action's text."""
    gin = Plain(find("gin"))
    state = gin.from_text(text)
    seen = gin.observe(state, gin.seat_to_move(state))
    said = FamilyPlayer(network(), find("gin")).explain(seen["observation"], seen["action_mask"], 0)
    return {gin.action_text(action): chance for action, chance in said.probabilities.items()}


def exchanged(text, suits):
    """A text with other suits of its cards."""
    return re.sub(r"\b([A2-9TJQK])([cdhs])\b", lambda card: card[1] + suits[card[2]], text)


def test_suits_that_are_alike_are_exchanged_without_a_trace():
    suits = {"c": "s", "d": "c", "h": "d", "s": "h"}
    before, after_it = chances(POSITION), chances(exchanged(POSITION, suits))
    assert {exchanged(text, suits): pytest.approx(chance, rel=1e-4) for text, chance in before.items()} == after_it
    assert max(before.values()) > 1.5 * min(before.values()), "the network tells the cards apart"


def test_in_games_of_books_a_suit_marks_cards_of_their_own():
    tables = after(10, game="mille")
    seen = seen_by(tables)
    made = network()
    with torch.no_grad():
        one = made(seen)
        made.suit.add_(torch.tensor([[0.0], [1.0], [0.0], [0.0]]))
        assert not torch.allclose(one, made(seen))


# Rows -----------------------------------------------------------------------------------------------------------------


def test_other_rows_and_the_padding_of_a_batch_do_not_matter():
    names, made = ("gin", "canasta", "contract"), network()
    mixed = MixedTables([{"game": name, **find(name).tables[0].options} for name in names], 6, observation="cards")
    mixed.reset(seed=5)
    for _ in range(25):
        mixed.step(mixed.random_actions())
    lister = MoveLister([find(name) for name in names])
    moves = lister.legal(mixed.masks, mixed.cards, mixed.melds, mixed.part_of)
    arrays = {name: getattr(mixed, name) for name in ("cards", "melds", "table", "rules")}
    with torch.no_grad():
        whole = made(seen_of(arrays, moves))
        for part, first in zip(mixed.parts, mixed.first):
            logits = made(seen_by(part))
            rows = slice(int(first), int(first) + 6)
            assert torch.allclose(whole[rows, : logits.shape[1]], logits, atol=1e-4)
            assert (whole[rows, logits.shape[1] :] < -1e6).all()


def test_a_decision_does_not_depend_on_the_decisions_that_are_asked_with_it():
    tables = after(12, game="rummy500", num_players=3)
    player = FamilyPlayer(network(), tables.game)
    asked = tables.observations, tables.masks, np.zeros(6, np.uint64)
    together = player.act(*asked)
    apart = [int(player.act(*(part[i : i + 1] for part in asked))[0]) for i in range(6)]
    assert together.tolist() == apart
    assert all(tables.masks[row, action] for row, action in enumerate(together))


# Every table ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_preset_and_number_of_players(name):
    player = FamilyPlayer(network(), find(name))
    for case in cases_of(name):
        tables = Tables(2, game=name, threads=1, **case.options)
        tables.reset(seed=case.seed)
        for _ in range(12):  # an illegal action would be an error
            tables.step(player.act(tables.observations, tables.masks, np.zeros(2, np.uint64)))


@pytest.mark.parametrize("name", GAMES)
def test_the_agent_of_the_zoo_beats_random_at_the_main_table(name):
    table = find(name).tables[0]
    players = [make_player(f"zoo:{AGENT}", name), make_player("random", name)]
    results = play_match(players, deals=12, budget=None, game=name, **table.options)
    assert not list(results.failures())
    assert results.margin(players[0].name, "random").mean > 0


def test_the_agent_of_the_zoo_has_its_card_and_its_recipe():
    folder = agents_zoo.model_of(AGENT).parent
    network, about = load_family(folder / "model.safetensors")
    assert sum(weights.numel() for weights in network.parameters()) < 1_000_000
    config = Config(
        **{**about["config"], "games": tuple(about["config"]["games"]), "without": (), "out": "runs/family"}
    )
    assert config.names == tuple(GAMES)
    said = json.loads((folder / "config.json").read_text())
    assert said["config"] == about["config"]
    card = (folder / "README.md").read_text()
    assert "python -m train.family" in card


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_as_it_was_written(tmp_path):
    file, made = tmp_path / "agent.safetensors", network()
    save_family(file, made, {"trainer": "family"})
    found = load_family(file)
    assert is_family(file)
    assert found.about == {"trainer": "family"}
    assert FamilyPlayer(found.network, find("tonk")).identity() == FamilyPlayer(made, find("tonk")).identity()
    assert make_player(f"net:{file}", "tonk").identity().parts == FamilyPlayer(made, find("gin")).identity().parts


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"columns": "0" * 16}, f"trained on the columns 0000000000000000 of cards, and this is {digest_of_layout()}"),
        ({"format": "banakil-family-9"}, "is of format 'banakil-family-9'"),
        ({"shape": json.dumps({"face": 8, "table": 16})}, "invalid shape"),
        ({"shape": json.dumps({"face": 8, "table": 16, "move": 10**9})}, "move must be from 1 to 1024"),
        ({"about": "{}"}, "is not as it was written"),
    ],
)
def test_another_file_is_refused(tmp_path, changes, said):
    from safetensors import safe_open
    from safetensors.torch import save_file

    file = tmp_path / "agent.safetensors"
    save_family(file, network(), {"trainer": "family"})
    with safe_open(str(file), "pt") as opened:
        metadata, tensors = opened.metadata(), {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    save_file(tensors, str(file), metadata | changes)
    with pytest.raises(PlayerError, match=re.escape(said)):
        make_player(f"net:{file}", "gin")


def test_a_network_that_is_not_finite_is_not_written(tmp_path):
    made = network()
    with torch.no_grad():
        made.rank[0, 0] = float("nan")
    with pytest.raises(ValueError, match="not finite: rank"):
        save_family(tmp_path / "agent.safetensors", made, {})
    assert not list(tmp_path.iterdir())


def test_it_is_no_agent_of_one_game():
    with pytest.raises(AgentError, match="banakil-family-1"):
        load(agents_zoo.model_of(AGENT))


# Training -------------------------------------------------------------------------------------------------------------

TINY = Config(games=("yaniv", "gin"), num_tables=16, decisions=1500, face=8, table=16, move=8, rate=5e-3)


def test_two_runs_of_one_seed_are_the_same():
    weights = []
    for _ in range(2):
        learner = Learner(dataclasses.replace(TINY, decisions=300))
        learner.train()
        weights.append(torch.cat([part.flatten() for part in learner.average.parameters()]))
    assert torch.equal(*weights)


def test_it_learns_what_the_teacher_does():
    learner = Learner(dataclasses.replace(TINY, num_tables=64, decisions=8000))
    first = np.mean([learner.step() for _ in range(5)])
    learner.train()
    assert np.mean([learner.step() for _ in range(5)]) < 0.8 * first


def test_a_run_goes_on_with_the_weights_of_another(tmp_path):
    learner = Learner(dataclasses.replace(TINY, decisions=50))
    learner.train()
    learner.save(tmp_path)
    begun = Learner(dataclasses.replace(TINY, games=("tonk",), begin=str(tmp_path)))
    for one, other in zip(begun.network.parameters(), learner.average.parameters()):
        assert torch.equal(one, other)
    begun.train(100)
    begun.save(tmp_path / "begun")
    (first, then), whole = runs_of(load_family(tmp_path / "begun" / "agent.safetensors").about)
    assert whole
    assert (first["games"], then["games"]) == (["yaniv", "gin"], ["tonk"])
    assert 50 <= first["decisions"] < 100 <= then["decisions"] < 200


def test_the_command_says_how_its_agent_is_played(tmp_path, capsys):
    small = {"num_tables": 2, "face": 8, "table": 16, "move": 8}
    family.main(Config(games=("gin",), out=str(tmp_path), decisions=1, **small))
    assert capsys.readouterr().out.splitlines()[-1] == f"let it play: banakil arena net:{tmp_path} expert --game gin"
    assert is_family(tmp_path / FILE)


@pytest.mark.parametrize("opponent", ["self", "greedy"])
def test_it_goes_on_by_playing(tmp_path, opponent):
    """PPO from the weights of another run: the value first, then all weights, and a file that says so."""
    save_family(
        tmp_path / "first" / FILE, network(), {"trainer": "family", "decisions": 900, "config": {"games": ["gin"]}}
    )
    options = {"games": ("canasta", "tonk"), "begin": str(tmp_path / "first"), "out": str(tmp_path / "then")}
    config = family_play.Config(
        **options, opponent=opponent, decisions=512, num_tables=8, rollout=8, batch=64, first_values=2
    )
    learner = family_play.Learner(config)
    before = {name: weights.clone() for name, weights in learner.network.state_dict().items()}
    value = learner.value[0].weight.detach().clone()
    for updates in range(4):
        now = learner.network.state_dict()
        assert all(torch.equal(now[name], weights) for name, weights in before.items()) == (updates <= 2)
        learner.update()
        assert not torch.equal(learner.value[0].weight, value)
    now = learner.network.state_dict()
    same = {name for name, weights in before.items() if torch.equal(now[name], weights)}
    assert same <= {"meld.weight", "meld.bias"}, "rows of melds are zeros in games of books, and few in a short run"
    assert learner.decisions == 4 * 8 * 16
    learner.save(tmp_path / "then")
    found = load_family(tmp_path / "then" / FILE)
    assert all(torch.isfinite(weights).all() for weights in found.network.parameters())
    runs, whole = runs_of(found.about)
    assert [(run["games"], run["decisions"]) for run in runs] == [(["gin"], 900), (["canasta", "tonk"], 512)]
    assert whole


def test_a_run_without_games_is_refused():
    with pytest.raises(ValueError, match="no game remains"):
        Config(games=("gin",), without=("gin",))


def test_a_study_keeps_what_is_done(tmp_path, capsys):
    results = tmp_path / "results.json"
    options = ["--only", "yaniv", "--deals", "2", "--runs", str(tmp_path), "--results", str(results)]
    family_study.main(["one-game", "--decisions", "1300", *options])
    [one] = json.loads(results.read_text())
    assert (one["part"], one["game"]) == ("one-game", "yaniv")
    assert 100 <= one["decisions"] < 1300
    capsys.readouterr()
    family_study.main(["one-game", "--decisions", "1300", *options])
    assert not capsys.readouterr().out


def curve_of(tmp_path, *points):
    """The results of `again` for tonk with these points, of tiny runs."""
    results = tmp_path / "results.json"
    options = ["--only", "tonk", "--deals", "2", "--runs", str(tmp_path), "--results", str(results), "--short", "300"]
    family_study.main(["again", "--points", *map(str, points), *options])
    return {one["first"]: one["curve"] for one in json.loads(results.read_text())}


def test_a_curve_goes_on_where_it_ended(tmp_path, capsys):
    """Its first points stay the same, and a call that asks for no more points does nothing."""
    first = curve_of(tmp_path, 200)
    capsys.readouterr()
    assert curve_of(tmp_path, 200) == first
    assert not capsys.readouterr().out
    longer = curve_of(tmp_path, 400)
    for start in ("twelve games", "random weights"):
        assert longer[start][:2] == first[start]
        assert [point["decisions"] for point in longer[start]] == [0, 200, 400]


def test_the_protocol_is_put_to_the_networks_of_a_study(tmp_path):
    curve_of(tmp_path, 10_000)
    options = [
        "--only",
        "tonk",
        "--runs",
        str(tmp_path),
        "--short-answers",
        "2",
        "--answers",
        str(tmp_path / "answers"),
    ]
    family_study.main(["answers", "--points", "10000", *options])
    told = {file.stem: read_answer(file) for file in tmp_path.glob("answers/tonk-left-out-v1/*.json")}
    learned = {name: told[name].said["rows"]["learned"] for name in ("twelve-games-0", "random-weights-0")}
    assert [len(run["games"]) for run in learned["twelve-games-0"]["10000"]] == [12, 1]
    assert [run["games"] for run in learned["random-weights-0"]["10000"]] == [["tonk"]]
    assert learned["random-weights-0"]["0"] == []
    assert all(10_000 <= runs["10000"][-1]["decisions"] < 10_500 for runs in learned.values())
    assert re.search(r"\| 12 games: [3-6]\d\d decisions \|", answers_text(list(told.values())))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["answers", "--short-answers", "2"], "--short-answers are not standing results: name another folder"),
        (["answers", "--points", "100000"], "--points 100,000: `answers` takes the protocol's points"),
        (["answers", "--points", "10000", "200000"], "from the first up to any one: 10,000 100,000"),
        (["thirteen"], "invalid choice: 'thirteen'"),
        (["again", "--only", "bridge"], "invalid choice: 'bridge'"),
        (["families", "--learned", "gin"], "invalid choice: 'gin'"),
    ],
)
def test_arguments_of_a_study_that_make_no_result_are_refused(tmp_path, capsys, arguments, said):
    """Before anything is trained or written."""
    with pytest.raises(SystemExit):
        family_study.main([*arguments, "--results", str(tmp_path / "results.json"), "--runs", str(tmp_path / "runs")])
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_family_is_measured_at_the_games_of_others(tmp_path):
    results = tmp_path / "results.json"
    options = ["--deals", "2", "--runs", str(tmp_path), "--results", str(results), "--short", "300"]
    family_study.main(["families", "--learned", "contracts", "--only", "gin", *options])
    [one] = json.loads(results.read_text())
    assert (one["family"], one["game"]) == ("contracts", "gin")
    assert load_family(tmp_path / "contracts-0" / "agent.safetensors").about["config"]["games"] == [
        "contract",
        "kalooki",
    ]


def test_every_game_is_of_one_family():
    assert sorted(itertools.chain(*FAMILIES.values())) == sorted(GAMES)


def test_the_cards_of_a_row_are_those_of_its_observation():
    tables = after(8, game="oklahoma")
    assert np.array_equal(encode_cards(tables.game, tables.observations)["cards"], tables.cards)


def test_the_runs_of_the_page_are_there():
    results = json.loads((Path(__file__).parents[2] / "docs" / "one-network.json").read_text())
    for part in ("all", "left-out"):
        assert {one["game"] for one in results if one["part"] == part} == set(GAMES)
