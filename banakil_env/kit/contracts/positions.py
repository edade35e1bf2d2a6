"""Positions of games of contracts as text: `Positions` with the lines of `contracts.table`.

A game makes a subclass, or an instance with its own phases, words of the turn (`flags`) and lines (`own`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from banakil_env.core.game import PositionError
from banakil_env.kit import table_state as T
from banakil_env.kit.cards import Faces
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.notation import Lines, joined, written
from banakil_env.kit.pack54 import FACES, JOKER, NUM_FACES, faces_in, hand_of, text_of
from banakil_env.kit.positions import Positions

KEYS = (
    *("rules", "players", "episode", "dealer", "round", "contract", "turns", "scores", "turn", "over"),
    *("hand S", "melds S", "order", "known S", "calls", "pile", "stock", "points", "rng", "seed"),
)

_NAMED = (*W.ADD.texts, *W.ADD_JOKER.texts, *W.SWAP.texts)


def named_text(state: Any) -> str:
    """What waits for its meld, as its action is called: `add 8h`."""
    return _NAMED[int(state.named) - 1]


def _lowest(state: Any) -> list[int]:
    """The seats with the lowest total."""
    scores = state.scores[: state.num_players].tolist()
    return [seat for seat, score in enumerate(scores) if score == min(scores)]


@dataclass(eq=False)
class ContractPositions(Positions):
    """The texts of one game.

    Attributes:
        jokers: of the pack, one fewer than players if None.
        contracts: how many there are.
        owes: the state has a field `owed`.
        taker: the word of the turn for the field `took`.
    """

    contracts: int = 1
    jokers: int | None = None
    owes: bool = False
    taker: str = "took"
    keys: ClassVar[tuple[str, ...]] = KEYS
    faces: ClassVar[Faces] = FACES

    def ending(self, state: Any) -> str:
        """See `Positions`; a match names all seats with the lowest total."""
        if state.ending != T.MATCH:
            return super().ending(state)
        return ", ".join(["match", *(f"seat {seat}" for seat in _lowest(state))])

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """See `Positions`; a match may be shared."""
        return ("shared",) if state.ending == T.MATCH and len(_lowest(state)) > 1 else super().marks_of(state)

    def to_text(self, state: Any) -> str:
        """See `Positions`."""
        n = int(state.num_players)
        lines = self.header(state)
        lines += [("dealer", str(state.dealer))] if state.dealer != n - 1 else []
        lines += [("round", str(state.rounds))] if state.rounds else []
        lines += [("contract", str(state.contract))]
        lines += [("turns", str(state.turns))] if state.turns else []
        lines += [("scores", joined(state.scores[:n]))] if any(state.scores) else []
        lines += self.turn_lines(state)
        lines += self.card_lines(state)
        lines += [("points", joined(state.points[:n]))] if any(state.points) else []
        return written([*lines, ("rng", str(state.rng))])

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        if state.phase == T.OVER:
            return [("over", self.ending(state))]
        words = [f"seat {state.seat}"]
        words += [f"choose {named_text(state)}"] if state.phase == T.CHOOSE else [self.phases[int(state.phase)]]
        words += [f"active {state.active}"] if state.seat != state.active else []
        words += [f"{self.taker} {state.took}"] if state.took != T.NO_SEAT else []
        words += ["first"] * int(state.first)
        words += [f"owes {state.owed}"] if self.owes and state.owed else []
        return [("turn", ", ".join(words))]

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        seats = range(int(state.num_players))
        owners = [int(owner) for owner in state.meld_owner[: state.num_melds]]
        texts = [FACES.text(W.meld_faces(meld)) for meld in state.melds[: state.num_melds]]
        lines = [(f"hand {seat}", text_of(state.hands[seat])) for seat in seats]
        for seat in sorted(set(owners)):
            own = [text for text, owner in zip(texts, owners, strict=True) if owner == seat]
            lines.append((f"melds {seat}", " | ".join(own)))
        lines += [("order", joined(owners))] if owners != sorted(owners) else []
        lines += [(f"known {seat}", text_of(state.known[seat])) for seat in seats if state.known[seat, 0]]
        lines += [("calls", joined(state.calls[: len(seats)]))] if any(state.calls) else []
        lines += [(line.key, text) for line in self.own if (text := line.text(state))]
        lines.append(("pile", FACES.text(state.pile[: state.pile_size])))
        return [*lines, ("stock", FACES.text(state.stock[: state.stock_size][::-1]))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`. Reads the contract and the calls too."""
        seats = range(int(state.num_players))
        switch = self.game.rules_of(state).contract
        default = switch if isinstance(switch, int) else 1
        state.contract = lines.number("contract", default, 1, self.contracts)
        state.calls[: len(seats)] = lines.numbers("calls", len(seats), 0, T.MAX_TURNS)
        for key in (*(f"hand {seat}" for seat in seats), "pile", "stock"):
            if key not in lines:
                raise PositionError(f"{key}: the line is missing; a position tells where all cards are")
        for seat in seats:
            hand, known = lines.cards(f"hand {seat}"), lines.cards(f"known {seat}")
            state.hands[seat] = lines.parse(f"hand {seat}", lambda text: hand_of(FACES.parse_all(text)))
            if any(known.count(face) > hand.count(face) for face in known):
                raise lines.fail(f"known {seat}", "cards that are not in the hand")
            state.known[seat] = hand_of(known)
        self._read_melds(lines, state)
        pile, stock = lines.cards("pile"), lines.cards("stock")
        self._count(state, [*pile, *stock])
        state.pile[: len(pile)], state.pile_size = pile, len(pile)
        state.stock[: len(stock)], state.stock_size = stock[::-1], len(stock)

    def _read_melds(self, lines: Lines, state: Any) -> None:
        players, melds = int(state.num_players), {}
        for seat in range(players):
            if lines.values.get(f"melds {seat}"):
                melds[seat] = lines.parse(
                    f"melds {seat}", lambda text: [W.parse_meld(part) for part in text.split("|")]
                )
        owners = [seat for seat, own in melds.items() for _ in own]
        if "order" in lines:
            order = [lines.seat("order", word, players) for word in lines.values["order"].split()]
            if sorted(order) != owners:
                raise lines.fail("order", f"expected the owners {joined(owners)} in the order of opening")
            owners = order
        if len(owners) > W.MAX_MELDS:
            raise PositionError(f"{len(owners)} melds; the pack has cards for {W.MAX_MELDS}")
        waiting = {seat: iter(own) for seat, own in melds.items()}
        for slot, owner in enumerate(owners):
            state.melds[slot], state.meld_owner[slot] = next(waiting[owner]), owner
        state.num_melds = len(owners)

    def _count(self, state: Any, others: list[int]) -> None:
        """PositionError: cards that the pack has not, or that no line names."""
        named = [*others, *(face for hand in state.hands for face in faces_in(hand))]
        named += [face for meld in state.melds[: state.num_melds] for face in W.meld_faces(meld)]
        jokers = int(state.num_players) - 1 if self.jokers is None else self.jokers
        for face in range(NUM_FACES):
            there, count = jokers if face == JOKER else K.COPIES, named.count(face)
            if count != there:
                raise PositionError(
                    f"{FACES.names[face]}: named {count} times, and {there} are in the pack; a position tells where "
                    f"all {2 * JOKER + jokers} cards are"
                )

    def read_turn(self, lines: Lines, state: Any) -> None:
        """See `Positions`; `seat 0, draw` where the line is left out."""
        state.took = T.NO_SEAT
        if "over" in lines:
            if "turn" in lines:
                raise lines.fail("turn", "a game that is over has no turn")
            return
        first, *words = (" ".join(word.split()) for word in lines.values.get("turn", "seat 0, draw").split(","))
        players, phases = int(state.num_players), {text: phase for phase, text in self.phases.items()}
        name, _, number = first.partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
        state.seat = state.active = lines.seat("turn", number, players)
        phase, *words = words or ["draw"]
        if phase.startswith("choose ") and phase.removeprefix("choose ") in _NAMED:
            state.phase, state.named = T.CHOOSE, 1 + _NAMED.index(phase.removeprefix("choose "))
        elif phase in phases:
            state.phase = phases[phase]
        else:
            known = ", ".join(phases)
            raise lines.fail("turn", f"expected {known} or choose ADD-OR-SWAP after the seat, not {phase!r:.80}")
        if len({word.partition(" ")[0] for word in words}) < len(words):
            raise lines.fail("turn", "one word is said twice")
        for word in words:
            name, _, number = word.partition(" ")
            if name in ("active", self.taker):
                state["active" if name == "active" else "took"] = lines.seat("turn", number, players)
            elif word == "first":
                state.first = 1
            elif name == "owes" and self.owes:
                state.owed = lines.within("turn", number, 1, self.game.state_fields["owed"].highest)
            else:
                raise lines.fail("turn", f"{word!r:.80} is no word of a turn here")

    def read_ending(self, lines: Lines, state: Any) -> None:
        """See `Positions`; a match names all seats with the lowest total."""
        words = [" ".join(word.split()) for word in lines.values["over"].split(",")]
        if words[0] != self.endings[T.MATCH]:
            super().read_ending(lines, state)
            return
        state.ending, state.phase = T.MATCH, T.OVER
        lowest = min(state.scores[: state.num_players])
        first = [seat for seat in range(int(state.num_players)) if state.scores[seat] == lowest]
        state.winner = first[0]
        if ", ".join(words) != self.ending(state):
            raise lines.fail("over", f"expected {self.ending(state)}: the seats with the lowest total")
