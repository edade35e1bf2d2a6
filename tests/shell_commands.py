"""Commands as text, for tests: found in pages and in what programs print, and parsed by the real command line."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import make_players
from banakil_env.cli import application

COMMANDS = typer.main.get_group(application())


class Parsed(Exception):
    """A program has read its arguments, and would begin its work now."""


def commands_in(text: str) -> Iterator[str]:
    """The commands `banakil ...` and `python -m ...` at the beginning of a line, a prompt or a colon before them."""
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        found = re.match(r"\s*(?:\S*bin/)?((?:banakil [a-z]|python -m [a-z_]+\.)[^#]*)", line)
        if found:
            yield re.split(r"  +| > | \| |;", found[1].strip())[0]


def parse(command: str) -> dict[str, Any]:
    """The arguments of a command by name. UsageError, SystemExit: the real command line refuses them."""
    words = shlex.split(command)
    if words[0] == "banakil":
        chosen = COMMANDS.commands[words[1]]
        return dict(chosen.make_context(words[1], words[2:]).params)
    return _parse_module(words[2], words[3:])


def _parse_module(module: str, words: list[str]) -> dict[str, Any]:
    read = argparse.ArgumentParser.parse_args

    def stop(self: argparse.ArgumentParser, args: Any = None, namespace: Any = None) -> Any:
        raise Parsed(read(self, args, namespace))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", stop)
        patch.setattr("sys.argv", [module, *words])
        program = importlib.import_module(module)
        main: Any = program.main
        if "config" in inspect.signature(main).parameters:  # tyro reads it
            given = [word for word in words if word != "--help"]
            return dataclasses.asdict(pytest.importorskip("tyro").cli(program.Config, args=given))
        with pytest.raises(Parsed) as parsed:
            main()
    return dict(vars(parsed.value.args[0]))


def check_match(command: str) -> TableOptions:
    """The table of a printed `banakil arena ...`, whose players can all sit down. ValueError: it, or they, cannot."""
    said = parse(command)
    rules = said["rules"] or [None]
    table = TableOptions(
        game=said["game"],
        num_players=said["num_players"],
        partners=said["partners"],
        rules=rules[0],
        episode=said["episode"],
    )
    make_players(said["players"], table.found)
    return table
