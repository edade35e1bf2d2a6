"""Is every legal move read back in every style, and no damaged reply taken for a move that it does not say?"""

from __future__ import annotations

import functools
import gc
import json
import random
import re
import time
import unicodedata
from collections.abc import Iterator

import numpy as np
import pytest
from contract_play import few_cases_of, mover, sampled, start
from contract_replies import HOSTILE, STYLES, damage, meaning, spellings, styled
from fuzz_damage import DAMAGES

from banakil_env.core.kernels import OVER, kernels_of
from banakil_env.games import GAMES, find
from banakil_env.text import ILLEGAL, LEGAL, UNREADABLE, Reply, parse

# In the short and in the long form, of each game: a million positions and a hundred thousand replies over all games.
POSITIONS = {False: 150, True: 77_000}
REPLIES = {False: 250, True: 8_000}
SLOW = 20.0  # seconds of the processor, without collecting garbage, that no reply may take: a hang


# Round trip ---------------------------------------------------------------------------------------------------------


@functools.cache
def replies_of(name: str, style: str) -> tuple[str, ...]:
    """What is replied for each action of a game in one style."""
    return tuple(f"MOVE: {styled(text, style)}" for text in find(name).actions.texts)


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_of_every_position_is_read_back_in_every_style(name: str, long: bool) -> None:
    """Random play at few tables that have every preset."""
    game, cases, dice = find(name), few_cases_of(name), random.Random(f"round trip of {name}")
    kernels, mask = kernels_of(game), np.zeros(game.num_actions, np.int8)
    positions, wanted, seed = 0, POSITIONS[long], 0
    while positions < wanted:
        case, seed = cases[seed % len(cases)], seed + 1
        states, most = start(case, case.seed + seed), 2_000 if long else 25
        for _ in range(most):
            kernels.legal_one(states, mask)
            legal = np.flatnonzero(mask).tolist()
            for action in legal:
                for style in STYLES:
                    found = parse(game, states[0], replies_of(name, style)[action])
                    assert (found.kind, found.actions) == (LEGAL, (action,)), replies_of(name, style)[action]
            positions += 1
            if kernels.apply_one(states, dice.choice(legal)) == OVER or positions == wanted:
                break


# Damage -------------------------------------------------------------------------------------------------------------

_RANKS = {"ace": "a", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
_RANKS |= {"nine": "9", "ten": "t", "10": "t", "jack": "j", "queen": "q", "king": "k"}
_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")


def plainly(text: str) -> list[str]:
    """The words of a text, cards in words and symbols among them as `th`: what a reader takes it to say."""
    said = unicodedata.normalize("NFKC", text.replace("\ufe0f", "")).translate(_SIGNS).lower()
    card = rf"\b({'|'.join(_RANKS)}|[2-9tjqka])\s+of\s+(club|diamond|heart|spade)s\b"
    said = re.sub(card, lambda found: _RANKS.get(found[1], found[1]) + found[2][0], said)
    return re.sub(r"(?<!\d)10(?!\d)", "t", said.replace("joker", "jk")).replace(",", " ").split()


def says(reply: str, move: str) -> bool:
    """Whether a reply has the words of a move in a row, the verb first, the others in any order."""
    verb, *rest = plainly(move)
    reply = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), reply)  # as JSON writes letters
    words = [word for part in re.split(r"[;\n\"'`*_.!<>\[\]():\uff1a{}\\]", reply) for word in [*plainly(part), ""]]
    places = [place for place, word in enumerate(words) if word == verb]
    return any(meaning(move, words[place + 1 : place + 1 + len(rest)]) == sorted(rest) for place in places)


def beginnings(dice: random.Random) -> str:
    """Something that stands before a move."""
    return dice.choice(
        (
            *("", "", "I think.\n", "MOVE: draw\n", "move:\n", '{"move": "take"}\n', "{", "[[", "```json\n", "\u202e"),
            *("\n" * 3000, "> " * 500, "MOVE" + " " * 2000 + "\n", "x" * dice.choice((100, 30_000, 1_000_000)) + "\n"),
        )
    )


def damaged_replies(name: str, dice: random.Random) -> Iterator[tuple[int, str]]:
    """Replies without end, each with the place of the position (in `positions_of`) that it is for."""
    game, positions = find(name), positions_of(name)
    texts = game.actions.texts
    while True:
        place = dice.randrange(len(positions))
        legal = positions[place][1]
        move = texts[dice.choice(legal)] if legal and dice.random() < 0.7 else dice.choice(texts)
        others = [dice.choice(texts) for _ in range(dice.choice((0, 0, 0, 1, 5)))]
        moves = "; ".join([styled(move, dice.choice(STYLES)), *others])
        reply = dice.choice((*spellings(moves), f"MOVE: {moves}", moves, json.dumps({"moves": [move, *others]})))
        kind = dice.random()
        if kind < 0.4:
            reply = damage(reply, dice)
        elif kind < 0.6 and reply.split():
            reply = "\n".join(dice.choice(DAMAGES)(reply.splitlines(), dice))
        elif kind < 0.7:
            reply = reply.replace(
                dice.choice(reply or " "), dice.choice(("", "\n", "\0", "ﬁ", "\ud800", "{", '"', "♥"))
            )
        elif kind < 0.8:
            reply = dice.choice([each for each in HOSTILE if len(each) < 1_000_000]) + dice.choice(("", "\n")) + reply
        elif kind < 0.9:
            reply += dice.choice(
                ("\n" * 5000, " or not", "\nMOVE:", "; ", "\n}", '"}', "\nMOVE: pass it", "x" * 100_000)
            )
        yield place, beginnings(dice) + reply


@functools.cache
def positions_of(name: str) -> list[tuple[bytes, tuple[int, ...]]]:
    """Positions along random play of few tables, each with its legal moves."""
    found = []
    for case in few_cases_of(name):
        for state in sampled(case, False):
            legal = case.plain.legal_actions(state[0]) if mover(case, state) is not None else []
            found.append((state.tobytes(), tuple(legal)))
    return found


def quickly(name: str, place: int, reply: str) -> Reply:
    """What is read; it must not take long, by the clock of the process, which other work does not slow down."""
    game = find(name)
    state = np.frombuffer(bytearray(positions_of(name)[place][0]), game.state)[0]
    gc.disable()
    try:
        begun = time.process_time()
        found = parse(game, state, reply)
        assert time.process_time() - begun < SLOW, repr(reply)[:200]
    finally:
        gc.enable()
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_reply_is_refused_or_says_the_move_that_is_read(name: str, long: bool) -> None:
    texts, dice = find(name).actions.texts, random.Random(f"replies of {name}")
    found = damaged_replies(name, dice)
    kinds = dict.fromkeys((LEGAL, ILLEGAL, UNREADABLE), 0)
    parse(find(name), np.frombuffer(bytearray(positions_of(name)[0][0]), find(name).state)[0], "")  # compile
    count = REPLIES[long]
    for _ in range(count):
        place, reply = next(found)
        read = quickly(name, place, reply)
        kinds[read.kind] += 1
        assert (read.kind == UNREADABLE) == (not read.actions)
        assert (read.kind == LEGAL) == (not read.reason)
        if read.actions:
            assert (read.actions[0] in positions_of(name)[place][1]) == (read.kind == LEGAL)
        for action in read.actions:
            assert says(reply[-30_000:], texts[action]), (texts[action], reply[-300:])
    assert min(kinds.values()) > count / 20, kinds


@pytest.mark.parametrize("size", [10_000, 3_000_000])
@pytest.mark.parametrize(
    "part",
    [
        *(
            "\n",
            " ",
            "\t\n",
            "> \n",
            "move",
            "move\n",
            "move:\n",
            "MOVE: ",
            "move :",
            "*",
            "_\n",
            "{",
            '{"move":',
            "[",
            '"',
        ),
        *('{"a":[', "\\", '{"move":"', "ten of ", "7h ", ";", ";\n", "10", "♥", "ﷺ", "e\u0301", "\u200b", "\r", "\0"),
    ],
)
def test_nothing_that_is_repeated_is_slow(part: str, size: int) -> None:
    """Alone, behind a move, and before one: what a pattern goes through again and again takes seconds at this size."""
    name = "rummy"
    many = part * (size // len(part))
    for reply in (
        many,
        "MOVE" + many,
        "MOVE: " + many,
        "MOVE: draw" + many,
        many + "MOVE: draw",
        many + "\nMOVE: draw",
    ):
        quickly(name, 0, reply)
