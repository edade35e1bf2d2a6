"""Builds the documentation site from the pages of this repository: a gallery, guides, games, rules, API and notebooks.

    python docs/site.py [--run-notebooks] [--play] [--out build/site] [--version 0.2]

The pages are copied to the same paths as in the repository, so that their links work as on GitHub. The first page, the
gallery, an index for each folder that is linked to, the API from the docstrings, and the notebooks are added. With
`--play` the page to play in the browser is built (docs/browser.md), and the guide links to it. A warning of MkDocs,
such as a broken link, is an error. With `--version` the site is written to a folder of that name in `--out`, and
`versions.json` there lists all versions: the pages get a menu to change between them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config

sys.path.append(str(Path(__file__).resolve().parent))

from address import repository
from page_parts.of_a_game import players_text

from banakil_env.games import GAMES, find
from banakil_env.text.rules import about

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "build" / "site-pages"
SITE = ROOT / "build" / "site"

PLAY = "play.html"  # the page to play in the browser
HOME = "README.md"  # the first page
FILMS = ("canasta", "gin")  # the films on the first page, in place of its single picture
BELOW = "## Why"  # the first screen of the first page ends above this heading
FIRST_NOTEBOOKS = ("first_gymnasium.ipynb", "first_pettingzoo.ipynb", "first_sb3.ipynb")  # come first in their menu
SETTINGS = ROOT / "docs" / "mkdocs.yml"
ICON = ROOT / "banakil_env" / "web" / "page" / "icon.svg"
ZOO = ROOT / "agents" / "zoo"
NEXT_TO_AGENTS = (
    "[Agents of other games](cards.md). [Results](../../docs/results.md). [Agents in Python](../../docs/agents.md)."
)
OF_ALL_GAMES = "all-games"  # used instead of the name of a game
KIND_OF_AGENT = re.compile(r"-(\d+|alone|learned|sparred)$")  # follows the name of the agent's table
# Modules that a user of the package imports, by page.
API = {
    "Games": ("banakil_env.games", "banakil_env.kit.plain", "banakil_env.core.game", "banakil_env.core.actions"),
    "Environments": (
        *("banakil_env.envs.aec", "banakil_env.envs.single", "banakil_env.envs.vector", "banakil_env.envs.opponents"),
        *("banakil_env.envs.tables.snapshots", "banakil_env.envs.mixed"),
        *("banakil_env.envs.forms", "banakil_env.envs.pictures"),
    ),
    "Other libraries": (
        "banakil_env.envs.sb3",
        "banakil_env.envs.torchrl",
        "banakil_env.envs.rllib",
        "banakil_env.envs.jax",
    ),
    "Pictures": (
        *("banakil_env.core.scene", "banakil_env.render", "banakil_env.render.show", "banakil_env.render.svg"),
        *("banakil_env.render.text", "banakil_env.render.video"),
    ),
    "Players": (
        "banakil_env.agents",
        "banakil_env.agents.network",
        "banakil_env.agents.model",
        "banakil_env.agents.making",
        "banakil_env.agents.zoo",
        "banakil_env.agents.encoding",
        "banakil_env.agents.sb3",
        "banakil_env.agents.hub",
        "banakil_env.agents.conversation",
        "banakil_env.agents.table_talk",
        *("banakil_env.agents.talk_calls", "banakil_env.agents.talk_options", "banakil_env.core.failures"),
    ),
    "Text": (
        *("banakil_env.text.rules", "banakil_env.text.seat", "banakil_env.text.replies", "banakil_env.text.events"),
        "banakil_env.core.events",
    ),
    "Written rules": ("banakil_env.written.program", "banakil_env.written.compare", "banakil_env.written.traces"),
    "Arena": (
        *("banakil_env.arena.match", "banakil_env.arena.players", "banakil_env.arena.plan"),
        *("banakil_env.arena.options", "banakil_env.arena.results", "banakil_env.arena.statistics"),
        *("banakil_env.arena.behaviour", "banakil_env.arena.identities", "banakil_env.core.identity"),
    ),
    "Suite": (
        *("banakil_env.suite.protocols", "banakil_env.suite.ask", "banakil_env.suite.endgames"),
        "banakil_env.suite.show",
    ),
    "Browser": ("banakil_env.browser.page", "banakil_env.browser.module"),
    "Search": ("banakil_env.core.playouts", "banakil_env.core.batch", "banakil_env.core.random"),
    "Records": (
        *("banakil_env.kit.records", "banakil_env.record.play", "banakil_env.record.games"),
        *("banakil_env.record.parquet", "banakil_env.play.session"),
    ),
    "A game of your own": (
        *("banakil_env.kit.switches", "banakil_env.core.fields", "banakil_env.core.hooks", "banakil_env.core.records"),
    ),
}
_HTML_PICTURE = re.compile(r'\b(src|srcset)="(?!https?:)([^"]+)"')
_ITEM = re.compile(r"([*+-]|1\.) ")  # the first line of a list
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)")


def main() -> None:
    """Write the pages, then build the site. Raises SystemExit if MkDocs warns."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--run-notebooks", action="store_true", help="with what they print and draw, in short form")
    parser.add_argument("--play", action="store_true", help="with the page to play in the browser, which needs wasm-ld")
    parser.add_argument("--out", type=Path, default=SITE)
    parser.add_argument("--version", help="build below --out in a folder of this name, and list it for the menu")
    wanted = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    shutil.rmtree(SOURCE, ignore_errors=True)
    navigation = write_pages(wanted.run_notebooks, wanted.play)
    out = wanted.out / wanted.version if wanted.version else wanted.out
    build(configuration(navigation, out, menu_of_versions=bool(wanted.version)))
    if wanted.play:
        from banakil_env.browser.network import network_file
        from banakil_env.browser.page import offline_page

        (out / PLAY).write_text(offline_page([find(name) for name in GAMES], network_file()), encoding="utf-8")
    if wanted.version:
        list_versions(wanted.out)
    print(f"written: {out}")


def list_versions(folder: Path) -> None:
    """Write `versions.json`, which the theme's menu of versions reads: every site in a folder, newest first."""
    names = sorted((path.parent.name for path in folder.glob("*/index.html")), reverse=True)
    versions = [{"version": name, "title": name, "aliases": []} for name in names]
    (folder / "versions.json").write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8")


def configuration(navigation: list[Any], out: Path, menu_of_versions: bool) -> Any:
    """The configuration of MkDocs. Nothing is loaded from other servers: no fonts, no scripts.

    With a menu of versions, every page requests `versions.json` from the folder above the site.
    """
    address = repository()
    settings: dict[str, Any] = {"repo_url": address, "edit_uri": "blob/main/"} if address else {}
    if menu_of_versions:
        settings["extra"] = {"version": {"provider": "mike"}}
    return load_config(
        config_file=str(SETTINGS),
        **settings,
        docs_dir=str(SOURCE),
        site_dir=str(out),
        nav=navigation,
        strict=True,
    )


def write_pages(run_notebooks: bool, play: bool) -> list[Any]:
    """Write all pages into `SOURCE`; returns the navigation. `play`: whether there is a page to play in the browser."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "suite" / "agents" / "README.md"]:
        copy(page)
    for picture in (ROOT / "docs" / "pictures").iterdir():
        shutil.copy(picture, SOURCE / "docs" / "pictures") if picture.is_file() else None
    if play:
        link_to_play("docs/browser.md")
    for file in (ROOT / "docs" / "site.css", ROOT / "docs" / "site.js", ICON):
        shutil.copy(file, SOURCE)
    write("index.md", home(play))
    games = gallery("", "../pictures", "../rules", "##")
    write("docs/games/index.md", f"---\nhide: [toc]\n---\n\n# Games\n\n{games}")
    titles = {name: find(name).title for name in GAMES}
    write("docs/rules/index.md", listed("Rules", [(title, f"{name}.md") for name, title in titles.items()]))
    books = sorted((ROOT / "notebooks").glob("*.ipynb"), key=lambda path: (path.name not in FIRST_NOTEBOOKS, path.name))
    notebooks = [write_notebook(path, run_notebooks) for path in books]
    write("notebooks/index.md", listed("Notebooks", [(title, Path(page).name) for title, page in notebooks]))
    sections = {
        "GAMES": ["docs/games/index.md", *({title: f"docs/games/{name}.md"} for name, title in titles.items())],
        "RULES": ["docs/rules/index.md", *({title: f"docs/rules/{name}.md"} for name, title in titles.items())],
        "AGENTS": write_agents(),
        "NOTEBOOKS": ["notebooks/index.md", *({title: page} for title, page in notebooks)],
        "API": [dict([write_api(title, modules)]) for title, modules in API.items()],
    }
    return filled(menu(), sections)


def menu() -> list[Any]:
    """The sections and pages of the site, as `mkdocs.yml` lists them."""
    text = SETTINGS.read_text(encoding="utf-8")
    found: list[Any] = yaml.safe_load("nav:" + text.partition("\nnav:")[2])["nav"]
    return found


def filled(entries: list[Any], sections: dict[str, list[Any] | str]) -> list[Any]:
    """A copy of the menu in which sections that are listed from the code have their pages.

    Args:
        entries: the entries of the menu, as in `mkdocs.yml`.
        sections: by the name that an entry of the menu has as its page, the pages of the section.
    """
    found: list[Any] = []
    for entry in entries:
        [(title, what)] = entry.items()
        found.append({title: filled(what, sections) if isinstance(what, list) else sections.get(what, what)})
    return found


def write_agents() -> str:
    """Write a page per game with the cards of its agents, and a page that lists these pages; returns its path.

    The card of the newest agent of a table comes first. On the Hub each card is the README of its agent.
    """
    listing = []
    for name, title in {OF_ALL_GAMES: "all games", **{name: find(name).title for name in GAMES}}.items():
        cards = [card for card in ZOO.glob("*/README.md") if game_of_agent(card.parent.name) == name]
        if not cards:
            continue
        cards.sort(key=lambda card: (table_of_agent(card.parent.name), -generation(card.parent.name)))
        parts = [card_text(card) for card in cards]
        of_game = f"[The game](../../docs/games/{name}.md). " if name in GAMES else ""
        write(f"agents/zoo/{name}.md", "\n\n".join([f"# Agents of {title}", of_game + NEXT_TO_AGENTS, *parts]) + "\n")
        listing.append((f"{title[0].upper()}{title[1:]}: {len(cards)} agent{'s' * (len(cards) > 1)}", f"{name}.md"))
    write("agents/zoo/cards.md", listed("Trained agents", listing))
    return "agents/zoo/cards.md"


def card_text(card: Path) -> str:
    """A card as a section of the page of its game: the agent's results and its training."""
    text = card.read_text(encoding="utf-8")
    text = text.partition("\n---\n")[2] if text.startswith("---\n") else text
    text = relinked(text.partition("\n## How to play it\n")[0].strip(), card, Path("agents", "zoo", "game.md"))
    title, _, rest = re.sub(r"^#", "##", text, flags=re.MULTILINE).partition("\n")
    return f"{title} {{ #{card.parent.name} }}\n{rest}"


def game_of_agent(agent: str) -> str:
    """The game of an agent, from its file of settings; OF_ALL_GAMES for an agent that plays all games."""
    said = json.loads((ZOO / agent / "config.json").read_text(encoding="utf-8"))
    if "game" not in said:
        return OF_ALL_GAMES
    return str(said["game"]).removeprefix("rummy/").rpartition("-v")[0]


def table_of_agent(agent: str) -> str:
    return KIND_OF_AGENT.sub("", agent)


def generation(agent: str) -> int:
    """The generation of an agent: the number after the name of its table, or 1 if there is no number.

    An agent without an adviser has 0 or less, so that its card comes after the others.
    """
    found = KIND_OF_AGENT.search(agent)
    kinds = {"alone": 0, "learned": -1, "sparred": -2}
    return 1 if found is None else kinds[found[1]] if found[1] in kinds else int(found[1])


def write(page: str, text: str) -> None:
    """Write a page of the site."""
    (SOURCE / page).parent.mkdir(parents=True, exist_ok=True)
    (SOURCE / page).write_text(with_blank_lines(text), encoding="utf-8")


def with_blank_lines(text: str) -> str:
    """A page with blank lines around code, and before a list that follows a paragraph.

    GitHub does not need these lines. MkDocs would make the list a part of the paragraph, and would end the paragraph at
    the code: the text after it would have no paragraph.
    """
    lines: list[str] = []
    before, in_code, in_list, loose = "", False, False, False
    for line in text.splitlines():
        fence, item = line.startswith("```"), not in_code and bool(_ITEM.match(line))
        ended_code = not in_code and before.startswith("```")
        if before and line and (ended_code or (item and (loose or not in_list)) or (fence and not in_code)):
            lines.append("")
        loose = not item and (loose or not line)  # the item has several paragraphs: a blank line ends the last one
        in_list = item or (in_list and (bool(before) or not line or line[0].isspace()))
        lines.append("``` { .text .position }" if line == "```position" else line)  # a class for site.css
        in_code ^= fence
        before = line
    return "\n".join(lines) + "\n"


def copy(page: Path) -> None:
    """Copy a page of the repository to the same path."""
    there = page.relative_to(ROOT)
    text = relinked(page.read_text(encoding="utf-8"), page, there)
    write(there.as_posix(), text if page.name == "README.md" else one_folder_up(text))


def relinked(text: str, page: Path, there: Path) -> str:
    """The text of a page with links for its path on the site. The pictures that it shows are copied.

    A link to a card of an agent is changed to the page of its game. A link to a file that is not on the site becomes
    text.
    """

    def link(found: re.Match[str]) -> str:
        shown, text, target, mark = found[1], found[2], found[3], found[4] or ""
        goal = (page.parent / target).resolve()
        inside = goal.relative_to(ROOT)
        if goal == ROOT / "README.md":
            inside = Path("index.md")
        elif goal.name == "README.md" and goal.parent.parent == ZOO:
            inside, mark = Path("agents", "zoo", f"{game_of_agent(goal.parent.name)}.md"), f"#{goal.parent.name}"
        elif goal.is_dir() and inside.as_posix() in INDEXED:
            inside /= INDEXED[inside.as_posix()]
        elif goal.suffix in PICTURES and goal.is_file():
            (SOURCE / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(goal, SOURCE / inside)
        elif goal.suffix != ".md":
            return f"`{text}`" if "`" not in text else text
        return f"{shown}[{text}]({os.path.relpath(inside, there.parent)}{mark})"

    return _LINK.sub(link, text)


def link_to_play(page: str) -> None:
    """Add a link to the page to play in the browser to a page of the folder `docs`."""
    text = (SOURCE / page).read_text(encoding="utf-8")
    link = f'<a class="md-button md-button--primary" href="../../{PLAY}">Play in the browser</a>'
    write(page, text.replace("<!-- play -->", link))


def one_folder_up(text: str) -> str:
    """Correct the paths of HTML pictures on a page, since MkDocs turns `page.md` into `page/`."""
    return _HTML_PICTURE.sub(r'\1="../\2"', text)


# Folders that pages link to, and the page that lists their content. An `index.md` is the first page of its menu.
INDEXED = {"docs/games": "index.md", "docs/rules": "index.md", "agents/zoo": "cards.md", "notebooks": "index.md"}
PICTURES = (".png", ".svg", ".webp")


def home(play: bool) -> str:
    """The README as first page. Its first screen has text and films side by side, and buttons; a gallery follows."""
    text = (SOURCE / HOME).read_text(encoding="utf-8")
    (SOURCE / HOME).unlink()
    films = "\n".join(film(name, "docs/pictures", f"docs/games/{name}/") for name in FILMS)
    shown = f'<div class="films" markdown>\n{films}\n</div>'
    buttons = [("Which interface?", "docs/which-interface/"), ("Installing", "docs/installing/")]
    if play:
        buttons.insert(0, ("Play in the browser", PLAY))
    kinds = ["md-button md-button--primary", *["md-button"] * 2]
    links = " ".join(f'<a class="{kind}" href="{to}">{name}</a>' for kind, (name, to) in zip(kinds, buttons))
    title, _, text = text.partition("\n")
    first, heading, rest = text.partition(BELOW)
    sentence, program = re.split(r"<picture>.*?</picture>", first, maxsplit=1, flags=re.DOTALL)
    parts = [
        f"<div markdown>\n{title}\n\n{sentence.strip()}\n\n{links}\n</div>",
        shown,
        f"<div markdown>\n{program.strip()}\n</div>",
    ]
    hero = "\n".join(['<div class="hero" markdown>', *parts, "</div>"])
    before, mark, after = rest.partition("<!-- begin games -->")
    assert mark, "the README has its games between marks"
    games = gallery("docs/games", "docs/pictures", "docs/rules", "###", small=True)
    rest = before + games + after.partition("<!-- end games -->")[2]
    return f"---\nhide: [navigation, toc]\n---\n\n{hero}\n\n{heading}{rest}"


def film(name: str, pictures: str, page: str) -> str:
    """A game's film as HTML. A browser that is set to reduced motion shows a still picture."""
    title = find(name).title
    return (
        f'<a href="{page}"><picture><source media="(prefers-reduced-motion: reduce)" srcset="{pictures}/{name}.svg">'
        f'<img alt="A round of {title}" src="{pictures}/{name}.webp" loading="lazy"></picture></a>'
    )


def gallery(games: str, pictures: str, rules: str, level: str, small: bool = False) -> str:
    """The gallery: the film of every game, with its numbers.

    Args:
        games: the folder with the pages of the games, relative to the source of the page.
        pictures: the folder with the films, relative to the address of the page.
        rules: the folder with the rules, relative to the source of the page.
        level: the mark of the headings, such as `##`.
        small: whether phones show it as a compact list.
    """
    cells = []
    for name in GAMES:
        game = find(name)
        page = f"{games}/{name}" if games else name
        cells.append(
            f"{level} [{game.title}]({page}.md)\n\n{film(name, pictures, f'{page}/')}\n\n{about(game).sentence}\n\n"
            f"{players_text(game)} players, {game.num_actions} actions, `{game.id}`; [how to play]({rules}/{name}.md)."
        )
    shown = "\n\n".join(f"<div markdown>\n{cell}\n</div>" for cell in cells)
    kind = "gallery small" if small else "gallery"
    return f'<div class="{kind}" markdown>\n{shown}\n</div>\n'


def listed(title: str, pages: list[tuple[str, str]]) -> str:
    """A page that lists other pages."""
    return f"# {title}\n\n" + "\n".join(f"* [{text}]({page})" for text, page in pages) + "\n"


def write_api(title: str, modules: tuple[str, ...]) -> tuple[str, str]:
    """Write a page of docstrings; returns its title and path."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise SystemExit(f"the API page {title} names {missing[0]}, which is not there")
    page = f"api/{title.lower().replace(' ', '-')}.md"
    write(page, f"# {title}\n\n" + "\n\n".join(f"::: {module}" for module in modules) + "\n")
    return title, page


def write_notebook(path: Path, run: bool) -> tuple[str, str]:
    """Write a notebook as a page; returns its title and path. Stored outputs are shown."""
    import nbformat
    from nbconvert import MarkdownExporter

    notebook = nbformat.read(path, as_version=4)
    if run and not any(cell.get("outputs") for cell in notebook.cells):
        from nbclient import NotebookClient
        from traitlets.config import Config

        os.environ.setdefault("BANAKIL_NOTEBOOKS", "short")
        encrypted = Config({"KernelManager": {"transport_encryption": "auto"}})  # without it, a kernel prints a warning
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}, config=encrypted).execute()
    del notebook.cells[1]  # the cell that finds the repository in Colab (docs/colab.py)
    text, resources = MarkdownExporter().from_notebook_node(notebook)
    for name, content in resources.get("outputs", {}).items():
        target = SOURCE / "notebooks" / f"{path.stem}-{name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        text = text.replace(f"]({name})", f"]({target.name})")
    page = f"notebooks/{path.stem}.md"
    write(page, text.replace(".ipynb)", ".md)"))
    title = next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
    return title, page


if __name__ == "__main__":
    main()
