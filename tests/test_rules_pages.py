"""Do the pages of docs/rules hold every rule that is quoted, and say what is the source's and what is a ruling?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from banakil_env.games import GAMES, find
from banakil_env.text.rules import about, rules_text

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = {name: (REPOSITORY / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8") for name in GAMES}
LETTERS = {
    **{"banakil": "B", "hand": "H", "rummy": "R", "rummy500": "F", "oklahoma": "O", "yaniv": "Y", "gin": "G"},
    **{"tonk": "T", "canasta": "C", "hand_and_foot": "HF", "contract": "N", "kalooki": "K", "mille": "M"},
}

# Where a sentence of the source reads otherwise. The switches of Hand are named instead of numbered.
AGAINST = {
    "banakil": ["B9", "B9"],
    "hand": ["H6.3", "H7.1", "`wild_discard`", "`win_first_turn`"],
    "hand_and_foot": ["HF2.2", "HF4.5"],
    "mille": ["M6.2", "M7.3"],
    "tonk": ["T6.1", "T9.2"],
    "contract": ["N2.6", "N3.3", "N3.4", "N4.2", "N5.4", "N7.1"],
    "kalooki": ["K1.3", "K2.4", "K3.3", "K10.1"],
}


def rules_of(name: str) -> dict[str, str]:
    """The rules of a page by number, and its switches by name, each with all that is said of it."""
    found = re.findall(
        r"^- (?:\*\*)?([A-Z]+[0-9]+\.[0-9]+|`[a-z_]+`)(?:\*\*)?(?=[ :,])(.*?)(?=\n- |\n\n|\n#|\Z)",
        PAGES[name],
        re.DOTALL | re.MULTILINE,
    )
    rows = re.findall(r"^\| \*\*([A-Z]+[0-9]+\.[0-9]+)\*\* \|(.*)$", PAGES[name], re.MULTILINE)
    return {number: " ".join(text.split()) for number, text in [*found, *rows]}


def sources() -> list[Path]:
    """All code that may quote a rule."""
    return [path for folder in ("banakil_env", "train", "tests") for path in (REPOSITORY / folder).rglob("*.py")]


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_that_is_quoted_is_on_its_page(name):
    letters, rules, sections = LETTERS[name], rules_of(name), re.findall(r"^## ([A-Z]+[0-9]+) ", PAGES[name], re.M)
    quoted = re.compile(rf"(?<![A-Za-z0-9.]){letters}([0-9]{{1,2}})(\.[0-9]{{1,2}})?(?![0-9A-Za-z])")
    missing, found = set(), 0
    for path in sources():
        own = f"games/{name}/" in path.as_posix()
        for section, number in quoted.findall(path.read_text(encoding="utf-8")):
            said = f"{letters}{section}{number}"
            if (number and said not in rules) or (own and not number and said not in sections):
                missing.add(f"{path.relative_to(REPOSITORY)}: {said}")
            found += bool(number) or own
    assert not missing
    assert found > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_page_quotes_no_rule_that_it_has_not(name):
    rules = rules_of(name)
    said = set(re.findall(rf"(?<![A-Za-z0-9]){LETTERS[name]}[0-9]+\.[0-9]+", PAGES[name]))
    assert said <= set(rules)


@pytest.mark.parametrize("name", GAMES)
def test_every_ruling_has_its_mark_and_its_reason(name):
    page = " ".join(PAGES[name].split())
    intro, _, numbered = page.partition(" ## About these rules ")[2].partition(" ## ")
    opening, *rulings = re.split(r"(?=\*\*Ruling)", numbered)
    assert "A rule without a mark is the source's." in intro
    assert len(rulings) >= 5
    for ruling in rulings:
        assert re.match(r"\*\*Ruling(, against the source)?:\*\* [^*]+ \*Why:\* \S.{8,}", ruling), ruling
    assert "ettled" not in page.replace("this page settles it", "")
    assert opening


@pytest.mark.parametrize("name", AGAINST)
def test_where_the_source_reads_otherwise_the_page_says_so(name):
    rules, mark = rules_of(name), "**Ruling, against the source:**"
    for number in AGAINST[name]:
        if "." in number or "`" in number:
            assert mark in rules[number], number
        else:
            section = PAGES[name].partition(f"## {number} ")[2].partition("\n## ")[0]
            assert section.count(mark) >= AGAINST[name].count(number)


@pytest.mark.parametrize("name", GAMES)
def test_how_to_play_is_half_a_page_and_its_numbers_are_those_of_the_table(name):
    """Each number in the text is one of the rules of the main table, as players at that table are told them."""
    how = about(name).how_to_play
    texts = [how.goal, how.turn, how.end, how.scoring, how.tip]
    words = " ".join(texts).split()
    assert all(text.endswith((".", ".*")) for text in texts)
    assert 80 < len(words) < 230
    game = find(name)
    options = game.tables[0].options
    rules = rules_text(game, **options) + rules_text(game, **{**options, "episode": "match"})
    missing = set(re.findall(r"\d+", " ".join(words))) - set(re.findall(r"\d+", rules))
    assert missing == set()
