"""What does wrong input lead to? An error that says what was given and what is allowed, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from tables import walk

import banakil_env  # noqa: F401  # registers the environments
from banakil_env.envs.aec import env, raw_env
from banakil_env.games import banakil, find
from banakil_env.kit.switches import RulesError

Deal = Callable[..., Any]


def by_name(**options: Any) -> Any:
    return pettingzoo.make("aec", "rummy/banakil-v0", **options)


every_way = pytest.mark.parametrize("deal", [banakil.new, raw_env, by_name])


# Tables


@every_way
@pytest.mark.parametrize("number", [2, 3])
def test_partners_need_four_players(deal: Deal, number: int) -> None:
    message = f"^partners need four players, not {number}; leave partners out or set it to False$"
    with pytest.raises(banakil.RulesError, match=message):
        deal(num_players=number, partners=True)


@every_way
def test_partners_is_a_yes_or_no(deal: Deal) -> None:
    with pytest.raises(banakil.RulesError, match=r"^partners must be True, False or None, not 'opposite'$"):
        deal(num_players=4, partners="opposite")


@every_way
@pytest.mark.parametrize("turns", [0, -1, 30001, 1.5, "many", True])
def test_a_limit_of_turns_that_is_none(deal: Deal, turns: Any) -> None:
    with pytest.raises(banakil.RulesError, match=f"^max_turns must be a whole number from 1 to 30000, not {turns!r}$"):
        deal(max_turns=turns)


# Rules


@every_way
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            "hoyle",
            r"^unknown rules 'hoyle': the presets are standard, pagat, jawaker, gamefarm, single, mini; switches",
        ),
        (
            7,
            r"^rules must be a text with the name of a preset \(standard, pagat, jawaker, gamefarm, single, mini\), a "
            r"dict of switches or a Rules object, not 7$",
        ),
        ("pagat aces=low", r"^unknown switch 'aces': there are partner_scoring, cutter_takes_wilds, "),
        ("pagat wilds=loose", r"^wilds=loose cannot be read: wilds is free, fixed$"),
        ("pagat upcard=maybe", r"^upcard=maybe cannot be read: upcard is yes, no$"),
        ("pagat target=0", r"^target must be a whole number from 1 to 10000 or None, not 0$"),
        ("pagat hand_bonus=51", r"^hand_bonus must be None or two whole numbers, such as \(51, 101\)"),
        ("pagat hand_bonus=51/999", r"^hand_bonus must be a whole number from 0 to 250, not 999$"),
        ("pagat ace_value=2", r"^ace_value=2 cannot be read: ace_value is 1.5, 1$"),
    ],
)
def test_rules_that_do_not_exist(deal: Deal, rules: Any, message: str) -> None:
    with pytest.raises(banakil.RulesError, match=message):
        deal(rules=rules)


@every_way
@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("pagat jawaker", r"^two presets in 'pagat jawaker', pagat and jawaker: give one, then switches$"),
        ("pagat wilds=free wilds=fixed", r"^the switch wilds is given twice in "),
        ("pagat partners individuals", r"names partners or individuals twice$"),
        ("pagat individuals", r"choose partners or individuals with the argument partners, not in the rules$"),
    ],
)
def test_rules_that_contradict(deal: Deal, rules: str, message: str) -> None:
    with pytest.raises(banakil.RulesError, match=message):
        deal(rules=rules)


def test_switches_are_checked_when_rules_are_made() -> None:
    with pytest.raises(banakil.RulesError, match=r"^upcard must be True or False, not 'yes'$"):
        banakil.Rules(upcard="yes")
    with pytest.raises(banakil.RulesError, match=r"^partner_scoring must be 'winner' or 'sum', not 'all'$"):
        banakil.Rules(partner_scoring="all")


# Seeds


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int32(5), np.uint64(2**63)])
def test_good_seeds_to_the_limits(seed: Any) -> None:
    game = env()
    game.reset(seed=seed)
    assert game.unwrapped.position.tobytes() == banakil.new(seed=seed).tobytes()


def test_a_bad_seed_leaves_the_game_as_it_was() -> None:
    game = env()
    game.reset(seed=1)
    game.step(0)
    before = game.unwrapped.position.tobytes()
    with pytest.raises(ValueError, match="seed"):
        game.reset(seed=-1)
    assert game.unwrapped.position.tobytes() == before


# Actions


def test_the_card_taken_alone_is_named() -> None:
    state = banakil.from_text("turn: seat 0, draw\nhand 0: 3c 9d\nhand 1: Kd\npile: 5s 7h")
    banakil.apply(state, banakil.parse_action("take 1"))
    message = (
        r"^'discard 7h' \(739\) is not legal: seat 0 is to play or discard; 7h may not be discarded in this turn "
        r"\(B2.4\); legal are: discard 3c, discard 9d$"
    )
    with pytest.raises(banakil.IllegalAction, match=message):
        banakil.apply(state, banakil.parse_action("discard 7h"))


def test_an_action_after_the_end() -> None:
    over = next(state.copy() for state in walk({"max_turns": 5}, 1, 1_000) if banakil.is_over(state))
    before = over.tobytes()
    message = r"^'draw' \(0\) comes after the end: the game is over \(turns\); start another$"
    with pytest.raises(banakil.IllegalAction, match=message):
        banakil.apply(over, 0)
    assert over.tobytes() == before


def test_an_action_after_the_end_of_the_environment() -> None:
    game = env()
    game.reset(options={"position": banakil.from_text("turn: seat 0, play\nhand 0: 9h\nmelds 0: 7d 8d 9d\nhand 1: Kd")})
    game.step(banakil.parse_action("discard 9h"))
    message = (
        r"^'draw' \(0\) comes after the end: the game is over \(out, seat 0\); start another; "
        r"until then player_0 steps with None only$"
    )
    with pytest.raises(banakil.IllegalAction, match=message):
        game.step(0)
    assert game.agents == ["player_0", "player_1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("discrad 3c", r"^no action is called 'discrad 3c' \(did you mean 'discard 3c'"),
        ("open 3c 4c 6c", r"^no action is called 'open 3c 4c 6c' \(did you mean "),
        ("xyzzy", r"^no action is called 'xyzzy'\. Examples of actions: draw, "),
        ("take 71", r"did you mean .*Examples of actions: draw, take 1, open 3c 4c 5c, .*, discard 3c, meld 0$"),
    ],
)
def test_a_text_that_is_no_action(text: str, message: str) -> None:
    with pytest.raises(banakil.UnknownAction, match=message):
        banakil.parse_action(text)


# States


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"position": 5}, r"^options\['position'\] must be a state of banakil or its text, not int$"),
        (
            {"position": "turn: seat 9"},
            r"^line 1, turn: seat 9 is named; there are at most 4 players, seats 0 to 3$",
        ),
        ({"position": banakil.new(3, seed=1)}, "^the position is for 3 players, the environment for 2: make one with "),
    ],
)
def test_a_position_that_the_environment_cannot_begin_from(options: dict[str, Any], message: str) -> None:
    game = env()
    with pytest.raises(ValueError, match=message):
        game.reset(options=options)


def test_a_position_and_a_seed() -> None:
    with pytest.raises(ValueError, match=r"^a position has its own generator: give a position or a seed, not both$"):
        env().reset(seed=1, options={"position": banakil.new(seed=1)})


# Positions as text

FULL = banakil.to_text(banakil.new(seed=1))


def with_line(key: str, value: str) -> str:
    """A position with one line said otherwise."""
    return "".join(f"{key}: {value}\n" if line.startswith(key) else f"{line}\n" for line in FULL.splitlines())


def line_of(key: str) -> str:
    return next(line.partition(":")[2].strip() for line in FULL.splitlines() if line.startswith(key))


def test_a_position_of_107_cards() -> None:
    text = with_line("pile", line_of("pile") + " " + line_of("stock").split()[0])
    with pytest.raises(banakil.PositionError, match=r"^line \d+, stock: \w\w: named too often, there are 2 in"):
        banakil.from_text(text)


def test_a_position_of_three_cards_of_one_face() -> None:
    with pytest.raises(banakil.PositionError, match=r"^line 2, hand 1: 7h: named too often, there are 2 in the pack$"):
        banakil.from_text("hand 0: 7h 7h 9d\nhand 1: 7h")


def test_a_position_of_105_cards() -> None:
    text = with_line("stock", " ".join(line_of("stock").split()[1:]))
    with pytest.raises(banakil.PositionError, match=r"^line \d+, stock: \w\w: in no line; leave this line out to"):
        banakil.from_text(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hand 0: 3c 1h", r"^line 1, hand 0: no card is called '1h': write rank then suit"),
        ("cards: 3c", r"^line 1: 'cards: 3c' does not begin with a key; the keys are rules, players,"),
        ("pile: 3c\npile: 4c", r"^line 2: a second line 'pile'; the first is line 1$"),
        ("players: 2\nhand 2: 3c", r"^line 2, hand 2: there are 2 players, seats 0 to 1$"),
        ("players: 5", r"^line 1, players: expected a whole number from 2 to 4, not '5'$"),
        ("rules: hoyle", r"^line 1, rules: unknown rules 'hoyle'"),
        ("melds 0: 3c 4c 6c", r"^line 1, melds 0: .* is not a sequence"),
        ("turn: seat 7", r"^line 1, turn: |^seat 7"),
        ("known 0: 3c\nhand 0: 4c", r"^line 1, known 0: 3c is not in the hand$"),
        ("over: draw\nhand 0: 3c", r"^line 1, over: expected out, seat S; exhausted"),
    ],
)
def test_a_position_that_says_what_cannot_be(text: str, message: str) -> None:
    with pytest.raises(banakil.PositionError, match=message):
        banakil.from_text(text)


def test_what_was_nearly_right_is_named():
    with pytest.raises(RulesError, match=r"unknown rules 'pagatt' \(did you mean 'pagat'\?\)"):
        find("hand").new(4, rules="pagatt")
    with pytest.raises(RulesError, match="partners is an option of a table, partners=True, not of its rules"):
        find("hand").new(4, rules="pagat partners")
    with pytest.raises(RulesError, match=r"unknown switch 'call_limt' \(did you mean 'call_limit'\?\)"):
        find("yaniv").new(2, rules="call_limt=5")
