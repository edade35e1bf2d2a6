"""Which games, tables and positions do the contract tests go through, and how is a game played without knowing it?

A `Case` is one table of one game: a preset, a number of players, an episode, and what else the game's own tables offer
(partners). Nothing here names a game or knows a rule: a game is what `GAMES` and its `Game` say.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import itertools
import random
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pettingzoo
from contract_loop import play_at_random

import banakil_env  # noqa: F401  registers
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.random import seed_word
from banakil_env.core.scene import Scene
from banakil_env.core.views import encode_cards, open_cards
from banakil_env.games import find
from banakil_env.kit import switches
from banakil_env.kit.plain import Plain
from banakil_env.kit.switches import RulesError

EPISODES = ("round", "match")
FORMS = ("record", "dict", "features", "cards")

# More actions than the longest random episode of any game has.
ENDLESS = 20_000_000


# Tables -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One table of one game, as options of every interface; `rules` is a preset's name or a `Rules`."""

    name: str
    rules: Any
    num_players: int
    episode: str
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def game(self) -> Game:
        """The game."""
        return find(self.name)

    @property
    def plain(self) -> Plain:
        """The plain interface of the game."""
        return plain_of(self.name)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the table."""
        return {"num_players": self.num_players, "rules": self.rules, "episode": self.episode, **dict(self.extra)}

    @property
    def seed(self) -> int:
        """A seed of the table's own, the same in every run."""
        return zlib.crc32(str(self).encode())

    def __str__(self) -> str:
        extra = "".join(f"-{name}={value}" for name, value in self.extra)
        return f"{self.name}-{self.rules}-{self.num_players}p-{self.episode}{extra}".replace(" ", "-")


@functools.cache
def plain_of(name: str) -> Plain:
    """The plain interface of a game."""
    return Plain(find(name))


def presets_of(game: Game) -> Mapping[str, Any]:
    """The presets of a game, the first one with the default of every switch."""
    if issubclass(game.rules, switches.Rules):
        return game.rules.presets
    presets: Mapping[str, Any] = importlib.import_module(f"banakil_env.games.{game.name}").PRESETS
    return presets


def _extras(game: Game, num_players: int) -> list[tuple[tuple[str, Any], ...]]:
    """The other options to test: none, and those of the game's own tables with this number of players."""
    found: dict[tuple[tuple[str, Any], ...], None] = {(): None}
    for table in game.tables:
        if table.options.get("num_players", game.seats[0]) == num_players:
            own = {
                name: value for name, value in table.options.items() if name not in ("num_players", "rules", "episode")
            }
            found[tuple(sorted(own.items()))] = None
    return list(found)


@functools.cache
def cases_of(name: str) -> tuple[Case, ...]:
    """Every table of a game that can be made of its presets, numbers of players, episodes and own options."""
    game = find(name)
    found: dict[bytes, Case] = {}
    for rules, players, episode in itertools.product(presets_of(game), game.seats, EPISODES):
        for extra in _extras(game, players):
            case = Case(name, rules, players, episode, extra)
            try:
                blank = game.new(**case.options)
            except RulesError:  # a pack too small; test_contract_options.py limits how often this may be
                continue
            found.setdefault(blank.tobytes(), case)
    return tuple(found.values())


@functools.cache
def few_cases_of(name: str) -> tuple[Case, ...]:
    """Few tables of a game, such that every preset, number of players, episode and own option is in one of them."""
    left = {aspect for case in cases_of(name) for aspect in _aspects(case)}
    chosen = []
    while left:
        chosen.append(max(cases_of(name), key=lambda case: len(left & _aspects(case))))
        left -= _aspects(chosen[-1])
    return tuple(chosen)


def _aspects(case: Case) -> set[Any]:
    return {case.rules, (case.num_players, case.extra), case.episode}


def gymnasium_id(name: str) -> str:
    """The name of a game in Gymnasium's registry: `rummy/HandAndFoot-v0`."""
    return f"rummy/{''.join(word.capitalize() for word in name.split('_'))}-v{find(name).version}"


def make_aec(name: str, **options: Any) -> Any:
    """The PettingZoo environment of a game, by its name in the registry."""
    return pettingzoo.make("aec", find(name).id, **options)


def make_single(name: str, **options: Any) -> Any:
    """The Gymnasium environment of a game, by its name in the registry, without Gymnasium's wrappers."""
    return gymnasium.make(gymnasium_id(name), disable_env_checker=True, **options).unwrapped


# Play ---------------------------------------------------------------------------------------------------------------


class Episode:
    """One episode of random play, to look into at any move. Every seed has likings of its own for kinds of actions.

    Attributes:
        length: how many moves it has; -1: it came to a position without a legal action. last: its last state.
    """

    def __init__(self, case: Case, seed: int) -> None:
        self.case = case
        self.seed = seed
        dice = random.Random(f"{case} {seed}")
        self.tries = dice.choice((1, 2, 4))
        ranks = [dice.randrange(1000) for _ in case.game.actions.blocks]
        self.liking = np.repeat(ranks, [len(block.texts) for block in case.game.actions.blocks]).astype(np.int64)
        self.last, generators = start(case, seed), self._generators()
        self.length = self._play_on(self.last, generators, ENDLESS)

    def after(self, moves: int) -> npt.NDArray[Any]:
        """The state after this number of moves, an array of one."""
        states = start(self.case, self.seed)
        self._play_on(states, self._generators(), moves)
        return states

    def states(self, count: int) -> Iterator[npt.NDArray[Any]]:
        """Some of its states, each an array of one: the deal, the last two, and others at random between them."""
        dice = random.Random(self.seed)
        wanted = {0, max(self.length - 1, 0), max(self.length, 0)}
        wanted |= {dice.randrange(max(self.length, 1)) for _ in range(count - len(wanted))}
        states, generators, played = start(self.case, self.seed), self._generators(), 0
        for move in sorted(wanted):
            self._play_on(states, generators, move - played)
            played = move
            yield states.copy()

    def _generators(self) -> npt.NDArray[Any]:
        generators = np.zeros(1, GENERATOR)
        generators["rng"] = self.seed
        return generators

    def _play_on(self, states: npt.NDArray[Any], generators: npt.NDArray[Any], moves: int) -> int:
        return play_at_random(self.case.game, states, generators, moves, self.tries, self.liking)


def start(case: Case, seed: int) -> npt.NDArray[Any]:
    """The deal of a seed, an array of one."""
    states = case.game.new(**case.options)
    kernels_of(case.game).start_one(states, seed_word(seed))
    return states


@functools.cache
def _sampled(case: Case, episodes: int, count: int) -> tuple[bytes, ...]:
    found = []
    for number in range(episodes):
        found += [state.tobytes() for state in Episode(case, case.seed + number).states(count)]
    return tuple(found)


def sampled(case: Case, long: bool) -> list[npt.NDArray[Any]]:
    """States along random play of a table, each an array of one of its own: ten of each of two episodes, or more."""
    contents = _sampled(case, 30, 60) if long else _sampled(case, 2, 10)
    return [np.frombuffer(bytearray(content), case.game.state) for content in contents]


def mover(case: Case, state: npt.NDArray[Any]) -> int | None:
    """The seat to move; None when the episode is over."""
    return case.plain.seat_to_move(state[0])


def mask_of(game: Game, state: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
    """The legal actions of a state, int8."""
    mask = np.full(game.num_actions, 77, np.int8)
    kernels_of(game).legal_one(state, mask)
    return mask


def seen_by(game: Game, state: npt.NDArray[Any], seat: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
    """What a seat sees, an array of one record, and its mask; written over numbers that must not be left there."""
    seen = np.full(game.observation.itemsize, 0xA5, np.uint8).view(game.observation)
    mask = np.full(game.num_actions, 77, np.int8)
    kernels_of(game).observe_one(state, seat, seen, mask)
    return seen, mask


def policy(observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> int:
    """A legal action that depends on nothing but what is seen: one player for every interface."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(np.ascontiguousarray(observation).tobytes()) % len(legal)])


def plain_play(case: Case, seed: int, moves: int) -> Iterator[tuple[bytes, int, bytes, bytes, int]]:
    """The plain game of a seed under `policy`, move by move: state, seat, observation, mask, action."""
    plain, state = case.plain, case.plain.new(**case.options, seed=seed)
    for _ in range(moves):
        seat = plain.seat_to_move(state)
        if seat is None:
            return
        seen = plain.observe(state, seat)
        action = policy(seen["observation"], seen["action_mask"])
        yield state.tobytes(), seat, seen["observation"].tobytes(), seen["action_mask"].tobytes(), action
        plain.apply(state, action)


def lines_of_play(name: str, moves: int) -> list[str]:
    """Few tables of a game under `policy`, a line a move with checksums of all that is to be seen.

    If an episode ends sooner, the next seed follows, so that each table plays this number of moves.
    """
    lines = []
    for case in few_cases_of(name):
        seed, left = case.seed, moves
        while left:
            for state, seat, observation, mask, action in plain_play(case, seed, left):
                lines.append(f"{case} {seat} {action} {zlib.crc32(state)} {zlib.crc32(observation)} {zlib.crc32(mask)}")
                left -= 1
            seed += 1
    return lines


def layouts_of_play(name: str, moves: int) -> list[str]:
    """The same play, a line a move with checksums of the common layout, as it is seen and with all cards open."""
    lines = []
    for case in few_cases_of(name):
        for state, seat, observation, _, _ in plain_play(case, case.seed, moves):
            states, seen = np.frombuffer(bytearray(state), case.game.state), np.frombuffer(observation, np.uint8)[None]
            opened = open_cards(case.game, states, np.array([seat]))
            written = *encode_cards(case.game, seen).values(), *opened.values()
            lines.append(" ".join(str(zlib.crc32(array.tobytes())) for array in written))
    return lines


# Looking ------------------------------------------------------------------------------------------------------------


def cards_of(scene: Scene) -> Counter[str | None]:
    """The cards of a scene; None for each that lies face down."""
    cards: list[str | None] = [card for meld in scene.melds for card in meld.cards]
    for seat in scene.seats:
        cards += [None] * seat.size if seat.hand is None else [card for group in seat.hand for card in group]
    for area in scene.areas:
        cards += area.cards
    return Counter(cards)


def forms_of(make: Any) -> list[dict[str, Any]]:
    """The options of the observation forms that an environment has; `make(**options)` makes it."""
    found: list[dict[str, Any]] = []
    for form in FORMS:
        try:
            make(observation=form)
        except (TypeError, ValueError):
            continue
        found.append({"observation": form})
    return found or [{}]


def as_bytes(value: Any) -> Any:
    """Whatever an environment shows, with each array as dtype, shape and bytes, to be compared exactly."""
    if isinstance(value, Mapping):
        return {key: as_bytes(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_bytes(each) for each in value]
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tobytes()
    return value


def random_rules(game: Game, dice: random.Random) -> Any:
    """Rules with random switches, each as likely to keep what the first preset says as not.

    Limits (`max_turns`, `max_rounds`) are not raised: some may be so high that an episode would not end today.
    """
    base = next(iter(presets_of(game).values()))
    for _ in range(1000):
        try:
            return dataclasses.replace(base, **_changes(game, dice))
        except RulesError:  # switches that do not go together
            continue
    raise AssertionError(f"{game.name}: no random switches go together")


def _changes(game: Game, dice: random.Random) -> dict[str, Any]:
    if issubclass(game.rules, switches.Rules):
        declared = game.rules.switches()
        drawn = {name: random_value(switch, dice) for name, switch in declared.items() if dice.random() < 0.5}
        base = next(iter(presets_of(game).values()))
        return {k: min(v, getattr(base, k)) if k.startswith("max_") else v for k, v in drawn.items()}
    flags = [field.name for field in dataclasses.fields(game.rules) if field.type in ("bool", bool)]
    return {name: dice.random() < 0.5 for name in flags}


def random_case(name: str, dice: random.Random) -> Case:
    """A table of random rules, such as can be dealt."""
    for _ in range(1000):
        case = dice.choice(cases_of(name))
        case = dataclasses.replace(case, rules=random_rules(find(name), dice))
        try:
            find(name).new(**case.options)
        except RulesError:
            continue
        return case
    raise AssertionError(f"{name}: no table of random rules can be dealt")


def random_value(switch: switches.Switch, dice: random.Random) -> Any:
    """A value that a switch can have."""
    if isinstance(switch, switches.Choice):
        return dice.choice(switch.allowed)
    if isinstance(switch, switches.Flag):
        return dice.random() < 0.5
    if isinstance(switch, switches.Whole):
        values = [switch.low, switch.high, dice.randint(switch.low, switch.high), *([None] if switch.none else [])]
        return dice.choice(values)
    if isinstance(switch, switches.Pair):
        return dice.choice([None, (dice.randint(switch.low, switch.high), dice.randint(switch.low, switch.high))])
    if isinstance(switch, switches.Numbers):
        return tuple(dice.randint(0, high) for high in switch.highest)
    raise TypeError(f"add to random_value() how a {type(switch).__name__} is drawn")
