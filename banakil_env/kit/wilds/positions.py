"""Positions of games with the fields of `wilds.table`, as text: the line `turn`, and those about cards.

A game makes a subclass of `WildPositions` that knows how a meld is written, and what else its line `turn` can say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from banakil_env.core.game import PositionError
from banakil_env.kit.cards import Faces
from banakil_env.kit.melds.wild_melds import HIGH, LOW
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack54 import FACES, JOKER, NUM_FACES, hand_of, text_of
from banakil_env.kit.positions import KEYS, Positions
from banakil_env.kit.table_state import CHOOSE, OVER
from banakil_env.kit.wilds.table import NO_FACE, NOTHING


class WildPositions(Positions):
    """The texts of one game. A subclass says `copies`, `meld_text` and `read_meld`, and may say more of the turn."""

    keys: ClassVar[tuple[str, ...]] = tuple(key for key in KEYS if key not in ("played", "seen"))
    faces: ClassVar[Faces] = FACES
    wild: ClassVar[str] = FACES.names[JOKER]  # how a wild card is named that waits for its meld

    # What a game says ------------------------------------------------------------------------------------------------

    def copies(self, state: Any, face: int) -> int:
        """How many cards of this face there are."""
        raise NotImplementedError

    def meld_text(self, state: Any, slot: int) -> str:
        """A meld in the order of its places."""
        raise NotImplementedError

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """Write a meld, whose owner is there, into a state; its cards. ValueError: it is none."""
        raise NotImplementedError

    def words_of_turn(self, state: Any) -> list[str]:
        """What the line `turn` says behind the phase."""
        return [f"must {FACES.names[state.must]}"] if state.must != NO_FACE else []

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn`; False: there is none such."""
        if name == "must":
            state.must = lines.card("turn", rest)
        return name == "must"

    # The turn --------------------------------------------------------------------------------------------------------

    def named_text(self, named: int) -> str:
        """The card that waits for its meld: a face, or a wild card with its end."""
        return FACES.names[named] if named < LOW else f"{self.wild} {'low' if named == LOW else 'high'}"

    def phase_text(self, state: Any) -> str:
        """The phase in the words of the line `turn`."""
        return f"choose add {self.named_text(state.named)}" if state.phase == CHOOSE else self.phases[int(state.phase)]

    def decision(self, state: Any, decisions: Mapping[int, str]) -> str:
        """What is to be decided, in these words by phase, and what has to be played first."""
        said = decisions.get(int(state.phase), "")
        said += f" for {self.named_text(int(state.named))}" if state.phase == CHOOSE else ""
        return said if state.must == NO_FACE else f"{said}, {FACES.names[state.must]} first"

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        if state.phase == OVER:
            return []
        return [("turn", ", ".join([f"seat {state.seat}", self.phase_text(state), *self.words_of_turn(state)]))]

    def read_turn(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        if "over" in lines:
            if "turn" in lines:
                raise lines.fail("turn", "a game that is over has no turn")
            return
        first, *words = (" ".join(word.split()) for word in lines.values.get("turn", "seat 0, draw").split(","))
        name, _, number = first.partition(" ")
        if name != "seat":
            raise lines.fail("turn", f"expected 'seat S' first, not {first!r:.80}")
        state.seat = lines.seat("turn", number, int(state.num_players))
        phases = {text: phase for phase, text in self.phases.items()}
        phase, *words = words or ["draw"]
        if phase.startswith("choose add "):
            state.phase, state.named = CHOOSE, self._named(lines, phase.removeprefix("choose add "))
        elif phase in phases:
            state.phase = phases[phase]
        else:
            said = f"{', '.join(phases)} or choose add CARD"
            raise lines.fail("turn", f"expected {said} after the seat, not {phase!r:.80}")
        if len({word.partition(" ")[0] for word in words}) < len(words):
            raise lines.fail("turn", "one word is said twice")
        for word in words:
            name, _, rest = word.partition(" ")
            if not self.read_word(lines, state, name, rest):
                raise lines.fail("turn", f"{word!r:.80} is nothing that is said behind the phase")

    def _named(self, lines: Lines, text: str) -> int:
        for end in (LOW, HIGH):
            if text.lower() == self.named_text(end).lower():
                return end
        face = lines.card("turn", text)
        if face == JOKER:
            raise lines.fail("turn", f"expected {self.named_text(LOW)} or {self.named_text(HIGH)}, not {text!r:.80}")
        return face

    # The cards -------------------------------------------------------------------------------------------------------

    def card_lines(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        seats = range(int(state.num_players))
        owners = [int(owner) for owner in state.meld_owner[: state.num_melds]]
        lines = [(f"hand {seat}", text_of(state.hands[seat])) for seat in seats]
        for seat in seats:
            own = [self.meld_text(state, slot) for slot, owner in enumerate(owners) if owner == seat]
            lines += [(f"melds {seat}", " | ".join(own))] if own else []
        lines += [("order", joined(owners))] if owners != sorted(owners) else []
        lines += [(f"known {seat}", text_of(state.known[seat])) for seat in seats if state.known[seat, 0]]
        lines.append(("pile", FACES.text(state.pile[: state.pile_size])))
        return [*lines, ("stock", FACES.text(state.stock[: state.stock_size][::-1]))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        state.must, state.named = NO_FACE, NOTHING
        seats = range(int(state.num_players))
        left = [self.copies(state, face) for face in range(NUM_FACES)]
        there = list(left)

        def take(key: str, faces: Sequence[int]) -> None:
            for face in faces:
                left[face] -= 1
                if left[face] < 0:
                    raise lines.fail(key, f"{FACES.names[face]}: named too often, there are {there[face]}")

        for key in (*(f"hand {seat}" for seat in seats), "pile", "stock"):
            if key not in lines:
                raise PositionError(f"{key}: the line is missing; a position tells where all cards are")
            take(key, lines.cards(key))
        for seat in seats:
            hand, known = lines.cards(f"hand {seat}"), lines.cards(f"known {seat}")
            if any(known.count(face) > hand.count(face) for face in known):
                raise lines.fail(f"known {seat}", "cards that are not in the hand")
            state.hands[seat], state.known[seat] = hand_of(hand), hand_of(known)
        for name in ("pile", "stock"):
            faces = lines.cards(name)[:: -1 if name == "stock" else 1]
            state[name][: len(faces)], state[f"{name}_size"] = faces, len(faces)
        for slot, (owner, text) in enumerate(self._melds(lines, state)):
            state.meld_owner[slot] = owner
            try:
                take(f"melds {owner}", self.read_meld(state, slot, text))
            except PositionError:
                raise
            except ValueError as error:
                raise lines.fail(f"melds {owner}", str(error)) from None
            state.num_melds = slot + 1
        missing = [face for face, count in enumerate(left) for _ in range(count)]
        if missing:
            raise PositionError(f"{FACES.text(missing)}: in no line; a position tells where all cards are")

    def _melds(self, lines: Lines, state: Any) -> list[tuple[int, str]]:
        """Owner and text of every meld, in the order of opening."""
        seats = range(int(state.num_players))
        melds = {seat: lines.values[f"melds {seat}"].split("|") for seat in seats if lines.values.get(f"melds {seat}")}
        owners = [seat for seat, own in melds.items() for _ in own]
        if "order" in lines:
            order = [lines.seat("order", word, len(seats)) for word in lines.values["order"].split()]
            if sorted(order) != owners:
                raise lines.fail("order", f"expected the owners {joined(owners)} in the order of opening")
            owners = order
        if len(owners) > len(state.melds):
            raise PositionError(f"{len(owners)} melds; there are cards for {len(state.melds)}")
        waiting = {seat: iter(own) for seat, own in melds.items()}
        return [(owner, next(waiting[owner])) for owner in owners]
