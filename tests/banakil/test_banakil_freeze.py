"""Does Banakil still play as it did when the files in this folder were written?

A failure is a change of behaviour. `banakil_freeze.py` says when the files may be written again, and how.
"""

from __future__ import annotations

import json

import pytest
from banakil_freeze import (
    AGENTS,
    COMPILED,
    DATA,
    DIGESTS,
    GAMES,
    GOLDEN,
    TABLES,
    answers_now,
    answers_path,
    answers_text,
    digests,
    golden_path,
    golden_text,
    parse_answers,
    replayed,
)

from banakil_env.games import banakil

# In what share of the positions with a choice a network must do what it did. Floating-point sums may differ in their
# last digits on another processor or in another release of PyTorch; with AVX-512 and with plain instructions, logits
# differed by 8e-6 at most. The likeliest two actions are nearer than 1e-4 in no more than two positions of a thousand.
SAME_OF_NETWORK = 0.998


# Golden games


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_replayed_to_the_letter(name):
    text = golden_path(name).read_text(encoding="utf-8")
    again, record, state = replayed(text)
    assert again == text
    assert banakil.is_over(state)
    assert banakil.to_text(banakil.replay(record)[0]) == banakil.to_text(state)


@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_again_by_its_players(name):
    assert golden_text(name) == golden_path(name).read_text(encoding="utf-8")


def test_every_file_is_of_a_golden_game():
    assert sorted(path.stem for path in GOLDEN.iterdir()) == sorted(GAMES)


# Digests of random play


@pytest.mark.parametrize("table", TABLES)
def test_random_play_has_its_digests(table):
    before, now = json.loads(DIGESTS.read_text(encoding="utf-8"))[table], digests(table)
    assert {key: now[key] for key in now if key != "fields"} == {
        key: before[key] for key in before if key != "fields"
    }, f"observation fields that differ: {sorted(dict(now['fields'].items() ^ before['fields'].items()))}"


def test_every_table_has_digests():
    assert list(json.loads(DIGESTS.read_text(encoding="utf-8"))) == list(TABLES)


# Answers of the players


@pytest.mark.parametrize("name", AGENTS)
def test_players_answer_as_they_did(name):
    text = answers_path(name).read_text(encoding="utf-8")
    before = parse_answers(text)
    assert answers_text(before) == text
    now, choices = answers_now(name, before.games)
    for who in (*COMPILED, name):
        pairs = [pair for pair, choice in zip(zip(before.said[who], now.said[who]), choices) if choice]
        differing = [(old, new) for old, new in pairs if old != new]
        allowed = 0 if who in COMPILED else len(pairs) * (1 - SAME_OF_NETWORK)
        assert len(differing) <= allowed + 1e-9, f"{who}: {len(differing)} of {len(pairs)} differ: {differing[:10]}"


def test_every_file_is_of_these_tests():
    assert sorted(DATA.iterdir()) == sorted([DIGESTS, *map(answers_path, AGENTS)])
