"""Rummy, written from what `banakil write-rules prompt rummy` prints and from nothing else."""

from __future__ import annotations

import itertools

RANKS, SUITS = "A23456789TJQK", "cdhs"
MOST_TURNS = 300
TABLE = {}


class Position:
    """A position, read from its lines."""

    def __init__(self, text):
        self.lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
        self.players = int(self.lines.get("players", TABLE["num_players"]))
        self.turns = int(self.lines.get("turns", 0))
        words = [word.strip() for word in self.lines.get("turn", "seat 0, draw").split(",")]
        self.seat, self.phase = int(words[0].split()[1]), words[1]
        self.banned = next((word.split()[1] for word in words[2:] if word.startswith("banned")), "")
        self.opened = next((int(word.split()[1]) for word in words[2:] if word.startswith("melds")), 0)
        self.hands = [self.cards(f"hand {seat}") for seat in range(self.players)]
        self.known = [self.cards(f"known {seat}") for seat in range(self.players)]
        self.pile, self.stock = self.cards("pile"), self.cards("stock")
        self.melds, self.owners = self.read_melds()
        played = self.lines.get("played")
        said = set() if played == "none" else {int(seat) for seat in (played or "").split()}
        self.played = set(self.owners) if played is None else said
        self.at_once = "in one turn" in words or self.seat not in self.played
        self.over = ""
        self.points = [0] * self.players

    def cards(self, key):
        """The cards of a line."""
        return self.lines.get(key, "").split()

    def read_melds(self):
        """All melds in the order of opening, and the owner of each."""
        rows = [self.lines.get(f"melds {seat}", "") for seat in range(self.players)]
        own = [[meld.split() for meld in row.split("|") if meld.strip()] for row in rows]
        usual = [seat for seat in range(self.players) for _ in own[seat]]
        owners = [int(seat) for seat in self.lines["order"].split()] if "order" in self.lines else usual
        return [own[owner].pop(0) for owner in owners], owners

    def text(self):
        """The position written out."""
        lines = [f"rules: {self.lines['rules']}", f"players: {self.players}", f"turns: {self.turns}"]
        lines += [f"{key}: {self.lines[key]}" for key in ("dealer", "seen") if key in self.lines]
        if self.over:
            lines.append(f"over: {self.over}")
        else:
            words = [f"seat {self.seat}", self.phase]
            words += [f"banned {self.banned}"] * bool(self.banned) + [f"melds {self.opened}"] * bool(self.opened)
            words += ["in one turn"] * (self.at_once and self.seat in self.played and self.phase != "draw")
            lines.append("turn: " + ", ".join(words))
        for seat in range(self.players):
            own = [" ".join(meld) for meld, owner in zip(self.melds, self.owners) if owner == seat]
            lines += [f"hand {seat}: {' '.join(self.hands[seat])}", f"known {seat}: {' '.join(self.known[seat])}"]
            lines += [f"melds {seat}: {' | '.join(own)}"] * bool(own)
        lines += [f"order: {' '.join(map(str, self.owners))}"] * bool(self.owners)
        lines.append(f"played: {' '.join(map(str, sorted(self.played))) or 'none'}")
        return "\n".join([*lines, f"pile: {' '.join(self.pile)}", f"stock: {' '.join(self.stock)}"])


def place(card):
    """Where a card stands among those of its suit."""
    return RANKS.index(card[0])


def in_order(cards):
    """The cards as a meld names them: by rank, then by suit."""
    return sorted(cards, key=lambda card: (place(card), SUITS.index(card[1])))


def is_meld(cards):
    """Whether cards are a set or a run."""
    cards = in_order(cards)
    if len({card[0] for card in cards}) == 1:
        return 3 <= len(cards) <= 4
    first = place(cards[0])
    return (
        len(cards) >= 3
        and {card[1] for card in cards} == {cards[0][1]}
        and ([place(card) for card in cards] == list(range(first, first + len(cards))))
    )


def openings(hand):
    """The melds of three cards that a hand has."""
    return [in_order(three) for three in itertools.combinations(hand, 3) if is_meld(three)]


def can_finish(hand, melds, opened, at_once, banned):
    """Whether a turn can be ended from here; going rummy, only by getting rid of the whole hand."""
    if not hand:
        return True
    if any(card != banned for card in hand) and (opened < 2 or len(hand) == 1):
        return True
    for card in hand:
        rest = [other for other in hand if other != card]
        for number, meld in enumerate(melds):
            grown = [*melds[:number], [*meld, card], *melds[number + 1 :]]
            if is_meld([*meld, card]) and can_finish(rest, grown, opened, at_once, banned):
                return True
    return any(may_open(three, hand, melds, opened, at_once, banned) for three in openings(hand))


def may_open(three, hand, melds, opened, at_once, banned):
    """Whether a meld may be opened now."""
    rest = [card for card in hand if card not in three]
    return (opened == 0 or at_once) and can_finish(rest, [*melds, three], opened + 1, at_once, banned)


def places_for(now, card):
    """The melds that a card may be added to now."""
    rest = [other for other in now.hands[now.seat] if other != card]
    found = []
    for number, meld in enumerate(now.melds):
        grown = [*now.melds[:number], [*meld, card], *now.melds[number + 1 :]]
        if is_meld([*meld, card]) and can_finish(rest, grown, now.opened, now.at_once, now.banned):
            found.append(number)
    return found


def setup(table):
    """Remember the table."""
    TABLE.update(table)


def legal_moves(position):
    """The legal moves of the seat to move."""
    now = Position(position)
    hand = now.hands[now.seat]
    if now.phase == "draw":
        return ["draw"] * bool(now.stock or len(now.pile) > 1) + ["take"] * bool(now.pile)
    if now.phase.startswith("choose"):
        return [f"meld {number}" for number in places_for(now, now.phase.split()[-1])]
    moves = [
        "open " + " ".join(three)
        for three in openings(hand)
        if may_open(three, hand, now.melds, now.opened, now.at_once, now.banned)
    ]
    moves += [f"add {card}" for card in hand if places_for(now, card)]
    if now.opened < 2 or len(hand) == 1:
        moves += [f"discard {card}" for card in hand if card != now.banned]
    return moves


def after(position, move):
    """The position after a move."""
    now = Position(position)
    verb, *named = move.split()
    if verb == "draw":
        now.hands[now.seat].append(now.stock.pop(0))
        now.phase = "play"
    elif verb == "take":
        now.banned = now.pile.pop()
        now.hands[now.seat].append(now.banned)
        now.known[now.seat].append(now.banned)
        now.phase = "play"
    elif verb == "open":
        lose(now, named)
        now.melds.append(named)
        now.owners.append(now.seat)
        now.opened += 1
        now.played.add(now.seat)
    elif verb == "discard":
        lose(now, named)
        now.pile += named
        end_turn(now)
        return now
    else:
        card = now.phase.split()[-1] if verb == "meld" else named[0]
        places = [int(named[0])] if verb == "meld" else places_for(now, card)
        if len(places) > 1:
            now.phase = f"choose add {card}"
            return now
        lose(now, [card])
        now.melds[places[0]] = in_order([*now.melds[places[0]], card])
        now.played.add(now.seat)
        now.phase = "play"
    if not now.hands[now.seat]:
        end_turn(now)
    return now


def lose(now, cards):
    """Cards leave the hand of the seat to move."""
    for card in cards:
        now.hands[now.seat].remove(card)
        if card in now.known[now.seat]:
            now.known[now.seat].remove(card)


def end_turn(now):
    """The turn passes on, or the round ends."""
    now.turns += 1
    if not now.hands[now.seat]:
        now.over = f"{'rummy' if now.at_once else 'out'}, seat {now.seat}"
        left = sum(min(place(card) + 1, 10) for hand in now.hands for card in hand)
        now.points[now.seat] = left * (2 if now.at_once else 1)
    elif now.turns >= MOST_TURNS:
        now.over = "turns"
    else:
        now.seat = (now.seat + 1) % now.players
        now.phase, now.banned, now.opened = "draw", "", 0


def apply(position, move):
    """The position after a move, as text."""
    return after(position, move).text()


def is_over(position, move):
    """Whether the round is over then."""
    return bool(after(position, move).over)


def scores(position, move):
    """The points of the round."""
    return after(position, move).points
