"""Is a page of rules read as its notation says, and is every mistake told with its file and line?"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from banakil_env.games import GAMES, find
from banakil_env.kit import switches
from banakil_env.kit.rules_pages import RulesPageError, TableFacts, read_page
from banakil_env.kit.rules_pages.reading import SHARED
from banakil_env.kit.rules_pages.words import counted, number
from banakil_env.kit.switches import RulesError, choice, flag, numbers, whole
from banakil_env.play.session import Session
from banakil_env.text import rules_text

REPOSITORY = Path(__file__).resolve().parents[1]
GAMES_FOLDER = REPOSITORY / "banakil_env" / "games"

CONTRACTS = [name for name in GAMES if "contract" in find(name).rules.switches()]


@dataclasses.dataclass(frozen=True)
class Rules(switches.Rules):
    """Rules with a switch of each kind."""

    melds: str = choice("one", "any", note="melds of a turn")
    tonk: int | str = choice(50, 49, "none", note="a count")
    open: bool = flag(note="hands are open")
    calls: int | None = whole(3, 0, 9, none=True, note="calls of a round")
    piles: tuple[int, ...] = numbers((2, 1, 0), (3, 3, 3), note="piles")
    target: int = whole(100, 1, 1000, note="a score")
    max_turns: int = whole(30, 1, 300, note="turns")

    @property
    def packs(self) -> int:
        """Packs of cards."""
        return 2


Rules.presets = MappingProxyType({"first": Rules()})


def read(tmp_path: Path, text: str) -> Any:
    """The page of this text."""
    folder = tmp_path / "newgame"
    folder.mkdir(exist_ok=True)
    (folder / "rules.md").write_text(text, encoding="utf-8")
    return read_page(folder / "rules.md", Rules)


def said(tmp_path: Path, text: str, rules: Rules = Rules(), players: int = 3, match: bool = False) -> str:
    """What a page of one section says to a table; its heading is left out."""
    [section] = read(tmp_path, f"## Title\n\n{text}").sections_for(rules, TableFacts(players, players == 4, match))
    return str(section).removeprefix("## Title").lstrip("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One line\nand another.", "One line and another."),
        ("A paragraph.\n\nAnother.", "A paragraph.\nAnother."),
        ("- `draw`: draw\n  a card\n- `pass`: pass", "- `draw`: draw a card\n- `pass`: pass"),
        ("[melds=one] One meld.\n[melds=any] Any melds.\nAlways.", "One meld. Always."),
        ("[melds=any] Any\n  melds.\nAlways.", "Always."),
        ("[melds=any]\nA whole\nparagraph.\n\nThe next.", "The next."),
        ("[melds=one]\nA whole\nparagraph.\n\nThe next.", "A whole paragraph.\nThe next."),
        ("- [open] `show`: show\n- `draw`: draw", "- `draw`: draw"),
        ("Draw [players=3? a card | two cards].", "Draw a card."),
        ("Draw [players>3? a card | two cards].", "Draw two cards."),
        ("Draw [players>3? a card | calls=3? three | two].", "Draw three."),
        ("Cards[open? , open], always.", "Cards, always."),
        ("The order is A 2 3 ... Q K.", "The order is A 2 3 ... Q K."),
        ("[not open and (melds=any or players<4)? yes | no]", "yes"),
        ("[calls!=none? yes | no] [tonk=none? yes | no] [tonk=50? yes | no]", "yes no yes"),
        ("[melds=one? one [open? and open | but hidden] | any]", "one but hidden"),
        ("It needs [and: [piles[0]>0? a] | b | [open? c]].", None),  # brackets in a condition: see `let`
        ("It needs [and: a | b | c].", "It needs a, b and c."),
        ("It needs [and: [open? a] | b | c].", "It needs b and c."),
        ("It needs [or: [open? a] | b].", "It needs b."),
        ("It counts [;: a | [open? b] | c].", "It counts a; c."),
        ("{target} {2*target} {target//3} {target-1} {packs}", "100 200 33 99 2"),
        ("{calls in words} {target in words}", "three 100"),
        ("{calls: call | calls} {piles[1]: foot | feet}", "three calls one foot"),
        ("@limits", "A round that has had 30 turns ends at once, and nobody scores."),
    ],
)
def test_a_text_is_what_its_guards_leave(text: str, expected: str | None, tmp_path: Path) -> None:
    if expected is None:
        with pytest.raises(RulesPageError, match=r"newgame/rules\.md, line 3"):
            said(tmp_path, text)
    else:
        assert said(tmp_path, text) == expected


def test_a_section_has_a_condition_and_a_page_gives_names(tmp_path: Path) -> None:
    page = read(
        tmp_path, "let all = packs * 52 if players > 2 else 52\n\n## [open] Showing\n\nShow.\n\n## Cards\n\n{all}.\n"
    )
    assert page.sections_for(Rules(), TableFacts(3, False, False)) == ["## Cards\n104."]
    assert page.sections_for(Rules(open=True), TableFacts(2, False, False)) == ["## Showing\nShow.", "## Cards\n52."]
    assert page.names == ("open", "packs")


def test_a_name_of_a_page_can_stand_for_a_switch_that_is_none(tmp_path: Path) -> None:
    page = read(tmp_path, "let calls = 5 if calls = none else calls\n## Calls\n{calls}")
    facts = TableFacts(2, False, False)
    assert page.sections_for(Rules(), facts) + page.sections_for(Rules(calls=None), facts) == [
        "## Calls\n3",
        "## Calls\n5",
    ]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("[meld=one] One.", 3, "no switch 'meld' (did you mean 'melds'?): there are melds, tonk"),
        ("All.\n[melds=two] Two.", 4, "melds has no value 'two': it is one, any"),
        ("All.\n\n\n[open=often] Often.", 6, "open has no value 'often': it is yes, no"),
        ("[calls=10] Ten.", 3, "calls has no value '10': it is 0 to 9, none"),
        ("All\n[melds=one? one | melds=three? three] here.", 4, "melds has no value 'three'"),
        ("[melds=] One.", 3, "'melds=' is not an expression"),
        ("[melds in open] One.", 3, "'melds in open' cannot be used here: expressions have"),
        ("{goal}", 3, "no switch 'goal'"),
        ("{}", 3, "'{}' is not a number"),
        ("All\nof {target", 4, "'{' is not a number"),
        ("One [open? two", 3, "a bracket that is not closed"),
        ("One [two | three]", 3, "only the last words can lack a condition"),
        ("One [open? two | three | four]", 3, "only the last words can lack a condition"),
        ("One] two", 3, "']' without a bracket before it"),
        ("@limit", 3, "no shared paragraph '@limit' (did you mean 'limits'?): @limits"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    with pytest.raises(RulesPageError, match=re.escape(f"newgame/rules.md, line {line}: ") + ".*" + re.escape(why)):
        read(tmp_path, f"## Title\n\n{text}")


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("# Title\n", "line 1: a title is `## Title`"),
        ("Text.\n\n## Title\n", "line 1: only `let NAME = NUMBER` can precede the sections"),
        ("let a = b\n", "line 1: no switch 'b'"),
        ("let a = 1\n\n## [c] Title\n", "line 3: no switch 'c'"),
    ],
)
def test_a_mistake_outside_the_text_is_told_as_well(page: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(RulesPageError, match=re.escape(why)):
        read(tmp_path, page)


def test_a_mistake_in_a_shared_paragraph_names_its_own_file(tmp_path: Path) -> None:
    """`lowest total wins` needs the name `contracts`."""
    with pytest.raises(RulesPageError, match=r"rules_pages/shared.md, line \d+: no switch 'contracts'"):
        said(tmp_path, "@lowest total wins")


def test_numbers_in_words() -> None:
    assert [number(0), number(12), number(13)] == ["no", "twelve", "13"]
    assert [counted(1, "foot", "feet"), counted(2, "foot", "feet"), counted(2, "card")] == [
        *("one foot", "two feet", "two cards")
    ]


# The pages and the games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in GAMES if name not in CONTRACTS])
def test_a_page_says_how_many_cards_are_dealt(name: str) -> None:
    """At tables of all sizes, and with several values of a switch for it."""
    game = find(name)
    counts = (7, 11, 13) if "hand_cards" in game.rules.switches() else ()
    for players in game.seats:
        for rules in ("standard", *(f"standard hand_cards={count}" for count in counts)):
            try:
                seats = dealt(name, players, rules).seats
            except RulesError:  # a pack that is too large or too small
                continue
            cards = min(seat.size for seat in seats)  # who begins may have one card more
            text = rules_text(name, rules, num_players=players)
            assert re.search(rf"dealt (a hand of )?({cards}|{number(cards)}) cards", text), (players, rules, cards)


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_page_says_the_contracts_of_the_game(name: str) -> None:
    """What a table shows of each contract: its melds, and the cards in a hand."""
    contracts = []
    for place in find(name).rules.switches()["contract"].allowed[:-1]:
        scene = dealt(name, 3, f"standard contract={place}")
        asked = scene.facts[0].removeprefix("contract ").partition(" or more")[0]
        contracts.append(f"{asked} ({scene.seats[1].size} cards dealt)")
        assert contracts[-1].startswith(f"{place}: ")
        assert f"One round is played, with contract {contracts[-1]}." in rules_text(name, f"standard contract={place}")
    for rules, episode in (("standard contract=any", "round"), ("standard", "match")):
        assert "; ".join(contracts) + "." in rules_text(name, rules, episode=episode)


@pytest.mark.parametrize(("players", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_page_of_banakil_says_the_usual_target(players: int, partners: bool) -> None:
    options = {"partners": partners, "episode": "match"}
    [target] = re.findall(r"match to (\d+)", dealt("banakil", players, "standard", **options).facts[0])
    text = rules_text("banakil", num_players=players, **options)
    assert f"a score has reached {target} at the end of a round" in text


def dealt(name: str, players: int, rules: str, **options: Any) -> Any:
    """What the table shows before the first move."""
    session = Session.deal(name, [None] * players, seed=3, options={"rules": rules, **options})
    return session.game.scene(session.state)


def test_every_shared_paragraph_is_used() -> None:
    pages = "".join((GAMES_FOLDER / name / "rules.md").read_text(encoding="utf-8") for name in GAMES)
    titles = re.findall(r"^## (.*)", SHARED.read_text(encoding="utf-8"), re.MULTILINE)
    assert {each for each in titles if f"\n@{each}\n" not in pages} == set()


def test_every_file_of_the_pages_is_in_a_wheel() -> None:
    """`package-data` names them."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    data = settings["tool"]["setuptools"]["package-data"]
    declared = {file for name, globs in data.items() for each in globs for file in files_of(name, each)}
    package = REPOSITORY / "banakil_env"
    there = set(package.rglob("*.md")) | {package / "games" / name / "about.toml" for name in GAMES}
    assert len(there) == 2 * len(GAMES) + 1
    assert there <= declared


def files_of(package: str, glob: str) -> Iterator[Path]:
    """The files of a package that a glob of `package-data` names."""
    return iter(()) if package == "*" else REPOSITORY.joinpath(*package.split(".")).glob(glob)
