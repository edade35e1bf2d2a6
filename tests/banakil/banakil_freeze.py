"""How Banakil played when these files were written: golden games, digests of play, answers of the players.

The files hold texts, names and seeds only. The layout of the records, the order of their fields, the numbers of the
actions and the places of the modules may all change; a file that differs then shows a change of behaviour.

    python -m tests.banakil.banakil_freeze golden       golden/*.txt
    python -m tests.banakil.banakil_freeze digests      data/freeze.json
    python -m tests.banakil.banakil_freeze answers      data/answers-*.txt

These commands, run in the root of the repository, write the files again. That is legitimate after a deliberate change
that CHANGELOG.md names: of the rules (with a new version of the environment), of the texts, of the names or values of
observation fields (`digests`), of a rule-based player or an agent of the zoo (`answers`, and `golden`, whose games they
play). It is not legitimate to make a test pass after a redesign.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo

from banakil_env.agents import choose, make_player
from banakil_env.games import banakil

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden"
DATA = HERE / "data"
ZOO = HERE.parents[1] / "agents" / "zoo"

SEATINGS: dict[str, dict[str, Any]] = {
    "2": {"num_players": 2},
    "3": {"num_players": 3},
    "4 partners": {"num_players": 4, "partners": True},
    "4 individuals": {"num_players": 4, "partners": False},
}


@functools.cache
def player(name: str) -> Any:
    """The player of this name, made once."""
    return make_player(f"net:{ZOO / name}" if name in AGENTS else name)


def legal_texts(state: Any) -> list[str]:
    """The legal actions as texts, in an order that no numbering decides."""
    return sorted(banakil.action_text(action) for action in banakil.legal_actions(state))


def random_text(rng: random.Random, legal: list[str], eager: float) -> str:
    """A legal action at random; with the chance `eager` one that plays to the table, if there is one."""
    plays = [text for text in legal if text.split()[0] in ("open", "add", "swap")]
    return rng.choice(plays if plays and rng.random() < eager else legal)


# Golden games -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Golden:
    """How a golden game came about.

    Attributes:
        shows: what a reader can see in it.
        seed: of the deal, chosen so that the game shows this and is short.
        players: who plays, by seat; they take turns when there are more seats.
        options: of the table, as `banakil.new` takes them.
        first: what is played first, before the players choose.
    """

    shows: str
    seed: int
    players: tuple[str, ...] = ("expert",)
    options: dict[str, Any] = field(default_factory=dict)
    first: tuple[str, ...] = ()


BOTH = ("expert", "greedy")
GAMES = {
    "pagat-2-out": Golden("A Joker is exchanged, a Queen waits for one of two melds, and seat 1 goes out.", 96),
    "pagat-2-hand": Golden("A hand: seat 1 goes out in one turn with nothing melded before, 40 flat (B7.2).", 122),
    "pagat-2-turns": Golden("Out of turns: the round ends unscored (B6.3).", 18, BOTH, {"max_turns": 4}),
    "pagat-3-out": Golden("Three players, and a Joker is exchanged.", 107, BOTH, SEATINGS["3"]),
    "pagat-4-partners-hand": Golden(
        "Going out in one turn when the partner has melded: no flat 40, the points of B7.1.",
        30,
        ("greedy",),
        SEATINGS["4 partners"],
    ),
    "pagat-4-exhausted": Golden(
        "Random play: the stock is exhausted, and nobody scores (B6.2).", 31, ("random",), SEATINGS["4 individuals"]
    ),
    "pagat-4-switches": Golden(
        "Seat 2 cuts and takes two wilds (B9.2), and each side scores the sum of its players (B9.1).",
        92,
        BOTH,
        {"rules": "pagat partner_scoring=sum cutter_takes_wilds=yes", **SEATINGS["4 partners"]},
    ),
    "jawaker-2-out": Golden("Fixed wilds: two Jokers are exchanged (B9.5).", 121, BOTH, {"rules": "jawaker"}),
    "jawaker-2-hand": Golden(
        "A hand when nobody else has melded scores 101 (B9.8).", 107, BOTH, {"rules": "jawaker", **SEATINGS["2"]}
    ),
    "jawaker-3-hand": Golden(
        "A hand when another has melded scores 51 (B9.8).", 89, BOTH, {"rules": "jawaker", **SEATINGS["3"]}
    ),
    "jawaker-4-partners-out": Golden(
        "Partners under fixed wilds.", 99, options={"rules": "jawaker", **SEATINGS["4 partners"]}
    ),
    "gamefarm-2-void": Golden(
        "Both take the upcard and discard it again: the deal is void and dealt again (B9.9).",
        1,
        options={"rules": "gamefarm"},
        first=("take 1", "discard Jd", "take 1", "discard Jd"),
    ),
    "gamefarm-4-individuals-out": Golden(
        "Four individuals.", 57, BOTH, {"rules": "gamefarm", **SEATINGS["4 individuals"]}
    ),
    "single-2-match": Golden(
        "A match of a few rounds to its end (B8).", 1, options={"rules": "single", "episode": "match"}
    ),
    "single-3-hand-at-once": Golden(
        "A hand in the first turn: those without a turn score 0 (B9.3).",
        40,
        options={"rules": "single unplayed_score_zero=yes", **SEATINGS["3"]},
    ),
    "single-4-exhausted": Golden(
        "The stock is exhausted, and the round is scored (B9.11).",
        83,
        ("greedy",),
        {"rules": "single score_exhausted=yes", **SEATINGS["4 partners"]},
    ),
    "mini-2-exhausted": Golden("The smallest game: the one card of the stock is drawn.", 1, options={"rules": "mini"}),
    "mini-2-match": Golden("Four hands win a match (B8).", 6, options={"rules": "mini", "episode": "match"}),
    "mini-2-rounds": Golden(
        "A match that runs out of rounds (B6.3).",
        25,
        ("random",),
        {"rules": "mini max_rounds=3", "episode": "match"},
    ),
}


def _to_move(state: Any) -> int:
    """The seat to move in a game that goes on."""
    seat = banakil.seat_to_move(state)
    assert seat is not None
    return seat


def golden_text(name: str) -> str:
    """Play a golden game and write its file."""
    game = GAMES[name]
    state = banakil.new(**game.options, seed=game.seed)
    actions: list[str] = []
    recorder = banakil.Recorder(state, game.seed)
    while not banakil.is_over(state):
        seat = _to_move(state)
        if len(actions) < len(game.first):
            text = game.first[len(actions)]
        else:
            who = player(game.players[seat % len(game.players)])
            text = banakil.action_text(choose(who, banakil.observe(state, seat), len(actions)))
        actions.append(text)
        recorder.note(state, banakil.parse_action(text))
        banakil.apply(state, banakil.parse_action(text))
    return golden_file(game.shows, recorder.text(state), state)


def golden_file(shows: str, record: str, state: Any) -> str:
    """A record as the golden files hold it.

    The checksum of its last line is left out: it is one of bytes in their layout. A digest of the last position as a
    text stands in its place.
    """
    position = hashlib.sha256(banakil.to_text(state).encode()).hexdigest()[:16]
    return f"# {shows}\n{re.sub('; check [0-9a-f]+', '', record)}# last position: {position}\n"


def replayed(file: str) -> tuple[str, str, Any]:
    """Play a golden file again; returns the new file, the whole record and the last state.

    Every action is given by its text, and every turn must be that of the seat which the file names.
    """
    shows, _, rest = file.partition("\n")
    header, _, turns = rest.partition("\n\n")
    header = header.partition("\n")[2]  # the line of the game's name
    state = banakil.from_text(header)
    seed = re.search(r"^seed: (\d+)$", header, re.MULTILINE)
    recorder = banakil.Recorder(state, int(seed[1]) if seed else None)
    for line in turns.splitlines():
        seat, _, actions = line.partition(": ")
        for text in actions.split("; ") if seat.isdigit() else ():
            assert banakil.seat_to_move(state) == int(seat), line
            recorder.note(state, banakil.parse_action(text))
            banakil.apply(state, banakil.parse_action(text))
    record = recorder.text(state)
    return golden_file(shows.removeprefix("# "), record, state), record, state


# Digests of random play ---------------------------------------------------------------------------------------------

# The rules that no preset has. The target makes their matches short.
SWITCHES = "pagat partner_scoring=sum cutter_takes_wilds=yes unplayed_score_zero=yes target=60"
TABLES: dict[str, dict[str, Any]] = {
    f"{rules.split()[0] if rules in banakil.Rules.presets else 'switches'} {seating} {episode}": {
        "rules": rules,
        **SEATINGS[seating],
        "episode": episode,
    }
    for rules in ("pagat", "jawaker", "gamefarm", "single", "mini", SWITCHES)
    for seating in SEATINGS
    for episode in ("round", "match")
    if rules != "mini" or seating == "2"  # its six cards are too few for more
}
EAGER = {"round": (0.1, 0.5, 0.95), "match": (0.95,)}  # a game each
EVERY = {"round": 3, "match": 11}  # one of this number of positions of a game is checked, and always the last one
REWARDS = ("margin", "points", "win")


def digests(table: str) -> dict[str, Any]:
    """What the JSON file holds of a table.

    `moves`: actions of each game. `legal`: SHA-256 of the legal actions of every position as texts. `positions`:
    SHA-256 of positions as texts. `observations`: SHA-256 of the observations of every seat there, by field: its name,
    then its values as int64, little-endian; `fields`: CRC-32 of each field alone, to tell which one changed. `rewards`:
    of each game and kind, by seat.
    """
    options = TABLES[table]
    positions, legal = hashlib.sha256(), hashlib.sha256()
    seen: list[Any] = []
    games: list[list[int]] = []
    for seed, eager in enumerate(EAGER[options["episode"]]):
        games.append([])
        for state, texts, action in random_game(options, seed, eager):
            legal.update("\n".join([*texts, "", ""]).encode())
            if action >= 0:
                games[-1].append(action)
            if len(games[-1]) % EVERY[options["episode"]] == 0 or action < 0:
                positions.update(banakil.to_text(state).encode())
                seen += [banakil.observe(state, seat)["observation"] for seat in range(options["num_players"])]
    fields = field_bytes(np.stack(seen))
    return {
        "moves": [len(game) for game in games],
        "legal": legal.hexdigest(),
        "positions": positions.hexdigest(),
        "observations": hashlib.sha256(b"".join(name.encode() + fields[name] for name in fields)).hexdigest(),
        "rewards": {kind: [end_rewards(options, kind, *game) for game in enumerate(games)] for kind in REWARDS},
        "fields": {name: f"{zlib.crc32(values):08x}" for name, values in fields.items()},
    }


def random_game(options: dict[str, Any], seed: int, eager: float) -> Iterator[tuple[Any, list[str], int]]:
    """Each position of a random game, its legal actions as texts, and the action that follows; -1 at the end."""
    rng = random.Random(f"{sorted(options.items())} {seed}")
    state = banakil.new(**options, seed=seed)
    while texts := legal_texts(state):
        action = banakil.parse_action(random_text(rng, texts, eager))
        yield state, texts, action
        banakil.apply(state, action)
    yield state, [], -1


def field_bytes(observations: Any) -> dict[str, bytes]:
    """Of each field of a batch of observations, by name in alphabetical order, its values as int64, little-endian."""
    records = banakil.fields(observations)
    return {name: records[name].astype("<i8").tobytes() for name in sorted(records.dtype.names)}


def end_rewards(options: dict[str, Any], kind: str, seed: int, actions: list[int]) -> list[float]:
    """The reward of every seat at the end of a game in the PettingZoo environment."""
    game = pettingzoo.make("aec", "rummy/banakil-v0", reward=kind, **options)
    game.reset(seed=seed)
    for action in actions:
        game.step(action)
    assert all(game.terminations[agent] or game.truncations[agent] for agent in game.agents)
    return [float(game.rewards[agent]) for agent in game.possible_agents]


def digests_text(of_tables: dict[str, dict[str, Any]]) -> str:
    """The JSON file, a line a table."""
    lines = [f"{json.dumps(table)}: {json.dumps(digest)}" for table, digest in of_tables.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


# Answers of the players ---------------------------------------------------------------------------------------------

# The agents of the zoo, and the table that each was trained for.
AGENTS: dict[str, dict[str, Any]] = {
    "banakil-2p": {"num_players": 2},
    "banakil-3p": {"num_players": 3},
    "banakil-4p": {"num_players": 4},
    "jawaker-4p": {"num_players": 4, "rules": "jawaker"},
}
COMPILED = ("expert", "greedy")
CHOICES = 1000  # positions with a choice, at each of these tables
WILDNESS = (0.0, 0.1, 0.3)  # the chance of a random action instead of the expert's, game after game
SAME = "="  # an answer: what was played


@dataclass(frozen=True)
class Answers:
    """Positions and what players did there.

    Attributes:
        games: the seed of each game, and the texts of the actions played in it.
        said: by player, its actions as texts, of all games one after the other.
    """

    games: list[tuple[int, list[str]]]
    said: dict[str, list[str]]


def walked(options: dict[str, Any]) -> list[tuple[int, list[str]]]:
    """Games of the expert mixed with random actions: seeds and texts, up to the last position asked for."""
    games: list[tuple[int, list[str]]] = []
    choices = 0
    while choices < CHOICES:
        seed = len(games)
        rng, wildness = random.Random(f"answers {seed}"), WILDNESS[seed % len(WILDNESS)]
        state = banakil.new(**options, seed=seed)
        games.append((seed, []))
        while choices < CHOICES and (texts := legal_texts(state)):
            choices += len(texts) > 1
            seen = banakil.observe(state, _to_move(state))
            action = banakil.action_text(choose(player("expert"), seen))
            games[-1][1].append(random_text(rng, texts, 0.5) if rng.random() < wildness else action)
            banakil.apply(state, banakil.parse_action(games[-1][1][-1]))
    return games


def answers_now(name: str, games: list[tuple[int, list[str]]]) -> tuple[Answers, list[bool]]:
    """What the agent of this name and the compiled players do in these games now; where there was a choice."""
    observations, masks = [], []
    for seed, texts in games:
        state = banakil.new(**AGENTS[name], seed=seed)
        for text in texts:
            seen = banakil.observe(state, _to_move(state))
            observations.append(seen["observation"])
            masks.append(seen["action_mask"])
            banakil.apply(state, banakil.parse_action(text))
    rows = np.stack(observations), np.stack(masks), np.arange(len(masks), dtype=np.uint64)
    said = {who: [banakil.action_text(int(a)) for a in player(who).act(*rows)] for who in (*COMPILED, name)}
    return Answers(games, said), [int(mask.sum()) > 1 for mask in masks]


def answers_text(answers: Answers) -> str:
    """The file: a line a position, what was played and what each player does there."""
    lines = ["# " + " | ".join(["played", *answers.said])]
    rows = iter(zip(*answers.said.values()))
    for seed, texts in answers.games:
        lines.append(f"seed: {seed}")
        lines += [" | ".join([text, *(SAME if said == text else said for said in next(rows))]) for text in texts]
    return "\n".join([*lines, ""])


def parse_answers(text: str) -> Answers:
    """The same, read back."""
    title, *lines = text.splitlines()
    answers = Answers([], {who: [] for who in title.removeprefix("# ").split(" | ")[1:]})
    for line in lines:
        if line.startswith("seed: "):
            answers.games.append((int(line.removeprefix("seed: ")), []))
            continue
        played, *said = line.split(" | ")
        answers.games[-1][1].append(played)
        for who, action in zip(answers.said, said, strict=True):
            answers.said[who].append(played if action == SAME else action)
    return answers


# Writing ------------------------------------------------------------------------------------------------------------


def golden_path(name: str) -> Path:
    return GOLDEN / f"{name}.txt"


def answers_path(name: str) -> Path:
    return DATA / f"answers-{name}.txt"


DIGESTS = DATA / "freeze.json"


def main(parts: list[str]) -> int:
    """Write the files of these parts again."""
    if not parts or set(parts) - {"golden", "digests", "answers"}:
        print("say what to write: golden, digests, answers", file=sys.stderr)
        return 2
    GOLDEN.mkdir(exist_ok=True)
    DATA.mkdir(exist_ok=True)
    files: dict[Path, str] = {}
    if "golden" in parts:
        files |= {golden_path(name): golden_text(name) for name in GAMES}
    if "digests" in parts:
        files[DIGESTS] = digests_text({table: digests(table) for table in TABLES})
    if "answers" in parts:
        files |= {
            answers_path(name): answers_text(answers_now(name, walked(options))[0]) for name, options in AGENTS.items()
        }
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(HERE))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
