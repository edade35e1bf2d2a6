"""Builds the documentation site from the pages of this repository: a gallery, guides, games, rules, API and notebooks.

    python docs/site.py [--run-notebooks] [--play] [--out build/site] [--version 0.2]

The pages are copied as they lie in the repository, so that their links lead where they lead on GitHub; what is added is
the first page, the gallery, an index for each folder that is linked to, the API from the docstrings, and the notebooks.
With `--play` the page to play in the browser is built (docs/browser.md), and the guide leads to it.
A warning of MkDocs, such as a link that leads nowhere, is an error. With `--version` the site goes to a folder of that
name below `--out`, and `versions.json` there lists all of them: the pages get a menu to change between them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import logging
import os
import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config

from banakil_env.games import GAMES, find

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "build" / "site-pages"
SITE = ROOT / "build" / "site"

PLAY = "play.html"  # the page to play in the browser
HOME = "README.md"  # the first page
FILMS = ("canasta", "gin", "banakil")  # of the first page, in place of its one picture
# In the order in which a newcomer reads them.
TUTORIALS = {
    "Five minutes with Stable-Baselines3": "docs/five-minutes.md",
    "Observations": "docs/observations.md",
    "Many environments: make_vec": "docs/make-vec.md",
    "Your own loop on batches": "docs/batch.md",
    "Your own training loop": "docs/own-training-loop.md",
    "Memory": "docs/memory.md",
    "Learning from nothing": "docs/learning-from-nothing.md",
    "Self-play and training": "docs/training.md",
    "Evaluating and reporting": "docs/evaluating.md",
    "Your own game": "docs/adding-a-game.md",
    "Language models": "docs/language-models.md",
}
GUIDES = {
    "Installing": "docs/installing.md",
    "Agents in Python": "docs/agents.md",
    "State and search": "docs/state-and-search.md",
    "Playing": "docs/playing.md",
    "In the browser without a server": "docs/browser.md",
    "Write the rules": "docs/write-the-rules.md",
    "Compiled players": "docs/players.md",
    "Ladders": "docs/ladders.md",
    "The arena": "docs/arena.md",
    "The suite": "docs/suite.md",
    "Standing results": "docs/results.md",
    "Protocols": "docs/protocols.md",
    "Notation": "docs/notation.md",
    "Pictures": "docs/pictures.md",
    "Performance": "docs/performance.md",
    "How a function is compiled": "docs/compiling.md",
    "Programs in C": "docs/native.md",
    "Glossary": "docs/glossary.md",
}
PLUGINS = {
    "Overview": "docs/plugins/README.md",
    "Stable-Baselines3": "docs/plugins/sb3.md",
    "RLlib": "docs/plugins/rllib.md",
    "TorchRL": "docs/plugins/torchrl.md",
    "JAX": "docs/plugins/jax.md",
    "Tianshou": "docs/plugins/tianshou.md",
    "OpenSpiel": "docs/plugins/openspiel.md",
    "verifiers": "docs/plugins/verifiers.md",
    "OpenEnv and TRL": "docs/plugins/openenv.md",
    "Data": "docs/plugins/data.md",
    "Hub and ONNX": "docs/plugins/hub.md",
}
ABOUT = {
    "Decisions": "docs/decisions.md",
    "Notes on the arena": "docs/notes/arena.md",
    "Notes on training": "docs/notes/training.md",
    "Notes on search": "docs/notes/search.md",
    "Notes on a GPU": "docs/notes/gpu.md",
    "Contributing": "CONTRIBUTING.md",
    "Changes": "CHANGELOG.md",
}
# What a user of the package imports, by page.
API = {
    "Games": ("banakil_env.games", "banakil_env.kit.plain", "banakil_env.core.game", "banakil_env.core.actions"),
    "Environments": (
        *("banakil_env.envs.aec", "banakil_env.envs.single", "banakil_env.envs.vector", "banakil_env.envs.opponents"),
        "banakil_env.envs.mixed",
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
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)")


def main() -> None:
    """Write the pages, then the site; SystemExit: MkDocs has warned."""
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
    build(configuration(navigation, out))
    if wanted.play:
        from banakil_env.browser.page import offline_page

        (out / PLAY).write_text(offline_page([find(name) for name in GAMES]), encoding="utf-8")
    if wanted.version:
        list_versions(wanted.out)
    print(f"written: {out}")


def list_versions(folder: Path) -> None:
    """Write `versions.json`, which the theme's menu of versions reads: every site in a folder, the newest first."""
    names = sorted((path.parent.name for path in folder.glob("*/index.html")), reverse=True)
    versions = [{"version": name, "title": name, "aliases": []} for name in names]
    (folder / "versions.json").write_text(json.dumps(versions, indent=1) + "\n", encoding="utf-8")


def configuration(navigation: list[Any], out: Path) -> Any:
    """MkDocs's configuration. Nothing is loaded from elsewhere: no fonts, no scripts."""
    return load_config(
        config_file=str(ROOT / "docs" / "mkdocs.yml"),
        docs_dir=str(SOURCE),
        site_dir=str(out),
        nav=navigation,
        strict=True,
    )


def write_pages(run_notebooks: bool, play: bool) -> list[Any]:
    """All pages, below `SOURCE`; the navigation. `play`: there is a page to play in the browser."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "agents" / "zoo").glob("*/README.md")]
    for page in [*pages, ROOT / "suite" / "agents" / "README.md"]:
        copy(page)
    for picture in (ROOT / "docs" / "pictures").iterdir():
        shutil.copy(picture, SOURCE / "docs" / "pictures") if picture.is_file() else None
    if play:
        link_to_play("docs/browser.md")
    games = [(find(name).title, f"docs/games/{name}.md") for name in GAMES]
    shutil.copy(ROOT / "docs" / "site.css", SOURCE)
    write("index.md", home())
    write("docs/games/index.md", gallery())
    write("docs/rules/index.md", listed("Rules", [(title, Path(page).name) for title, page in games]))
    zoo = sorted(path.parent.name for path in (ROOT / "agents" / "zoo").glob("*/README.md"))
    write("agents/zoo/index.md", listed("Trained agents", [(name, f"{name}/README.md") for name in zoo]))
    notebooks = [write_notebook(path, run_notebooks) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    write("notebooks/index.md", listed("Notebooks", [(title, Path(page).name) for title, page in notebooks]))
    api = [write_api(title, modules) for title, modules in API.items()]
    rules = [(find(name).title, f"docs/rules/{name}.md") for name in GAMES if (ROOT / f"docs/rules/{name}.md").exists()]
    return [
        {"Home": "index.md"},
        {"Tutorials": [{title: page} for title, page in TUTORIALS.items()]},
        {"Games": ["docs/games/index.md", *({title: page} for title, page in games)]},
        {"Guides": [{title: page} for title, page in GUIDES.items()]},
        {"Plug-ins": [{title: page} for title, page in PLUGINS.items()]},
        {"Rules": ["docs/rules/index.md", *({title: page} for title, page in rules)]},
        {"Notebooks": ["notebooks/index.md", *({title: page} for title, page in notebooks)]},
        {"API": [{title: page} for title, page in api]},
        {"About": [*({title: page} for title, page in ABOUT.items()), {"Trained agents": "agents/zoo/index.md"}]},
    ]


def write(page: str, text: str) -> None:
    """Write a page of the site."""
    (SOURCE / page).parent.mkdir(parents=True, exist_ok=True)
    (SOURCE / page).write_text(text, encoding="utf-8")


def copy(page: Path) -> None:
    """A page of the repository, with the pictures that it shows; a link to what is no page becomes plain text."""
    there = page.relative_to(ROOT)

    def link(found: re.Match[str]) -> str:
        shown, text, target = found[1], found[2], found[3]
        goal = (page.parent / target).resolve()
        if goal == ROOT / "README.md":
            return f"[{text}]({os.path.relpath(ROOT / 'index.md', page.parent)}{found[4] or ''})"
        if goal.is_dir() and goal.relative_to(ROOT).as_posix() in INDEXED:
            return f"[{text}]({target.rstrip('/')}/index.md)"
        if goal.suffix in (".png", ".svg") and goal.is_file():
            (SOURCE / goal.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(goal, SOURCE / goal.relative_to(ROOT))
            return found[0]
        return found[0] if goal.suffix == ".md" or shown else f"`{text}`" if "`" not in text else text

    text = _LINK.sub(link, page.read_text(encoding="utf-8"))
    write(there.as_posix(), text if page.name == "README.md" else one_folder_up(text))


def link_to_play(page: str) -> None:
    """Let a page of the folder `docs` lead to the page to play in the browser."""
    text = (SOURCE / page).read_text(encoding="utf-8")
    link = f'<a class="md-button md-button--primary" href="../../{PLAY}">Play in the browser</a>'
    write(page, text.replace("<!-- play -->", link))


def one_folder_up(text: str) -> str:
    """A page whose pictures in HTML are found from its folder on the site: MkDocs turns `page.md` into `page/`."""
    return _HTML_PICTURE.sub(r'\1="../\2"', text)


INDEXED = ("docs/games", "docs/rules", "agents/zoo", "notebooks")


def home() -> str:
    """The README, with films."""
    text = (SOURCE / HOME).read_text(encoding="utf-8")
    (SOURCE / HOME).unlink()
    films = "\n".join(film(name, "docs/pictures", f"docs/games/{name}/") for name in FILMS)
    shown = f'<div class="films" markdown>\n{films}\n</div>'
    return "---\nhide: [navigation]\n---\n\n" + re.sub(r"<picture>.*?</picture>", shown, text, count=1, flags=re.DOTALL)


def film(name: str, pictures: str, page: str) -> str:
    """A game's moving picture, as HTML; a browser set to reduced motion shows a still one."""
    title = find(name).title
    return (
        f'<a href="{page}"><picture><source media="(prefers-reduced-motion: reduce)" srcset="{pictures}/{name}.svg">'
        f'<img alt="A round of {title}" src="{pictures}/{name}.webp" loading="lazy"></picture></a>'
    )


def gallery() -> str:
    """A moving picture of every game, with its numbers."""
    cells = []
    for name in GAMES:
        game = find(name)
        seats = f"{game.seats[0]} to {game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        cells.append(
            f"## [{game.title}]({name}.md)\n\n{seats} players, {game.num_actions} actions, `{game.id}`.\n\n"
            f"{film(name, '../pictures', f'{name}/')}"
        )
    return "# Games\n\n" + "\n\n".join(cells) + "\n"


def listed(title: str, pages: list[tuple[str, str]]) -> str:
    """A page that lists others."""
    return f"# {title}\n\n" + "\n".join(f"* [{text}]({page})" for text, page in pages) + "\n"


def write_api(title: str, modules: tuple[str, ...]) -> tuple[str, str]:
    """A page of docstrings."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        raise SystemExit(f"the API page {title} names {missing[0]}, which is not there")
    page = f"api/{title.lower().replace(' ', '-')}.md"
    write(page, f"# {title}\n\n" + "\n\n".join(f"::: {module}" for module in modules) + "\n")
    return title, page


def write_notebook(path: Path, run: bool) -> tuple[str, str]:
    """A notebook as a page: its title and place."""
    import nbformat
    from nbconvert import MarkdownExporter

    notebook = nbformat.read(path, as_version=4)
    if run:
        from nbclient import NotebookClient

        os.environ.setdefault("BANAKIL_NOTEBOOKS", "short")
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(ROOT)}}).execute()
    text, resources = MarkdownExporter().from_notebook_node(notebook)
    for name, content in resources.get("outputs", {}).items():
        target = SOURCE / "notebooks" / f"{path.stem}-{name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        text = text.replace(f"]({name})", f"]({target.name})")
    page = f"notebooks/{path.stem}.md"
    write(page, text)
    title = next(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
    return title, page


if __name__ == "__main__":
    main()
