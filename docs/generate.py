"""Writes the parts of the documentation that come from the code between their marks; `--check` only compares.

    python docs/generate.py [--check]

A page docs/games/<game>.md is about one game: its marks (`<!-- begin actions -->`) are filled from that game. A game
without a page gets one from a template. `page_parts` makes the parts.
"""

from __future__ import annotations

import functools
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))  # needed if this file is loaded from another folder

from page_parts import DOCS, ROOT, beside
from page_parts.ladders import headroom_table, ladder_tables, zoo_table
from page_parts.layouts import column_table, history_columns, numbered
from page_parts.lengths import lengths_of_all_table, lengths_table, text_table, time_table
from page_parts.new_page import new_page
from page_parts.of_a_game import (
    action_table,
    argument_table,
    cards_text,
    face_table,
    feature_table,
    games_table,
    how_to_play,
    line_table,
    observation_table,
    picture,
    player_table,
    specs,
    switch_table,
)
from page_parts.players import expert_table, failure_table, recipe_table
from page_parts.scales import leaderboard_table, scale_table, today_text
from page_parts.suite import entries, protocol_tables, second_table, seeds_table, standing_table, task_table

from banakil_env.core import history
from banakil_env.core.events import KINDS
from banakil_env.core.game import Game
from banakil_env.games import GAMES, find
from banakil_env.suite.standing import results_svg

OF_GAMES = ("games", "rules")  # folders with one page per game

CITATION = ROOT / "CITATION.cff"

# Matches the version of the package on pages and in CITATION.cff.
VERSION = re.compile(r"(\bbanakil-env |^version: |^ *version = \{)\d+\.\d+\.\d+", re.MULTILINE)


def c_program(name: str) -> str:
    """An example from docs/native, as a code block."""
    return f"```c\n{(DOCS / 'native' / name).read_text(encoding='utf-8')}```"


OF_A_GAME: dict[str, Callable[[Game], str]] = {
    "picture": picture,
    "specs": specs,
    "options": argument_table,
    "observation": observation_table,
    "features": feature_table,
    "cards": cards_text,
    "actions": action_table,
    "lines": line_table,
    "switches": switch_table,
    "players": player_table,
    "lengths": lengths_table,
    "faces": face_table,
    "how": how_to_play,
}

OF_ALL: dict[str, Callable[[], str]] = {
    **{
        f"{array.name}_columns": functools.partial(column_table, array.columns)
        for array in find(next(iter(GAMES))).cards.arrays
    },
    "action_columns": lambda: column_table(find(next(iter(GAMES))).cards.action_columns),
    "games": games_table,
    "badges": lambda: beside("address").badges(beside("address").repository()),
    "clone": lambda: beside("address").clone(beside("address").repository()),
    "scale": scale_table,
    "leaderboard": leaderboard_table,
    "today": today_text,
    "zoo": zoo_table,
    "recipes": recipe_table,
    "texts": text_table,
    "rounds": lengths_of_all_table,
    "failures": failure_table,
    "experts": expert_table,
    "headroom": headroom_table,
    "ladders": ladder_tables,
    "times": time_table,
    "tasks": task_table,
    "standing": standing_table,
    "second": second_table,
    "seeds": seeds_table,
    "protocols": protocol_tables,
    "ppo_play": lambda: beside("from_nothing").excerpt("Learner.play"),
    "ppo_network": lambda: beside("from_nothing").excerpt("PolicyAndValue"),
    "ppo_advantages": lambda: beside("from_nothing").excerpt("Rollout.estimate_advantages"),
    "ppo_loss": lambda: beside("from_nothing").excerpt("Learner.loss"),
    "native_match": lambda: c_program("match.c"),
    "native_env": lambda: c_program("gin_env.h"),
    "history_columns": history_columns,
    "history_verbs": lambda: numbered(KINDS, 1),
    "history_places": lambda: numbered(history.PLACES, 0),
    "history_words": lambda: numbered(history.WORDS, 1),
    "memory_events": lambda: beside("from_nothing").excerpt("Events", ROOT / "train" / "memory.py"),
    "ablations": lambda: beside("from_nothing").ablations(),
    "learned": lambda: beside("from_nothing").learned(),
    "exploited": lambda: beside("from_nothing").exploited(),
    "from_nothing": lambda: beside("from_nothing").front(),
    "one_network_main": lambda: beside("one_network").main_tables(),
    "one_network_left_out": lambda: beside("one_network").left_out(),
    "one_network_again": lambda: beside("one_network").again(),
    "one_network_families": lambda: beside("one_network").families(),
    "one_network_other": lambda: beside("one_network").other_tables(),
    "one_network_step": lambda: beside("from_nothing").excerpt("Learner.step", ROOT / "train" / "family.py"),
    "alone": lambda: beside("from_nothing").alone(),
    "rates": lambda: beside("rates").games(),
    "one_table": lambda: beside("rates").one_table(),
    "sizes": lambda: beside("rates").sizes(),
    "rates_gin": lambda: beside("rates").gin(),
    "peers": lambda: beside("rates").peers(),
    "fast": lambda: beside("rates").fast(),
    "speed_by_interface": lambda: beside("rates").choice(),
}

# Charts that are drawn from data, by their file in docs/pictures.
DRAWN: dict[str, Callable[[], str]] = {
    "suite-results.svg": lambda: results_svg(entries()),
    "training.svg": lambda: beside("learning").still(),
    "one-network.svg": lambda: beside("one_network").picture(),
    "learned-curves.svg": lambda: beside("curves").picture(),
    **{f"{name}-cards.svg": functools.partial(lambda name: beside("channels").drawn(name), name) for name in GAMES},
}


def fill(text: str, game: Game | None) -> str:
    """The text of a page with the current version, and with all parts between `<!-- begin NAME -->` and its end mark.

    `game` is the game that the page is about; None for any other page.
    """
    generated = dict(OF_ALL)
    if game is not None:
        generated |= {name: functools.partial(make, game) for name, make in OF_A_GAME.items()}

    def renew(match: re.Match[str]) -> str:
        return f"<!-- begin {match[1]} -->\n{generated[match[1]]()}\n<!-- end {match[1]} -->"

    return with_version(re.sub(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", renew, text, flags=re.DOTALL))


def with_version(text: str) -> str:
    """The text of a page, or of CITATION.cff, with the version from pyproject.toml."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return VERSION.sub(rf"\g<1>{version}", text)


def cited(text: str, address: str) -> str:
    """CITATION.cff with the address of the repository, or without an address."""
    text = with_version(re.sub(r"^repository-code: .*\n", "", text, flags=re.MULTILINE))
    return text.replace("\nlicense: ", f'\nrepository-code: "{address}"\nlicense: ', 1) if address else text


def stale_pages(write: bool) -> list[str]:
    """The pages that differ from what the code generates; they are rewritten if `write`."""
    stale = []
    pages = [DOCS / folder / f"{name}.md" for folder in OF_GAMES for name in GAMES]
    for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("contributing/*.md")), *pages]:
        game = find(page.stem) if page.parent.name in OF_GAMES else None
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        before = text or (new_page(game) if game and page.parent.name == "games" else "")
        if (renewed := fill(before, game)) != text:
            stale.append(page.name)
            if write:
                page.write_text(renewed, encoding="utf-8")
    if (text := CITATION.read_text(encoding="utf-8")) != (renewed := cited(text, beside("address").repository())):
        stale.append(CITATION.name)
        if write:
            CITATION.write_text(renewed, encoding="utf-8")
    types, package = beside("record_types"), ROOT / "banakil_env"
    made = {package / "games" / name / "records.py": types.record_types(find(name)) for name in GAMES}
    made[package / "kit" / "table_records.py"] = types.shared_types()
    made |= {DOCS / "pictures" / name: draw() for name, draw in DRAWN.items()}
    for file, drawn in made.items():
        if not file.exists() or file.read_text(encoding="utf-8") != drawn:
            stale.append(str(file.relative_to(ROOT)))
            if write:
                file.write_text(drawn, encoding="utf-8")
    return stale


def main() -> None:
    """Write the parts, or compare with `--check`; exit status 1 if a page was out of date."""
    check = "--check" in sys.argv[1:]
    stale = stale_pages(write=not check)
    print(f"{'stale' if check else 'written'}: {', '.join(stale) or 'nothing'}")
    sys.exit(check and bool(stale))


if __name__ == "__main__":
    main()
