"""A game played in text: some seats talk, which means that they get texts and reply with texts.

The other seats are players of the package, which move at once. The environments for libraries that train language
models are small wrappers of this module.

    >>> talk = TableTalk.deal("gin", [None, "greedy"], seed=7)
    >>> while talk.seat is not None:
    ...     talk.hear(model(talk.opening(talk.seat), talk.question()))
    >>> talk.worth("margin"), talk.counts[0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banakil_env.agents.talk_options import FORFEIT, Counts, TalkOptions
from banakil_env.arena.players import Player
from banakil_env.core.failures import CUT_OFF, kind_text
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.play.session import Session
from banakil_env.text import CUT_SHORT, ILLEGAL, LEGAL, UNREADABLE, Reply, SeatText, system_text

# The kinds of reward for an episode: those of every environment, and the margin divided by the cost of a forfeit, from
# -1 to 1.
SCALED = "scaled"
WORTHS = (SCALED, *REWARDS)

AGENT = "agent"  # the name of a seat that talks in the record of a game


class TableTalk:
    """A table at which some seats talk.

    Args:
        session: the game; seats without a player are those that talk.
        loss: points that a seat loses by forfeiting the game.
        options: how the legal moves are listed, how many replies that cannot be followed are answered with the reason,
            and what happens after the last of them.

    Attributes:
        speakers: the seats that talk.
        counts: by seat that talks, the counts of its replies and decisions.
        forfeited: the seat that has forfeited the game; None if no seat has.
        reason: the reason for the forfeit; "" if no seat has forfeited.
        kind: the kind of failure (`core.failures.KINDS`); "" if no seat has forfeited, or if the caller of `forfeit`
            gave none.
    """

    def __init__(self, session: Session, loss: int, options: TalkOptions | None = None) -> None:
        self.session, self.options = session, options or TalkOptions()
        self.speakers = tuple(number for number, seat in enumerate(session.seats) if seat.player is None)
        if not self.speakers:
            raise ValueError("no seat of this table talks: leave one without a player")
        self.counts = {seat: Counts() for seat in self.speakers}
        self.forfeited: int | None = None
        self.reason = self.kind = ""
        self._loss = loss
        self._left = self._allowed()
        self._notice = ""
        self._told = False

    @classmethod
    def deal(
        cls,
        game: str | Game,
        seats: Sequence[str | Player | None],
        *,
        seed: int,
        rules: str = "",
        episode: str = "round",
        options: TalkOptions | None = None,
    ) -> TableTalk:
        """Deal a new game.

        Args:
            game: the game.
            seats: the player of each seat; None: the seat talks.
            seed: the seed of the deal.
            rules: a preset, then switches; "": the usual rules.
            episode: "round" or "match".
            options: see the class.

        Raises:
            ValueError: an unknown game or player, or invalid rules, number of players or seed.
        """
        found = find(game)
        chosen = {"episode": episode} | ({"rules": rules} if rules else {})
        names = [AGENT if player is None else None for player in seats]
        session = Session.deal(found, seats, seed=seed, options=chosen, names=names)
        return cls(session, found.forfeit(chosen), options)

    # Awaited seat and texts ------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The seat whose reply is awaited; None if the game is over.

        If players of the package are to move, they make their moves first.
        """
        self.let_others_move()
        return None if self.forfeited is not None else self.session.seat_to_move

    @property
    def over(self) -> bool:
        """Whether the game is over, by the rules or by a forfeit.

        If players of the package are to move, they make their moves first.
        """
        return self.seat is None

    def let_others_move(self) -> None:
        """Let the players of the package move until a seat that talks is to move.

        Raises:
            PlayerFailed: a player made no legal move.
        """
        while self.forfeited is None and self.session.player_to_move is not None:
            self.session.move_player()

    def opening(self, seat: int) -> str:
        """The first text for a seat that talks: the rules of the table, and how to reply."""
        self._speaker(seat)
        return system_text(self.session.game, self.session.state)

    def question(self) -> str:
        """The text for the seat whose reply is awaited: the table, or the reason why its last reply could not be
        followed.
        """
        seat = self.seat
        if seat is None:
            raise ValueError("the game is over: no seat decides")
        if self._told:
            return f"{self._notice}\nReply again."
        return self._notice + self.view(seat)

    def view(self, seat: int) -> str:
        """The current view of a seat that talks; available at any time, also after the end."""
        self._speaker(seat)
        lost = f"Seat {self.forfeited} has forfeited the game: {self.reason}\n" if self.forfeited is not None else ""
        moves = "none" if self.forfeited is not None else self.options.moves
        return lost + SeatText(self.session, seat).turn(moves=moves)

    # Replies ---------------------------------------------------------------------------------------------------------

    def hear(self, reply: Any, *, cut_off: bool = False) -> str:
        """Carry out the reply of the awaited seat. Returns its kind: "legal", "unreadable", "illegal" or "cut_off".

        If a reply contains several moves, the later ones are made as long as each is legal and no hidden card has been
        revealed.

        Args:
            reply: a text; any other value is unreadable.
            cut_off: whether the reply ended because it reached a length limit. Then it is not read, since half of a
                move can be another move.
        """
        seat = self.seat
        if seat is None:
            raise ValueError("the game is over: no reply is awaited")
        counts = self.counts[seat]
        read = Reply(CUT_OFF, (), CUT_SHORT) if cut_off else SeatText(self.session, seat).parse(reply)
        counts.add(replies=1, decisions=0 if self._told else 1)
        if read.kind == LEGAL:
            left = self.session.play_on(read.actions)
            counts.add(planned=len(read.actions) - len(left) - 1)
            self._begin_decision(left)
            return read.kind
        counts.add(**{read.kind: 1})
        allowance = ILLEGAL if read.kind == ILLEGAL else UNREADABLE
        if self._left[allowance]:
            self._left[allowance] -= 1
            self._notice, self._told = read.reason, True
        elif self.options.giveup == FORFEIT:
            self.forfeit(f"{kind_text(read.kind)} replies: {read.reason}", read.kind)
        else:
            counts.add(given_up=1)
            self.session.play(self.session.plain.legal_actions(self.session.state)[0])
            self._begin_decision([])
        return read.kind

    def forfeit(self, reason: str, kind: str = "") -> None:
        """Let the seat whose reply is awaited lose the game, for example because it resigns.

        Args:
            reason: the text for `result`.
            kind: the kind of failure, one of `core.failures.KINDS`; "": another reason.
        """
        seat = self.seat
        if seat is None:
            raise ValueError("the game is over: nobody can forfeit it")
        self.forfeited, self.reason, self.kind = seat, reason, kind
        self.counts[seat].add(given_up=1)

    def _begin_decision(self, left: Sequence[int]) -> None:
        """Prepare the next question, which is a new decision. `left` are moves of the last reply that were not made."""
        said = "; ".join(self.session.plain.action_text(action) for action in left)
        self._notice = (
            f"Not played: {said}.\n" if said and self.session.seat_to_move == self.session.moves[-1].seat else ""
        )
        self._left, self._told = self._allowed(), False

    def _allowed(self) -> dict[str, int]:
        return {UNREADABLE: self.options.unreadable, ILLEGAL: self.options.illegal}

    # Results ---------------------------------------------------------------------------------------------------------

    def points(self) -> tuple[int, ...]:
        """The points by seat, with the game's sign. After a forfeit, that seat has the loss and the others 0."""
        if self.forfeited is None:
            return tuple(self.session.game.outcome(self.session.state).scores)
        lost = self._loss if self.session.game.low_wins else -self._loss
        return tuple(lost if seat == self.forfeited else 0 for seat in range(len(self.session.seats)))

    def worth(self, kind: str = SCALED) -> tuple[float, ...]:
        """The reward of the episode for each seat; 0 while it goes on. Higher is better in every game.

        Args:
            kind: "margin", "points" or "win" as in every environment, or "scaled": the margin divided by the cost of a
                forfeit (which exceeds that of a bad episode), clipped to [-1, 1].

        Raises:
            ValueError: an unknown kind.
        """
        if kind not in WORTHS:
            raise ValueError(f"reward must be {', '.join(WORTHS)}, not {kind!r:.80}")
        if kind == SCALED:
            return tuple(max(-1.0, min(1.0, margin / self._loss)) for margin in self.worth("margin"))
        count = len(self.session.seats)
        if self.forfeited is not None:
            return self._worth_of_forfeit(kind)
        worth = np.zeros(self.session.game.max_seats)
        if self.over:
            kernels_of(self.session.game).end_one(np.asarray(self.session.state).reshape(1), REWARDS[kind], worth)
        return tuple(worth[:count].tolist())

    def _worth_of_forfeit(self, kind: str) -> tuple[float, ...]:
        """The rewards after a forfeit: the side of the seat that has forfeited has the loss, the other sides have 0
        points each.
        """
        sides = [seat.side for seat in self.session.game.scene(self.session.state, None).seats]
        assert self.forfeited is not None
        points = {side: float(-self._loss if side == sides[self.forfeited] else 0) for side in sides}
        if kind == "points":
            return tuple(points[side] for side in sides)
        others = {side: [points[other] for other in points if other != side] for side in points}
        if kind == "margin":
            return tuple(points[side] - float(np.mean(others[side])) for side in sides)
        return tuple(float(np.sign(points[side] - max(others[side]))) for side in sides)

    def result(self) -> str:
        """How the game has ended, in one line; "" while it goes on."""
        if self.forfeited is not None:
            return f"seat {self.forfeited} has forfeited the game: {self.reason}"
        return self.session.game.outcome(self.session.state).text if self.over else ""

    def _speaker(self, seat: int) -> None:
        if seat not in self.counts:
            raise ValueError(
                f"seat {seat!r:.20} does not talk: the seats that do are {', '.join(map(str, self.speakers))}"
            )
