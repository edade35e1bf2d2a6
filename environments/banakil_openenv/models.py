"""The messages between client and server: actions, observations, the state of a session, and the requested table."""

from __future__ import annotations

from typing import Literal

from openenv.core.env_server.types import Action, Observation, State
from pydantic import BaseModel, ConfigDict, Field

MOST_REPLIES = 100  # invalid replies to one decision that are answered with a reason


class Table(BaseModel):
    """A table, as `reset` takes it in addition to the seed. For a field that is left out, the server has a default."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field("gin", description="its name, such as canasta, gin, rummy, hand, yaniv, tonk")
    players: int = Field(0, ge=0, description="the number of players; 0: the smallest number")
    seat: int = Field(0, ge=-1, description="the seat that talks, from 0 on; -1: drawn by the seed")
    opponents: str = Field("greedy", description="the player at all other seats")
    rules: str = Field("", description="a preset, with switches behind it; empty: the usual rules")
    episode: Literal["round", "match"] = "round"
    moves: Literal["all", "count", "none"] = Field("all", description="how the legal moves are told")
    unreadable: int = Field(
        2, ge=0, le=MOST_REPLIES, description="such replies of a decision that are answered with the reason"
    )
    illegal: int = Field(
        2, ge=0, le=MOST_REPLIES, description="such replies of a decision that are answered with the reason"
    )
    giveup: Literal["forfeit", "first"] = Field(
        "forfeit", description="after the last of them: forfeit the game, or make the first legal move"
    )
    reward: Literal["scaled", "margin", "points", "win"] = Field(
        "scaled", description="the margin in units of a forfeit, from -1 to 1; margin in points; own points; 1, 0, -1"
    )


class TableAction(Action):
    """A reply of the seat that the client plays."""

    reply: str = Field("", description="free text that ends with a line `MOVE: ...`, or a move alone")
    cut_off: bool = Field(False, description="the reply ended at a limit on its length; it is not read then")
    resign: bool = Field(False, description="give the game up, which costs what a forfeit costs")


class TableObservation(Observation):
    """The text for the seat. `reward` is 0 until the end of the game."""

    told: str = Field("", description="what the seat sees and is to decide, or why its reply was not followed")
    rules: str = Field("", description="the rules of the table and how to reply: after `reset` only")
    heard: Literal["", "legal", "unreadable", "illegal", "cut_off"] = Field("", description="how the reply was read")
    result: str = Field("", description="how the game has ended")


class TableState(State):
    """A session, without its cards and its seed, from which the cards could be computed."""

    table: Table = Table()
    seat: int = 0
    over: bool = False
    forfeited: bool = False
    decisions: int = 0
    replies: int = 0
    unreadable: int = 0
    illegal: int = 0
    cut_off: int = 0
    given_up: int = 0
    points: list[int] = Field(default_factory=list, description="by seat, in the game's own sign; when it is over")
