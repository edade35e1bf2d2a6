"""Writes and reads positions of Banakil: the lines of docs/notation.md, without loss.

A text without cards is the deal of its seed. Otherwise the given cards are placed first, and the turn decides which
hand has one more card. Then hands and stock that are left out are dealt from the rest. Known cards and flags are read
last.
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
    """Return whether wild cards keep their places (B9.5)."""
    return bool(state.rules.wilds == FIXED)


def usual_had_turn(state: Any) -> list[int]:
    """Return the seats that have had a turn if no line names them: from the first seat to the one before the mover."""
    n = int(state.num_players)
    first = (int(state.dealer) + 1) % n
    turns = n if state.turns >= n else (int(state.seat) - first) % n
    return sorted((first + i) % n for i in range(turns))


class BanakilPositions(PartnerPositions):
    """Writes and reads positions of Banakil as text. Cards that no line names are dealt."""

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
        """Return the phases that the line `turn` can name."""
        return "draw", "play", "choose ADD-OR-SWAP"

    def partner_words(self, state: Any) -> list[str]:
        """Return the word about partners: with four players always `partners` or `individuals`, otherwise none."""
        return [{True: "partners", False: "individuals"}[bool(state.partners)]] if state.num_players == 4 else []

    def outcome(self, state: Any) -> Outcome:
        """Return the outcome of the round or match, or its present state. In a round, the scores are the points
        of the round.
        """
        found = super().outcome(state)
        return found if state["episode"] == MATCH_EPISODE else dataclasses.replace(found, scores=found.points)

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """Return the marks of the last finished round or match, as names out of `Game.marks`."""
        return (HAND,) if state["ending"] == OUT and state["in_one_turn"] else ()

    # Writing ---------------------------------------------------------------------------------------------------------

    def facts(self, state: Any) -> list[tuple[str, str]]:
        """Return the additional lines of this game, as pairs (key, value)."""
        seats = seats_in(state.had_turn, int(state.num_players))
        return [("had turn", joined(seats))] if seats != usual_had_turn(state) else []

    def waiting_text(self, state: Any) -> str:
        """Return the card that waits for its meld, as text."""
        return action_text(int(state.pending))

    def words_of_turn(self, state: Any) -> list[str]:
        """Return the words of the line `turn` after the phase."""
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
        """Return the seat that owns a meld."""
        return Meld.unpack(state.melds[slot]).owner

    def meld_text(self, state: Any, slot: int) -> str:
        """Return a meld as text."""
        return meld_text(Meld.unpack(state.melds[slot]), has_fixed_wilds(state))

    def meld_shown(self, state: Any, slot: int) -> tuple[Any, ...]:
        """Return the arguments of `core.scene.Meld` for a meld: its cards, and the cards that fixed wild cards
        represent.
        """
        (cards,), meld = super().meld_shown(state, slot), Meld.unpack(state.melds[slot])
        return (cards, places_of_wilds(meld, cards)) if has_fixed_wilds(state) and not meld.is_set else (cards,)

    def write_owner(self, state: Any, slot: int, owner: int) -> None:
        """Write the owner of a meld; the meld itself is read afterwards."""
        state.melds[slot] = interpreted(owned_by)(0, owner)
        state.melds_of[owner] += 1

    def read_meld(self, state: Any, slot: int, text: str) -> Sequence[int]:
        """Read a meld from text into the state; return its cards. ValueError: it is not a meld."""
        meld = parse_meld(text, int(interpreted(owner_of)(int(state.melds[slot]))), has_fixed_wilds(state))
        state.melds[slot] = meld.pack()
        return bits_of(interpreted(faces_of)(meld.pack()))

    # Cards -----------------------------------------------------------------------------------------------------------

    def cards_of(self, state: Any) -> list[int]:
        """Return the number of cards of each face in the game. The pack is computed once instead of once per face."""
        one, two = int(faces_in_pack(state)), int(pairs_in_pack(state))
        return [(one >> face & 1) + (two >> face & 1) for face in range(len(self.faces))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """Read the lines about cards and the line `turn`. If none of them is there, deal the round from the seed.

        PositionError: the cards of the lines are not in the pack, or a line needs cards that are not given.
        """
        if "turn" not in lines and not any(key.split()[0] in _CARD_KEYS for key in lines.values):
            for key in _NEED_CARDS:
                if key in lines:
                    raise lines.fail(key, "this line needs cards: give the hands, or leave the line out")
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
        """Read the hands. A hand without a line gets its known cards and then cards from the front of `rest`.

        These cards are removed from `rest`. PositionError: a known card is not in `rest`.
        """
        seats = range(int(state.num_players))
        hands = {seat: lines.cards(f"hand {seat}") for seat in seats if f"hand {seat}" in lines}
        missing = [seat for seat in seats if seat not in hands]
        for number, seat in enumerate(missing):
            known = lines.cards(f"known {seat}")
            for face in known:
                if face not in rest:
                    raise lines.fail(
                        f"known {seat}",
                        f"{F.FACES.names[face]} is known in a hand that is not given, but no such card is left",
                    )
                rest.remove(face)
            size = int(state.rules.hand_cards) + (seat == state.seat and state.phase != DRAW)
            if "stock" in lines:  # all other cards are then in these hands
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
        """Do nothing: the line `turn` was read before the cards, because hands that are dealt depend on it."""

    def usual_turn(self, lines: Lines, state: Any, over: bool) -> str:
        """Return the text of the line `turn` for a position without it: the seat whose turn it is after the turns
        played.
        """
        return f"seat {seat_of_turn(state)}"

    def read_phase(self, lines: Lines, state: Any, phase: str) -> None:
        """Read the phase of the line `turn`."""
        interpreted(S.begin_turn)(state, int(state.seat), DRAW)
        super().read_phase(lines, state, phase)

    def read_waiting(self, lines: Lines, state: Any, text: str) -> bool:
        """Read the card that waits for its meld; return False if no such card can wait."""
        try:
            action = parse_action(text)
        except UnknownAction as error:
            raise lines.fail("turn", str(error)) from None
        if not ADD <= action < DISCARD:
            raise lines.fail("turn", f"only an addition or exchange waits for its meld, not {text!r:.80}")
        state.pending = action
        return True

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """Read a word of the line `turn` after the phase; return False if there is no such word."""
        if name in ("banned", "taken"):
            if state.taken != F.NO_FACE:
                said = "write 'banned' if the card taken may not be discarded, else 'taken', not both"
                raise lines.fail("turn", said)
            state.taken = lines.card("turn", rest)
            state.banned = state.taken if name == "banned" else F.NO_FACE
        elif name == "named":
            if not (state.phase == CHOOSE and ADD_TWO_LOW <= state.pending < ADD_JOKER_LOW):
                said = "'named' names the Two that waits for its meld (only in choose add 2 low and choose add 2 high)"
                raise lines.fail("turn", said)
            state.named = lines.card("turn", rest)
            if not F.TWO <= state.named < F.JOKER:
                raise lines.fail("turn", f"{F.FACES.names[state.named]} is named, but it is not a Two")
        elif (name, rest) == ("in", "one turn"):
            state.in_one_turn = 1
        else:
            return super().read_word(lines, state, name, rest)
        return True


def _name_card(lines: Lines, state: Any) -> None:
    """Write the card that waits for its meld. Everybody has seen it, so it becomes a known card."""
    hand, known = state.hands[state.seat], state.known[state.seat]
    if state.named == F.NO_FACE:
        twos = interpreted(twos_to_play)(state) or 1 << F.TWO
        state.named = interpreted(card_of)(int(state.pending), twos)
    if state.named not in faces_in(hand):
        raise lines.fail("turn", f"{F.FACES.names[state.named]} waits for its meld, but it is not in the hand")
    if state.named not in faces_in(known):
        interpreted(add_card)(known, int(state.named))
