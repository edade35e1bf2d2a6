"""What does a table of Banakil look like in a terminal? Hands by suit, melds by seat, the pile with its depth.

With all hands open for onlookers, or as one seat sees it: of the other hands then only their size and the cards that
everybody knows to be there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import notation, rules_of
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import action_text
from banakil_env.games.banakil.faces import FACES, NO_FACE
from banakil_env.games.banakil.game import PHASES
from banakil_env.games.banakil.rules import rules_text

SYMBOLS = str.maketrans("cdhs", "♣♦♥♠")
ENDINGS = {
    S.OUT: "seat {winner} is out",
    S.EXHAUSTED: "the stock is exhausted",
    S.TURNS: "out of turns",
    S.MATCH: "seat {winner} wins the match",
    S.ROUNDS: "the match is out of rounds",
}
WIDTH = 100


def table(state: Any, seat: int | None = None, symbols: bool = False) -> str:
    """The table as text, some ten lines.

    Args:
        state: one record of `STATE`.
        seat: whose view; None opens all hands and shows the next cards of the stock.
        symbols: `7♥` instead of `7h`, for terminals that have these.

    Raises:
        ValueError: there is no such seat.
    """
    if seat is not None and not 0 <= seat < state.num_players:
        raise ValueError(f"there is no seat {seat!r}: {state.num_players} play, seats from 0 on")
    lines = [_heading(state), _turn_line(state, seat), ""]
    lines += _wrapped("pile  ", [f"{k}:{text}" for k, text in enumerate(_pile_texts(state, symbols), 1)] or ["(empty)"])
    lines += [_stock_line(state, seat, symbols), ""]
    for other in range(state.num_players):
        lines += _seat_lines(state, other, seat is None or seat == other, symbols)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _texts(faces: Iterable[int], symbols: bool) -> list[str]:
    texts = [FACES.names[face] for face in faces]
    return [text if text == FACES.names[F.JOKER] else text.translate(SYMBOLS) for text in texts] if symbols else texts


def _heading(state: Any) -> str:
    players = {True: "partners", False: "individuals"}[bool(state.partners)] if state.num_players == 4 else "players"
    words = [f"Banakil ({rules_text(rules_of(state))}), {state.num_players} {players}"]
    if state.episode == S.MATCH_EPISODE:
        words.append(f"match to {state.target}, round {state.rounds + (state.phase != S.OVER)}")
    words.append(f"turn {state.turns + (state.phase != S.OVER)} of at most {state.max_turns}")
    return ", ".join(words)


def _turn_line(state: Any, seat: int | None) -> str:
    if state.phase == S.OVER:
        points = " ".join(str(points) for points in state.points[: state.num_players])
        return f"Over: {ENDINGS[int(state.ending)].format(winner=state.winner)}; points of the round by seat: {points}"
    text = f"Seat {state.seat} is to {PHASES[state.phase]}"
    if state.phase == S.CHOOSE:
        text += f" for {action_text(int(state.pending))}"
    # Whether the card taken may be discarded tells something of the hand (B2.4).
    if state.banned != NO_FACE and seat in (None, state.seat):
        text += f"; {FACES.names[state.banned]} may not be discarded"
    elif state.taken != NO_FACE:
        text += f"; it took {FACES.names[state.taken]}"
    return text


def _pile_texts(state: Any, symbols: bool) -> list[str]:
    """The cards from the top down: the number before a card is what to take to get it."""
    return _texts(state.pile[: state.pile_size][::-1], symbols)


def _stock_line(state: Any, seat: int | None, symbols: bool) -> str:
    line = f"stock {state.stock_size} cards"
    if seat is None and state.stock_size:
        next_cards = _texts(state.stock[: state.stock_size][::-1][:8], symbols)
        line += f", next {' '.join(next_cards)}{' ...' if state.stock_size > len(next_cards) else ''}"
    return line


def _seat_lines(state: Any, seat: int, open_hand: bool, symbols: bool) -> list[str]:
    mark = ">" if seat == state.seat and state.phase != S.OVER else " "
    score = f", score {state.scores[seat]}" if state.episode == S.MATCH_EPISODE else ""
    dealer = ", dealer" if seat == state.dealer else ""
    lines = [f"{mark} seat {seat}{dealer}{score}, {state.hand_size[seat]} cards"]
    known = notation.mask_faces(state.known[seat])
    if open_hand:
        lines += _wrapped("    hand   ", _by_suit(notation.hand_faces(state, seat), symbols), "   ")
    if known:
        lines += _wrapped("    known  ", _by_suit(known, symbols), "   ")
    melds = [
        f"[{slot}] {' '.join(_texts(FACES.parse_all(notation.meld_text(meld, bool(state.fixed_wilds))), symbols))}"
        for slot, meld in enumerate(notation.melds_of(state))
        if meld.owner == seat
    ]
    return [*lines, *_wrapped("    melds  ", melds, "   ")] if melds else lines


def _by_suit(faces: list[int], symbols: bool) -> list[str]:
    """One text a suit, in the order of the faces; the wild cards last."""
    groups = [[face for face in faces if face < F.TWO and face // F.NUM_RANKS == suit] for suit in range(F.NUM_SUITS)]
    groups.append([face for face in faces if face >= F.TWO])
    return [" ".join(_texts(group, symbols)) for group in groups if group]


def _wrapped(head: str, words: list[str], gap: str = "  ") -> list[str]:
    """The words behind `head`, in lines of `WIDTH`."""
    lines, line = [], head
    for word in words:
        if len(line) > len(head) and len(line) + len(word) > WIDTH:
            lines.append(line)
            line = " " * len(head)
        line += word + gap
    return [*lines, line]
