"""Positions of Hand for the tests: what a text leaves out is filled in, and a new deal is made."""

from __future__ import annotations

import random
from collections import Counter

from hand_melds import OPENINGS, with_natural, with_wild
from hand_referee import Referee
from hand_rules import CHOICES, PRESETS, in_order, pack_of, printed_pack, read_rules, value_text
from referee_texts import read_lines


def fill(text: str, seed: int = 0) -> str:
    """A complete position: hands left out get 14 cards of what is left, 15 for who begins; the stock is the rest."""
    lines = read_lines(text)
    turn = lines.get("turn", "seat 0, draw")
    named = [int(key.split()[1]) for key in (*lines, turn.split(",")[0]) if key[-1].isdigit()]
    players = int(lines.setdefault("players", str(max(2, 1 + max(named)))))
    rules, _ = read_rules(lines.get("rules", "pagat"), players)
    rest = pack_of(rules["wilds"], lines.get("indicator", ""))
    for key, value in lines.items():
        if key.split()[0] in ("hand", "melds", "pile", "stock"):
            rest.subtract(card for card in value.split() if card != "|")
    for ace in [card for card, number in rest.items() if card[0] == "A" for _ in range(-number)]:  # H7.4
        rest.update({ace: 1, "W": -1})
    if min(rest.values()) < 0:
        raise ValueError(f"too many cards: {[card for card, number in rest.items() if number < 0]}")
    cards = in_order(rest.elements())
    random.Random(seed).shuffle(cards)
    beginner = (int(lines.get("dealer", players - 1)) + 1) % players
    dealt = turn.partition(",")[2].strip() in ("redeal", "discard")
    for seat in range(players):
        if f"hand {seat}" not in lines:
            size = 15 if dealt and seat == beginner else 14
            lines[f"hand {seat}"] = " ".join(cards.pop() for _ in range(size))
    lines.setdefault("stock", " ".join(cards))
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def new_position(players: int, rules: str, episode: str, seed: int) -> str:
    """The text of a new game, dealt here."""
    indicator = "" if read_rules(rules, players)[0]["wilds"] == "jokers" else "indicator: 2c\n"
    text = f"rules: {rules}\nplayers: {players}\nepisode: {episode}\nturn: seat 0, discard\n{indicator}"
    game = Referee.from_text(fill(text, seed))
    game.random = random.Random(seed)
    game.deal()
    return game.to_text()


def faulty_cards(game: Referee) -> str:
    """What is wrong with the cards of a game, nothing if all cards of the pack are there."""
    everything = Counter(game.pile) + Counter(game.stock)
    for hand in game.hands:
        everything += Counter(hand)
    for _, meld in game.melds:
        everything += Counter(meld)
    pack = pack_of(game.rules["wilds"], game.indicator)
    size = len(printed_pack(game.rules["wilds"])) - (1 if game.indicator else 0)
    moved = everything - pack
    if everything.total() != size:
        return f"{everything.total()} cards, not {size}"
    if moved and (set(pack - everything) != {"W"} or any(card[0] != "A" for card in moved)):
        return f"too many {moved}, missing {pack - everything}"
    return ""


def random_rules(rng: random.Random, players: int) -> str:
    """A preset and some switches, each at any value; partners at times."""
    words = [rng.choice(list(PRESETS))]
    if players == 4 and rng.random() < 0.5:
        words.append("partners")
    for name, values in CHOICES.items():
        if name not in ("first_meld", "rounds", "last_deals", "max_turns", "max_rounds", "max_unscored"):
            if rng.random() < 0.2:
                words.append(f"{name}={value_text(rng.choice(values))}")
    words.append(f"first_meld={rng.choice((0, 20, 30, 51, 71))}")
    words.append(f"max_turns={rng.choice((25, 60, 300))}")
    words.append(f"rounds={rng.choice((1, 2))}")
    words.append(f"max_rounds={rng.choice((2, 3))}")
    words.append(f"max_unscored={rng.choice((3, 4))}")
    return " ".join(words)


def late_position(rng: random.Random, players: int, rules: str, episode: str) -> str:
    """A table late in a round: many melds, small hands, or a hand full of melds that has laid nothing yet."""
    lines = read_lines(new_position(players, rules, episode, rng.randrange(10**6)))
    wilds = read_rules(lines["rules"], players)[0]["wilds"]
    rest = pack_of(wilds, lines.get("indicator", ""))
    mover = rng.randrange(players)
    hands: list[list[str]] = [[] for _ in range(players)]
    rows: list[list[str]] = [[] for _ in range(players)]
    mover_has_melded = rng.random() < 0.4
    while not mover_has_melded and len(hands[mover]) < 12 and rng.random() < 0.9:
        hands[mover] += _some_meld(rng, rest, False)[:3]
    owners = []
    for _ in range(rng.randrange(12)):
        owner = rng.randrange(players)
        if owner != mover or mover_has_melded:
            owners.append(owner)
            rows[owner].append(" ".join(_some_meld(rng, rest, True)))
    cards = list(rest.elements())
    rng.shuffle(cards)
    for seat, hand in enumerate(hands):
        size = rng.choice((1, 2, 2, 3, 4, 5, 8, 12)) if rows[seat] else 14
        hand += [cards.pop() for _ in range(size - len(hand))]
    stock = rng.randrange(players + 1, len(cards))
    lines.update({f"hand {seat}": " ".join(hand) for seat, hand in enumerate(hands)})
    lines.update({f"melds {seat}": " | ".join(row) for seat, row in enumerate(rows) if row})
    lines["order"] = " ".join(map(str, owners))
    lines["turn"] = f"seat {mover}, draw"
    lines["turns"] = str(rng.choice((1, 2, 8, 20)))
    lines["stock"], lines["pile"] = " ".join(cards[:stock]), " ".join(cards[stock:])
    return Referee.from_text("".join(f"{key}: {value}\n" for key, value in lines.items())).to_text()


def _some_meld(rng: random.Random, rest: Counter[str], longer: bool) -> list[str]:
    """A random meld of cards that are left, taken from them."""
    while True:
        meld = rng.choice(OPENINGS)
        if all(rest[card] for card in meld) and (longer or "W" not in meld or rng.random() < 0.2):
            break
    while longer and rng.random() < 0.5:
        more = [(card, with_natural(meld, card)) for card in rest if card != "W" and rest[card]]
        more += [("W", with_wild(meld, end)) for end in ("low", "high") if rest["W"]]
        possible = [grown for _, grown in more if grown]
        if not possible:
            break
        meld = rng.choice(possible)
    rest.subtract(meld)
    return list(meld)
