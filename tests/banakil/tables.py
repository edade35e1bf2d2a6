"""Which tables do the tests play at, and how do they wander about in a game? Shared by the tests of every face."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from banakil_env.games import banakil
from banakil_env.games.banakil.faces import FACES, RANKS

PRESETS = ("pagat", "jawaker", "gamefarm")
SEATINGS: dict[str, dict[str, Any]] = {
    "two": {"num_players": 2},
    "three": {"num_players": 3},
    "partners": {"num_players": 4},
    "individuals": {"num_players": 4, "partners": False},
}
TABLES = {f"{rules} {name}": {"rules": rules, **seating} for rules in PRESETS for name, seating in SEATINGS.items()}

SWITCHES = (
    "partner_scoring=sum",
    "cutter_takes_wilds=yes",
    "unplayed_score_zero=yes",
    "upcard=no",
    "wilds=fixed",
    "ace_value=1",
    "hand_bonus=51/101",
    "discard_taken=yes",
    "set_joker_exchange=no",
    "score_exhausted=yes",
    "target=60",
    "max_turns=60",
    "max_rounds=3",
)

FIRST_PLAY = banakil.parse_action("open 3c 4c 5c")
FIRST_DISCARD = banakil.parse_action("discard 3c")


def any_table(rng: random.Random) -> dict[str, Any]:
    """Options of some table: preset, seating and episode at random, and up to five switches."""
    rules = " ".join([rng.choice(PRESETS), *rng.sample(SWITCHES, rng.randrange(6))])
    return {"rules": rules, **rng.choice(list(SEATINGS.values())), "episode": rng.choice(("round", "match"))}


def small_table(rng: random.Random) -> dict[str, Any]:
    """Options of some table with a smaller pack (B10): any that can be dealt, with up to four switches."""
    while True:
        low = rng.randrange(10)
        high = rng.randrange(low + 2, 12)
        pack = [
            f"ranks={RANKS[low]}-{RANKS[high]}",
            f"suits={rng.randint(1, 4)}",
            f"copies={rng.randint(1, 2)}",
            f"twos={rng.choice(('yes', 'no'))}",
            f"jokers={rng.randrange(3)}",
            f"hand_cards={rng.randint(1, 18)}",
        ]
        options = any_table(rng)
        switches = " ".join([options["rules"], *rng.sample(pack, rng.randint(3, 6))])
        try:
            banakil.new(**{**options, "rules": switches}, seed=0)
        except banakil.RulesError:
            continue
        return {**options, "rules": switches}


def choose(rng: random.Random, legal: list[int], eager: float) -> int:
    """A legal action at random; one that plays to the table with the chance `eager`, if there is one."""
    plays = [action for action in legal if FIRST_PLAY <= action < FIRST_DISCARD]
    return rng.choice(plays if plays and rng.random() < eager else legal)


def walk(options: dict[str, Any], seed: int, moves: int) -> Iterator[Any]:
    """The states of random games, one after each move; a game that is over is followed by the next seed's."""
    rng = random.Random(f"{options} {seed}")
    state, eager = banakil.new(**options, seed=seed), rng.choice((0.1, 0.5, 0.95))
    for _ in range(moves):
        yield state
        legal = banakil.legal_actions(state)
        if legal:
            banakil.apply(state, choose(rng, legal, eager))
        else:
            seed += 1
            state, eager = banakil.new(**options, seed=seed), rng.choice((0.1, 0.5, 0.95))


def counts(state: Any) -> dict[str, list[int]]:
    """How many cards of each face lie where, by place: every hand, the melds, pile and stock."""
    text = banakil.to_text(state).splitlines()
    places: dict[str, list[int]] = {}
    for line in text:
        key, _, value = line.partition(":")
        if key.split()[0] in ("hand", "melds", "pile", "stock"):
            places[key] = [0] * len(FACES)
            for card in value.replace("|", " ").split():
                places[key][FACES.parse(card)] += 1
    return places
