"""Builds the `Game` object of a game from the modules in its folder, in the same way for every game of the kit.

Modules for the same purpose have the same name in every game. The classes below list the names that `assemble` reads
from each module; a type checker treats a module of the game as an instance of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from banakil_env.core import engine
from banakil_env.core.actions import ActionTable
from banakil_env.core.effects import carry_out_of
from banakil_env.core.features import Features
from banakil_env.core.fields import MATCH, ROUND, TURN, Fields
from banakil_env.core.game import Act, Game, Option, Search, Table, Texts
from banakil_env.core.parameters import Fitted, Parameters
from banakil_env.core.scene import Scene
from banakil_env.kit import rounds, seen, switches, table_state, uniform
from banakil_env.kit.beliefs import EXCHANGES, believing, read_networks, stacked
from banakil_env.kit.common.layout import Looks, common_layout
from banakil_env.kit.event_writer import fill_events
from banakil_env.kit.hidden import shuffle_stock
from banakil_env.kit.positions import Positions
from banakil_env.kit.setup import blank_state, options
from banakil_env.kit.table_events import events_of
from banakil_env.kit.table_state import EPISODES, num_seats, own_side, seat_to_move


class RulesModule(Protocol):
    """`rules.py`: the class of the rules, with the switches and the presets."""

    @property
    def Rules(self) -> type[switches.Rules]: ...


class StateModule(Protocol):
    """`state.py`: the possible numbers of players, the fields of the state, the action table and the deal."""

    @property
    def SEATS(self) -> tuple[int, ...]: ...
    @property
    def STATE_FIELDS(self) -> Fields: ...
    @property
    def ACTIONS(self) -> ActionTable: ...

    def deal(self, state: Any) -> None: ...


class MovesModule(Protocol):
    """`moves.py`: the legal actions and the functions that carry actions out (`core/effects.py`)."""

    def mark(self, state: Any, mask: Any, wanted: int, /) -> None: ...


class CheckModule(Protocol):
    """`check.py`: `check` returns 0 for a sound state, else 1 + the place of the fault in `FAULTS`."""

    @property
    def FAULTS(self) -> Sequence[str]: ...

    def check(self, state: Any, /) -> int: ...


class ObservationModule(Protocol):
    """`observation.py`: the observation of a seat, the features for a network, and the full state for a critic."""

    @property
    def OBSERVATION_FIELDS(self) -> Fields: ...
    @property
    def FEATURES(self) -> Features: ...
    @property
    def FULL_STATE(self) -> np.dtype[Any]: ...

    def observe(self, state: Any, seat: int, out: Any, /) -> None: ...
    def write_full_state(self, state: Any, seat: int, full: Any, /) -> None: ...


class HiddenModule(Protocol):
    """`hidden.py`: deals the hidden cards again, in a state or from an observation."""

    def redeal_hidden(self, state: Any, seat: int, seed: int, /) -> None: ...
    def suppose(self, seen: Any, seed: int, state: Any, /) -> None: ...


class TextsModule(Protocol):
    """`texts.py`: positions as text, the explanation of the decision, the score of a forfeit, the table as a scene."""

    @property
    def POSITIONS(self) -> Positions: ...

    def explain(self, state: Any, /) -> str: ...
    def forfeit(self, options: Mapping[str, Any], /) -> int: ...
    def scene(self, state: Any, viewer: int | None, /) -> Scene: ...


class LooksModule(Protocol):
    """`looks.py`: where the game's fields are in the layout that all games have in common."""

    @property
    def LOOKS(self) -> Looks: ...


class GreedyModule(Protocol):
    """`greedy.py`: the rule-based player with simple, sensible decisions."""

    def act(self, seen: Any, mask: Any, generator: Any, /) -> int: ...


class ExpertModule(Protocol):
    """`expert.py`: the strongest rule-based player of the game. Its parameters are fitted."""

    @property
    def PARAMETERS(self) -> Parameters: ...

    def act(self, seen: Any, mask: Any, generator: Any, /) -> int: ...
    def decide(self, seen: Any, mask: Any, values: Any, /) -> int: ...


@dataclass(frozen=True)
class Modules:
    """The modules of a game; `expert` is None if the game has no such player."""

    rules: RulesModule
    state: StateModule
    moves: MovesModule
    check: CheckModule
    observation: ObservationModule
    hidden: HiddenModule
    texts: TextsModule
    looks: LooksModule
    greedy: GreedyModule
    expert: ExpertModule | None = None


def assemble(
    name: str,
    title: str,
    modules: Modules,
    tables: tuple[Table, ...],
    *,
    version: int,
    marks: Mapping[str, str] | None = None,
    side_of: Callable[[Any, int], int] = own_side,
    reward: Callable[[Any, int, int], float] = rounds.reward,
    shuffle_stock: Callable[[Any, int], None] = shuffle_stock,
    search: Search | None = None,
    believe: Callable[..., None] | None = None,
    own_players: Mapping[str, Act] | None = None,
    player_versions: Mapping[str, int] | None = None,
    low_wins: bool = False,
    own_options: tuple[Option, ...] = (),
    prepare: Callable[..., None] | None = None,
    commands: Mapping[str, str] | None = None,
) -> Game:
    """Build the `Game` from these modules.

    Args:
        name: the name of the game's folder.
        title: the name of the game for people.
        modules: the modules of the game's folder.
        tables: the usual tables, the main one first.
        version: increment it with every change of behavior.
        marks: the outcomes that the arena counts; see `Game.marks`.
        side_of: see `core.engine.side_of`; for games with partners.
        reward: see `core.engine.reward`; for games that do not use the reward of `kit.rounds`.
        shuffle_stock: see `core.engine.shuffle_hidden`; for games in which the order of the stock can be public, or in
            which nobody has seen some cards outside the stock either.
        search: how the game is searched. None: a `Search` with the belief networks in the game's folder.
        believe: see `core.engine.believe`; needed if `search` uses beliefs.
        own_players: more compiled players by name, after `random`, `greedy` and `expert`.
        player_versions: see `Game.player_versions`.
        low_wins: whether fewer points are better.
        own_options: options of a table in addition to players, rules and episode.
        prepare(state, **own options): writes the fields of a state that depend on the game's options, before the deal
            and after rules, players and episode are written. It raises RulesError for options that contradict each
            other.
        commands: more commands for the command line; see `Game.commands`.
    """
    rules, seats, fields = modules.rules.Rules, modules.state.SEATS, modules.state.STATE_FIELDS
    seen.public_fields.fill_text(fields.dtype, fields.public)
    seen.fields_by_seat.fill_text(fields.dtype, fields.by_seat)
    table_state.fields_of_turn.fill_text(fields.dtype, fields.cleared(TURN))
    table_state.fields_of_round.fill_text(fields.dtype, fields.cleared(ROUND))
    table_state.fields_of_match.fill_text(fields.dtype, fields.cleared(MATCH))
    rounds.deal_round.fill(fields.dtype)(modules.state.deal)
    _fill_engine(name, modules, side_of, reward, shuffle_stock)
    if believe is not None:
        engine.believe.fill(fields.dtype)(believe)
    engine.unit.fill_number(fields.dtype, int(modules.observation.OBSERVATION_FIELDS["scores"].scale))
    if low_wins:
        rounds.score_of.fill(fields.dtype)(rounds.score_below)
    first_preset = next(iter(rules.presets))

    def new(
        num_players: int = seats[0], rules: Any = first_preset, episode: str = EPISODES[0], **own: Any
    ) -> npt.NDArray[Any]:
        """An array of one state in which only rules, players and episode are set. RulesError: invalid options."""
        states = blank_state(fields, modules.rules.Rules, seats, num_players, rules, episode)
        if prepare:
            prepare(states[0], **own)
        return states

    def rules_of(state: Any) -> switches.Rules:
        """The rules of the table, read from a state."""
        return modules.rules.Rules.read(state.rules)

    texts, expert = modules.texts, modules.expert
    players = {"random": uniform.act, "greedy": modules.greedy.act}
    players |= {"expert": expert.act} if expert else {}
    players |= own_players or {}
    positions = texts.POSITIONS
    search = search or _search(name, modules, tuple(players))
    positions.game = Game(
        name=name,
        title=title,
        version=version,
        seats=seats,
        state_fields=fields,
        observation_fields=modules.observation.OBSERVATION_FIELDS,
        actions=modules.state.ACTIONS,
        features=modules.observation.FEATURES,
        rules=rules,
        options=(*options(rules, seats), *own_options),
        tables=tables,
        texts=Texts(positions.to_text, positions.from_text, positions.header, texts.explain),
        players=players,
        player_versions=player_versions or {},
        fitted={"expert": Fitted(expert.decide, expert.PARAMETERS)} if expert else {},
        full_state=modules.observation.FULL_STATE,
        faults=modules.check.FAULTS,
        new=new,
        rules_of=rules_of,
        outcome=positions.outcome,
        scene=texts.scene,
        write_full_state=modules.observation.write_full_state,
        in_common=lambda: common_layout(
            *(name, modules.looks.LOOKS, modules.observation.OBSERVATION_FIELDS, modules.observation.FULL_STATE),
            *(modules.state.ACTIONS, rules, seats),
            low_wins=low_wins,
        ),
        forfeit=texts.forfeit,
        events=lambda before, action, after: events_of(positions.game, positions.faces, before, action, after),
        private_events=fill_events(name, fields.dtype, modules.state.ACTIONS, positions.faces),
        low_wins=low_wins,
        marks=marks or {},
        search=search,
        commands=commands or {},
    )
    return positions.game


def _fill_engine(
    name: str,
    modules: Modules,
    side_of: Callable[[Any, int], int],
    reward: Callable[[Any, int, int], float],
    shuffle_stock: Callable[[Any, int], None],
) -> None:
    """Connect the functions of `core/engine.py` with the functions of this game, for its record types."""
    state, seen = modules.state.STATE_FIELDS.dtype, modules.observation.OBSERVATION_FIELDS.dtype
    engine.num_actions.fill_number(state, len(modules.state.ACTIONS))
    meanings: dict[Any, Any] = {
        engine.start_episode: rounds.start_episode,
        engine.status: rounds.status,
        engine.reward: reward,
        engine.num_seats: num_seats,
        engine.seat_to_move: seat_to_move,
        engine.side_of: side_of,
        engine.mark: modules.moves.mark,
        engine.carry_out: carry_out_of(name, modules.state.ACTIONS, modules.moves),
        engine.observe: modules.observation.observe,
        engine.redeal_hidden: modules.hidden.redeal_hidden,
        engine.check: modules.check.check,
        engine.round_of: rounds.round_of,
        engine.shuffle_hidden: shuffle_stock,
    }
    for hook, function in meanings.items():
        hook.fill(state)(function)
    engine.suppose.fill(seen)(cast(Any, modules.hidden.suppose))


def _search(name: str, modules: Modules, players: tuple[str, ...]) -> Search:
    """The `Search` of a game: with beliefs if its folder has belief networks, else without."""
    folder = Path(str(getattr(modules.state, "__file__", ""))).parent
    networks = read_networks(folder / "beliefs.json")
    models = tuple(player for player in players if player in networks) or players[1:2]
    if not networks:
        return Search(models)
    state = modules.state.STATE_FIELDS.dtype
    believe = believing(name, state, modules.observation.OBSERVATION_FIELDS, stacked(networks, players))
    engine.believe.fill(state)(cast(Any, believe))
    return Search(models, True, EXCHANGES)
