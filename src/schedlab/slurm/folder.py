"""The folder of one run: what its jobs run, what they print, and the marks that they leave."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from schedlab.slurm.client import SlurmError

if TYPE_CHECKING:
    from schedlab.slurm.described import Described
    from schedlab.waits.workflows import Stage

FOLDERS = ("commands", "jobs", "output", "marks")


@dataclass(frozen=True)
class Mark:
    """What a job left: a word, a number or the name of a stage, and when, in seconds since 1970."""

    words: tuple[str, ...]
    time: int


class RunFolder:
    """The folder of one run.

    Parameters
    ----------
    path : Path
        A folder that is not there yet, or is empty.
    described : Described
        What is run.

    Raises
    ------
    SlurmError
        There is something in the folder.
    """

    def __init__(self, path: Path, described: Described) -> None:
        # jobs run elsewhere
        self.path = path.absolute()
        self._described = described
        if self.path.is_dir() and any(self.path.iterdir()):
            raise SlurmError(f"{path}: is there and not empty; each run has a folder of its own")
        for name in FOLDERS:
            (self.path / name).mkdir(parents=True)
        for name, command in described.commands.items():
            text = command if command.endswith("\n") else f"{command}\n"
            (self.path / "commands" / f"{name}.sh").write_text(text, encoding="utf-8")
        self._numbers = count(1)

    def script(self, stage: Stage, awaits: tuple[str, ...], poll: float) -> Path:
        """Write the script of one job.

        Parameters
        ----------
        stage : Stage
            What it runs: one of the workflow, or all of them as one.
        awaits : tuple of str
            Names of stages without whose ends it idles.
        poll : float
            Seconds between two looks of one that idles.
        """
        workflow = self._described.workflow
        cells = {"workflow": workflow.name, "marks": self.path / "marks", "poll": poll}
        if stage in workflow.stages:
            command = self.path / "commands" / f"{stage.name}.sh"
            cells |= {"stage": stage.name, "awaits": awaits, "command": command}
            text = _templates().get_template("stage.sh.j2").render(cells)
        else:
            stages = [workflow.stages[number] for number in workflow.order]
            places = {name: self.path / name for name in ("commands", "output")}
            cells |= {"stages": stages, "free": stage.cores} | places
            text = _templates().get_template("whole.sh.j2").render(cells)
        path = self.path / "jobs" / f"{next(self._numbers)}.{stage.name}.sh"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def output(self, stage: str, number: int | None = None) -> Path:
        """Return where the output of a job goes; sbatch fills in its number."""
        return self.path / "output" / f"{stage}.{'%j' if number is None else number}.txt"

    def mark(self, number: int, kind: str) -> Mark | None:
        """Return the mark that a job left: began, ended or failed."""
        path = self.path / "marks" / f"{number}.{kind}"
        try:
            *words, time = path.read_text(encoding="utf-8").split()
        except FileNotFoundError:
            return None
        return Mark(tuple(words), int(time))

    def go(self, number: int) -> None:
        """Let a job that idles run after all."""
        (self.path / "marks" / f"{number}.go").touch()


def next_folder(parent: Path, name: str) -> Path:
    """Return a folder that is not there yet: NAME.1, NAME.2 and so on."""
    return next(path for k in count(1) if not (path := parent / f"{name}.{k}").exists())


def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("schedlab.slurm", "scripts"),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        # bash has {# of its own
        comment_start_string="<#",
        comment_end_string="#>",
    )
    environment.filters["shell"] = lambda value: shlex.quote(str(value))
    return environment
