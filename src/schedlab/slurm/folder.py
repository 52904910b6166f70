"""Folder of one run: scripts of its jobs, their output, and the marks that they leave."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from jinja2 import Environment, PackageLoader, StrictUndefined

import schedlab
from schedlab.slurm.client import SlurmError
from schedlab.slurm.client_lock import HEARTBEAT
from schedlab.slurm.journal import UNKNOWN, JournalError
from schedlab.slurm.tasks import TaskMarks

if TYPE_CHECKING:
    from schedlab.slurm.journal import Journal
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.workflows import Stage

#: file with the lines of a run without a terminal
PROGRESS = "progress.txt"
#: seconds between a job's start and that of its script, at most
BEFORE_S = 10
FOLDERS = ("commands", "jobs", "output", "marks")
#: kinds of marks that are named by the number of a job, or of its script
OF_JOBS = frozenset({"job", "began", "ended", "failed", "go", "idle", "left"})


@dataclass(frozen=True)
class Mark:
    """Mark of a job: a word, a number or a stage name, and its time in seconds since 1970."""

    words: tuple[str, ...]
    time: int


class FolderTakenError(SlurmError):
    """The folder of a run is another run's."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: is there and not empty; each run has a folder of its own")


class RunFolder:
    """Folder of one run of a workflow; new or empty, unless it is `resumed`."""

    def __init__(self, path: Path, described: WorkflowFile, resumed: bool = False) -> None:
        # jobs run in other working directories
        self.path = path.absolute()
        self._described = described
        #: part of all scripts' names, that no other run has, also if it reuses the folder's name
        self._token = uuid4().hex[:12]
        scripts = (self.path / "jobs").glob("*.sh")
        numbers = [int(script.name.partition(".")[0]) for script in scripts]
        self._numbers = count(max(numbers, default=0) + 1)
        if resumed:
            return
        if any(sign in str(self.path) for sign in "\\\n"):
            raise SlurmError(
                f"{self.path}: a backslash or a line break in the path, which sbatch and squeue "
                "cannot name; take another folder"
            )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            self.path.mkdir(mode=0o700)
        if any(self.path.iterdir()):
            raise FolderTakenError(path)
        for name in FOLDERS:
            try:
                (self.path / name).mkdir()
            except FileExistsError:  # of a run that has begun at the same time
                raise FolderTakenError(path) from None
        for stage in described.tasks:
            TaskMarks(self.path).prepare(stage)
        for name, command in described.commands.items():
            text = command if command.endswith("\n") else f"{command}\n"
            (self.path / "commands" / f"{name}.sh").write_text(text, encoding="utf-8")

    def follow(self, journal: Journal) -> None:
        """Go on after the jobs of a journal; raise JournalError if its end is missing."""
        requests = [record for record in journal.records if record["kind"] == "request"]
        scripts = {Path(record["request"]["script"]).name for record in requests}
        requested = {name.partition(".")[0] for name in scripts}
        numbers = {record["number"] for record in journal.records if record["kind"] == "accepted"}
        # a job whose number was not printed left it in a mark
        numbers |= {self.claimed(Path(name)) for name in scripts}
        jobs = {str(number) for number in numbers}
        # also after a script that was not written
        self._numbers = count(max(map(int, requested), default=0) + 1)
        newer = [path for path in (self.path / "jobs").glob("*.sh") if path.name not in scripts]
        for path in (self.path / "marks").glob("*"):
            number, _, kind = path.name.rpartition(".")
            if kind in OF_JOBS and number not in (requested if kind == "job" else jobs):
                newer.append(path)
        for stage in self._described.tasks:
            marks = TaskMarks(self.path).jobs(stage)
            newer += [path for path, number in marks if number not in numbers]
        if newer:
            raise JournalError(
                f"{journal.path}: its end is missing: no line is about the job of "
                f"{min(newer)}; {UNKNOWN}"
            )

    def next_script(self, stage: Stage) -> Path:
        """Return the path of the script of the next job."""
        return self.path / "jobs" / f"{next(self._numbers)}.{stage.name}.{self._token}.sh"

    def script(
        self, stage: Stage, awaits: tuple[str, ...], poll: float, path: Path | None = None
    ) -> Path:
        """Write the script of one job, by default of the next: a stage, all as one, or workers.

        Without the ends of `awaits` it idles, and looks every `poll` seconds; it stops if the
        client has shown no heartbeat for longer than the stage's tolerance.
        """
        workflow = self._described.workflow
        path = path or self.next_script(stage)
        number = int(path.name.partition(".")[0])
        cells = {"workflow": workflow.name, "marks": self.path / "marks", "poll": poll}
        cells["number"] = number
        if stage.name in self._described.tasks:
            limit = self._described.minutes(stage)
            cells |= {"stage": stage.name, "folder": self.path, "python": sys.executable}
            cells |= {"source": Path(schedlab.__file__).parents[1]}
            # a job begins a moment before its script
            cells |= {"seconds": 60 * limit - BEFORE_S, "width": self._described.width(stage)}
            cells |= {"tolerance": self._described.tolerance(stage.name)}
            text = _templates().get_template("worker.sh.j2").render(cells)
        elif stage in workflow.stages:
            command = self.path / "commands" / f"{stage.name}.sh"
            cells |= {"stage": stage.name, "awaits": awaits, "command": command}
            cells |= {"heartbeat": self.path / HEARTBEAT}
            cells |= {"tolerance": self._described.tolerance(stage.name)}
            text = _templates().get_template("stage.sh.j2").render(cells)
        else:
            stages = [workflow.stages[number] for number in workflow.order]
            places = {name: self.path / name for name in ("commands", "output")}
            cells |= {"stages": stages, "free": stage.cores} | places
            text = _templates().get_template("whole.sh.j2").render(cells)
        draft = path.with_suffix(".part")
        draft.write_text(text, encoding="utf-8")
        draft.chmod(0o755)
        return draft.replace(path)

    def output(self, stage: str, number: int | None = None) -> Path:
        """Return the output file of a job; without a number, the pattern for sbatch."""
        path = self.path / "output" / f"{stage}.{number}.txt"
        if number is not None:
            return path
        return Path(str(path.parent).replace("%", "%%")) / f"{stage}.%j.txt"

    def finish(self, stage: str) -> None:
        """Leave the mark of a stage whose tasks have all succeeded, as a stage's job does."""
        draft = self.path / "marks" / f"{stage}.part"
        draft.write_text(f" {int(time.time())}\n")
        draft.replace(draft.with_suffix(".done"))

    def is_finished(self, stage: str) -> bool:
        """Return whether a stage has ended successfully."""
        return (self.path / "marks" / f"{stage}.done").exists()

    def claimed(self, script: Path) -> int:
        """Return the number of the job that runs a script, by its mark; 0 if none has begun."""
        try:
            return int((self.path / "marks" / f"{script.name.partition('.')[0]}.job").read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def mark(self, number: int, kind: str) -> Mark | None:
        """Return the mark that a job left (began, ended or failed); None if there is none."""
        path = self.path / "marks" / f"{number}.{kind}"
        try:
            *words, time = path.read_text(encoding="utf-8").split()
        except (FileNotFoundError, ValueError):  # not there, or not as a job writes it
            return None
        return Mark(tuple(words), int(time))

    def go(self, number: int) -> bool:
        """Release an idling job by a file that only one side can make; False if it gave up."""
        path = self.path / "marks" / f"{number}.go"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            return path.stat().st_size == 0
        return True

    def is_released(self, number: int) -> bool:
        """Return whether an idling job was released, or has stopped idling."""
        return (self.path / "marks" / f"{number}.go").exists()

    def gave_up(self, number: int) -> bool:
        """Return whether a job has stopped idling because its client was gone."""
        try:
            return (self.path / "marks" / f"{number}.go").stat().st_size > 0
        except FileNotFoundError:
            return False


def next_folder(parent: Path, name: str) -> Path:
    """Return a folder that does not exist yet: NAME.1, NAME.2 and so on."""
    return next(path for k in count(1) if not (path := parent / f"{name}.{k}").exists())


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("schedlab.slurm", "scripts"),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        # {# has a meaning in bash
        comment_start_string="<#",
        comment_end_string="#>",
    )
    environment.filters["shell"] = lambda value: shlex.quote(str(value))
    return environment
