"""Verifies the file of a run, in three degrees, each of which includes the one before.

*reported*: the file is complete. It holds every deal of the task until the task's rule ends the match, and its figures
follow from its records. *replayed*: every record is legal play of these deals by these rules with the stated points,
the opponents that the task fixes (*anchors*) make their recorded moves, and the Merkle root is that of the records.
*rerun*: the player, which must be given, makes the same moves on all deals or on a sample.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banakil_env.arena.apart import end_all, set_apart
from banakil_env.arena.identities import identity_of
from banakil_env.arena.outcomes import Outcomes, outcomes_fault
from banakil_env.arena.players import CompiledPlayer, Player, PlayerError, make_players
from banakil_env.arena.results import Results
from banakil_env.suite.claims import REPLAYED, REPORTED, RERUN, VerifyError, check_claims, forged
from banakil_env.suite.deals import SEALED, commitment, key_of_task, published_key
from banakil_env.suite.figures import enough, figures, filled, results_of
from banakil_env.suite.file import RunFile, parse_line, read_run, root_of_match
from banakil_env.suite.fixed import check_behaviour, check_zoo
from banakil_env.suite.replay import Fault, action_numbers, replay_faults
from banakil_env.suite.tasks import BASELINE, ZOO, Task, TaskError

__all__ = ["REPLAYED", "REPORTED", "RERUN", "Verdict", "VerifyError", "reported", "verify"]

TOLERANCE = 2e-6  # for figures that are rounded to six decimals
FAULTS_SHOWN = 3

Progress = Callable[[str], None]


@dataclass
class Verdict:
    """The result for a file without faults.

    Attributes:
        run: the file.
        task: its task.
        degree: the degree that was reached.
        notes: the parts that were not checked, and why.
    """

    run: RunFile
    task: Task
    degree: str
    notes: list[str] = field(default_factory=list)


def verify(
    path: Path,
    *,
    player: str | Player | Callable[..., Any] | None = None,
    sample: int | None = None,
    seed: int | None = None,
    key: str | None = None,
    degree: str = RERUN,
    progress: Progress | None = None,
) -> Verdict:
    """Verify the file of a run to the highest possible degree.

    Args:
        path: the file.
        player: the player of the run, which plays its games again. None: the degree is *replayed* at most.
        sample: the number of deals of each match that the player plays again; None for all.
        seed: the seed that draws the sample; None for a random one.
        key: the key of sealed deals. Without it the degree is *reported* at most.
        degree: the highest degree to check.
        progress: called with a line before each part.

    Raises:
        RunFileError: the file is damaged.
        VerifyError: the file has a fault; the text names the place and the fault.
        TaskError: this installation cannot verify the file.
        PlayerError: there is no such player.
    """
    tell = progress or (lambda text: None)
    tell("figures and records")
    claim = _Claim(read_run(path))
    claim.check_reported()
    verdict = Verdict(claim.run, claim.task, REPORTED)
    if degree == REPORTED:
        return verdict
    if not claim.find_key(key):
        verdict.notes.append("the deals are sealed: with their key (--key FILE) the games can be replayed")
        return verdict
    tell("every game again")
    verdict.notes += claim.check_replayed(tell)
    verdict.degree = REPLAYED
    if player is not None and degree == RERUN:
        tell("the player again")
        verdict.notes += claim.check_rerun(player, sample, seed, tell)
        verdict.degree = RERUN
    return verdict


def reported(path: Path) -> RunFile:
    """Read a file and check that it is *reported*: whole, and its claims and figures agree with its records.

    Raises:
        RunFileError: the file is damaged.
        VerifyError: the file is not *reported*; the text begins with the file's name.
    """
    try:
        return verify(path, degree=REPORTED).run
    except VerifyError as error:
        raise VerifyError(REPORTED, f"{path} is not {REPORTED}: {error}") from None


class _Claim:
    """The claims of a file, checked part by part. Raises VerifyError if they do not agree with each other."""

    def __init__(self, run: RunFile) -> None:
        self.run, self.said = run, run.manifest
        self.task = check_claims(run.manifest)
        self.deals: dict[str, list[Outcomes]] = {}
        self.key = ""

    def check_reported(self) -> None:
        """Raise VerifyError if the file is incomplete or its figures do not follow from its records."""
        self._check_roots()
        for name in self.run.lines:
            self.deals[name] = self._deals_of(name)
        played = {name: results_of(self.task, name, deals) for name, deals in self.deals.items()}
        self._check_counts(played)
        _compare("figures", self.said["figures"], figures(self.task, played))

    def _check_roots(self) -> None:
        for name, said in self.said["matches"].items():
            lines = self.run.lines[name]
            if said != {"deals": len(lines), "root": root_of_match(name, lines)}:
                raise forged(
                    f"match {name}: the {len(lines)} records in the file are not those of its root: a record was "
                    f"edited, dropped or added after the run"
                )

    def _deals_of(self, name: str) -> list[Outcomes]:
        """The tables of a match, with empty values for everything that the figures do not need."""
        seats = [table.seats for table in self._plan(name).tables([0])]
        found = []
        for number, line in enumerate(self.run.lines[name]):
            try:
                deal, tables = parse_line(line)
            except ValueError as error:
                raise forged(f"match {name}, line {number + 1} is not a record: {error}") from None
            if deal != number:
                raise forged(
                    f"match {name}: deal {number} is missing, and deal {deal} is in its place: one was dropped"
                )
            whole = [filled(table, len(set(own))) for table, own in zip(tables, seats)]
            fault = outcomes_fault(whole if len(tables) == len(seats) else tables, seats)
            if fault:
                raise forged(f"match {name}, deal {deal}: {fault}")
            found.append(whole)
        if len(found) < 2:
            raise forged(f"match {name} has {len(found)} deals: two at least make an interval")
        return found

    def _plan(self, name: str) -> Any:
        key = key_of_task(self.key, self.task) if self.key else "00" * 32
        return self.task.plan(name, key)

    def _check_counts(self, played: Mapping[str, Results]) -> None:
        """Check that every match ends by the task's rule, or has the number of deals of a short run."""
        counts = {name: len(results.deals) for name, results in played.items()}
        if self.said["short"]:
            if len(set(counts.values())) > 1:
                raise forged(f"a short run has as many deals in every match, not {_listed(counts)}")
            return
        for name, results in played.items():
            if name == BASELINE:
                wanted: int | None = counts[self.task.reference]
            else:
                wanted = enough(results, self.task.most)
            if wanted != counts[name]:
                where = f"ends after {wanted}" if wanted else "goes on"
                raise forged(
                    f"match {name} has {counts[name]} deals, and by the rule of the task it {where}: deals were "
                    f"dropped or added"
                )

    def find_key(self, key: str | None) -> bool:
        """Whether the key of the deals is known. Raises VerifyError if the given key was not used for the deals."""
        deals = self.said["deals"]
        if deals["part"] == SEALED and key is None:
            return False
        self.key = key if deals["part"] == SEALED and key is not None else published_key(deals["part"])
        if commitment(self.key) != deals["key_sha256"]:
            raise VerifyError(REPLAYED, "the deals come from another key than the one given: their digests differ")
        return True

    def check_replayed(self, tell: Progress) -> list[str]:
        """Play all games again, with the real anchors; returns descriptions of the parts that were not checked.

        Raises VerifyError for a fault, and TaskError if an anchor is not available.
        """
        check_behaviour(self.task)
        notes, actions = list[str](), action_numbers(self.task.found)
        for name in self.run.lines:
            tell(f"match {name}")
            plan = self._plan(name)
            seated: list[Player | None] = [None, None]
            for place, label in enumerate(plan.players):
                if label in self.task.anchors:
                    seated[place] = self._anchor(label, notes)
            faults = replay_faults(plan, name, seated, dict(enumerate(self.run_tables(name))), actions)
            self._refuse(REPLAYED, name, faults)
        return notes

    def run_tables(self, name: str) -> list[list[dict[str, Any]]]:
        """The recorded tables of a match, deal by deal."""
        return [parse_line(line)[1] for line in self.run.lines[name]]

    def _anchor(self, label: str, notes: list[str]) -> Player | None:
        try:
            if label == ZOO:
                check_zoo(self.task)
            return make_players([self.task.player_of(label)], self.task.found)[0]
        except (TaskError, PlayerError) as error:
            if label != ZOO:
                raise
            notes.append(f"the moves of the anchor zoo were taken as recorded: {error}")
            return None

    def _refuse(self, degree: str, name: str, faults: Sequence[Fault]) -> None:
        """Raise VerifyError if there are faults. The text describes them and gives the first one."""
        if not faults:
            return
        of_deal = {fault.deal for fault in faults}
        count = len(self.deals[name])
        first = min(of_deal)
        if degree == RERUN:
            what = "another player's records, or a player that answers differently when watched"
        elif len(of_deal) > 0.9 * count:
            what = "records of other rules, of other deals or of another anchor"
        elif first < count - 3 and len(of_deal) > 0.9 * (count - first):
            what = f"from deal {first} on the records are of other deals: one was dropped or put in"
        else:
            what = "an edited record"
        shown = "; ".join(map(str, faults[:FAULTS_SHOWN]))
        more = f"; and {len(faults) - FAULTS_SHOWN} more tables" if len(faults) > FAULTS_SHOWN else ""
        raise VerifyError(degree, f"{what}: {shown}{more}")

    def check_rerun(self, player: Any, sample: int | None, seed: int | None, tell: Progress) -> list[str]:
        """Let the player play again; returns descriptions of the parts that were not checked.

        Raises VerifyError if it is another player or makes other moves.
        """
        name = player.replace("{table}", self.task.name) if isinstance(player, str) else player
        made = make_players([name], self.task.found)[0]
        notes = self._check_identity(made)
        actions = action_numbers(self.task.found)
        drawn = seed if seed is not None else random.SystemRandom().getrandbits(32)
        matches = [match for match in self.run.lines if match != BASELINE]
        anchors = {match: self._anchor(match, []) for match in matches}
        present = [match for match, anchor in anchors.items() if anchor is not None]
        apart = set_apart([made, *(anchor for anchor in anchors.values() if anchor is not None)])
        seated = dict(zip(present, apart[1:]))
        try:
            for match in matches:
                tell(f"match {match}")
                tables = dict(enumerate(self.run_tables(match)))
                if sample is not None and sample < len(tables):
                    chosen = sorted(random.Random(f"{drawn} {match}").sample(range(len(tables)), sample))
                    tables = {deal: tables[deal] for deal in chosen}
                pair = (apart[0], seated.get(match))
                self._refuse(RERUN, match, replay_faults(self._plan(match), match, pair, tables, actions))
        finally:
            end_all(apart)
        if sample is not None:
            notes.append(f"played again were {sample} deals of each match at most, drawn by --seed {drawn}")
        return notes

    def _check_identity(self, player: Player) -> list[str]:
        """Raise VerifyError if the player is not that of the file; returns notes for the verdict.

        A rule-based player that has changed since is accepted with a note, since its moves are compared anyway.
        """
        found = identity_of(player)
        if found.digest == self.said["player"]["digest"]:
            return []
        text = (
            f"the player {found.name} has the digest {found.digest[:12]}, and the file is of "
            f"{self.said['player']['name']:.80}, digest {self.said['player']['digest'][:12]}"
        )
        if isinstance(player, CompiledPlayer) and player.name == self.said["player"]["name"]:
            return [f"{text}: it has changed since, at this table or another; its moves are compared"]
        raise VerifyError(RERUN, f"another player's records: {text}")


def _compare(place: str, said: Any, found: Any) -> None:
    """Raise VerifyError if a figure in the file differs from the one computed from its records."""
    if isinstance(found, dict):
        if not isinstance(said, dict) or said.keys() != found.keys():
            raise forged(f"{place} must have exactly {', '.join(found)}")
        for name, value in found.items():
            _compare(f"{place}.{name}", said[name], value)
    elif type(said) not in (int, float) or type(found) not in (int, float):
        if said != found:
            raise forged(f"{place} is {said!r:.40} in the file, and its records give {found!r}: it was changed")
    elif not abs(said - found) <= TOLERANCE:
        raise forged(f"{place} is {said} in the file, and its records give {found}: a figure was changed")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} in {name}" for name, count in counts.items())
