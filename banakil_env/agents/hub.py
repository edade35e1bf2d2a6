"""Agents in the layout of the Hugging Face Hub: `hub:FOLDER`.

    python -m banakil_env.agents.hub demo build/my-agent --against greedy expert
    banakil arena hub:build/my-agent greedy

`model.safetensors` is the agent's file, byte for byte, or with weights in float16 (`--half`). `config.json` has the
content of its metadata as plain JSON. `README.md` is the model card, with the agent's results on the arena's deals. The
Hub's own commands are `hf upload OWNER/NAME FOLDER` and `hf download OWNER/NAME --local-dir FOLDER`. Loading runs no
code. A configuration that does not match the weights is refused, and so is every file that `banakil_env.agents.network`
refuses.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open

from banakil_env import __version__
from banakil_env.agents.metadata import object_of
from banakil_env.agents.network import Agent, AgentError, NetworkPlayer, file_of, load, save_agent
from banakil_env.arena import CompiledPlayer, Interval, Results, interval, play_match
from banakil_env.arena.generations import MODEL
from banakil_env.arena.report import duration, table_title
from banakil_env.core.files import parse_json, read_within, write_whole
from banakil_env.core.game import Game
from banakil_env.core.install import install_line
from banakil_env.core.markdown import markdown_table
from banakil_env.core.terminal import complain, say
from banakil_env.games import GAMES, find

CONFIG, CARD = "config.json", "README.md"
AGENT = "agent"  # the agent's name in the matches of its card
LIBRARY = "banakil-env"
DEALS = 500
DEALS_UNADVISED = 400  # upper limit for the match without the adviser
MOST_BYTES_OF_CONFIG = 1 << 24


def make(argument: str, game: Game) -> NetworkPlayer:
    """The player of `hub:FOLDER`.

    Raises:
        AgentError: the agent cannot be played; the message gives the reason.
    """
    if not argument:
        raise AgentError("name the folder of the agent: hub:FOLDER")
    agent = load_folder(argument, game)
    return NetworkPlayer(agent.network, f"hub:{argument}", agent.about)


def load_folder(folder: str | Path, game: Game | None = None) -> Agent:
    """Read an agent from a folder in the Hub's layout.

    Args:
        folder: the folder.
        game: the game that it must play; None: any game.

    Raises:
        AgentError: a file is missing or damaged, or the configuration does not match the weights.
    """
    model, config = Path(folder) / MODEL, Path(folder) / CONFIG
    for file in (model, config):
        if not file.is_file():
            raise AgentError(f"there is no {file}: a folder of an agent holds {MODEL} and {CONFIG}")
    agent = load(model, game)
    try:
        content = read_within(config, MOST_BYTES_OF_CONFIG)
    except ValueError as error:
        raise AgentError(f"{config} {error}") from error
    try:
        said = parse_json(content.decode(), finite=False)
    except ValueError as error:
        raise AgentError(f"{config} is damaged: {error}") from error
    meant = _config(model)
    if said != meant:
        differing = [name for name in meant if not isinstance(said, dict) or said.get(name) != meant[name]]
        raise AgentError(
            f"{config} does not match {MODEL} ({', '.join(differing) or 'it has more entries'}): get both files again"
        )
    return agent


def export(
    agent: str | Path,
    folder: str | Path,
    against: Sequence[str] = (),
    *,
    name: str | None = None,
    deals: int = DEALS,
    licence: str = "mit",
    half: bool = False,
    history: str = "",
) -> None:
    """Write an agent as a folder in the Hub's layout.

    Args:
        agent: its file or folder, as in `net:PATH`.
        folder: the folder to write.
        against: rule-based players of the game. The model card reports matches against them on the deals of arena-v1,
            at the table that the agent was trained at (the game's default table if the agent does not name one).
        name: the model's name; None: the name of the folder.
        deals: number of deals of each match.
        licence: the license by the Hub's identifier, in lower case.
        half: store the weights in float16; the matches are played with these weights.
        history: a text in Markdown about the training, for the model card.

    Raises:
        AgentError: there is no such agent, or huggingface_hub is missing.
        ValueError: there is no such player.
    """
    file, folder = file_of(agent), Path(folder)
    loaded = load(file)
    network = loaded.network.to(torch.float16).float() if half else loaded.network
    game = network.game
    table = loaded.table
    _card_classes()  # check first: the matches take minutes
    played = {
        other: play_match(
            [NetworkPlayer(network, AGENT), CompiledPlayer(other, game)],
            deals=deals,
            budget=None,
            game=game.name,
            **table.options,
        )
        for other in against
    }
    alone = None
    if network.shape.advice and against:
        alone = play_match(
            [NetworkPlayer(network, AGENT, advised=False), CompiledPlayer(against[-1], game)],
            deals=min(deals, DEALS_UNADVISED),
            budget=None,
            game=game.name,
            **table.options,
        )
    card = model_card(loaded, name or folder.resolve().name, played, licence, history, alone)
    if half:
        save_agent(folder / MODEL, network, loaded.about, torch.float16)
    else:
        write_whole(folder / MODEL, file.read_bytes())
    write_config(folder)
    write_whole(folder / CARD, card.encode())


def _card_classes() -> tuple[Any, Any]:
    """The classes of the Hub's library for a model card.

    Raises:
        AgentError: the library is missing.
    """
    try:
        from huggingface_hub import EvalResult, ModelCardData
    except ImportError:
        raise AgentError(f"the model card needs huggingface_hub: {install_line('hub')}") from None
    return EvalResult, ModelCardData


def model_card(
    agent: Agent,
    name: str,
    played: Mapping[str, Results],
    licence: str,
    history: str = "",
    unadvised: Results | None = None,
) -> str:
    """The text of README.md: first the metadata for the Hub, then the text for people.

    Args:
        agent: the agent.
        name: the model's name.
        played: by opponent, the match of AGENT against it.
        licence: the license by the Hub's identifier.
        history: a text in Markdown about the training.
        unadvised: the match of AGENT without its adviser against the last opponent; None: no such match.
    """
    EvalResult, ModelCardData = _card_classes()
    game = agent.network.game
    figures = [
        EvalResult(
            task_type="reinforcement-learning",
            task_name="Reinforcement learning",
            dataset_type=game.id.replace("/", "-"),
            dataset_name=f"{table_title(results)}, {results.plan.seed_set}, against {other}",
            dataset_config=f"against {other}",  # the Hub distinguishes matches by this field, not by their names
            dataset_split=results.plan.seed_set,
            metric_type=kind,
            metric_name=text,
            metric_value=value,
        )
        for other, results in played.items()
        for kind, text, value in (
            ("margin", "points per deal ahead", str(results.margin(AGENT, other))),
            ("win_rate", "share of tables won", round(results.win(AGENT, other).mean, 4)),
        )
    ]
    data = ModelCardData(
        model_name=name,
        library_name=LIBRARY,
        pipeline_tag="reinforcement-learning",
        tags=["reinforcement-learning", "card-game", "rummy", game.name, game.id.replace("/", "-")],
        license=licence,
        metrics=["margin", "win_rate"] if figures else None,
        eval_results=figures or None,
    )
    return f"---\n{data.to_yaml()}\n---\n{_page(agent, name, played, history, unadvised)}"


def _page(agent: Agent, name: str, played: Mapping[str, Results], history: str, unadvised: Results | None) -> str:
    game = agent.network.game
    heads = (
        "against",
        "points per deal ahead (95 %)",
        "(99 %)",
        "points per deal",
        "tables won",
        "a decision",
        "deals",
    )
    rows = [_cells(other, results) for other, results in played.items()] or [["nobody yet", *[""] * (len(heads) - 1)]]
    tables = {table_title(results) for results in played.values()}
    return "\n".join(
        [
            f"\n# {name}\n",
            wrapped(
                f"An agent for {game.title} (`{game.id}` of {LIBRARY} {__version__}). It sees what its seat can see, "
                "and plays the likeliest legal action."
            ),
            "## How it fares\n",
            wrapped(
                "".join(f"{table}. " for table in sorted(tables)) + "Duplicate deals of `arena-v1`, which training "
                "never saw. Points are those of the agent's own seats; a decision is timed on one core of the machine "
                "that played."
            ),
            markdown_table(heads, rows),
            *([f"\n{_of_unadvised(agent, unadvised)}".rstrip()] if unadvised else []),
            *([f"\n{history.strip()}"] if history else []),
            "\n## How to play it\n",
            "From a checkout of the project, with this folder downloaded:\n",
            f"```\n{agent.table.match_command('hub:FOLDER', 'greedy')}\n```\n",
            "Loading it runs no code: the weights are safetensors, checked against their digest.\n",
            "## What it was made by\n",
            f"```json\n{json.dumps(agent.about, indent=1)}\n```\n",
        ]
    )


def wrapped(paragraph: str) -> str:
    """A paragraph of a model card, wrapped at 120 characters and followed by an empty line."""
    return textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _of_unadvised(agent: Agent, results: Results) -> str:
    """The paragraph of a model card about the agent's strength without its adviser."""
    adviser, other = agent.network.shape.advice, results.plan.players[1]
    wide, wider = (interval(results.margins()[:, 0], level) for level in (0.95, 0.99))
    return wrapped(unadvised_text(str(adviser), other, wide, wider.half_width))


def unadvised_text(adviser: str, other: str, lead: Interval, wider: float) -> str:
    """The sentence of a model card about the agent's strength without its adviser.

    Args:
        adviser: the adviser's name.
        other: the opponent's name.
        lead: the lead over the opponent in points per deal, with its half width at 95 %.
        wider: the half width at 99 %.
    """
    return (
        f"Without the move of `{adviser}`, which it sees at every decision, the agent is {lead} points per deal ahead "
        f"of `{other}` (95 %; 99 %: ± {wider:.2f}; {lead.deals} deals). It was never trained without it."
    )


def _cells(other: str, results: Results) -> list[str]:
    """The match against `other` as the cells of one row of the model card's table."""
    surely = interval(results.margins()[:, 0], 0.99)
    points = results.player(AGENT)["points"]
    return [
        f"`{other}`",
        str(results.margin(AGENT, other)),
        f"± {surely.half_width:.2f}",
        str(points),
        f"{results.win(AGENT, other).mean:.1%}",
        duration(results.seconds(AGENT)),
        str(surely.deals),
    ]


def write_config(folder: Path) -> None:
    """Write the metadata of the agent in a folder as JSON."""
    write_whole(folder / CONFIG, (json.dumps(_config(folder / MODEL), indent=2) + "\n").encode())


def _config(model: Path) -> dict[str, Any]:
    """The metadata of an agent's file, which has been checked before, as plain values."""
    with safe_open(str(model), "pt") as opened:
        said = opened.metadata() or {}
    return {name: object_of(said, name) if name in ("shape", "about") else said[name] for name in sorted(said)}


def _rule_based() -> list[str]:
    """The names of the rule-based players of all games."""
    return list(dict.fromkeys(name for game in GAMES for name in find(game).kinds))


def main(arguments: list[str] | None = None) -> int:
    """Run the command `python -m banakil_env.agents.hub`."""
    parser = argparse.ArgumentParser(
        prog="python -m banakil_env.agents.hub",
        description="Export an agent to a folder in the Hub's layout.",
    )
    parser.add_argument("agent", help="its file or folder, as net:PATH takes it")
    parser.add_argument("folder", type=Path, help="to be written")
    parser.add_argument("--against", nargs="*", default=[], choices=_rule_based(), help="play these for the card")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--name", help="of the model; the folder's unless said")
    parser.add_argument("--licence", default="mit", help="as the Hub names them")
    parser.add_argument("--half", action="store_true", help="store the weights in float16")
    options = parser.parse_args(arguments)
    try:
        export(
            options.agent,
            options.folder,
            options.against,
            name=options.name,
            deals=options.deals,
            licence=options.licence,
            half=options.half,
        )
    except (ValueError, OSError) as error:
        complain(f"agents.hub: {error}")
        return 1
    say(f"let it play: {load(options.folder).table.match_command(f'hub:{options.folder}', 'greedy')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
