"""How does a table of Banakil look? Its `Scene`, for one seat or with open hands."""

from __future__ import annotations

from typing import Any

from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import action_text
from banakil_env.games.banakil.faces import FACES, NO_FACE
from banakil_env.games.banakil.meld_text import meld_text
from banakil_env.games.banakil.melds import NOWHERE
from banakil_env.games.banakil.melds import Meld as PackedMeld
from banakil_env.games.banakil.notation import hand_faces, mask_faces, melds_of
from banakil_env.games.banakil.outcome import ENDINGS, PHASES
from banakil_env.games.banakil.setup import rules_of
from banakil_env.kit.cards import JOKER_TEXT, SUITS


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    over = state.phase == S.OVER
    stock = FACES.names_of(state.stock[: state.stock_size]) if viewer is None else (None,) * int(state.stock_size)
    return Scene(
        title="Banakil",
        rules=rules_of(state).text() + ", " + _players(state),
        seats=tuple(_seat(state, seat, viewer) for seat in range(state.num_players)),
        areas=(
            Area("pile", FACES.names_of(state.pile[: state.pile_size]), int(state.pile_size)),
            Area("stock", stock, int(state.stock_size)),
        ),
        melds=tuple(_meld(state, slot, meld) for slot, meld in enumerate(melds_of(state))),
        viewer=viewer,
        to_move=None if over else int(state.seat),
        decision="" if over else _decision(state, viewer),
        facts=_facts(state),
        result=ENDINGS[int(state.ending)].format(winner=state.winner) if over else "",
        points=tuple(int(points) for points in state.points[: state.num_players]) if state.ending else (),
    )


def _players(state: Any) -> str:
    kind = {True: "partners", False: "individuals"}[bool(state.partners)] if state.num_players == 4 else "players"
    return f"{state.num_players} {kind}"


def _facts(state: Any) -> tuple[str, ...]:
    now = state.phase != S.OVER
    turn = f"turn {state.turns + now} of at most {state.max_turns}"
    if state.episode != S.MATCH_EPISODE:
        return (turn,)
    return f"match to {state.target}, round {state.rounds + now}", turn


def _decision(state: Any, viewer: int | None) -> str:
    text = PHASES[state.phase]
    if state.phase == S.CHOOSE:
        text += f" for {action_text(int(state.pending))}"
    # Whether the card taken may be discarded tells something of the hand (B2.4).
    if state.banned != NO_FACE and viewer in (None, state.seat):
        text += f"; {FACES.names[state.banned]} may not be discarded"
    elif state.taken != NO_FACE:
        text += f"; it took {FACES.names[state.taken]}"
    return text


def _seat(state: Any, seat: int, viewer: int | None) -> SeatView:
    is_open = viewer is None or viewer == seat
    return SeatView(
        seat=seat,
        side=int(S.side_of(state, seat)),
        hand=_by_suit(hand_faces(state, seat)) if is_open else None,
        size=int(state.hand_size[seat]),
        known=FACES.names_of(mask_faces(state.known[seat])),
        score=int(state.scores[seat]) if state.episode == S.MATCH_EPISODE else None,
        notes=("dealer",) if seat == state.dealer else (),
    )


def _by_suit(faces: list[int]) -> tuple[tuple[str, ...], ...]:
    """A group a suit, the wild cards last."""
    groups = [[face for face in faces if face < F.TWO and face // F.NUM_RANKS == suit] for suit in range(F.NUM_SUITS)]
    groups.append([face for face in faces if face >= F.TWO])
    return tuple(FACES.names_of(group) for group in groups if group)


def _meld(state: Any, slot: int, meld: PackedMeld) -> Meld:
    cards = tuple(meld_text(meld, bool(state.fixed_wilds)).split())
    if not state.fixed_wilds or meld.is_set:
        return Meld(slot, meld.owner, cards)
    return Meld(slot, meld.owner, cards, _places_of_wilds(meld, cards))


def _places_of_wilds(meld: PackedMeld, cards: tuple[str, ...]) -> tuple[str | None, ...]:
    """For each card of a sequence, the card that it stands for if it is wild and has a place (B9.5)."""
    places = {JOKER_TEXT: meld.joker_at} if meld.joker else {}
    if meld.two:
        places["2" + SUITS[meld.two - 1]] = meld.two_at
    suit = SUITS[meld.kind - 1]
    return tuple(F.RANKS[places[card]] + suit if places.get(card, NOWHERE) != NOWHERE else None for card in cards)
