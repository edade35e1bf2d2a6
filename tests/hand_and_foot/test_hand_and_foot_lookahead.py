"""Is the look-ahead of the mask exact? Against every row of plays, on small hands made up at random."""

from __future__ import annotations

import random

from hand_and_foot_slow import legal, legal_takes, turn_of
from hand_and_foot_tables import FOOT

from banakil_env.games import hand_and_foot
from banakil_env.games.hand_and_foot.plans import is_meld
from banakil_env.kit.books.kinds import FACES

STAGES = ("", "", "yes", "yes", "no", "opening", "opening", "taking", "taking", "last", "yes, last", "opening, yes")


def made_up(dice: random.Random, stage: str) -> list[str]:
    """The lines of a position in the phase of play, of few ranks, so that much fits; sound or not."""
    pack = [face for face, name in enumerate(FACES.names) for _ in range(10 if name == "JK" else 5)]
    for card in FOOT.split():
        pack.remove(FACES.parse(card))
    ranks = dice.sample(range(1, 12), dice.choice((1, 2, 2, 3)))
    of_ranks = {rank: [face for face in pack if face // 4 == rank] for rank in ranks}
    wild = [face for face in pack if face >= 48]
    threes = [0] * 5 + [3] * 5
    for cards in (*of_ranks.values(), wild):
        dice.shuffle(cards)
    melds = []
    for rank in ranks:
        for size in dice.choice(((), (3,), (4,), (5,), (6,), (7,), (7, 3), (7, 5), (6,))):
            wilds = dice.choice((0, 0, 1, 1, 2))
            if is_meld(size - wilds, wilds) and size - wilds <= len(of_ranks[rank]):
                own = [of_ranks[rank].pop() for _ in range(size - wilds)] + [wild.pop() for _ in range(wilds)]
                melds.append(sorted(own))
                if size < 7:
                    break
    for size in dice.choice(((), (), (3,), (5,), (6,), (7,), (7, 4))):
        melds.append(sorted(wild.pop() for _ in range(size)))
    if stage.startswith(("opening", "taking")):  # which must not reach the value
        melds = melds[-1:]
    near = [face for cards in of_ranks.values() for face in cards] + wild[: dice.choice((0, 1, 2, 3, 5, 8))]
    near += threes[: dice.choice((0, 0, 0, 1, 2))]
    dice.shuffle(near)
    size = dice.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10))
    hand, near = near[:size], near[size:]
    pile: list[int] = near[: dice.choice((0, 1, 1, 1, 2, 3, 8))] if stage == "taking" else []
    words = ["opening", "taking"] if stage == "taking" else [word for word in stage.split(", ") if word]
    piles = dice.choice(("2/2/1", "0/0/0", "0/0/0", "1/0/0", "0/1/0", "1/1/0", "0/0/1"))
    asks = "yes" if "yes" in words or "no" in words else dice.choice(("yes", "no"))
    lines = [f"rules: denexa piles={piles} ask={asks}", "players: 4", f"round: {dice.choice((0, 0, 1, 2, 3))}"]
    lines += [f"turn: {', '.join(['seat 0', 'play', *words])}", f"hand 0: {FACES.text(hand)}"]
    lines += [f"melds 0: {' | '.join(FACES.text(meld) for meld in melds)}"] if melds else []
    lines += [f"pile: {FACES.text(pile)}"]
    feet = dice.choice(("", "", "", "foot 0", "foot 2"))
    lines += [f"{feet}: {FOOT}"] if feet else []
    left = [face for face, name in enumerate(FACES.names) for _ in range(10 if name == "JK" else 5)]
    used = hand + pile + [face for meld in melds for face in meld]
    for face in used + ([FACES.parse(card) for card in FOOT.split()] if feet else []):
        left.remove(face)
    others = [face for face in left if face not in (1, 2)]
    if "last" in words:  # all other cards are in hands, or laid down
        lines += ["red threes 1: 3d 3d 3d 3d 3d 3h 3h 3h 3h 3h", "stock:"]
        lines += [f"hand {seat}: {FACES.text(others[seat - 1 :: 3])}" for seat in range(1, 4)]
    else:
        lines += [f"hand {seat}: {FACES.names[others[-seat]]}" for seat in range(1, 4)]
    return lines


def sound(lines: list[str]):
    """The state, or None."""
    try:
        return hand_and_foot.from_text("\n".join(lines))
    except hand_and_foot.PositionError:
        return None


def test_the_mask_knows_every_play_that_leads_on(long):
    dice = random.Random(5)
    found = dict.fromkeys(STAGES, 0)
    for _ in range(200_000 if long else 2_000):
        stage = dice.choice(STAGES)
        lines = made_up(dice, stage)
        state = sound(lines)
        if state is None:
            continue
        found[stage] += 1
        texts = {hand_and_foot.action_text(action) for action in hand_and_foot.legal_actions(state)}
        playing = {text for text in texts if text != "stop"}
        assert playing == legal(turn_of(state)), "\n".join(lines)
    assert min(found.values()) > 0, found


def test_the_mask_knows_every_way_to_take(long):
    dice = random.Random(6)
    count, taken = 0, set()
    for _ in range(100_000 if long else 1_500):
        lines = [line for line in made_up(dice, "") if not line.startswith(("turn", "pile"))]
        held = next(line for line in lines if line.startswith("hand 0")).split()[2:]
        below = dice.choice(([], ["3s"], ["4h"], ["As", "6s"], ["8s", "2h"], ["9d"] * 4 + ["Td"] * 5))
        state = sound([*lines, f"pile: {' '.join([*below, dice.choice(held)])}"])
        if state is None:
            continue
        count += 1
        takes = {text for text in map(hand_and_foot.action_text, hand_and_foot.legal_actions(state)) if "take" in text}
        assert takes == legal_takes(state), hand_and_foot.to_text(state)
        taken |= takes
    assert count > 300
    assert {"take 2 2", "take JK JK"} <= taken
    assert {text.split()[-1] for text in taken} >= {"2", "JK", "7"}
