"""500 Rummy in words: melds, positions, how it ended, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.game import Game, Outcome, Texts
from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Scene
from banakil_env.games.rummy500.rules import Rules
from banakil_env.games.rummy500.state import (
    CALL,
    ENDINGS,
    SEAT_BITS,
    SEATS_MASK,
    TAKE_CALLED,
    is_meld,
    num_packs,
    value_at,
)
from banakil_env.kit.notation import Lines
from banakil_env.kit.outcomes import outcome_of
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import FACES, JOKER
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, NO_SEAT, OUT, PLAY
from banakil_env.kit.wild_melds import NUM_PLACES, RUN, SET, meld_of, places_of
from banakil_env.kit.wild_positions import WildPositions
from banakil_env.kit.wild_scenes import wild_scene
from banakil_env.kit.wild_table import NO_FACE, joker_or_face

DECISIONS = {
    DRAW: "draw, or take cards of the pile",
    PLAY: "play or discard",
    CHOOSE: "choose a meld",
    CALL: "call for the rummy in the pile, or pass",
    TAKE_CALLED: "take the rummy",
}
MARKS: dict[str, str] = {}
_JOKER = FACES.names[JOKER]

# What a player loses who fails at a table, in points: more than a bad round or match costs.
_FORFEITS = {"round": 200, "match": 1000}


def _game() -> Game:
    from banakil_env.games.rummy500.game import GAME  # which is made of these texts

    return GAME


# Melds ---------------------------------------------------------------------------------------------------------------


def parse_meld(text: str) -> tuple[int, dict[int, int]]:
    """A meld from its text (`5c JK=5d 5h@1`), and by place the seats that are marked. ValueError: it is none."""
    cards = [_parse_card(word) for word in text.split()]
    named = [stands for face, stands, _ in cards if face == JOKER and stands is not None]
    naturals = [(at, face) for at, (face, *_) in enumerate(cards) if face != JOKER]
    ranks = {face % NUM_RANKS for _, face in naturals}
    if not naturals:
        raise ValueError(f"{text.strip() or '(no cards)'} is no meld: it has no natural card (F5.4)")
    is_set = bool(named) or (len(ranks) == 1 and len(naturals) > 1)
    if is_set:
        kind = SET + ranks.pop()
        faces = [face if stands is None else stands for face, stands, _ in cards]
        if JOKER in faces or any(face % NUM_RANKS != kind - SET for face in faces):
            raise ValueError(f"{text.strip()} is no set: cards of one rank, a Joker as JK=5h (F4.1, F5.3)")
        places = [face // NUM_RANKS for face in faces]
    else:
        at, face = naturals[0]
        kind, rank = RUN + face // NUM_RANKS, face % NUM_RANKS
        low = (rank if rank or at == 0 else NUM_RANKS) - at  # an Ace is low at the front only
        places = list(range(low, low + len(cards)))
        right = low >= 0 and places[-1] < NUM_PLACES
        if not right or any(face != _in_run(kind, low + at) for at, face in naturals):
            raise ValueError(f"{text.strip()} is no run: cards of one suit in a row, each in its place (F4.2)")
    wilds = [place for place, (face, *_) in zip(places, cards, strict=True) if face == JOKER]
    meld = int(meld_of(kind, sum(1 << place for place in set(places)), sum(1 << place for place in set(wilds))))
    if len(set(places)) < len(places) or not is_meld(wide(meld)):
        raise ValueError(f"{text.strip()} is no meld: three cards or more, none at the place of another (F4.1, F4.2)")
    return meld, {place: seat for place, (*_, seat) in zip(places, cards, strict=True) if seat is not None}


def _in_run(kind: int, place: int) -> int:
    return NUM_RANKS * (kind - RUN) + place % NUM_RANKS


def _parse_card(word: str) -> tuple[int, int | None, int | None]:
    """The face, what a Joker stands for, the seat that is marked. ValueError: it is no card of a meld."""
    match = re.fullmatch(r"([^=@]+)(?:=([^=@]+))?(?:@([0-7]))?", word)
    if not match:
        raise ValueError(f"{word!r:.40} is no card of a meld, such as 7h, JK=7h or 7h@1")
    face, stands = FACES.parse(match[1]), FACES.parse(match[2]) if match[2] else None
    if stands is not None and (face != JOKER or stands == JOKER):
        raise ValueError(f"{word!r:.40}: only a Joker stands for another card")
    return face, stands, int(match[3]) if match[3] else None


def meld_words(meld: int) -> list[str]:
    """The cards of a meld in the order of its places: `5c`, `JK`, `JK=5h`."""
    is_set = int(meld) & 31 >= SET
    return [
        FACES.names[face] if not is_wild else f"{_JOKER}={FACES.names[face]}" if is_set else _JOKER
        for _, face, is_wild in places_of(meld)
    ]


# Positions -----------------------------------------------------------------------------------------------------------


class Rummy500Positions(WildPositions):
    """Positions of 500 Rummy: who laid a card off, and whose discard is asked about."""

    def copies(self, state: Any, face: int) -> int:
        """See `WildPositions`."""
        packs = int(interpreted(num_packs)(state))
        return packs * int(state.rules.jokers) if face == JOKER else packs

    def meld_text(self, state: Any, slot: int) -> str:
        """See `WildPositions`."""
        words = meld_words(state.melds[slot])
        laid_off = int(state.laid_off[slot])
        noted = [laid_off >> SEAT_BITS * place & SEATS_MASK for place, *_ in places_of(state.melds[slot])]
        return " ".join(f"{word}@{who - 1}" if who else word for word, who in zip(words, noted, strict=True))

    def read_meld(self, state: Any, slot: int, text: str) -> list[int]:
        """See `WildPositions`."""
        state.melds[slot], marked = parse_meld(text)
        cards = places_of(state.melds[slot])
        for place, *_ in cards:
            seat = marked.get(place, int(state.meld_owner[slot]))
            if seat >= state.num_players:
                raise ValueError(f"@{seat}: there are {state.num_players} players")
            if seat != state.meld_owner[slot]:
                state.laid_off[slot] |= (seat + 1) << SEAT_BITS * place
            state.laid[seat] += value_at(wide(state.melds[slot]), wide(place))
        return [JOKER if is_wild else face for _, face, is_wild in cards]

    def turn_words(self, state: Any) -> list[str]:
        """See `WildPositions`."""
        asked = [f"after {state.discarder}"] if state.phase == CALL else []
        return [*super().turn_words(state), *asked]

    def read_turn(self, lines: Lines, state: Any) -> None:
        """See `Positions`."""
        state.discarder = NO_SEAT
        super().read_turn(lines, state)

    def read_word(self, lines: Lines, state: Any, name: str, rest: str) -> bool:
        """See `WildPositions`."""
        if name == "after":
            state.discarder = lines.seat("turn", rest, int(state.num_players))
        return name == "after" or super().read_word(lines, state, name, rest)


POSITIONS = Rummy500Positions(
    _game,
    ENDINGS,
    seat_endings=(OUT, MATCH),
    phases={DRAW: "draw", PLAY: "play", CALL: "call", TAKE_CALLED: "take"},
)


# The table -----------------------------------------------------------------------------------------------------------


def rules_of(state: Any) -> Rules:
    """The rules that a state holds."""
    return Rules.read(state.rules)


def outcome(state: Any) -> Outcome:
    """How the round or match ended, or stands."""
    return outcome_of(state, POSITIONS.ending(state))


def decision(state: Any) -> str:
    """What is to be decided."""
    said = DECISIONS[int(state.phase)]
    if state.phase == CHOOSE:
        said += f" for {POSITIONS.named_text(int(state.named))}"
    return said if state.must == NO_FACE else f"{said}, {FACES.names[state.must]} first"


def explain(state: Any) -> str:
    """What is to be decided, and what has to be; see `core.game.Texts`."""
    return f"seat {state.seat} is to {decision(state)} ({'F3.4' if state.must != NO_FACE else 'F6'})"


def forfeit(options: Mapping[str, Any]) -> int:
    """Points that a player loses who fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")]


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    rules = rules_of(state)
    return wild_scene(
        state,
        viewer,
        title="500 Rummy",
        rules=rules.text(),
        goal=f"to {rules.target}",
        decision=decision(state) if state.phase else "",
        result=POSITIONS.ending(state),
        card_at=joker_or_face,
        meld_notes=[_laid_off(state, slot) for slot in range(int(state.num_melds))],
    )


def _laid_off(state: Any, slot: int) -> str:
    """The cards of a meld that others than its seat have laid off."""
    marked = [word.partition("@") for word in POSITIONS.meld_text(state, slot).split()]
    return ", ".join(f"{card} of seat {seat}" for card, mark, seat in marked if mark)


TEXTS = Texts(POSITIONS.to_text, POSITIONS.from_text, POSITIONS.header, explain)
