"""The view of a seat as JSON: its `Scene`, its legal actions, and the events as it saw them.

Everything is made from the scene of one viewer, which holds only information that this viewer has; of cards face down
it holds the number. Moves are described as events, as the viewer saw them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from banakil_env.arena.players import Explanation
from banakil_env.core.actions import Action
from banakil_env.core.game import Game
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.play.names import called
from banakil_env.play.session import Round, Session
from banakil_env.render.scenes import scene_of
from banakil_env.study.course import Step
from banakil_env.study.hands import Believed
from banakil_env.text.points import first_meld
from banakil_env.text.rules import about

MAX_LOG = 200  # moves that are sent to a new page

_CARD = re.compile(r"(?<![\w=])(?:JK|W|(?:10|[2-9TJQKA])[cdhs]?)(?![\w])")
_NUMBER = re.compile(r"[0-9]+$")

MOVE_BYTES = 400  # bytes of a kept move in addition to its state, for an array and a tuple


def lobby_view(
    game: Game, players: Mapping[int, Sequence[Mapping[str, Any]]], defaults: Mapping[int, str], anywhere: str
) -> dict[str, Any]:
    """A game as JSON, for the page on which people choose a game.

    Args:
        game: the game.
        players: the offered players by the number of seats: `name`, `label` and `table`.
        defaults: the default player by the number of seats, for the standard rules.
        anywhere: the default player at tables without a trained agent.
    """
    said = about(game)
    return {
        "name": game.name,
        "title": game.title,
        "sentence": said.sentence,
        "turns": said.turns,
        "cards": [meld.split() for meld in said.cards],
        "seats": list(game.seats),
        "usual": game.tables[0].options.get("num_players", game.seats[0]),
        "presets": [{"name": preset, "note": said.presets.get(preset, "")} for preset in game.rules.presets],
        "partners": "partners" in game.option_names,
        "players": {str(count): players[count] for count in game.seats},
        "defaults": {str(count): defaults[count] for count in game.seats},
        "anywhere": anywhere,
    }


def game_view(session: Session, viewer: int | None, since: int) -> dict[str, Any]:
    """A game as a seat sees it; `viewer` None for all hands. `since` is the number of moves that the page has."""
    game, state = session.game, session.state
    scene = scene_of(game, state, viewer)
    decides = viewer is not None and viewer == scene.to_move
    return scene_view(scene) | {
        "game": game.name,
        "lowWins": game.low_wins,
        "names": [each.called for each in session.seats],
        "people": [number for number, each in enumerate(session.seats) if each.player is None],
        "moves": len(session.moves),
        "log": moves_view(session, viewer, since),
        "rounds": rounds_view(session),
        "needs": game.texts.explain(state).partition("; ")[2] if decides else "",
        "firstMeld": first_meld(game, state) if decides else None,
        "drawn": [] if viewer is None else drawn_view(session, scene),
        "actions": actions_view(game, session.plain.legal_actions(state)) if decides else [],
    }


def rounds_view(session: Session) -> list[dict[str, Any]]:
    """The rounds that have ended, with the parts of their points, as JSON."""
    return [_round(each) for each in session.rounds()]


def _round(ended: Round) -> dict[str, Any]:
    lines = [[{"text": line.text, "points": line.points} for line in each] for each in ended.lines]
    return {"move": ended.move, "text": ended.text, "points": list(ended.points), "lines": lines}


def drawn_view(session: Session, scene: Scene) -> list[str]:
    """The cards that the viewer last drew or took and that are still in the hand.

    They are shown to the end of the turn. If the draw ended the turn, or came out of turn, they are shown until the
    viewer's next move.

    Args:
        session: the game.
        scene: the table as the viewer sees it now.
    """
    assert scene.viewer is not None
    seat, moves = scene.viewer, session.moves
    first = session.last_turn_of(seat)
    if first is None:
        return []
    if session.seat_to_move != seat or session.state.turns != moves[first].state[0].turns:  # the turn is over
        first = max(number for number, move in enumerate(moves) if move.seat == seat)
    for number in reversed(range(first, len(moves))):
        gained = session.brought(number, seat)
        if gained is None:  # new hands have been dealt
            return []
        if gained:
            return sorted((gained & scene.seats[seat].held()).elements())
    return []


def scene_view(scene: Scene) -> dict[str, Any]:
    """A scene as JSON."""
    return {
        "title": scene.title,
        "rules": scene.rules,
        "facts": list(scene.facts),
        "viewer": scene.viewer,
        "toMove": scene.to_move,
        "decision": scene.decision,
        "result": scene.result,
        "points": list(scene.points),
        "seats": [_seat(seat) for seat in scene.seats],
        "areas": [_area(area) for area in scene.areas],
        "melds": [_meld(meld) for meld in scene.melds],
    }


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "side": seat.side,
        "hand": None if seat.hand is None else [list(group) for group in seat.hand],
        "size": seat.size,
        "known": list(seat.known),
        "score": seat.score,
        "notes": list(seat.notes),
    }


def _area(area: Area) -> dict[str, Any]:
    shown = [] if all(card is None for card in area.cards) else list(area.cards)
    return {
        "name": area.name,
        "title": area.title,
        "cards": shown,
        "size": area.size,
        "note": area.note,
        "owner": area.owner,
    }


def _meld(meld: Meld) -> dict[str, Any]:
    return {
        "number": meld.number,
        "owner": meld.owner,
        "cards": list(meld.cards),
        "standsFor": list(meld.stands_for),
        "note": meld.note,
    }


def action_view(action: Action) -> dict[str, Any]:
    """A legal action: its text, and the cards and melds that a person can click to choose it.

    `cards` are cards (`7h`) or ranks (`7`) as in the text of the action, without those after "to" and "=".
    """
    subject = action.block.subject
    about = action.text.partition(" to ")[0] if not subject else ""
    number = _NUMBER.search(action.text)
    return {
        "id": action.index,
        "text": action.text,
        "verb": action.verb,
        "cards": _CARD.findall(about.partition(" ")[2]),
        "depth": action.place + 1 if subject == "depth" else None,
        "meld": int(number[0]) if subject == "meld" and number else None,
    }


def actions_view(game: Game, legal: Sequence[int]) -> list[dict[str, Any]]:
    """The legal actions in the form of `action_view`."""
    return [action_view(game.actions[action]) for action in legal]


def moves_view(session: Session, viewer: int | None, since: int) -> list[dict[str, Any]]:
    """The moves from number `since` on, at most the last MAX_LOG, as seat `viewer` saw them (None: with all cards)."""
    first = max(since, len(session.moves) - MAX_LOG)
    return [
        {"number": number, "seat": session.moves[number].seat, "text": session.deeds(number, viewer)}
        for number in range(first, len(session.moves))
    ]


def explanation_view(game: Game, player: str, found: Explanation) -> dict[str, Any]:
    """A player's move, and its evaluation of the actions, as JSON.

    Each row of `rows` has the probability of an action, or its margin in points over playouts. `value` is the value of
    the position, and `basis` tells how the figures were computed.
    """
    tried = {**dict.fromkeys(found.probabilities), **dict.fromkeys(found.margins), found.action: None}
    rows: list[dict[str, Any]] = []
    for action in tried:
        margin = found.margins.get(action)
        rows.append(
            {
                "action": action,
                "text": game.actions.text(action),
                "probability": found.probabilities.get(action),
                "margin": None if margin is None else _finite(margin.mean),
                "error": None if margin is None else _finite(margin.half_width),
                "playouts": None if margin is None else margin.deals,
            }
        )
    # The chosen action first, then the actions with most playouts, since a margin from two playouts means little.
    rows.sort(key=lambda row: (row["action"] != found.action, -(row["playouts"] or 0), -_worth(row), row["action"]))
    return {
        "player": player,
        "called": called(player),
        "action": found.action,
        "text": game.actions.text(found.action),
        "value": None if found.value is None else _finite(found.value),
        "basis": found.basis,
        "rows": rows,
    }


def believed_view(found: Believed) -> dict[str, Any]:
    """Beliefs about hands as JSON: by seat, each possible card with its share of deals and its mean number."""
    hands = [
        {"seat": seat, "cards": [[card, round(share, 3), round(found.counts[seat][card], 2)] for card, share in cards]}
        for seat, cards in ((seat, sorted(shares.items())) for seat, shares in sorted(found.shares.items()))
    ]
    return {"basis": found.basis, "deals": found.deals, "hands": hands}


def step_view(game: Game, at: int, step: Step) -> dict[str, Any]:
    """The step of a course after `at` moves as JSON, with the loss of the move made there, if any."""
    loss = step.loss
    lost = {"loss": loss.mean, "lossError": loss.error, "best": game.actions.text(loss.best)} if loss else {}
    return {"at": at, "value": step.value, "error": step.error, **lost}


def _worth(row: dict[str, Any]) -> float:
    if row["margin"] is not None:
        return float(row["margin"])
    return float(row["probability"]) if row["probability"] is not None else float("-inf")


def _finite(value: float) -> float | None:
    """The value, or None for infinity and NaN, which JSON does not have."""
    return float(value) if abs(value) < 1e12 else None
