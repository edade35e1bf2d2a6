"""How do the tests set up a table? Positions filled in to all 106 cards, random positions, and a table in two copies.

A `Table` plays every action in the engine and in the referee, and both must agree on what is legal and on what it
leads to.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from referee import NATURALS, PACK, SUITS, TWOS, Meld, Referee, grow, is_set, is_wild, openings, sizes

from banakil_env.games import banakil


def fill(text: str) -> str:
    """The position with two cards in each hand that is left out, an upcard, and the rest as the stock."""
    lines = dict(line.split("#")[0].partition(":")[::2] for line in text.splitlines() if line.strip())
    lines = {key.strip(): value.strip() for key, value in lines.items()}
    cards = " ".join(v for k, v in lines.items() if k.split()[0] in ("hand", "melds", "pile", "stock"))
    used = Counter(cards.replace("|", " ").split())
    if too_many := used - Counter(PACK):
        raise ValueError(f"too many: {sorted(too_many)}")
    rest = sorted((Counter(PACK) - used).elements())
    random.Random(0).shuffle(rest)
    players = int(lines.get("players", 2))
    for key, count in [(f"hand {seat}", 2) for seat in range(players)] + [("pile", 1)]:
        if key not in lines:
            lines[key] = " ".join(rest.pop() for _ in range(count))
    if "stock" not in lines:
        lines["stock"] = " ".join(rest)
    else:  # what is left lies at the bottom of the pile, as far as a pile can grow, or in the last hand
        lines["pile"] = " ".join(rest[:60]) + " " + lines["pile"]
        lines[f"hand {players - 1}"] += " " + " ".join(rest[60:])
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


class Table:
    """One game, played in the engine and in the referee side by side."""

    def __init__(self, state: Any, text: str | None = None) -> None:
        self.state = state
        self.referee = Referee(text or banakil.to_text(state))
        self._compare()

    @classmethod
    def at(cls, text: str) -> Table:
        """The table of a position, filled in by `fill`."""
        full = fill(text)
        return cls(banakil.from_text(full), full)

    def legal(self) -> set[str]:
        return self.referee.legal()

    def play(self, *actions: str) -> Table:
        for action in actions:
            self.referee.apply(action)
            banakil.apply(self.state, banakil.parse_action(action))
            self._compare()
        return self

    def copy(self) -> Table:
        return Table(self.state.copy())

    def melds(self) -> list[str]:
        return [" ".join(cards) for _, cards in self.referee.melds]

    def _compare(self) -> None:
        text = banakil.to_text(self.state)
        fresh = Referee(text)
        dealt = self.referee.dealt
        mine, its = self.referee.snapshot(), fresh.snapshot()
        if dealt:
            its = sizes(its)
            self.referee = fresh
        different = {key: (mine.get(key), its.get(key)) for key in mine | its if mine.get(key) != its.get(key)}
        assert not different, f"(referee, engine): {different}\n{text}"
        legal, offered = self.referee.legal(), [banakil.action_text(a) for a in banakil.legal_actions(self.state)]
        extra, lacking = set(offered) - legal, legal - set(offered)
        assert not extra | lacking, f"the engine also offers {extra}, does not offer {lacking}\n{text}"
        assert len(offered) == len(set(offered)), f"offered twice\n{text}"
        assert bool(self.referee.over) == banakil.is_over(self.state), text
        scores = self.referee.scores if self.referee.episode == "match" else self.referee.points
        assert scores == list(banakil.scores(self.state)), text


def random_position(rng: random.Random, rules: str, players: int, episode: str) -> str:
    """A table late in a round: long melds, small hands, and a pile and stock of any size."""
    fixed = Referee(fill(f"rules: {rules}\nplayers: {players}")).fixed
    pack = rng.sample(PACK, len(PACK))
    melds: list[list[str]] = [[] for _ in range(players)]
    order = []
    dealer, mover = rng.randrange(players), rng.randrange(players)
    turns = rng.randrange(players, 40)
    owners = list(range(players))
    if rng.random() < 0.2:  # the first turns: only who has had one can have melded
        turns = (mover - dealer - 1) % players
        owners = [(dealer + 1 + i) % players for i in range(turns)]
    for _ in range(rng.randrange(1, 9) if owners else 0):
        meld = _random_meld(rng, pack, fixed)
        if meld:
            for card in meld:
                pack.remove(card)
            order.append(rng.choice(owners))
            melds[order[-1]].append(" ".join(meld))
    lines = [f"rules: {rules}", f"players: {players}", f"episode: {episode}", "order: " + " ".join(map(str, order))]
    lines += [f"melds {seat}: " + " | ".join(row) for seat, row in enumerate(melds) if row]
    table = [tuple(meld.split()) for row in melds for meld in row]
    useful = [card for meld in table for card in (*NATURALS, *TWOS, "JK") if _of_use(meld, card, fixed)]
    rng.shuffle(useful)
    if rng.random() < 0.8:  # cards that fit come to the hands, to the top of the pile and of the stock
        pack.sort(key=lambda card: card in useful[:12])
    for seat in range(players):
        hand = [pack.pop() for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4, 7)))]
        lines.append(f"hand {seat}: " + " ".join(hand))
        if rng.random() < 0.3:
            lines.append(f"known {seat}: {rng.choice(hand)}")
    size = min(70, rng.choice((1, 2, len(pack) // 2, len(pack) - 2)))
    pile, stock = pack[len(pack) - size :], pack[: len(pack) - size]
    lines += ["pile: " + " ".join(pile), "stock: " + " ".join(stock[::-1])]
    lines += [f"turn: seat {mover}", f"dealer: {dealer}", f"turns: {turns}"]
    return "\n".join(lines)


def _random_meld(rng: random.Random, pack: list[str], fixed: bool) -> Meld | None:
    """Some meld to be made of the cards, of any length, or none."""
    suit = rng.choice(SUITS)
    faces = [card for card in sorted(set(pack)) if card == "JK" or (card[1] == suit and card not in TWOS)]
    two = [card for card in pack if card in TWOS]
    if rng.random() < 0.4:  # such a sequence can grow to thirteen
        faces = [card for card in faces if card != "JK"]
    if rng.random() < 0.2:
        high = rng.choice("3A")
        faces = [card for card in sorted(set(pack)) if card[0] == high or card == "JK"]
    choices = openings(tuple(sorted(faces)) + ("2",) * bool(two), fixed)
    if not choices:
        return None
    meld = tuple(two[0] if card == "2" else card for card in rng.choice(choices).split()[1:])
    meld = meld if fixed and not is_set(meld) else tuple(sorted(meld))
    for _ in range(rng.choice((0, 2, 6, 20, 40))):
        rest = Counter([*faces, *two]) - Counter(meld)
        tries = [(card, end) for card in rest for end in (("low", "high") if is_wild(card) else ("",))]
        more = [grown for card, end in tries if (grown := grow(meld, card, end, fixed))]
        if not more:
            break
        meld = rng.choice(more)
    return meld


def _of_use(meld: Meld, card: str, fixed: bool) -> bool:
    return any(grow(meld, card, end, fixed) for end in ("", "low", "high"))
