"""The command `banakil suite`: lists the tasks, runs a player through them, and verifies files of runs."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.status import Status
from rich.table import Column, Table
from rich.text import Text

from banakil_env.core.terminal import complain, escaped, in_line, leave, say
from banakil_env.suite.agents import check_deals, compare_text, read_runs, summary_text
from banakil_env.suite.answers import figures_text, read_answer
from banakil_env.suite.ask import answer, write_answer
from banakil_env.suite.claims import DEGREES, RERUN, VerifyError
from banakil_env.suite.confirm import confirm_text, read_pair
from banakil_env.suite.deals import PUBLIC, SEALED, commitment, draw_key, read_key
from banakil_env.suite.file import RunFile, RunFileError, read_run
from banakil_env.suite.protocols import find_protocol
from banakil_env.suite.protocols import protocols as known_protocols
from banakil_env.suite.run import OtherRunError, RunOptions, existing_run, run_task
from banakil_env.suite.show import game_text, run_text
from banakil_env.suite.tasks import Task, find_task, task_sets, tasks_of
from banakil_env.suite.verify import Verdict
from banakil_env.suite.verify import verify as look_into

suite = typer.Typer(help="Standing tasks and protocols: run a player, verify the file.", no_args_is_help=True)
console = Console()

# Files that each hold one agent: single files, folders of runs (`python -m train`), folders in the layout of the
# Hugging
# Face Hub.
AGENT_FILES = ("*.safetensors", "*/agent.safetensors", "*/model.safetensors")


@contextlib.contextmanager
def _told(command: str, broken_off: str = "") -> Iterator[None]:
    """Inside the block, print an error as one line and exit."""
    try:
        yield
    except (ValueError, RuntimeError, OSError, ImportError) as error:
        leave(f"banakil suite {command}: {error}")
    except KeyboardInterrupt:
        leave(f"broken off{broken_off}")


@suite.command("list")
def list_tasks(
    of_set: Annotated[str, typer.Option("--set", help="the tasks of a set: rummy-core, or all")] = "all",
) -> None:
    """List the tasks."""
    with _told("list"):
        table = Table(box=None, pad_edge=False)
        for title in ("task", "digest"):
            table.add_column(title, no_wrap=True)
        for title in ("table", "anchors", "± points"):
            table.add_column(title, overflow="fold")
        for task in tasks_of(of_set):
            table.add_row(task.short, task.digest[:12], _table_text(task), " ".join(task.anchors), f"{task.width:g}")
        console.print(table)
        sets = ", ".join(f"{name} ({len(members)})" for name, members in task_sets().items())
        say(f"\nSets: {sets}. `banakil suite run TASK PLAYER --out FILE` runs one.", console)


def _table_text(task: Task) -> str:
    """The description of a table in a few words."""
    said = dict(task.options)
    seats = f"{said.pop('num_players')} players"
    partners = {True: "partners", False: "individuals", None: ""}[said.pop("partners", None)]
    return ", ".join(filter(None, [seats, partners, *map(str, said.values())]))


@suite.command()
def run(
    names: Annotated[list[str], typer.Argument(help="TASK PLAYER; no TASK with --set, no PLAYER with --agents")],
    out: Annotated[Path, typer.Option(help="the file; of several runs the folder")],
    of_set: Annotated[str | None, typer.Option("--set", help="every task of a set: rummy-core, or all")] = None,
    agents: Annotated[
        Path | None, typer.Option(help="a folder of agents, the training seeds of one algorithm: a run for each")
    ] = None,
    part: Annotated[
        str, typer.Option(help="of the deals: public, public-2 to confirm it, or development while you tune")
    ] = PUBLIC,
    sealed: Annotated[Path | None, typer.Option(help="the file of the key of sealed deals")] = None,
    processes: Annotated[int, typer.Option(help="number of processes; 0: one for each core")] = 0,
    ray: Annotated[bool, typer.Option("--ray", help="play on a Ray cluster; --processes of its processors")] = False,
    deals: Annotated[int | None, typer.Option(help="deals in every match: for a first look, not a result")] = None,
    without_zoo: Annotated[bool, typer.Option("--without-zoo", help="leave out the anchor that needs PyTorch")] = False,
) -> None:
    """Run a player through a task, or through every task of a set. The same command continues an interrupted run.

    A file that already exists is not written again. If it holds another run than the requested one, nothing is played.
    """
    with _told("run", f"; the same command continues from there, in {out}.parts or {out}"):
        wanted, players = _wanted(names, of_set, agents)
        key = read_key(sealed) if sealed is not None else None
        options: dict[str, Any] = {
            "part": part if key is None else SEALED,
            "key": key,
            "deals": deals,
            "without_zoo": without_zoo,
            "processes": processes or (0 if ray else os.cpu_count() or 1),
            "cluster": ray,
        }
        several = of_set is not None or agents is not None
        runs = []
        for label, player in players.items():
            for task in wanted:
                name = "-".join(filter(None, (task.short, label)))
                runs.append((task, player, out / f"{name}.zip" if several else out))
        done = _existing_runs(runs, RunOptions(**options))
        for task, player, file in runs:
            if file in done:
                say(f"{file} exists already, and is this run", console)
                continue
            done[file] = _run(task, player, file, options)
            say(run_text(done[file]), console)
            say(f"written: {file}", console)
        if agents is not None:
            check_deals(done)
            say(summary_text([done[file] for _, _, file in runs]), console)


def _wanted(names: list[str], of_set: str | None, agents: Path | None) -> tuple[list[Task], dict[str, str]]:
    """The tasks, and the players by the names of their files.

    Raises ValueError if there are too many or too few names.
    """
    given = [what for what, said in (("TASK", of_set), ("PLAYER", agents)) if said is None]
    if len(names) != len(given):
        raise ValueError(f"expected {' '.join(given) or 'no name'}, not {' '.join(names)!r:.200}")
    wanted = [find_task(names[0])] if of_set is None else list(tasks_of(of_set))
    if agents is None:
        return wanted, {"": names[-1]}
    files = sorted({path for pattern in AGENT_FILES for path in agents.glob(pattern)})
    if not files:
        raise ValueError(f"{agents} holds no agents: no {', no '.join(AGENT_FILES)}")
    return wanted, {"-".join(path.relative_to(agents).with_suffix("").parts): f"net:{path}" for path in files}


def _existing_runs(runs: list[tuple[Task, str, Path]], options: RunOptions) -> dict[Path, RunFile]:
    """The runs whose files already exist.

    For each file with another run a message is printed; then OtherRunError is raised.
    """
    found = {}
    faults = []
    for task, player, file in runs:
        try:
            if file.exists():
                found[file] = existing_run(task, player, file, options)
        except OtherRunError as error:
            faults.append(str(error))
    for fault in faults[:-1]:
        complain(f"banakil suite run: {in_line(fault)}")
    if faults:
        raise OtherRunError(faults[-1])
    return found


def _run(task: Task, player: str, file: Path, options: dict[str, Any]) -> RunFile:
    columns = (
        TextColumn(task.short, table_column=Column(no_wrap=True)),
        BarColumn(bar_width=12),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold")),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        row = bar.add_task("compiling, checking the engine", total=None)

        def tell(match: str, done: int, most: int, text: str) -> None:
            bar.update(row, completed=done, total=most or None, description=escaped(f"against {match}: {text}"))

        return run_task(task, player, file, RunOptions(**options, progress=tell))


@suite.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="files of runs")],
    player: Annotated[
        str | None, typer.Option(help="the player of the run, which has to make the same moves; {table} in its name")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="deals of each match that the player plays again")] = None,
    seed: Annotated[int | None, typer.Option(help="that draws the sample; random unless given")] = None,
    key: Annotated[Path | None, typer.Option(help="the file of the key of sealed deals")] = None,
    degree: Annotated[str, typer.Option(help=f"look no deeper than {', '.join(DEGREES)}")] = RERUN,
) -> None:
    """Verify files of runs to a degree: reported, replayed, or rerun. Exit status 1 if a file does not reach it."""
    failed = False
    with _told("verify"):
        if degree not in DEGREES:
            raise ValueError(f"the degrees are {', '.join(DEGREES)}, not {degree!r:.40}")
        opened = read_key(key) if key is not None else None
        for file in files:
            with console.status("") as status:
                found = _verdict_on(
                    file,
                    player=player,
                    sample=sample,
                    seed=seed,
                    key=opened,
                    degree=degree,
                    progress=_teller(status, file),
                )
            if isinstance(found, str):
                failed = True
                complain(f"banakil suite verify: {in_line(found)}")
                continue
            say(f"{in_line(file)}: {found.degree}", console)
            for note in found.notes:
                say(f"  {in_line(note)}", console)
            say(run_text(found.run), console)
    if failed:
        sys.exit(1)


def _verdict_on(file: Path, **options: Any) -> Verdict | str:
    """The verdict on a file, or the reason why there is none.

    Errors are returned, so that the other files are verified too.
    """
    try:
        return look_into(file, **options)
    except VerifyError as error:
        return f"{file}: NOT {error.missed}: {error}" + (f" (it is {error.reached})" if error.reached else "")
    except RunFileError as error:  # its text already names the file
        return str(error)
    except (ValueError, RuntimeError, OSError, ImportError, MemoryError) as error:
        return f"{file}: NOT verified: {error}"
    except Exception as error:  # any other error that a damaged file causes
        return f"{file}: NOT verified: the check ended with {type(error).__name__}: {error!s:.200}; please report it"


def _teller(status: Status, file: Path) -> Callable[[str], None]:
    return lambda text: status.update(Text(in_line(f"{file}: {text}")))


@suite.command()
def seal(file: Annotated[Path, typer.Argument(help="file for the key, which nobody else can read")]) -> None:
    """Draw a key for sealed deals. Publish the line that is printed before the contest, and the key after it."""
    with _told("seal"):
        if file.exists():
            raise ValueError(f"{file} exists already: a key is never drawn twice; name another file")
        key = draw_key()
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(key + "\n")
        say(f"SHA-256 of the key: {commitment(key)}", console)


@suite.command()
def show(
    file: Annotated[Path, typer.Argument(help="the file of a run")],
    match: Annotated[str | None, typer.Option(help="one game as a record: the opponent")] = None,
    deal: Annotated[int, typer.Option(help="which deal")] = 0,
    table: Annotated[int, typer.Option(help="which table of the deal")] = 0,
    key: Annotated[Path | None, typer.Option(help="the file of the key of sealed deals")] = None,
) -> None:
    """Show the figures of a run, or one of its games as a record that `banakil show` reads."""
    with _told("show"):
        run = read_run(file)
        if match is None:
            say(run_text(run), console)
        else:
            opened = read_key(key) if key is not None else None
            say(game_text(run, match, deal, table, opened), end="")


@suite.command()
def compare(
    one: Annotated[Path, typer.Argument(help="a folder of runs: one algorithm, a run for each training seed and task")],
    other: Annotated[Path, typer.Argument(help="another one, on the same tasks")],
) -> None:
    """Compare two algorithms by the runs of their training seeds: interquartile means, probability of improvement."""
    with _told("compare"):
        runs, others = read_runs(one, other)
        say(compare_text(str(one), runs, str(other), others), console)


@suite.command()
def confirm(
    result: Annotated[Path, typer.Argument(help="the file of a run")],
    second: Annotated[Path, typer.Argument(help="that of the same player on other deals, such as --part public-2")],
    key: Annotated[Path | None, typer.Option(help="the file of the key of sealed deals")] = None,
) -> None:
    """Compare the figures of a second run, on other deals, with those of the first.

    Both files must be *reported*, which `banakil suite verify` checks.
    """
    with _told("confirm"):
        opened = read_key(key) if key is not None else None
        say(confirm_text(*read_pair(result, second, opened)), console)


@suite.command("protocols")
def list_protocols() -> None:
    """List the protocols: questions that one table cannot answer."""
    with _told("protocols"):
        table = Table("protocol", "kind", "question", box=None, pad_edge=False)
        table.columns[0].no_wrap = True
        for protocol in known_protocols().values():
            table.add_row(protocol.name, protocol.kind, protocol.question)
        console.print(table)
        say("\n`banakil suite ask PROTOCOL PLAYER --out FILE` puts one to a player.", console)


@suite.command("ask")
def ask_player(
    protocol: Annotated[str, typer.Argument(help="the name of a protocol; `banakil suite protocols` lists them")],
    player: Annotated[str, typer.Argument(help="the player; {decisions} in its name where a game is left out")],
    out: Annotated[Path, typer.Option(help="the file of the answer")],
    until: Annotated[int | None, typer.Option(help="where a game is left out: the last number of decisions")] = None,
    deals: Annotated[int | None, typer.Option(help="as many in every match: a first look, not a result")] = None,
) -> None:
    """Measure a player by a protocol, and write the answer: the results of every deal, and the figures."""
    with _told("ask"):
        if out.exists():
            raise ValueError(
                f"{out} exists already, and an answer is never written over: name another file, or remove it"
            )
        with console.status("compiling") as status:

            def tell(what: str, done: int, most: int) -> None:
                status.update(Text(in_line(f"{what}: {done} of {most} deals")))

            write_answer(answer(find_protocol(protocol), player, until=until, deals=deals, progress=tell), out)
        say(figures_text(read_answer(out)), console)
        say(f"written: {out}", console)
