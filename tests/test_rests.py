"""Do the columns say what each discard and an offered card leave, and do only networks have them that ask?"""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import torch
from card_masks import mask_of_text
from rests_seen import unscaled
from safetensors.torch import save

from banakil_env.agents.encoding import encode
from banakil_env.agents.making import make_network
from banakil_env.agents.metadata import digest_of_columns
from banakil_env.agents.model import UNSAID, Shape
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.agents.tensors import digest, read_tensors
from banakil_env.core.features import OF_CARDS
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find
from banakil_env.kit.melds.deadwood import best_melded, points_in
from banakil_env.kit.melds.runs_and_sets import completing, near
from banakil_env.kit.pack52 import ALL, NUM_FACES
from banakil_env.kit.pack54 import FACES
from banakil_env.kit.rests import OFFERS, RESTS, of_one_pack
from banakil_env.kit.table_state import DRAW
from train.begin import go_on, make_run
from train.config import ConfigError, from_dict
from train.run import first_network

WITH_RESTS = [name for name in GAMES if find(name).features.with_rests]
WITH_BOTH = [name for name in WITH_RESTS if find(name).features.with_offers]
write_rests, write_offers = of_one_pack("test")


def rests_of(
    hand: str, *, fits: str = "", seen: str = "", pile: str = "", twice: str = ""
) -> dict[str, dict[str, int]]:
    """By group of columns and card of the hand, the numbers as they were before they were scaled."""
    out = np.zeros(len(RESTS) * NUM_FACES, np.float32)
    unseen = ALL & ~mask_of_text(hand) & ~mask_of_text(seen) & ~mask_of_text(pile)
    write_rests(mask_of_text(hand), mask_of_text(twice), mask_of_text(fits), unseen, mask_of_text(pile), out, 0)
    return {name: {card: found[card] for card in hand.split()} for name, found in unscaled(out, RESTS).items()}


def test_a_meld_that_is_broken_leaves_its_cards_loose():
    left = rests_of("5c 5d 5h Ks 2d")
    assert left["rest_loose"] == {"5c": 4, "5d": 4, "5h": 4, "Ks": 1, "2d": 1}
    assert left["rest_points"] == {"5c": 22, "5d": 22, "5h": 22, "Ks": 2, "2d": 10}


def test_a_card_in_a_run_and_in_a_set_is_in_one_meld():
    assert rests_of("5c 5d 5h 3h 4h Ks")["rest_loose"]["Ks"] == 2


def test_the_cards_for_which_the_rest_waits():
    """7h and Th make a run, and 8s and 8d a set, of 8c 8h 9h; without 9h the pair waits alone."""
    outs = rests_of("8c 8h 9h Ks")["rest_outs"]
    assert outs == {"8c": 2, "8h": 0, "9h": 2, "Ks": 4}


def test_a_card_that_has_been_seen_is_not_waited_for_and_one_in_the_pile_is_gone():
    left = rests_of("8c 8h 9h Ks", seen="8s", pile="Th")
    assert left["rest_outs"]["Ks"] == 2
    assert left["rest_gone"]["Ks"] == 1


def test_a_card_that_the_table_takes_is_not_loose():
    assert rests_of("8c 9h Ks", fits="Ks")["rest_loose"] == {"8c": 1, "9h": 1, "Ks": 2}


def test_the_last_cards():
    """Without 2s, 9h and Qh leave no loose card, and 5s leaves two; without Jh, 5s leaves two."""
    left = rests_of("5c 5d 5h Th Jh 2s")
    assert (left["rest_to_one"]["2s"], left["rest_to_two"]["2s"]) == (2, 3)
    assert (left["rest_to_one"]["Jh"], left["rest_to_two"]["Jh"]) == (0, 1)


def test_a_card_that_is_held_twice_stays_when_one_goes():
    assert rests_of("5c 5d 5h Ks", twice="5c")["rest_loose"]["5c"] == 1


def test_a_loose_card_that_is_held_twice_is_two_cards():
    left = rests_of("5c 9h Ks", twice="5c")
    assert left["rest_loose"] == {"5c": 3, "9h": 3, "Ks": 3}
    assert left["rest_points"]["Ks"] == 5 + 5 + 9


def test_what_a_discard_gives():
    """With 8h others make 6h 7h 8h, 7h 8h 9h, 8h 9h Th and three sets; fewer where 7h has been seen."""
    assert rests_of("8h Ks")["discard_gives"]["8h"] == 6
    assert rests_of("8h Ks", seen="7h")["discard_gives"]["8h"] == 4


def offered(hand: str, card: str, *, pile: str = "", fits: str = "", seen: str = "") -> dict[str, int]:
    """By name of the column, the numbers as they were before they were scaled; `pile`: what else is taken."""
    out = np.zeros(len(OFFERS), np.float32)
    unseen = ALL & ~mask_of_text(hand) & ~mask_of_text(seen) & ~mask_of_text(card) & ~mask_of_text(pile)
    taken = mask_of_text(card) | mask_of_text(pile), 0
    write_offers(mask_of_text(hand), 0, *taken, mask_of_text(card), mask_of_text(fits), unseen, out, 0)
    units = [float(group.note.rpartition("/ ")[2]) for group in OFFERS]
    return {group.name: round(float(x) * unit) for group, x, unit in zip(OFFERS, out, units)}


def test_a_card_that_completes_a_meld_leaves_fewer_cards_loose():
    found = offered("5c 5d Ks 2d", "5h")
    assert (found["held_loose"], found["taken_loose"]) == (4, 1)
    assert (found["held_points"], found["taken_points"]) == (22, 2)


def test_a_card_that_fits_nothing_can_go_again_only_in_exchange():
    """Without the King, the Queen stays: the discard is the best of the cards that were in the hand."""
    found = offered("5c 5d 5h Ks", "Qd")
    assert (found["held_points"], found["taken_points"]) == (10, 10)
    assert found["taken_loose"] == 1


def test_a_card_that_the_table_takes_is_not_loose_when_it_is_taken():
    found = offered("9h Ks", "Qd", fits="Qd")
    assert (found["held_loose"], found["taken_loose"]) == (2, 1)


def test_what_the_best_rest_waits_for():
    """8c 8h 9h wait for 8s, 8d and 7h; with Th and without 8c all are in a run, which 7h and Jh extend."""
    found = offered("8c 8h 9h", "Th")
    assert (found["held_outs"], found["taken_outs"]) == (3, 2)
    assert (found["taken_loose"], found["taken_to_one"]) == (0, 2)


def test_a_whole_pile_brings_melds_and_loose_cards():
    """5h makes a meld, and of Ks, 2d and 9c one goes."""
    found = offered("5c 5d Ks", "5h", pile="2d 9c")
    assert (found["held_loose"], found["held_points"]) == (3, 20)
    assert (found["taken_loose"], found["taken_points"]) == (2, 2 + 9)


@pytest.mark.parametrize("name", [name for name in WITH_BOTH if name != "banakil"])  # its columns are of all the pile
def test_with_an_empty_pile_nothing_is_offered(name):
    """The observation of a draw whose pile is gone."""
    game = find(name)
    tables = Tables(1, game=name)
    tables.reset(seed=3)
    while not tables.observations.view(game.observation)["phase"][0, 0, DRAW]:
        tables.step(tables.random_actions())
    rests, offers = game.features.with_rests, game.features.with_offers
    assert encode(game, tables.observations, features=offers)[0][0, rests.width :].any()
    without = tables.observations.copy()
    without.view(game.observation)["pile"] = 0
    assert not encode(game, without, features=offers)[0][0, rests.width :].any()


def test_every_number_of_an_offer_is_that_of_the_best_discard_in_random_hands():
    dice = np.random.default_rng(7)
    for _ in range(300):
        cards = dice.permutation(NUM_FACES)
        hand, card, seen = cards[:10], int(cards[10]), cards[11 : 11 + dice.integers(20)]
        names = [" ".join(FACES.names[face] for face in part) for part in (hand, [card], seen)]
        found = offered(names[0], names[1], seen=names[2])
        unseen = [face for face in range(NUM_FACES) if face not in hand and face != card and face not in seen]
        held = numbers_of(list(hand), unseen)
        rests = [numbers_of([*(face for face in hand if face != out), card], unseen) for out in hand]
        fewest = [rest for rest in rests if rest["loose"] == min(rest["loose"] for rest in rests)]
        best = {name: max(rest[name] for rest in fewest) for name in held}
        best |= {name: min(rest[name] for rest in rests) for name in ("loose", "points")}
        assert found == {f"held_{n}": x for n, x in held.items()} | {f"taken_{n}": x for n, x in best.items()}


def numbers_of(cards: list[int], unseen: list[int]) -> dict[str, int]:
    """The numbers of some cards, counted one card after the other."""
    loose = loose_in(cards)
    coming = [face for face in unseen if completing(mask_of(cards)) >> face & 1]
    after = [len(loose_in([*cards, face])) for face in coming]
    return {
        "loose": len(loose),
        "points": points_in(mask_of(loose)),
        "outs": sum(left <= len(loose) for left in after),
        "near": sum(near(mask_of(loose)) >> face & 1 for face in unseen),
        "to_one": sum(left <= 1 for left in after),
        "to_two": sum(left <= 2 for left in after),
    }


def loose_in(cards: list[int]) -> list[int]:
    """The cards that are in no meld of the least deadwood."""
    return [face for face in cards if not best_melded(mask_of(cards)) >> face & 1]


def mask_of(cards: list[int]) -> int:
    return sum(1 << int(face) for face in cards)


@pytest.mark.parametrize("name", WITH_BOTH)
def test_an_offer_stands_behind_the_rests_and_only_where_a_card_is_offered(name):
    game = find(name)
    tables, rests, offers = Tables(64, game=name), game.features.with_rests, game.features.with_offers
    tables.reset(seed=3)
    verbs = {verb: np.array([action.verb == verb for action in game.actions]) for verb in ("draw", "discard")}
    dice, seen = np.random.default_rng(3), {"draw": [], "discard": []}
    for _ in range(40):
        x, _ = encode(game, tables.observations, features=rests)
        wider, _ = encode(game, tables.observations, features=offers)
        np.testing.assert_array_equal(wider[:, : rests.width], x)
        for verb, actions in verbs.items():
            there = (tables.masks.astype(bool) & actions).any(axis=1)
            seen[verb] += wider[there, rests.width :].any(axis=1).tolist()
        tables.step(np.array([dice.choice(np.flatnonzero(mask)) for mask in tables.masks]))
    assert np.mean(seen["draw"]) > 0.9
    assert seen["discard"]
    assert not any(seen["discard"])


@pytest.mark.parametrize("name", WITH_RESTS)
def test_they_stand_behind_the_others_and_are_zeros_where_nothing_is_discarded(name):
    game = find(name)
    tables = Tables(64, game=name)
    tables.reset(seed=3)
    verbs = np.array([action.verb == "discard" for action in game.actions])
    dice, seen = np.random.default_rng(3), {True: [], False: []}
    layout = game.features.with_rests
    own = [group for group in layout.columns[len(game.features.columns) :] if group.about == OF_CARDS]
    of_discards = np.concatenate([layout.first[group.name] + np.arange(group.count) for group in own])
    for _ in range(40):
        x, depths = encode(game, tables.observations)
        wider, same_depths = encode(game, tables.observations, features=game.features.with_rests)
        np.testing.assert_array_equal(wider[:, : game.features.width], x)
        np.testing.assert_array_equal(depths, same_depths)
        written = wider[:, of_discards].any(axis=1)
        draws = np.array([any(game.actions[int(a)].verb == "draw" for a in np.flatnonzero(m)) for m in tables.masks])
        seen[True] += written[(tables.masks.astype(bool) & verbs).any(axis=1)].tolist()
        seen[False] += written[draws].tolist()
        tables.step(np.array([dice.choice(np.flatnonzero(mask)) for mask in tables.masks]))
    assert np.mean(seen[True]) > 0.9  # of a hand of one card nothing is left
    assert seen[False]
    assert not any(seen[False])


@pytest.mark.parametrize(("name", "offers"), [*((n, False) for n in WITH_RESTS), *((n, True) for n in WITH_BOTH)])
def test_an_agent_that_sees_them_is_kept_as_it_is(name, offers, tmp_path):
    game, shape = find(name), Shape((8,), "expert", 4, True, rests=True, offers=offers)
    network = make_network(game, shape, seed=1)
    path = tmp_path / "agent.safetensors"
    save_agent(path, network, {})
    said, _ = read_tensors(path, lambda said, found: found)
    assert said["columns"] == digest_of_columns(shape.features(game)) != digest_of_columns(game.features)
    again = load(path, game).network
    assert again.shape == shape
    tables = Tables(8, game=name)
    tables.reset(seed=1)
    given = tables.observations, tables.masks
    advice = network.advice(*given)
    with torch.inference_mode():
        for one, other in zip(network.legal_of_rows(*given, advice), again.legal_of_rows(*given, advice)):
            np.testing.assert_array_equal(one, other)


def test_a_file_says_nothing_of_them_where_the_network_sees_none(tmp_path):
    path = tmp_path / "agent.safetensors"
    save_agent(path, make_network(find("rummy"), Shape((8,)), seed=1), {})
    said, _ = read_tensors(path, lambda said, found: found)
    assert not set(json.loads(said["shape"])) & set(UNSAID)
    assert repr(Shape((8,))) == repr(Shape((8,), rests=True))


@pytest.mark.parametrize("rests", [False, True])
def test_a_file_whose_shape_and_columns_do_not_agree_is_refused(rests, tmp_path):
    game, path = find("rummy"), tmp_path / "agent.safetensors"
    network = make_network(game, Shape((8,), rests=rests), seed=1)
    save_agent(path, network, {})
    said, tensors = read_tensors(path, lambda said, found: found)
    said["columns"] = digest_of_columns(game.features if rests else game.features.with_rests)
    said["digest"] = digest({name: text for name, text in said.items() if name != "digest"}, tensors)
    path.write_bytes(save(tensors, said))
    with pytest.raises(AgentError, match="was trained on the feature columns"):
        load(path, game)


def test_a_game_without_them_has_no_such_network():
    with pytest.raises(ValueError, match="rests must be false: Canasta has no columns of what a discard leaves"):
        make_network(find("canasta"), Shape((8,), rests=True))
    with pytest.raises(ValueError, match="rests is true or false, not 1"):
        Shape((8,), rests=1)
    with pytest.raises(ValueError, match="offers must be false: Canasta has no columns of what an offered card leaves"):
        make_network(find("canasta"), Shape((8,), offers=True))
    with pytest.raises(ValueError, match="rests must be true with offers"):
        make_network(find("gin"), Shape((8,), offers=True))
    with pytest.raises(ValueError, match="offers is true or false, not 1"):
        Shape((8,), rests=True, offers=1)


@pytest.mark.parametrize(("channels", "sets"), [(None, False), (4, False), (4, True)])
def test_with_zeros_for_them_a_network_says_what_it_said_without(channels, sets, tmp_path):
    game, shape = find("rummy"), Shape((8, 8), "expert", channels, sets)
    without = make_network(game, shape, seed=1)
    save_agent(tmp_path / "agent.safetensors", without, {})
    config = from_dict(
        {
            "name": "small",
            "trainer": "aggrevate",
            "steps": 1,
            "table": {"game": "rummy"},
            "begin_from": str(tmp_path),
            "network": {"hidden": [8, 8], "advice": "expert", "channels": channels, "sets": sets, "rests": True},
        }
    )
    network = first_network(config)
    assert network.shape.rests
    tables = Tables(32, game="rummy")
    tables.reset(seed=1)
    advice = torch.zeros(32, dtype=torch.int64)
    for one, other in zip(network.of_rows(tables.observations, advice), without.of_rows(tables.observations, advice)):
        assert torch.allclose(one, other, atol=1e-6)
    save_agent(tmp_path / "agent.safetensors", network, {})
    plain = dataclasses.replace(config, network=dataclasses.replace(config.network, rests=False))
    with pytest.raises(ConfigError, match=r"begin_from: .* with rests; set .*network\.takes to the same"):
        first_network(plain)


@pytest.mark.parametrize("trainer", ["fast", "aggrevate"])
def test_a_run_learns_from_them(trainer, tmp_path):
    """A run with them ends, goes on from its checkpoint, and its agent sees them."""
    config = from_dict(
        {
            "name": "small",
            "trainer": trainer,
            "table": {"game": "rummy"},
            "reward": {"unit": 2.0},
            "network": {"hidden": [8], "advice": "expert", "channels": 4, "sets": True, "rests": True},
            "rollout": {"tables": 8, "steps": 16},
            "optimizer": {"batch": 32},
            "evaluation": {"times": 0, "deals": 2},
            "steps": 128,
            "threads": 1,
        }
    )
    make_run(config, tmp_path).train()
    assert go_on(tmp_path, dataclasses.replace(config, steps=256)).train().steps == 256
    assert load(tmp_path).network.shape.rests
