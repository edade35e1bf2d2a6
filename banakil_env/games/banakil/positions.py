"""How is a position read? The lines of docs/notation.md in the order in which they depend on each other.

The table first (rules, players, episode), then the counters. A text without cards is the deal of its seed. Otherwise
the cards that are given are laid out, the turn says which hand holds one more, hands and stock that are left out are
dealt from the rest, and what is known, the flags and the ending come last. `game.from_text` checks the whole.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import Any

import numpy as np

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import PositionError
from banakil_env.core.random import MAX_SEED, seed_generator, seed_word, shuffle
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, DISCARD, SWAP, parse_action
from banakil_env.games.banakil.meld_text import meld_faces, parse_melds
from banakil_env.games.banakil.melds import Meld
from banakil_env.games.banakil.notation import ENDING_TEXT, ENDINGS, default_had_turn, hand_faces, mask_faces
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import parse_rules, resolve_table
from banakil_env.games.banakil.setup import EPISODES, blank_state
from banakil_env.kit.notation import Lines
from banakil_env.kit.switches import RulesError

_CARD_KEYS = ("hand S", "melds S", "known S", "pile", "stock")
KEYS = (
    *("rules", "players", "episode", "dealer", "round", "turns", "scores", "turn"),
    *(
        "hand S",
        "melds S",
        "known S",
        "order",
        "pile",
        "stock",
        "had turn",
        "circling",
        "over",
        "points",
        "seed",
        "rng",
    ),
)
_NEED_CARDS = ("over", "order", "had turn", "circling")
_TURN_WORDS = "draw, play, choose ADD-OR-SWAP, banned CARD, taken CARD, named CARD, played, in one turn"

# The interpreter reads them from one record here; a compiled function would be compiled for that.
_faces_in_pack, _pairs_in_pack = (getattr(f, "py_func", f) for f in (faces_in_pack, pairs_in_pack))


def read_position(text: str) -> Any:
    """An array of one state, which is not checked as a whole. PositionError: what is wrong, and in which line."""
    lines = Lines(text, KEYS, F.FACES)
    states = _table(lines)
    state, n = states[0], int(states[0].num_players)
    seed = lines.number("seed", 0, 0, MAX_SEED)
    state.dealer = lines.number("dealer", n - 1, 0, n - 1)
    state.rounds = lines.number("round", 0, 0, int(state.max_rounds))
    state.turns = lines.number("turns", 0, 0, int(state.max_turns))
    for key in ("scores", "points"):
        state[key][:n] = lines.numbers(key, n, -S.MAX_SCORE, S.MAX_SCORE)
    if "turn" in lines or any(re.sub("[0-9]", "S", key) in _CARD_KEYS for key in lines.values):
        _lay_out(lines, state, seed)
    else:
        _deal(lines, state, seed)
    if "rng" in lines:
        state.rng = lines.rng()
    return states


def _table(lines: Lines) -> Any:
    """A state that holds the rules and nothing else."""
    rules, partners = lines.parse("rules", parse_rules) if "rules" in lines else parse_rules("")
    players = 4 if partners and "players" not in lines else lines.players((2, 3, 4), by_turn=True)
    episode = lines.one_of("episode", "round", tuple(EPISODES))
    try:
        return blank_state(players, resolve_table(players, partners), rules, episode)
    except RulesError as error:
        raise lines.fail("rules" if "rules" in lines else "players", str(error)) from None


def _deal(lines: Lines, state: Any, seed: int) -> None:
    """No card is given: the deal of the seed, with what else was said."""
    for key in _NEED_CARDS:
        if key in lines:
            raise lines.fail(key, "this needs the cards: give the hands, or leave the line out")
    kept = state.copy()
    if "dealer" in lines:
        seed_generator(state, seed_word(seed))
        S.deal(state)
    else:
        S.start(state, seed_word(seed))
    for name in ("scores", "points", "rounds", "turns"):
        state[name] = kept[name]


# A position with cards ------------------------------------------------------------------------------------------------


def _lay_out(lines: Lines, state: Any, seed: int) -> None:
    melds = _read_melds(lines, state)
    seats = range(int(state.num_players))
    hands = {seat: lines.cards(f"hand {seat}") for seat in seats if f"hand {seat}" in lines}
    pile, stock = lines.cards("pile"), lines.cards("stock")
    laid = [face for meld in melds for face in meld_faces(meld)]
    left = _rest_of_pack(state, [*laid, *pile, *stock, *(face for hand in hands.values() for face in hand)])
    seed_generator(state, seed_word(seed))
    _set_turn(lines, state)
    left = _fill_in(lines, state, hands, left)
    if "stock" not in lines:
        stock = left
    elif left:
        raise lines.fail(
            "stock",
            f"{len(left)} cards are in no line: {F.FACES.text(sorted(left))}; leave out the stock to have them there",
        )
    for seat, hand in hands.items():
        for face in hand:
            _gain(state.hands, seat, face)
        state.hand_size[seat] = len(hand)
    state.pile[: len(pile)], state.pile_size = pile, len(pile)
    state.stock[: len(stock)], state.stock_size = stock[::-1], len(stock)
    _set_known(lines, state)
    _set_flags(lines, state)
    if "over" in lines:
        _set_ending(lines, state)


def _rest_of_pack(state: Any, given: list[int]) -> list[int]:
    """The cards of the pack that are not given. PositionError: some are given that it does not have."""
    counts = Counter(given)
    in_pack = Counter(mask_faces((_faces_in_pack(state), _pairs_in_pack(state))))
    too_many = [face for face in sorted(counts) if counts[face] > in_pack[face]]
    if too_many:
        texts = ", ".join(f"{counts[face]} of {F.FACES.names[face]}" for face in too_many)
        raise PositionError(f"too many cards of one face: {texts}; the pack has {_pack_text(in_pack)}")
    return [face for face in range(F.NUM_FACES) for _ in range(in_pack[face] - counts[face])]


def _pack_text(in_pack: Counter[int]) -> str:
    """The pack for a message: how many of each face."""
    if len(in_pack) == F.NUM_FACES and set(in_pack.values()) == {F.COPIES}:
        return f"{F.COPIES} of each, {F.PACK_SIZE} in all"
    return f"{F.FACES.text(sorted(in_pack.elements()))}, {in_pack.total()} in all"


def _fill_in(lines: Lines, state: Any, hands: dict[int, list[int]], left: list[int]) -> list[int]:
    """Shuffle what is left of the pack and deal the hands that were left out; what remains is the stock."""
    cards = np.array(left, np.int64)
    shuffle(state, cards, len(left))
    left = [int(face) for face in cards]
    missing = [seat for seat in range(int(state.num_players)) if seat not in hands]
    for seat in missing:
        known = lines.cards(f"known {seat}")
        for face in known:
            if face not in left:
                raise lines.fail(f"known {seat}", f"{F.FACES.names[face]} is not left for a hand that is not given")
            left.remove(face)
        size = S.HAND_SIZE - int(state.fewer_dealt) + (seat == state.seat and state.phase != S.DRAW)
        if "stock" in lines:
            size = (len(left) + sum(len(hands[s]) for s in missing if s in hands)) // len(missing)
        drawn = max(min(size - len(known), len(left)), 0)
        hands[seat] = known + left[:drawn]
        left = left[drawn:]
    return left


def _read_melds(lines: Lines, state: Any) -> list[Meld]:
    by_seat: dict[int, list[Meld]] = {}
    for seat in range(int(state.num_players)):
        key = f"melds {seat}"
        if lines.values.get(key):
            by_seat[seat] = lines.parse(key, functools.partial(parse_melds, seat, bool(state.fixed_wilds)))
    owners = [seat for seat, melds in by_seat.items() for _ in melds]
    if "order" in lines:
        order = lines.seats("order", int(state.num_players))
        if sorted(order) != owners:
            raise lines.fail("order", f"expected the owners {owners!s:.80} in the order of opening, not {order!s:.80}")
        owners = order
    waiting = {seat: iter(melds) for seat, melds in by_seat.items()}
    melds = [next(waiting[owner]) for owner in owners]
    if len(melds) > S.MAX_MELDS:
        raise PositionError(f"{len(melds)} melds; no more than {S.MAX_MELDS} fit in {F.PACK_SIZE} cards")
    for slot, meld in enumerate(melds):
        state.melds[slot] = meld.pack()
        state.melds_of[meld.owner] += 1
    state.num_melds = len(melds)
    return melds


# The turn -------------------------------------------------------------------------------------------------------------


def _set_turn(lines: Lines, state: Any) -> None:
    """`seat S, PHASE` and what else is said; each at most once."""
    first, *words = [" ".join(word.split()) for word in lines.values.get("turn", "seat 0").split(",")]
    name, _, number = first.partition(" ")
    if name != "seat":
        raise lines.fail("turn", f"expected 'seat S' of 0 to {state.num_players - 1} first, not {first!r:.80}")
    state.seat = lines.seat("turn", number, int(state.num_players))
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
            state.phase = S.PLAY
        elif name != "draw":
            state[name.replace(" ", "_")] = 1
    if "banned" in said and "taken" in said:
        raise lines.fail("turn", "say 'banned' if the card taken may not be discarded, else 'taken', not both")
    if "named" in said and not (state.phase == S.CHOOSE and ADD_TWO_LOW <= state.pending < ADD_JOKER_LOW):
        raise lines.fail("turn", "'named' says which Two waits for its meld (choose add 2 low, choose add 2 high)")
    if "named" in said and not F.TWO <= state.named < F.JOKER:
        raise lines.fail("turn", f"{F.FACES.names[state.named]} is named, and is no Two")
    if "over" in lines and state.phase != S.PLAY and "phase" in said:
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
    state.pending, state.phase = action, S.CHOOSE


def _set_known(lines: Lines, state: Any) -> None:
    for seat in range(int(state.num_players)):
        known = lines.cards(f"known {seat}")
        unknown = Counter(known) - Counter(hand_faces(state, seat))
        if unknown:
            raise lines.fail(f"known {seat}", f"{F.FACES.text(unknown)} is not in the hand")
        for face in known:
            _gain(state.known, seat, face)


def _set_flags(lines: Lines, state: Any) -> None:
    n = int(state.num_players)
    state.had_turn = default_had_turn(state)
    if "had turn" in lines:
        state.had_turn = sum(1 << seat for seat in set(lines.seats("had turn", n)))
    state.circling = lines.number("circling", 0, 0, n)
    if state.phase == S.CHOOSE:
        _set_named(lines, state)


def _set_named(lines: Lines, state: Any) -> None:
    """The card that waits for its meld; everybody has seen it."""
    action, seat = int(state.pending), int(state.seat)
    if action >= SWAP or action < ADD_TWO_LOW:
        state.named = action - SWAP if action >= SWAP else action - ADD
    elif action >= ADD_JOKER_LOW:
        state.named = F.JOKER
    elif state.named == F.NO_FACE:
        twos = [face for face in hand_faces(state, seat) if F.TWO <= face < F.JOKER]
        state.named = state.banned if state.banned in twos else min(twos, default=F.TWO)
    if state.named not in hand_faces(state, seat):
        raise lines.fail("turn", f"{F.FACES.names[state.named]} waits for its meld and is not in the hand")
    if not state.known[seat, 0] >> state.named & 1:
        _gain(state.known, seat, int(state.named))


def _set_ending(lines: Lines, state: Any) -> None:
    """`out, seat S`, `exhausted`, ... ; the phase is over."""
    name, comma, at = lines.values["over"].partition(",")
    words = at.split()
    if name not in ENDINGS or (name in ("out", "match")) != (comma == ",") or (comma and words[:1] != ["seat"]):
        raise lines.fail("over", f"expected {', '.join(ENDING_TEXT.values())} (out and match with ', seat S')")
    state.ending, state.phase = ENDINGS[name], S.OVER
    if comma:
        state.winner = lines.seat("over", " ".join(words[1:]), int(state.num_players))


def _gain(masks: Any, seat: int, face: int) -> None:
    """Put a card into one seat's masks, `hands` or `known`."""
    bit = np.int64(1) << np.int64(face)
    masks[seat, 1 if masks[seat, 0] & bit else 0] |= bit
