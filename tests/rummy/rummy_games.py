"""Random rules and positions for the referee of basic Rummy."""

from __future__ import annotations

import random

from referee_base import PACK, in_order
from rummy_referee import OPENINGS, Referee, is_meld


def random_rules(dice: random.Random, episode: str) -> str:
    """Any presets and switches, with short games often."""
    words = [dice.choice(["denexa", "memory", "free", "block"])]
    choices = {
        "melds": ["one", "any"],
        "last_card": ["any", "discard"],
        "stock_out": ["shuffle", "turn", "end"],
        "rummy_factor": ["1", "3"],
        "target": ["5", "30", "1000000"],
        "deals": ["1", "3"],
        "max_turns": ["20", "60"],
    }
    for name, values in choices.items():
        if dice.random() < 0.25:
            words.append(f"{name}={dice.choice(values)}")
    if episode == "match":
        words.append(f"max_rounds={dice.choice([1, 3, 6])}")
    return " ".join(words)


def middle_position(dice: random.Random, rules: str, episode: str) -> str:
    """A turn in the middle of a round, by a seat whose hand is made of melds and a few other cards."""
    rest = list(PACK)
    dice.shuffle(rest)
    players = dice.randint(2, 4)
    mover = dice.randrange(players)

    def some_meld(at_most: int) -> list[str]:
        """A meld taken out of the cards that are left, or nothing."""
        possible = [cards for cards in OPENINGS.values() if cards <= set(rest)]
        if not possible:
            return []
        meld = set(dice.choice(possible))
        for card in rest:
            if len(meld) < at_most and is_meld(meld | {card}):
                meld.add(card)
        rest[:] = [card for card in rest if card not in meld]
        return in_order(meld)

    lines = [f"rules: {rules}", f"players: {players}", f"episode: {episode}"]
    for seat in range(players):
        melds = [some_meld(dice.randint(3, 5)) for _ in range(dice.randint(0, 2))]
        if any(melds) and (seat != mover or dice.random() < 0.3):
            lines.append(f"melds {seat}: " + " | ".join(" ".join(meld) for meld in melds if meld))
        else:
            rest += [card for meld in melds for card in meld]
    hand = [card for _ in range(dice.randint(1, 3)) for card in some_meld(dice.randint(3, 4))]
    hand += [rest.pop() for _ in range(dice.randint(1, 3))]
    taken = dice.random() < 0.5
    lines.append(f"turn: seat {mover}, play" + (f", banned {hand[-1]}\nknown {mover}: {hand[-1]}" if taken else ""))
    for seat in range(players):
        cards = hand if seat == mover else [rest.pop() for _ in range(dice.randint(1, 3))]
        lines.append(f"hand {seat}: " + " ".join(cards))
    cut = dice.choice([0, dice.randrange(len(rest))])
    lines += ["stock: " + " ".join(rest[:cut]), "pile: " + " ".join(rest[cut:])]
    return Referee.from_text("\n".join(lines)).to_text()


def choose(dice: random.Random, legal: set[str], eager: float = 0.7) -> str:
    """A random action, plays to the table and the pile preferred so that hands are emptied."""
    actions = sorted(legal)
    plays = [action for action in actions if not action.startswith("discard")]
    if plays and dice.random() < eager:
        return dice.choice(plays)
    return dice.choice(actions)
