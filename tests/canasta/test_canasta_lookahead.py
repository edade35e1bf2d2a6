"""Is the look-ahead of the mask exact? Against every row of plays, on small hands made up at random."""

from __future__ import annotations

import random

from canasta_slow import legal, legal_takes, turn_of

from banakil_env.games import canasta
from banakil_env.kit.books.kinds import FACES


def made_up(dice: random.Random) -> str:
    """The text of a position in the phase of play, of few ranks, so that much fits; sound or not."""
    pack = [face for face, name in enumerate(FACES.names) for _ in range(4 if name == "JK" else 2)]
    pack = [face for face in pack if face not in (1, 2)]
    ranks = dice.sample(range(1, 12), dice.choice((2, 3, 4)))
    near = [face for face in pack if face // 4 in ranks or (face >= 48 and dice.random() < 0.5)]
    near += [face for face in pack if face // 4 == 0 and dice.random() < 0.4]
    dice.shuffle(near)
    melds = []
    for rank in ranks:
        own = [face for face in near if face // 4 == rank]
        count = dice.choice((0, 0, 2, 3, 4, 5, 6, 7, 8))
        own = own[:count]
        wilds = [face for face in near if face >= 48][: dice.choice((0, 0, 1, 1, 2, 3))]
        if len(own) >= 2 and len(own) + len(wilds) >= 3:
            melds.append(own + wilds)
            for face in own + wilds:
                near.remove(face)
    size = dice.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9))
    hand, near = near[:size], near[size:]
    lines = [f"rules: denexa canastas={dice.choice(('usual', 'usual', 0, 1, 2))}", "players: 4"]
    score = dice.choice((-5, 0, 0, 1500, 3000))
    pile: list[int] = []
    stage = dice.choice(("", "", "yes", "no", "opening", "opening", "taking", "last", "opening, yes", "opening, no"))
    if stage == "taking":
        pile = near[: dice.choice((0, 1, 1, 2, 3))] + dice.choice(([], [1]))
        stage = "opening, taking"
    words = [word for word in stage.split(", ") if word]
    left = [*list(pack), 1, 1, 2, 2]
    for face in hand + pile + [face for meld in melds for face in meld]:
        left.remove(face)
    free = [face for face in left if face not in (1, 2)]
    others = [free.pop() for _ in range(3)]
    for face in others:
        left.remove(face)
    if "last" in words:  # all other cards are in hands, or laid down
        lines += ["red threes 1: 3d 3d 3h 3h", "stock:"]
        rest = [face for face in left if face not in (1, 2)]
    else:
        rest = []
    lines += [f"scores: {score} 0 {score} 0"] if score else []
    lines += [f"turn: {', '.join(['seat 0', 'play', *words])}", f"hand 0: {FACES.text(hand)}"]
    lines += [f"hand {seat}: {FACES.text([face] + (rest if seat == 3 else []))}" for seat, face in enumerate(others, 1)]
    lines += [f"melds 0: {' | '.join(FACES.text(sorted(meld)) for meld in melds)}"] if melds else []
    return "\n".join([*lines, f"pile: {FACES.text(pile)}"])


def melding(state) -> set[str]:
    """The legal actions of the kinds that the slow answer knows."""
    texts = {canasta.action_text(action) for action in canasta.legal_actions(state)}
    return {text for text in texts if text.split()[0] in ("open", "add", "ask")}


def test_the_mask_knows_every_play_that_leads_on(long):
    dice = random.Random(5)
    sound, by_words = 0, dict.fromkeys(("opening", "taking", "yes", "no", "last"), 0)
    for _ in range(200_000 if long else 6_000):
        text = made_up(dice)
        try:
            state = canasta.from_text(text)
        except canasta.PositionError:
            continue
        sound += 1
        for word in by_words:
            by_words[word] += f", {word}" in text
        assert melding(state) == legal(turn_of(state)), text
    assert sound > 1000
    assert min(by_words.values()) > 20, by_words


def test_the_mask_knows_every_pile_that_can_be_taken(long):
    dice = random.Random(6)
    sound, taken = 0, set()
    for _ in range(100_000 if long else 6_000):
        text = made_up(dice)
        lines = [line for line in text.splitlines() if not line.startswith(("turn", "pile"))]
        held = next(line for line in lines if line.startswith("hand 0")).split()[2:]
        pile = dice.choice(([], ["3s"], ["4h"], ["Ah", "6s"], ["3d"], ["3d", "8s"], ["2h"]))
        lines[0] += "".join(f" {name}={dice.choice(('yes', 'no'))}" for name in ("frozen_before_meld", "lone_take"))
        lines.append(f"pile: {' '.join([*pile, dice.choice(held or ['9c'])])}")
        try:
            state = canasta.from_text("\n".join(lines))
        except canasta.PositionError:
            continue
        sound += 1
        takes = {text for text in map(canasta.action_text, canasta.legal_actions(state)) if text.startswith("take")}
        assert takes == legal_takes(state), canasta.to_text(state)
        taken |= {text.split()[-1] for text in takes} & {"add", "2", "JK"}
    assert sound > 1000
    assert taken == {"add", "2", "JK"}
