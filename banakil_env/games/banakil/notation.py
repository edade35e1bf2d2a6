"""How is a position written down? One `key: value` a line, hidden parts included, without loss.

The grammar is in docs/notation.md; positions.py reads it.
"""

from __future__ import annotations

from typing import Any

from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import action_text
from banakil_env.games.banakil.meld_text import meld_text
from banakil_env.games.banakil.melds import Meld
from banakil_env.games.banakil.setup import rules_of
from banakil_env.kit.notation import joined, written

ENDINGS = {"out": S.OUT, "exhausted": S.EXHAUSTED, "turns": S.TURNS, "match": S.MATCH, "rounds": S.ROUNDS}
ENDING_TEXT = {ending: text for text, ending in ENDINGS.items()}
_PHASE_TEXT = {S.DRAW: "draw", S.PLAY: "play", S.OVER: "play"}


def to_text(state: Any) -> str:
    """The whole game as text; reading it back gives the same bytes."""
    return written(_lines_of(state))


def header_lines(state: Any) -> list[tuple[str, str]]:
    """The lines that say which game is played: rules, players, episode."""
    table = {True: " partners", False: " individuals"}[bool(state.partners)] if state.num_players == 4 else ""
    preset, *switches = rules_of(state).text().split()
    lines = [("rules", " ".join([preset + table, *switches])), ("players", str(state.num_players))]
    if state.episode == S.MATCH_EPISODE:
        lines.append(("episode", "match"))
    return lines


def _lines_of(state: Any) -> list[tuple[str, str]]:
    seats = range(state.num_players)
    lines = header_lines(state)
    if state.dealer != state.num_players - 1:
        lines.append(("dealer", str(state.dealer)))
    if state.rounds:
        lines.append(("round", str(state.rounds)))
    if state.turns:
        lines.append(("turns", str(state.turns)))
    lines += [(key, joined(state[key][: state.num_players])) for key in ("scores", "points") if any(state[key])]
    if state.ending:
        lines.append(("over", ending_text(state)))
    lines.append(("turn", _turn_text(state)))
    lines += [(f"hand {seat}", F.FACES.text(hand_faces(state, seat))) for seat in seats]
    melds = melds_of(state)
    owners = [meld.owner for meld in melds]
    for seat in seats:
        if state.melds_of[seat]:
            texts = [meld_text(meld, bool(state.fixed_wilds)) for meld in melds if meld.owner == seat]
            lines.append((f"melds {seat}", " | ".join(texts)))
    if owners != sorted(owners):
        lines.append(("order", " ".join(str(owner) for owner in owners)))
    lines += [(f"known {seat}", F.FACES.text(mask_faces(state.known[seat]))) for seat in seats if state.known[seat, 0]]
    lines.append(("pile", F.FACES.text(state.pile[: state.pile_size])))
    lines.append(("stock", F.FACES.text(state.stock[: state.stock_size][::-1])))
    if state.had_turn != default_had_turn(state):
        lines.append(("had turn", " ".join(str(seat) for seat in seats if state.had_turn >> seat & 1)))
    if state.circling:
        lines.append(("circling", str(state.circling)))
    lines.append(("rng", str(state.rng)))
    return lines


def ending_text(state: Any) -> str:
    """How the game ended, in the words of the key `over`."""
    text = ENDING_TEXT[int(state.ending)]
    return f"{text}, seat {state.winner}" if state.winner != S.NO_SEAT else text


def hand_faces(state: Any, seat: int) -> list[int]:
    """The cards of a hand, sorted."""
    return mask_faces(state.hands[seat])


def melds_of(state: Any) -> list[Meld]:
    """The melds on the table, in the order of opening."""
    return [Meld.unpack(meld) for meld in state.melds[: state.num_melds]]


def mask_faces(masks: Any) -> list[int]:
    """The cards in one seat's masks, `hands` or `known`, sorted."""
    one, two = int(masks[0]), int(masks[1])
    return [face for face in range(F.NUM_FACES) for _ in range((one >> face & 1) + (two >> face & 1))]


def _turn_text(state: Any) -> str:
    phase = f"choose {action_text(int(state.pending))}" if state.phase == S.CHOOSE else _PHASE_TEXT[int(state.phase)]
    words = [f"seat {state.seat}", phase]
    if state.banned != F.NO_FACE:
        words.append(f"banned {F.FACES.names[state.banned]}")
    elif state.taken != F.NO_FACE:
        words.append(f"taken {F.FACES.names[state.taken]}")
    if state.phase == S.CHOOSE and F.TWO <= state.named < F.JOKER:
        words.append(f"named {F.FACES.names[state.named]}")
    if state.played:
        words.append("played")
    if state.in_one_turn and state.melds_of[state.seat]:
        words.append("in one turn")
    return ", ".join(words)


def default_had_turn(state: Any) -> int:
    """The seats that have had a turn where nothing is said of it: from the first seat to the one before the mover."""
    n = int(state.num_players)
    if state.turns >= n:
        return (1 << n) - 1
    first = (int(state.dealer) + 1) % n
    return sum(1 << (first + i) % n for i in range((int(state.seat) - first) % n))
