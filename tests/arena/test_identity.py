"""Is a player identified by its code and files, so that results of two players are never mixed under one name?"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arena_players import Noisy

from banakil_env.agents import make_player
from banakil_env.agents.search import SearchPlayer
from banakil_env.arena import CompiledPlayer, Identity, StoreError, behaviour_of, identity_of, play_match
from banakil_env.arena.behaviour import _behaviour_of
from banakil_env.arena.report import as_dict
from banakil_env.core.digests import digest_of
from banakil_env.core.release import VERSION, commit
from banakil_env.games import find

REPOSITORY = Path(__file__).resolve().parents[2]
GREEDY = CompiledPlayer("greedy")

OWN = """
import numpy as np
from {helper} import best
LIMIT = {limit}
WEIGHTS = np.arange(3) + {weight}

def play(observation, mask):
    return best(mask)
"""
HELPER = "def best(mask):\n    return int(mask.argmax())  # {comment}\n"


def own_player(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, comment: str = "", **values: int) -> Any:
    """A function of a module, which calls one of another module, both written and loaded."""
    monkeypatch.syspath_prepend(folder)
    (folder / f"{name}_helper.py").write_text(HELPER.format(comment=comment))
    text = OWN.format(helper=f"{name}_helper", **{"limit": 1, "weight": 0} | values)
    (folder / f"{name}.py").write_text(text)
    for module in (name, f"{name}_helper"):
        sys.modules.pop(module, None)
    importlib.invalidate_caches()
    return importlib.import_module(name).play


# Folders ------------------------------------------------------------------------------------------------------------


def saved_model(path: Path, seed: int) -> str:
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO

    from banakil_env.envs.sb3 import TablesVecEnv

    MaskablePPO("MlpPolicy", TablesVecEnv(1), seed=seed, device="cpu", n_steps=8, batch_size=8).save(path)
    return f"sb3:{path}"


def test_another_model_in_the_same_file_is_not_mixed_with_the_first(tmp_path: Path) -> None:
    name, folder = saved_model(tmp_path / "m.zip", 1), tmp_path / "out"
    play_match([name, GREEDY], deals=2, folder=folder)
    before = (folder / "deals.jsonl").read_bytes()
    assert len(play_match([name, GREEDY], deals=3, folder=folder).deals) == 3
    saved_model(tmp_path / "m.zip", 2)
    with pytest.raises(StoreError, match=r"the player sb3:.*m\.zip has changed: its m\.zip was \w{12} and is \w{12}"):
        play_match([name, GREEDY], deals=4, folder=folder)
    assert (folder / "deals.jsonl").read_bytes().startswith(before)


def test_a_model_that_is_overwritten_during_a_match_is_not_loaded_again(tmp_path: Path) -> None:
    player = make_player(saved_model(tmp_path / "m.zip", 1))
    load, given = player.__reduce__()  # type: ignore[misc]
    assert identity_of(load(*given)) == identity_of(player)
    saved_model(tmp_path / "m.zip", 2)
    with pytest.raises(ValueError, match="was written again after the player was made of it"):
        load(*given)


def test_a_player_of_other_values_is_not_mixed_with_the_first(tmp_path: Path) -> None:
    play_match([GREEDY, Noisy(4)], deals=2, folder=tmp_path)
    play_match([GREEDY, Noisy(4)], deals=3, folder=tmp_path)
    with pytest.raises(StoreError, match=r"the player noisy has changed: its values .*Name another folder .*--out"):
        play_match([GREEDY, Noisy(5)], deals=4, folder=tmp_path)


def edited_header(folder: Path, change: Any) -> None:
    file = folder / "deals.jsonl"
    first, rest = file.read_text().split("\n", 1)
    header = json.loads(first)
    change(header)
    file.write_text(json.dumps(header) + "\n" + rest)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda header: header.update(behaviour="0" * 64),
            "banakil-v0 behaves differently since: .* 000000000000, and",
        ),
        (lambda header: header["identities"][1].update(version="0.0.9"), "the player random .* version 0.0.9 of the"),
        (
            lambda header: header.update(format=4) or header.pop("identities"),
            "does not say what decides each player's moves",
        ),
        (lambda header: header.pop("identities"), "does not say what decides each player's moves"),
        (lambda header: header.update(identities=[1, 2]), "does not say what decides each player's moves"),
        (lambda header: header["identities"][0].update(digest=[], parts=7), "the player greedy has changed: "),
    ],
    ids=["behaviour", "version", "old folder", "none", "damaged", "damaged parts"],
)
def test_a_folder_of_another_identity_is_refused(change: Any, said: str, tmp_path: Path) -> None:
    play_match([GREEDY, "random"], deals=1, folder=tmp_path)
    edited_header(tmp_path, change)
    with pytest.raises(StoreError, match=f"{said}.*Name another folder for this match"):
        play_match([GREEDY, "random"], deals=2, folder=tmp_path)


def test_a_folder_of_another_commit_is_gone_on_with(tmp_path: Path) -> None:
    play_match([GREEDY, "random"], deals=1, folder=tmp_path)
    edited_header(tmp_path, lambda header: header["identities"][0].update(commit="0" * 40))
    assert len(play_match([GREEDY, "random"], deals=2, folder=tmp_path).deals) == 2


def test_results_say_what_each_player_plays_by() -> None:
    found = as_dict(play_match([GREEDY, Noisy()], deals=1, isolate=True))["match"]
    assert [one["name"] for one in found["identities"]] == ["greedy", "noisy"]
    assert found["identities"][1] == identity_of(Noisy()).as_dict()
    assert found["identities"][0]["version"] == VERSION
    assert found["identities"][0]["commit"] == commit()
    assert found["behaviour"] == behaviour_of("banakil")


# Players ------------------------------------------------------------------------------------------------------------


def test_each_kind_of_player_has_an_identity_of_its_own() -> None:
    pytest.importorskip("torch")
    names = ["random", "greedy", "expert", "search:100", "search:200", "net:agents/zoo/banakil-2p", "human"]
    found = {name: identity_of(make_player(str(name).replace("agents", str(REPOSITORY / "agents")))) for name in names}
    assert len({one.digest for one in found.values()}) == len(names)
    assert set(found["search:100"].parts) >= {"settings", "behaviour", *find("banakil").search.models}  # type: ignore[union-attr]
    assert found["search:100"].parts["behaviour"] == found["search:200"].parts["behaviour"]


def test_a_search_is_another_player_with_each_setting() -> None:
    gin = find("gin")
    settings: list[dict[str, Any]] = [
        {},
        {"player": "greedy"},
        {"sure": 2.0},
        {"beliefs": False},
        {"models": ["expert"]},
        {"exchanges": 25},
    ]
    assert len({SearchPlayer("100", gin, **setting).identity().digest for setting in settings}) == len(settings)
    assert (
        SearchPlayer("100", gin, "expert", models=["greedy", "expert"]).identity()
        == SearchPlayer("100", gin).identity()
    )


def test_a_network_is_its_weights_whatever_it_is_stored_in(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from banakil_env.agents.making import make_network
    from banakil_env.agents.model import Shape
    from banakil_env.agents.network import FILE, NetworkPlayer, save_agent

    network = make_network(find("banakil"), Shape((8,), advice="greedy"), 1)
    save_agent(tmp_path / FILE, network, {})
    loaded = identity_of(make_player(f"net:{tmp_path}"))
    assert loaded.digest == identity_of(NetworkPlayer(network)).digest
    assert loaded.parts["greedy"] == identity_of(GREEDY).parts["behaviour"]
    network.value.bias.data += 1  # type: ignore[union-attr]
    assert loaded.digest != identity_of(NetworkPlayer(network)).digest


def test_an_identity_is_the_same_in_every_process() -> None:
    program = (
        "from arena_players import Noisy, first_legal\n"
        "from banakil_env.arena import CompiledPlayer, identity_of\n"
        "from banakil_env.agents import make_player\n"
        "for one in (CompiledPlayer('expert'), Noisy(), make_player(first_legal), make_player('search:9')):\n"
        "    print(identity_of(one).digest)\n"
    )
    paths = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "tests" / "arena")])
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    from arena_players import first_legal

    own = [CompiledPlayer("expert"), Noisy(), make_player(first_legal), make_player("search:9")]
    assert done.stdout.split() == [identity_of(one).digest for one in own]


def test_a_function_is_its_code_and_the_users_files_that_it_reaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(**values: Any) -> str:
        return identity_of(make_player(own_player(tmp_path, "own_identity", monkeypatch, **values))).digest

    first = digest()
    assert first == digest()
    assert len({first, digest(limit=2), digest(weight=1), digest(comment="another helper")}) == 4


def test_a_player_says_which_files_it_plays_by(tmp_path: Path) -> None:
    def player(observation: Any, mask: Any) -> int:
        return int(mask.argmax())

    weights = tmp_path / "weights.npz"
    weights.write_bytes(b"one")
    player.plays_by = [weights]  # type: ignore[attr-defined]
    before = identity_of(make_player(player))
    weights.write_bytes(b"two")
    assert str(weights) in before.parts
    assert identity_of(make_player(player)).digest != before.digest
    weights.unlink()
    with pytest.raises(ValueError, match=r"the player player needs .* attribute plays_by: .*No such file"):
        identity_of(make_player(player))


def test_a_player_may_have_an_identity_of_its_own() -> None:
    class Own(Noisy):
        def identity(self) -> Identity:
            return Identity("whatever", {"by hand": "7"})

    assert identity_of(Own()) == Identity("noisy", {"by hand": "7"})


# Digests ------------------------------------------------------------------------------------------------------------


def test_equal_values_have_equal_digests_however_they_are_shared() -> None:
    shared = [1, "two", np.arange(3)]
    twice = {"a": [shared, shared], "b": {3, 1, 2}}
    apart = {"b": {2, 1, 3}, "a": [copy.deepcopy(shared), copy.deepcopy(shared)]}
    assert digest_of(twice) == digest_of(apart)
    assert digest_of(twice) != digest_of({**twice, "a": [shared, [1, "two", np.arange(4)]]})
    within: list[Any] = [1]
    within.append(within)
    assert digest_of(within) != digest_of([1])
    assert digest_of(open) == digest_of(open)


def test_a_game_counts_by_its_name_and_version() -> None:
    other = dataclasses.replace(find("banakil"), version=7)
    assert digest_of([find("banakil")]) == digest_of([dataclasses.replace(find("banakil"))]) != digest_of([other])


def test_numbers_too_long_for_decimal_digits_have_digests() -> None:
    assert digest_of([10**5000]) == digest_of([10**5000]) != digest_of([10**5000 + 1])


def test_what_cannot_be_pickled_counts_by_its_class() -> None:
    with open(os.devnull) as one, open(__file__) as other:
        assert digest_of([one]) == digest_of([other]) != digest_of([1])


# The game -----------------------------------------------------------------------------------------------------------


def test_the_behaviour_of_a_game_changes_with_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("banakil")
    before = behaviour_of(game)
    _behaviour_of.cache_clear()
    assert behaviour_of("banakil") == before
    _behaviour_of.cache_clear()
    monkeypatch.setattr("banakil_env.arena.behaviour.FIRST_SEED", 5)
    assert behaviour_of(game) != before
    _behaviour_of.cache_clear()
