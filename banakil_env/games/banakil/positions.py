"""How is a position of Banakil written down and read? The lines of docs/notation.md, without loss.

A text without cards is the deal of its seed. Otherwise the cards that are given are laid out, the turn says which hand
holds one more, hands and stock that are left out are dealt from the rest, and what is known and the flags come last.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import Outcome, PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, DISCARD, SWAP, action_text, parse_action
from banakil_env.games.banakil.meld_text import meld_faces, meld_text, parse_meld, places_of_wilds
from banakil_env.games.banakil.melds import Meld, owned_by, owner_of
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import FIXED
from banakil_env.kit.cards import Faces
from banakil_env.kit.line_notes import DEALT_LINES, LINES, Line
from banakil_env.kit.notation import Lines, joined
from banakil_env.kit.pack54 import add_card, faces_in
from banakil_env.kit.partners import PartnerPositions
from banakil_env.kit.positions import seat_of_turn
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH_EPISODE, OUT, PLAY

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
        *("rules", "players", "episode", "dealer", "round", "turns", "scores", "turn"),
        *("hand S", "melds S", "known S", "order", "pile", "stock", "had turn", "circling"),
        *("over", "points", "seed", "rng"),
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
    points_last: ClassVar[bool] = False

    def phase_words(self) -> tuple[str, ...]:
        """See `Positions`."""
        return "draw", "play", "choose ADD-OR-SWAP"

    def partner_words(self, state: Any) -> list[str]:
        """See `PartnerPositions`; four say both."""
        return [{True: "partners", False: "individuals"}[bool(state.partners)]] if state.num_players == 4 else []

    def outcome(self, state: Any) -> Outcome:
        """See `Positions`; a round is scored by itself."""
        found = super().outcome(state)
        return found if state["episode"] == MATCH_EPISODE else dataclasses.replace(found, scores=found.points)

    def marks_of(self, state: Any) -> tuple[str, ...]:
        """See `Positions`."""
        return (HAND,) if state["ending"] == OUT and state["in_one_turn"] else ()

    # Written ---------------------------------------------------------------------------------------------------------

    def turn_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines `over` and `turn`."""
        return [*super().end_lines(state), *super().turn_lines(state)]

    def end_lines(self, state: Any) -> list[tuple[str, str]]:
        """The lines `had turn` and `circling`."""
        seats = [seat for seat in range(int(state.num_players)) if state.had_turn >> seat & 1]
        lines = [("had turn", joined(seats))] if seats != usual_had_turn(state) else []
        return lines + ([("circling", str(state.circling))] if state.circling else [])

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
        return meld_faces(meld)

    # Cards -----------------------------------------------------------------------------------------------------------

    def cards_of(self, state: Any) -> list[int]:
        """See `Positions`; the masks of the pack are the same for all faces."""
        single, double = int(faces_in_pack(state)), int(pairs_in_pack(state))
        return [(single >> face & 1) + (double >> face & 1) for face in range(len(self.faces))]

    def read_cards(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        if "turn" in lines or any(key.split()[0] in _CARD_KEYS for key in lines.values):
            self._lay_out(lines, state)
        else:
            self._deal(lines, state)

    def _deal(self, lines: Lines, state: Any) -> None:
        """No card is given: the deal of the seed."""
        for key in _NEED_CARDS:
            if key in lines:
                raise lines.fail(key, "this needs the cards: give the hands, or leave the line out")
        seed_generator(state, seed_word(lines.number("seed", 0, 0, MAX_SEED)))
        S.shuffle_and_deal(state)

    def _lay_out(self, lines: Lines, state: Any) -> None:
        melds, seats = self.read_melds(lines, state), range(int(state.num_players))
        hands = {seat: lines.cards(f"hand {seat}") for seat in seats if f"hand {seat}" in lines}
        pile, stock = lines.cards("pile"), lines.cards("stock")
        left = self._rest_of_pack(state, [*melds, *pile, *stock, *(face for hand in hands.values() for face in hand)])
        _set_turn(lines, state)
        left = self._fill_in(lines, state, hands, self.mixed(lines, state, left))
        if "stock" not in lines:
            stock = left
        elif left:
            said = f"{len(left)} cards are in no line: {F.FACES.text(sorted(left))}"
            raise lines.fail("stock", f"{said}; leave out the stock to have them there")
        for seat, hand in hands.items():
            self.write_hand(lines, state, seat, hand)
        self.write_heap(state, "pile", pile)
        self.write_heap(state, "stock", stock[::-1])
        _set_flags(lines, state)

    def _rest_of_pack(self, state: Any, given: list[int]) -> list[int]:
        """The cards of the pack that are not given. PositionError: some are given that it does not have."""
        counts, in_pack = Counter(given), Counter(dict(enumerate(self.cards_of(state))))
        too_many = [face for face in sorted(counts) if counts[face] > in_pack[face]]
        if too_many:
            texts = ", ".join(f"{counts[face]} of {F.FACES.names[face]}" for face in too_many)
            raise PositionError(f"too many cards of one face: {texts}; the pack has {_pack_text(in_pack)}")
        return [face for face in range(F.NUM_FACES) for _ in range(in_pack[face] - counts[face])]

    def _fill_in(self, lines: Lines, state: Any, hands: dict[int, list[int]], left: list[int]) -> list[int]:
        """Deal the hands that were left out from what is left of the pack; what remains is the stock."""
        missing = [seat for seat in range(int(state.num_players)) if seat not in hands]
        for seat in missing:
            known = lines.cards(f"known {seat}")
            for face in known:
                if face not in left:
                    raise lines.fail(f"known {seat}", f"{F.FACES.names[face]} is not left for a hand that is not given")
                left.remove(face)
            size = int(state.rules.hand_cards) + (seat == state.seat and state.phase != DRAW)
            if "stock" in lines:
                size = (len(left) + sum(len(hands[s]) for s in missing if s in hands)) // len(missing)
            drawn = max(min(size - len(known), len(left)), 0)
            hands[seat] = known + left[:drawn]
            left = left[drawn:]
        return left

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Nothing: the line `turn` was read before the cards, since a hand that is dealt depends on it."""


def _pack_text(in_pack: Counter[int]) -> str:
    """The pack for a message: how many of each face."""
    if set(in_pack.values()) == {F.COPIES}:
        return f"{F.COPIES} of each, {F.PACK_SIZE} in all"
    return f"{F.FACES.text(sorted(in_pack.elements()))}, {in_pack.total()} in all"


# The turn -------------------------------------------------------------------------------------------------------------

_TURN_WORDS = "draw, play, choose ADD-OR-SWAP, banned CARD, taken CARD, named CARD, played, in one turn"


def _set_turn(lines: Lines, state: Any) -> None:
    """`seat S, PHASE` and what else is said; each at most once."""
    turn = lines.values.get("turn", f"seat {seat_of_turn(state)}")
    first, *words = [" ".join(word.split()) for word in turn.split(",")]
    name, _, number = first.partition(" ")
    if name != "seat":
        raise lines.fail("turn", f"expected 'seat S' of 0 to {state.num_players - 1} first, not {first!r:.80}")
    state.seat = lines.seat("turn", number, int(state.num_players))
    state.phase = DRAW
    state.in_one_turn = state.melds_of[state.seat] == 0
    said: dict[str, str] = {}
    for word in words:
        name, _, rest = ("in one turn", "", "") if word == "in one turn" else word.partition(" ")
        kind = "phase" if name in ("draw", "play", "choose") else name
        if kind in said:
            raise lines.fail("turn", f"{word!r:.80} comes after {said[kind]!r:.80}: one of them holds")
        said[kind] = word
        if name == "choose":
            _set_pending(lines, state, rest)
        elif name in ("banned", "taken", "named"):
            state[name] = lines.card("turn", rest)
        elif rest or name not in ("draw", "play", "played", "in one turn"):
            raise lines.fail("turn", f"{word!r:.80} is not one of {_TURN_WORDS}")
        elif name == "play":
            state.phase = PLAY
        elif name != "draw":
            state[name.replace(" ", "_")] = 1
    if "banned" in said and "taken" in said:
        raise lines.fail("turn", "say 'banned' if the card taken may not be discarded, else 'taken', not both")
    if "named" in said and not (state.phase == CHOOSE and ADD_TWO_LOW <= state.pending < ADD_JOKER_LOW):
        raise lines.fail("turn", "'named' says which Two waits for its meld (choose add 2 low, choose add 2 high)")
    if "named" in said and not F.TWO <= state.named < F.JOKER:
        raise lines.fail("turn", f"{F.FACES.names[state.named]} is named, and is no Two")
    if "over" in lines and state.phase != PLAY and "phase" in said:
        raise lines.fail("turn", "when the game is over, the phase is left out, or play")
    if "banned" in said:
        state.taken = state.banned


def _set_pending(lines: Lines, state: Any, text: str) -> None:
    try:
        action = parse_action(text)
    except UnknownAction as error:
        raise lines.fail("turn", str(error)) from None
    if not ADD <= action < DISCARD:
        raise lines.fail("turn", f"only an addition or exchange waits for its meld, not {text!r:.80}")
    state.pending, state.phase = action, CHOOSE


def _set_flags(lines: Lines, state: Any) -> None:
    n = int(state.num_players)
    seats = lines.seats("had turn", n) if "had turn" in lines else usual_had_turn(state)
    state.had_turn = sum(1 << seat for seat in set(seats))
    state.circling = lines.number("circling", 0, 0, n)
    if state.phase == CHOOSE:
        _set_named(lines, state)


def _set_named(lines: Lines, state: Any) -> None:
    """The card that waits for its meld; everybody has seen it."""
    action, seat = int(state.pending), int(state.seat)
    if action >= SWAP or action < ADD_TWO_LOW:
        state.named = action - SWAP if action >= SWAP else action - ADD
    elif action >= ADD_JOKER_LOW:
        state.named = F.JOKER
    elif state.named == F.NO_FACE:
        twos = [face for face in faces_in(state.hands[seat]) if F.TWO <= face < F.JOKER]
        state.named = state.banned if state.banned in twos else min(twos, default=F.TWO)
    if state.named not in faces_in(state.hands[seat]):
        raise lines.fail("turn", f"{F.FACES.names[state.named]} waits for its meld and is not in the hand")
    if state.named not in faces_in(state.known[seat]):
        interpreted(add_card)(state.known[seat], int(state.named))
