"""Is the prose plain? Phrases that readers stumble over are not used (docs/glossary.md has the words that are)."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

THINGS = "action|agent|answer|array|file|function|game|id|key|kind|meld|model|name|network|number|object|option|record"
# A phrase, and what to write in its place.
PHRASES = {
    r"\b[Ss]o many\b": "this number of, or a name for the number",
    r"\b[Aa]new\b": "again",
    r"\b[Bb]eside\b": "next to, in addition to, other than, compared with",
    r"(?<!\b[Tt]here )\b(?:is|are|be) none\b": "is not a, is invalid, has no",
    r"\b[Aa]n? (\w+) is no \1\b": "an invalid",
    r"\bwhoever\b": "the seat, player or person that",
    r"\bbefore everybody's eyes\b": "publicly",
    r"\bof one's own\b": "custom, separate, of the same seat",
    r"\basks? nobody\b": "has no adviser, plays without help, sends no request",
    r"\bhow many play\b": "the number of players",
    r"\b[Ww]hat is to be decided\b": "the decision",
    r"\bwho sits\b": "the player at each seat",
    r"\bis told what\b": "gets, sees",
    r"\bto be had\b": "available",
    r"\| what it (?:says|does) \|": "meaning, effect, content",
    r"\bthe own\b": "the player's, its",
    r"\b(?:[Pp]oints|[Ss]teps|[Dd]ecisions|[Ss]econds) a (?:deal|round|decision|move|second)\b": "per",
    rf"(?<!\b[Tt]here )\bis no (?:{THINGS})\b": "is not a",
    r"\bmay be repeated\b": "can be repeated",
}
ANY = re.compile("|".join(PHRASES))

# History is not written again, and quotations stay: results, recorded games and cases, other people's texts.
LEFT_OUT = ("CHANGELOG.md", "LICENSE", "agents/zoo/", "suite/results/", "tests/data/")
OWN_NAME = "tests/test_words.py"
KINDS = (".py", ".md", ".toml", ".ipynb", ".js", ".txt", ".yml", "Makefile")


def files() -> list[Path]:
    """The text files of the repository."""
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    names = [
        name for name in listed.splitlines() if name.endswith(KINDS) and not name.startswith((*LEFT_OUT, OWN_NAME))
    ]
    return [REPOSITORY / name for name in names if (REPOSITORY / name).is_file()]


def prose_of(name: str, text: str) -> Iterator[tuple[int, str]]:
    """The words of a file without its code: line number and text."""
    if name.endswith(".py"):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING):
                yield token.start[0], token.string
    elif name.endswith(".js"):
        for number, line in enumerate(text.splitlines(), 1):
            yield number, line.partition("//")[2]
    elif name.endswith(".ipynb"):
        for number, cell in enumerate(json.loads(text)["cells"], 1):
            if cell["cell_type"] == "markdown":
                yield number, "".join(cell["source"])
    else:
        yield 1, text


def found_in(name: str, text: str) -> Iterator[str]:
    """Where a phrase stands, and what to write in its place."""
    if not ANY.search(" ".join(text.split())):
        return
    for number, prose in prose_of(name, text):
        words = " ".join(prose.replace("\n#", " ").split())
        for phrase, better in PHRASES.items():
            for match in re.finditer(phrase, words):
                yield f"{name}:{number}: {match.group()!r}: write {better}"


def test_modules_open_with_a_statement() -> None:
    """The first line of a module says what it holds or does. As a habit, a question in every file tires."""
    asks = [
        f"{path.relative_to(REPOSITORY)}: {said.splitlines()[0]}"
        for path in files()
        if path.suffix == ".py" and path.relative_to(REPOSITORY).parts[0] in ("banakil_env", "train")
        if "?" in (said := ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
    ]
    assert not asks, "\n".join(asks)


def test_prose_is_plain() -> None:
    found = [
        each
        for path in files()
        for each in found_in(path.relative_to(REPOSITORY).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.py", '"""A seed that is none."""', 1),
        ("a.py", '"""There are not so\n    many."""', 1),
        ("a.py", "# dealt anew\nbeside = 1  # beside it", 2),
        ("a.py", 'beside = "there is none"', 0),
        ("a.md", "there is\nnone", 0),
        ("a.md", "A hand is no hand.", 1),
        ("a.md", "a 7 is no Two", 0),
        ("a.md", "The card of whoever\nhas called.", 1),
        ("a.md", "| column | what it says |\n| --- | --- |", 1),
        ("a.md", "It is told what\nits seat sees, and who sits there.", 2),
        ("a.py", '"""An error of one\'s own, which asks nobody what is to be decided."""', 3),
        ("a.py", '"""A file that is no model, 3 points a deal behind the own side."""', 3),
        ("a.md", "there is no file; a meld is no run", 0),
        ("a.js", "const beside = 1; // as so\n// many", 0),
        ("a.ipynb", '{"cells": [{"cell_type": "markdown", "source": ["dealt\\n", "anew"]}]}', 1),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": ["beside"]}]}', 0),
    ],
)
def test_the_test_finds_them(name: str, text: str, count: int) -> None:
    assert len(list(found_in(name, text))) == count
