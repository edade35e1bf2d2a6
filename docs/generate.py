"""Which parts of the documentation come from the code? Writes them between their marks; `--check` only compares.

python docs/generate.py [--check]
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from pathlib import Path

from banakil_env.games import banakil
from banakil_env.games.banakil import actions, observation, scoring
from banakil_env.games.banakil.rules import PRESETS, SWITCHES, Rules
from banakil_env.games.banakil.state import STATE

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent


def table(head: list[str], rows: list[list[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def specs() -> str:
    """The numbers a user asks for first."""
    return table(
        ["what", "value"],
        [
            ["id", f"`{banakil.GAME.id}`"],
            ["players", "2, 3 or 4; four as partners or individuals"],
            ["action space", f"`Discrete({banakil.NUM_ACTIONS})`"],
            [
                "observation",
                f"`observation`: {observation.OBSERVATION.itemsize} bytes, `uint8`; "
                f"`action_mask`: {banakil.NUM_ACTIONS}, `int8`",
            ],
            ["state", f"one NumPy record of {STATE.itemsize} bytes"],
            ["presets", ", ".join(f"`{name}`" for name in PRESETS)],
            ["rewards", ", ".join(f"`{name}`" for name in scoring.REWARDS)],
        ],
    )


def observation_table() -> str:
    """Where every field of an observation is, and what it says."""
    rows: list[list[object]] = []
    for name in observation.OBSERVATION.names or ():
        dtype, offset = observation.OBSERVATION.fields[name][:2]  # type: ignore[index]
        shape = "×".join(str(n) for n in dtype.shape) or "1"
        high = observation.HIGHEST[offset] if dtype.base.itemsize == 1 else f"{dtype.base.name}"
        rows.append(
            [f"{offset}–{offset + dtype.itemsize - 1}", f"`{name}`", shape, high, observation.FIELD_NOTES[name]]
        )
    return table(["bytes", "field", "shape", "highest", "what it says"], rows)


def action_table() -> str:
    """The blocks of the action table, each with the texts of its first and last action."""
    rows: list[list[object]] = [
        [
            f"{first}–{first + count - 1}" if count > 1 else first,
            count,
            what,
            f"`{actions.ACTION_TEXTS[first]}`",
            f"`{actions.ACTION_TEXTS[first + count - 1]}`",
        ]
        for first, count, what in actions.BLOCKS
    ]
    return table(["index", "count", "action", "first", "last"], rows)


def preset_table() -> str:
    """Every switch, and its value in every preset."""
    rows: list[list[object]] = [
        [f"`{switch}`", *(f"`{getattr(rules, switch)!r}`" for rules in PRESETS.values())] for switch in SWITCHES
    ]
    assert {field.name for field in dataclasses.fields(Rules)} == set(SWITCHES)
    return table(["switch", *(name.upper() for name in PRESETS)], rows)


def face_table() -> str:
    """How faces are numbered."""
    names = banakil.FACES.names
    rows: list[list[object]] = [
        [f"{suit * 12}–{suit * 12 + 11}", f"`{' '.join(names[suit * 12 : suit * 12 + 12])}`"] for suit in range(4)
    ]
    return table(["faces", "cards"], [*rows, ["48–51", f"`{' '.join(names[48:52])}`"], ["52", f"`{names[52]}`"]])


def zoo_table() -> str:
    """How the agents of the zoo fare, as their cards say."""
    rows: list[list[object]] = []
    for card in sorted((ROOT / "agents" / "zoo").glob("*/README.md")):
        text = card.read_text(encoding="utf-8")
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:1] == "|"]
        played = {cells[0].strip("`"): cells for cells in lines if cells[0].strip("`") in banakil.GAME.kinds}
        [trained] = [cells for cells in lines if cells[0].startswith("**")]
        name = card.parent.name
        margins = [played[player][1] for player in banakil.GAME.kinds]
        rows.append([f"[{name}](agents/zoo/{name}/README.md)", *margins, played["expert"][2], trained[2]])
    opponents = [f"ahead of `{player}` (95 %)" for player in banakil.GAME.kinds]
    return table(["agent", *opponents, "of `expert` (99 %)", "minutes of training"], rows)


GENERATED: dict[str, Callable[[], str]] = {
    "specs": specs,
    "observation": observation_table,
    "actions": action_table,
    "presets": preset_table,
    "faces": face_table,
    "zoo": zoo_table,
}


def fill(text: str) -> str:
    """The page with everything between `<!-- begin NAME -->` and `<!-- end NAME -->` made anew."""

    def renew(match: re.Match[str]) -> str:
        return f"<!-- begin {match[1]} -->\n{GENERATED[match[1]]()}\n<!-- end {match[1]} -->"

    return re.sub(r"<!-- begin (\w+) -->.*?<!-- end \1 -->", renew, text, flags=re.DOTALL)


def stale_pages(write: bool) -> list[str]:
    """The pages that differ from what the code says; written anew if `write`."""
    stale = []
    for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        if (renewed := fill(text)) != text:
            stale.append(page.name)
            if write:
                page.write_text(renewed, encoding="utf-8")
    return stale


def main() -> None:
    """Write, or with `--check` compare; exit status 1 when a page was stale."""
    check = "--check" in sys.argv[1:]
    stale = stale_pages(write=not check)
    print(f"{'stale' if check else 'written'}: {', '.join(stale) or 'nothing'}")
    sys.exit(check and bool(stale))


if __name__ == "__main__":
    main()
