"""Writes and reads positions of Banakil: the lines of docs/notation.md, without loss.

A text without cards is the deal of its seed. Otherwise the cards that are given are laid out, the turn says which hand
holds one more, hands and stock that are left out are dealt from the rest, and what is known and the flags come last.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from banakil_env.core.actions import UnknownAction
from banakil_env.core.bits import bits_of
from banakil_env.core.game import Outcome
from banakil_env.core.jit import interpreted
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, DISCARD, action_text, parse_action
from banakil_env.games.banakil.meld_text import meld_text, parse_meld, places_of_wilds
from banakil_env.games.banakil.melds import Meld, faces_of, owned_by, owner_of
from banakil_env.games.banakil.moves.lay_off import card_of
from banakil_env.games.banakil.moves.opening import twos_to_play
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import FIXED
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import DEALT_LINES, LINES, Line
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack54 import add_card, faces_in
from banakil_env.kit.partners import PartnerPositions
from banakil_env.kit.positions import CardsLeft, seat_of_turn, seats_in
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH_EPISODE, OUT

HAND = "hand"
_CARD_KEYS = ("hand", "melds", "known", "pile", "stock")
_NEED_CARDS = ("over", "order", "had turn", "circling")


def has_fixed_wilds(state: Any) -> bool:
    """Whether wild cards keep their places (B9.5)."""
    return bool(state.rules.wilds == FIXED)


def usual_had_turn(state: Any) -> list[int]:
    """The seats that have had a turn where nothing is said of it: from the first seat to the one before the mover."""
    n = int(state.num_players)
    first = (int(state.dealer) + 1) % n
    turns = n if state.turns >= n else (int(state.seat) - first) % n
    return sorted((first + i) % n for i in range(turns))


class BanakilPositions(PartnerPositions):
    """Positions of Banakil. Cards that no line names are dealt."""

    keys: ClassVar[tuple[str, ...]] = (
        *("rules", "players", "episode", "dealer", "round", "turns", "scores", "points", "over", "turn"),
        *("hand S", "melds S", "order", "known S", "pile", "stock", "had turn", "circling", "seed", "rng"),
    )
    notes: ClassVar[Mapping[str, Line]] = {
        "rules": Line("a preset, `partners` or `individuals` with four, then switches as `name=value`", "`pagat`"),
        "turn": Line(
            LINES["turn"].says,
            "the seat whose turn it is after `turns` turns (the seat after the dealer has the first); `play` if it "
            "holds one card more than in `draw`",
        ),
        "over": LINES["over"],
        "known S": Line("cards of hand S that everybody knows: taken from the pile, or exchanged"),
        "pile": DEALT_LINES["pile"],
        "had turn": Line("seats that have ended a turn since the deal (B9.3)", "all seats before the one to move"),
        "circling": Line("consecutive turns that only took the top card and discarded it again (B9.9)", "0"),
    }
    word_notes: ClassVar[Mapping[str, str]] = {
        "banned CARD": "the card that was taken alone and may not be discarded (B2.4)",
        "taken CARD": "the card that was taken alone, when it may be discarded",
        "named CARD": "the card that waits for its meld",
        "played": "something was played to the table in this turn (B9.9)",
        "in one turn": "the turn began with nothing melded, and there are melds now (B7.2)",
    }
    faces: ClassVar[Faces] = F.FACES
    deals_rest: ClassVar[bool] = True

    def phase_words(self) -> tuple[str, ...]:
        """See `Positions`."""
        return "draw", "play", "choose ADD-OR-SWAP"

    def partner_words(self, state: Any) -> list[str]:
        """The word about partners; with four players always one of `partners` and `individuals`."""
        return [{True: "partners", False: "individuals"}[bool(state.partners)]] if state.num_players == 4 else []

    def outcome(self, state: Any) -> Outcome:
        """See `Positions`; a round is scored by itself."""
        found = super().outcome(state)
        return found if state["episode"] == MATCH_EPISODE else dataclasses.replace(found, scores=found.points)

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """See `Positions`."""
        return (HAND,) if state["ending"] == OUT and state["in_one_turn"] else ()

    # Written ---------------------------------------------------------------------------------------------------------

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """See `Positions`."""
        seats = seats_in(state.had_turn, int(state.num_players))
        return [("had turn", joined(seats))] if seats != usual_had_turn(state) else []

    def waiting_text(self, state: Any) -> str:
        """See `Positions`."""
        return action_text(int(state.pending))

    def words_of_turn(self, state: Any) -> list[str]:
        """See `Positions`."""
        words = []
        if state.banned != F.NO_FACE:
            words.append(f"banned {F.FACES.names[state.banned]}")
        elif state.taken != F.NO_FACE:
            words.append(f"taken {F.FACES.names[state.taken]}")
        if state.phase == CHOOSE and F.TWO <= state.named < F.JOKER:
            words.append(f"named {F.FACES.names[state.named]}")
        words += super().words_of_turn(state)
        return words + ["in one turn"] * bool(state.in_one_turn and state.melds_of[state.seat])

    # Melds -----------------------------------------------------------------------------------------------------------

    def owner_of(self, state: Any, slot: int) -> int:
        """See `Positions`."""
        return Meld.unpack(state.melds[slot]).owner

    def meld_text(self, state: Any, slot: int) -> str:
        """See `Positions`."""
        return meld_text(Meld.unpack(state.melds[slot]), has_fixed_wilds(state))

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """See `Positions`; fixed wild cards stand for cards."""
        (cards,), meld = super().meld_shown(state, slot), Meld.unpack(state.melds[slot])
        return (cards, places_of_wilds(meld, cards)) if has_fixed_wilds(state) and not meld.is_set else (cards,)

    def write_owner(self, state: Any, slot: int, owner: int) -> None:
        """See `Positions`."""
        state.melds[slot] = interpreted(owned_by)(0, owner)
        state.melds_of[owner] += 1

    def read_meld(self, state: Any, slot: int, text: str) -> Sequence[int]:
        """See `Positions`."""
        meld = parse_meld(text, int(interpreted(owner_of)(int(state.melds[slot]))), has_fixed_wilds(state))
        state.melds[slot] = meld.pack()
        return bits_of(interpreted(faces_of)(meld.pack()))

    # Cards -----------------------------------------------------------------------------------------------------------

    def cards_of(self, state: Any) -> list[int]:
        """See `Positions`; the pack is computed once, and not for each face."""
        one, two = int(faces_in_pack(state)), int(pairs_in_pack(state))
        return [(one >> face & 1) + (two >> face & 1) for face in range(len(self.faces))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`. Without a line about cards or the turn it is the deal of the seed."""
        if "turn" not in lines and not any(key.split()[0] in _CARD_KEYS for key in lines.values):
            for key in _NEED_CARDS:
                if key in lines:
                    raise lines.fail(key, "this needs the cards: give the hands, or leave the line out")
            seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
            S.shuffle_and_deal(state)
            return
        left = CardsLeft(self.faces, self.cards_of(state))
        left.take(lines, "melds", self.read_melds(lines, state))
        for key in lines.values:
            if key.split()[0] in ("hand", "pile", "stock"):
                left.take(lines, key, lines.cards(key))
        super().read_turn(lines, state)
        rest = self.mixed(lines, state, left.faces)
        self._read_hands(lines, state, rest)
        self.write_heap(state, "pile", lines.cards("pile"))
        self.write_heap(state, "stock", self.rest_or_line(lines, "stock", rest)[::-1])
        state.had_turn = sum(1 << seat for seat in self._had_turn(lines, state))
        if state.phase == CHOOSE:
            _name_card(lines, state)

    def _read_hands(self, lines: Lines, state: Any, rest: list[int]) -> None:
        """The hands; those that were left out are dealt from the front of `rest`."""
        seats = range(int(state.num_players))
        hands = {seat: lines.cards(f"hand {seat}") for seat in seats if f"hand {seat}" in lines}
        missing = [seat for seat in seats if seat not in hands]
        for number, seat in enumerate(missing):
            known = lines.cards(f"known {seat}")
            for face in known:
                if face not in rest:
                    raise lines.fail(f"known {seat}", f"{F.FACES.names[face]} is not left for a hand that is not given")
                rest.remove(face)
            size = int(state.rules.hand_cards) + (seat == state.seat and state.phase != DRAW)
            if "stock" in lines:  # there is no other place for a card
                size = (len(rest) + sum(len(hands[other]) for other in missing[:number])) // len(missing)
            drawn = max(min(size - len(known), len(rest)), 0)
            hands[seat] = known + rest[:drawn]
            del rest[:drawn]
        for seat, hand in hands.items():
            self.write_hand(lines, state, seat, hand)

    def _had_turn(self, lines: Lines, state: Any) -> set[int]:
        seats = lines.seats("had turn", int(state.num_players)) if "had turn" in lines else usual_had_turn(state)
        return set(seats)

    # The turn --------------------------------------------------------------------------------------------------------

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Nothing: the line `turn` was read before the cards, since a hand that is dealt depends on it."""

    def usual_turn(self, lines: Lines, state: Any, over: bool) -> str:
        """See `Positions`."""
        return f"seat {seat_of_turn(state)}"

    def read_phase(self, lines: Lines, state: Any, phase: str) -> None:
        """See `Positions`."""
        interpreted(S.begin_turn)(state, int(state.seat), DRAW)
        super().read_phase(lines, state, phase)

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """See `Positions`."""
        try:
            action = parse_action(text)
        except UnknownAction as error:
            raise lines.fail("turn", str(error)) from None
        if not ADD <= action < DISCARD:
            raise lines.fail("turn", f"only an addition or exchange waits for its meld, not {text!r:.80}")
        state.pending = action
        return True

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """See `Positions`."""
        if name in ("banned", "taken"):
            if state.taken != F.NO_FACE:
                said = "say 'banned' if the card taken may not be discarded, else 'taken', not both"
                raise lines.fail("turn", said)
            state.taken = lines.card("turn", rest)
            state.banned = state.taken if name == "banned" else F.NO_FACE
        elif name == "named":
            if not (state.phase == CHOOSE and ADD_TWO_LOW <= state.pending < ADD_JOKER_LOW):
                said = "'named' says which Two waits for its meld (choose add 2 low, choose add 2 high)"
                raise lines.fail("turn", said)
            state.named = lines.card("turn", rest)
            if not F.TWO <= state.named < F.JOKER:
                raise lines.fail("turn", f"{F.FACES.names[state.named]} is named, and is not a Two")
        elif (name, rest) == ("in", "one turn"):
            state.in_one_turn = 1
        else:
            return super().read_word(lines, state, name, rest)
        return True


def _name_card(lines: Lines, state: Any) -> None:
    """The card that waits for its meld; everybody has seen it."""
    hand, known = state.hands[state.seat], state.known[state.seat]
    if state.named == F.NO_FACE:
        twos = interpreted(twos_to_play)(state) or 1 << F.TWO
        state.named = interpreted(card_of)(int(state.pending), twos)
    if state.named not in faces_in(hand):
        raise lines.fail("turn", f"{F.FACES.names[state.named]} waits for its meld and is not in the hand")
    if state.named not in faces_in(known):
        interpreted(add_card)(known, int(state.named))
