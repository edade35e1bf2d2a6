"""What referees read alike: the lines of a position, and a line of rules with its preset and switches.

Nothing here is the engine's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

Allowed = Sequence[str] | range  # the values of a switch as texts; a range: whole numbers


def read_lines(text: str) -> dict[str, str]:
    """The lines of a position by their keys. Raises ValueError."""
    lines: dict[str, str] = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, colon, value = line.partition(":")
            if not colon or key.strip() in lines:
                raise ValueError(f"not a line, or there twice: {line}")
            lines[key.strip()] = value.strip()
    return lines


def read_melds(lines: dict[str, str], players: int) -> list[tuple[int, tuple[str, ...]]]:
    """The owner and the words of each meld in the order of opening: the keys `melds SEAT` and `order`, taken out."""
    rows: list[list[tuple[str, ...]]] = []
    for seat in range(players):
        texts = lines.pop(f"melds {seat}", "").split("|")
        rows.append([tuple(text.split()) for text in texts if text.strip()])
    seat_by_seat = [seat for seat, row in enumerate(rows) for _ in row]
    order = [int(word) for word in lines.pop("order", "").split()] or seat_by_seat
    if sorted(order) != seat_by_seat:
        raise ValueError("order: an owner for every meld")
    return [(owner, rows[owner].pop(0)) for owner in order]


def parse_rules(text: str, switches: Mapping[str, Allowed], presets: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """A line of rules as a text for every switch; without a preset it is the first one. Raises ValueError."""
    words = text.split()
    rules = dict(presets[words.pop(0)] if words and words[0] in presets else next(iter(presets.values())))
    if len({word.partition("=")[0] for word in words}) < len(words):
        raise ValueError(f"rules: a switch is named twice: {text}")
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in switches:
            raise ValueError(f"rules: what is {word}?")
        allowed = switches[name]
        if isinstance(allowed, range):
            if not value.isdecimal() or int(value) not in allowed:
                raise ValueError(f"rules: {word} is no value")
            value = str(int(value))
        elif value not in allowed:
            raise ValueError(f"rules: {word} is no value")
        rules[name] = value
    return rules


def write_rules(rules: Mapping[str, str], presets: Mapping[str, Mapping[str, str]]) -> str:
    """The nearest preset, the first of equals, and the switches that differ from it."""

    def differing(preset: str) -> list[str]:
        return [name for name in presets[preset] if rules[name] != presets[preset][name]]

    nearest = min(presets, key=lambda preset: len(differing(preset)))
    return " ".join([nearest, *(f"{name}={rules[name]}" for name in differing(nearest))])


class TextReferee:
    """What the referees of Canasta, Hand and Foot, Kalooki and Mille share.

    The keys that every position has, cards that leave a hand, and the position that is read after a new deal.

    `pack`, `tidy` and `kind_of` are the game's: all cards, a hand in order, and what an action calls a card.
    """

    pack: Sequence[str]
    presets: ClassVar[Mapping[str, Mapping[str, str]]]

    rules: dict[str, str]
    players: int
    episode: str
    dealer: int
    rounds: int  # the key `round`
    turns: int
    scores: list[int]  # a number a seat
    points: list[int]
    seat: int  # to decide; of no meaning once over
    phase: str
    hands: list[Any]
    known: list[Any]
    pile: list[str]  # the upcard last
    stock: list[str]  # the next card first
    ending: str  # as in the key `over`; empty while the game goes on
    rng: str

    def tidy(self, cards: list[str]) -> Any:
        raise NotImplementedError

    def kind_of(self, card: str) -> str:
        raise NotImplementedError

    def all_cards(self) -> list[str]:
        raise NotImplementedError

    @classmethod
    def from_text(cls, text: str) -> Self:
        raise NotImplementedError

    def to_text(self) -> str:
        raise NotImplementedError

    @property
    def over(self) -> bool:
        return bool(self.ending)

    # Reading

    def _read_counters(self, lines: dict[str, str], players: int) -> None:
        self.players, self.episode = players, lines.pop("episode", "round")
        if self.episode not in ("round", "match"):
            raise ValueError(f"episode: round or match, not {self.episode}")
        self.dealer = int(lines.pop("dealer", players - 1))
        self.rounds, self.turns = int(lines.pop("round", 0)), int(lines.pop("turns", 0))

    def _read_numbers(self, lines: dict[str, str], *keys: str) -> None:
        """Keys with a number a seat, each an attribute of the same name."""
        for key in keys:
            given = lines.pop(key, " ".join(["0"] * self.players))
            setattr(self, key.replace(" ", "_"), [int(number) for number in given.split()])

    def _read_hands(self, lines: dict[str, str]) -> None:
        if any(f"hand {seat}" not in lines for seat in range(self.players)):
            raise ValueError("a hand is missing; the referee cannot know how the engine deals")
        self.hands, self.known = (
            [self.tidy(lines.pop(f"{key} {seat}", "").split()) for seat in range(self.players)]
            for key in ("hand", "known")
        )

    def _read_rest(self, lines: dict[str, str]) -> None:
        """The last keys, when all other cards have been read: a stock that is left out is the rest in order."""
        self.pile, self.stock = lines.pop("pile", "").split(), lines.get("stock", "").split()
        if lines.pop("stock", None) is None:
            self.stock = list(self.tidy(list((Counter(self.pack) - Counter(self.all_cards())).elements())))
        self.ending, self.rng = lines.pop("over", ""), lines.pop("rng", "0")
        lines.pop("seed", None)
        if lines:
            raise ValueError(f"unknown lines: {', '.join(lines)}")

    def _check_cards(self) -> None:
        """ValueError: the pack is not there, or a known card is not in its hand."""
        cards, pack = Counter(self.all_cards()), Counter(self.pack)
        if cards != pack:
            raise ValueError(f"cards too many: {' '.join(cards - pack)}; unaccounted for: {' '.join(pack - cards)}")
        if any(Counter(known) - Counter(hand) for hand, known in zip(self.hands, self.known)):
            raise ValueError("known: not in the hand")

    # Writing

    def _first_lines(self) -> list[str]:
        """The rules, and counters that differ from their defaults."""
        found = {"episode": self.episode, "dealer": self.dealer, "round": self.rounds, "turns": self.turns}
        defaults = {"episode": "round", "dealer": self.players - 1, "round": 0, "turns": 0}
        lines = [f"rules: {write_rules(self.rules, self.presets)}", f"players: {self.players}"]
        return lines + [f"{key}: {value}" for key, value in found.items() if value != defaults[key]]

    def _number_lines(self, *keys: str) -> list[str]:
        """Keys with a number a seat, where one is not 0."""
        found = {key: getattr(self, key.replace(" ", "_")) for key in keys}
        return [f"{key}: {' '.join(map(str, numbers))}" for key, numbers in found.items() if any(numbers)]

    def _lines_of(self, key: str, rows: Sequence[Sequence[str]], empty: bool = False) -> list[str]:
        """Cards by seat or side; with `empty` also where there is none."""
        return [f"{key} {seat}: {' '.join(cards)}" for seat, cards in enumerate(rows) if cards or empty]

    def _last_lines(self) -> list[str]:
        over = [f"over: {self.ending}"] if self.over else []
        return [f"pile: {' '.join(self.pile)}", f"stock: {' '.join(self.stock)}", *over, f"rng: {self.rng}"]

    # Playing

    def _play(self, kinds: Iterable[str]) -> list[str]:
        """Take cards of these kinds out of the hand of the seat, known ones first, then by suit."""
        hand, known, played = self.hands[self.seat], self.known[self.seat], []
        for kind in kinds:
            choice = [card for card in known if self.kind_of(card) == kind] or [
                card for card in hand if self.kind_of(card) == kind
            ]
            card = self.tidy(choice)[0]
            hand.remove(card)
            if card in known:
                known.remove(card)
            played.append(card)
        return played

    def _dealt_in(self, after: str) -> Self:
        """The engine's position after a new deal. AssertionError: it is not a position."""
        try:
            return type(self).from_text(after)
        except ValueError as error:
            raise AssertionError(f"the position after the deal is refused: {error}") from error

    def _agree_on_the_rest(self, engine: Self) -> None:
        """When the cards have been taken over: all other lines must be what the rules say."""
        ours, theirs = read_lines(self.to_text()), read_lines(engine.to_text())
        for key in {**ours, **theirs}:
            assert ours.get(key) == theirs.get(key), f"{key}: {theirs.get(key)} after the deal, not {ours.get(key)}"
