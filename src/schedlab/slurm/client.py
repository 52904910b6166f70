"""Commands of Slurm that a workflow needs, with errors that tell you what to do."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from schedlab.slurm.client_environment import command_environment, forbidden_variables

COMMANDS = ("sbatch", "squeue", "scancel", "scontrol", "sinfo")
#: job, state, submission, start, end, reason of waiting
FORMAT = "%i|%T|%V|%S|%e|%r"
#: states of jobs that have not begun, or will begin again; a booting node counts as no start
WAITING = frozenset(
    {
        *("PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"),
        "RESV_DEL_HOLD",
    }
)
#: partition, nodes, processors of each of them, and the least and most nodes of a job
NODES = "%P|%D|%c|%s"
#: job, user, submission, state, name, script and comment; the last two may contain any sign
IDENTITY = "%A|%U|%V|%T|%j|%o|%k"
#: seconds after which a command of Slurm counts as not answered; sbatch alone tries for two minutes
#: to submit to a full queue
TIMEOUT_S = 180.0
#: seconds by which the clocks of this machine and of the controller may differ
SKEW = 600
#: Answers after which the same request may succeed later: limits on submitted jobs, a full queue,
#: or no contact with the controller. All other refusals are final.
TEMPORARY = re.compile(
    r"""
    (QOS|Assoc)(Max|Grp)\w*Submit        # QOSMaxSubmitJobPerUserLimit, AssocGrpSubmitJobsLimit ...
    | temporarily\ (un|disabled)         # unable to accept job; unavailable (a full queue)
    | job\ queue\ full
    | (controller|slurmctld|system)\b.*\bbusy
    | timed\ out | Unable\ to\ contact\ slurm\ controller
    | Zero\ Bytes\ were\ transmitted
    | Message\ (send|receive)\ failure | Communication\ (connection|shutdown)
    | Connection\ (refused|reset) | No\ route\ to\ host | Network\ is\ unreachable
    | Unable\ to\ establish\ (controller|control\ machine)
    | in\ standby\ mode | failure\ in\ name\ resolution
    | authentication\ (error|credential) | Munge\ encode\ failed  # munged is restarting
    """,
    re.IGNORECASE | re.VERBOSE,
)
#: states of jobs that have begun and have not ended
RUNNING = frozenset(
    {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING"}
)


class SlurmError(RuntimeError):
    """Slurm is missing, refuses a request, or one of its jobs fails."""


class TemporaryError(SlurmError):
    """Slurm did not answer, or refuses for now; an unanswered request may have been accepted."""


@dataclass(frozen=True)
class SbatchRequest:
    """Request for sbatch.

    `%j` in the name of the output file is replaced by the job number. `mark` is a text that no
    other job has. It becomes the comment, unless the options have one, and is part of the script's
    name.
    """

    name: str
    script: Path
    output: Path
    cores: int
    minutes: int
    options: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    mark: str = ""
    made: int = 0
    width: int = 1

    @property
    def arguments(self) -> list[str]:
        """Arguments of sbatch, as on the command line."""
        fixed = [
            f"--job-name={self.name}",
            f"--output={self.output}",
            *self._shape,
            # after a node failure, a job must not restart without the strategy's knowledge
            "--no-requeue",
        ]
        if self.after:
            fixed.append(f"--dependency=afterok:{':'.join(map(str, self.after))}")
            fixed.append("--kill-on-invalid-dep=yes")
        if self.mark and not any(option.startswith("--comment") for option in self.options):
            fixed.append(f"--comment={self.mark}")
        return [*self.options, *fixed, str(self.script)]

    @property
    def test_arguments(self) -> list[str]:
        """Arguments of ``sbatch --test-only`` for a job of this shape, without a script."""
        return ["--test-only", *self.options, *self._shape, "--wrap=:"]

    @property
    def _shape(self) -> list[str]:
        shape = [f"--ntasks={self.cores // self.width}", f"--time={self.minutes}"]
        return [*shape, *[f"--cpus-per-task={self.width}"] * (self.width > 1)]

    def as_dict(self) -> dict[str, Any]:
        """Return the request as a dict for JSON, without its dependencies."""
        values = {name: value for name, value in vars(self).items() if name != "after"}
        return values | {"script": str(self.script), "output": str(self.output)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the request of a dict of `as_dict`."""
        paths = {name: Path(values[name]) for name in ("script", "output")}
        return cls(**dict(values) | paths | {"options": tuple(values["options"])})


@dataclass(frozen=True)
class Seen:
    """State of a job as squeue reports it, by Slurm's name: PENDING, RUNNING, COMPLETED ...

    Times are in seconds since 1970. If the job has not started or ended, start or end is Slurm's
    expected time or None. `reason` is why it waits, or why it failed.
    """

    state: str
    submit: int
    start: int | None = None
    end: int | None = None
    reason: str = "None"

    @property
    def begun(self) -> bool:
        """Whether it has started; a job that was cancelled before its start has only an end."""
        return self.state not in WAITING and self.start is not None

    @property
    def over(self) -> bool:
        """Whether it has ended, successfully or not."""
        return self.state not in WAITING | RUNNING


class Slurm:
    """The Slurm of this machine, and its clock."""

    def __init__(self, timeout: float = TIMEOUT_S) -> None:
        if problem := forbidden_variables():
            raise SlurmError(problem)
        if missing := [name for name in COMMANDS if not shutil.which(name)]:
            raise SlurmError(
                f"no Slurm found: {missing[0]} is not in PATH; run this where sbatch works, as on "
                "a login node"
            )
        self._timeout = timeout
        self._cluster: str | None = None
        self._place: Path | None = None
        self._variables: dict[str, str] | None = None
        self._shared: tuple[int, ...] = ()

    def time(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Sleep for some seconds."""
        time.sleep(seconds)

    def submit_from(self, place: Path, variables: Mapping[str, str], shared: int) -> None:
        """Submit all jobs from a folder and with the SBATCH_* variables of a run's beginning.

        `shared` is the descriptor of a lock, which lasts until a started sbatch has ended too.
        """
        if not place.is_dir():
            raise SlurmError(f"{place}: no such folder, jobs of this run are submitted from there")
        self._place, self._variables, self._shared = place, dict(variables), (shared,)

    def system(self, partition: str | None = None) -> str:
        """Return the system that waits are learned by: cluster and (default) partition."""
        try:
            return self._system(partition or os.environ.get("SBATCH_PARTITION"))
        except SlurmError as error:
            raise SlurmError(f"there is no Slurm here, or it does not answer: {error}") from None

    def _system(self, partition: str | None) -> str:
        if partition is None:
            lines = self._run("sinfo", "--noheader", "--format=%P").split()
            default = [line[:-1] for line in lines if line.endswith("*")]
            partition = default[0] if default else "any"
        self._cluster = self._cluster_name()
        return f"{self._cluster}/{partition}"

    def _cluster_name(self) -> str:
        if name := self.configuration().get("ClusterName"):
            return name
        raise SlurmError("scontrol show config: says no ClusterName")

    def configuration(self) -> dict[str, str]:
        """Return the cluster's settings by name; raise `SlurmError` if Slurm does not answer."""
        lines = self._run("scontrol", "show", "config").splitlines()
        cells = (line.partition("=") for line in lines)
        return {name.strip(): value.strip() for name, _, value in cells}

    def partitions(self, names: str | None = None) -> list[str]:
        """Return sinfo's lines, by `NODES`, about partitions, which a comma separates.

        Without names, it is the default partition; without one, all.
        """
        names = names or os.environ.get("SBATCH_PARTITION")
        chosen = [f"--partition={names}"] if names else []
        lines = self._run("sinfo", "--noheader", "--exact", *chosen, f"--format={NODES}")
        by_default = [line for line in lines.splitlines() if line.partition("|")[0].endswith("*")]
        return lines.splitlines() if names else by_default or lines.splitlines()

    def test_start(self, request: SbatchRequest) -> int:
        """Return when ``sbatch --test-only`` expects a job to start, in seconds since 1970."""
        output = self._run("sbatch", *request.test_arguments, env=_UNIX_TIMES, with_errors=True)
        match = re.search(r"\bto start at (\S+)", output)
        if match is None or (start := _second(match[1])) is None:
            words = " ".join(output.split())
            raise SlurmError(f"sbatch --test-only printed {words!r}, which names no start")
        return start

    def submit(self, request: SbatchRequest) -> int:
        """Submit a job and return its number.

        After each of them Slurm may have accepted the job: see `find`.
        """
        output = self._run("sbatch", "--parsable", *request.arguments)
        printed = re.fullmatch(r"([0-9]+)(?:;([^;\s]+))?\n?", output)
        if printed is None or not int(printed[1]):
            raise SlurmError(f"sbatch printed {output!r}, not one line with a job's number")
        if printed[2] and self._cluster and printed[2] != self._cluster:
            raise SlurmError(
                f"sbatch submitted job {printed[1]} to cluster {printed[2]}, not to "
                f"{self._cluster}: cancel it there"
            )
        return int(printed[1])

    def find(self, request: SbatchRequest) -> int:
        """Return the number of the job of a request, if Slurm accepted it; 0 if none is known."""
        output = self._run(
            "squeue", "--me", "--noheader", "--states=all", f"--format={IDENTITY}", env=_UNIX_TIMES
        )
        return next((int(line.partition("|")[0]) for line in _own(output, request)), 0)

    def jobs(self, numbers: Iterable[int]) -> dict[int, Seen]:
        """Return the state of each job that Slurm still knows; it forgets jobs after their end."""
        if not (sorted_numbers := sorted(numbers)):
            return {}
        try:
            output = self._states(sorted_numbers, FORMAT)
        except SlurmError as error:
            if "Invalid job id" in str(error):
                return {}
            raise
        rows = (line.split("|") for line in output.splitlines() if line.count("|") == 5)
        return {
            int(cells[0]): Seen(cells[1], *map(_second, cells[2:5]), cells[5]) for cells in rows
        }

    def recorded(self, number: int, request: SbatchRequest) -> Seen | None:
        """Return the end of a job from the accounting; None if there is none, or no accounting."""
        columns = "JobIDRaw,State,Submit,Start,End,JobName"
        command = ("sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={number}")
        since = f"--starttime=now-{max(0, int(time.time()) - request.made) + SKEW}seconds"
        try:
            output = self._run(*command, since, f"--format={columns}", env=_UNIX_TIMES)
        except SlurmError:
            return None
        for line in output.splitlines():
            cells = line.split("|", 5)
            if len(cells) < 6 or (cells[0], cells[5]) != (str(number), request.name):
                continue
            seen = Seen(cells[1].partition(" ")[0], *map(_second, cells[2:5]))
            if seen.over and (seen.submit or 0) >= request.made - SKEW:
                return seen
        return None

    def exit_code(self, number: int) -> str:
        """Return a job's exit code and signal, such as "3:0", or "unknown" if Slurm forgot it."""
        try:
            output = self._run("scontrol", "show", "job", "--oneliner", str(number))
        except SlurmError:
            return "unknown"
        fields = dict(word.partition("=")[::2] for word in output.split())
        return fields.get("ExitCode", "unknown")

    def cancel(
        self, requests: Mapping[int, SbatchRequest], pending_only: bool = False
    ) -> tuple[int, ...]:
        """Cancel jobs by number; return the numbers of jobs that are left because they are others'.

        Numbers are reused. So each job is compared with its request before: cluster, user, name,
        script or mark, and submit time. It has no effect on jobs that have ended, nor on running
        ones if `pending_only`. Raises `SlurmError`, and cancels nothing, if Slurm does not answer.
        """
        if not requests:
            return ()
        if self._cluster and (cluster := self._cluster_name()) != self._cluster:
            raise SlurmError(f"this machine's cluster is {cluster} now, it was {self._cluster}")
        try:
            output = self._states(requests, IDENTITY)
        except SlurmError as error:
            if "Invalid job id" in str(error):
                return ()
            raise
        lines = {int(line.partition("|")[0]): line for line in output.splitlines() if "|" in line}
        own = [
            number
            for number, request in requests.items()
            if number in lines and _own(lines[number], request)
        ]
        if own:
            states = ["--state=PENDING"] if pending_only else []
            self._run("scancel", "--quiet", *states, *map(str, own))
        return tuple(number for number in requests if number in lines and number not in own)

    def _states(self, numbers: Iterable[int], columns: str) -> str:
        """Return columns of squeue for some jobs, with times in seconds since 1970."""
        jobs = f"--jobs={','.join(map(str, numbers))}"
        command = ("squeue", "--noheader", "--states=all", jobs, f"--format={columns}")
        return self._run(*command, env=_UNIX_TIMES)

    def _run(
        self, *command: str, env: Mapping[str, str] | None = None, with_errors: bool = False
    ) -> str:
        """Run a command, protected from Ctrl-C, and return its output, and its errors if asked."""
        is_submission = command[0] == "sbatch"
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env=command_environment(is_submission, self._variables) | dict(env or {}),
                start_new_session=True,
                cwd=self._place if is_submission else None,
                pass_fds=self._shared if is_submission else (),
            )
        except OSError as error:  # no further process, no memory
            if error.filename == self._place:
                raise
            if isinstance(error, FileNotFoundError):
                raise TemporaryError(f"{command[0]} is not in PATH") from None
            raise TemporaryError(f"{command[0]}: cannot be started: {error}") from error
        try:
            output, errors = process.communicate(timeout=self._timeout)
        except subprocess.TimeoutExpired:
            raise TemporaryError(
                f"{command[0]}: no answer within {self._timeout:g} s, given up"
            ) from None
        finally:
            _end(process)
        if process.returncode:
            words = " ".join((errors or output).split())
            error = TemporaryError if TEMPORARY.search(words) else SlurmError
            raise error(f"{command[0]}: {words or f'ended with {process.returncode}'}")
        return output + errors * with_errors


_UNIX_TIMES = {"SLURM_TIME_FORMAT": "%s"}


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a command that still runs, with its children, which would keep its output open."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _own(output: str, request: SbatchRequest) -> list[str]:
    """Return the lines of `IDENTITY` that describe the job of a request."""
    lines = []
    for line in output.splitlines():
        if line.count("|") < 6:
            continue
        _, user, submit, _, name, texts = line.strip().split("|", 5)
        time = _second(submit)
        # a site may replace the comment; the script's name has the mark too
        marked = texts.startswith(f"{request.script}|") or (
            bool(request.mark) and texts.endswith(f"|{request.mark}")
        )
        since = request.made - SKEW
        if user == str(os.getuid()) and name == request.name and marked and (time or 0) >= since:
            lines.append(line)
    return lines


def _second(cell: str) -> int | None:
    """Return a time from squeue's output; None if there is none."""
    if cell.isdigit():
        return int(cell)
    try:
        # from a Slurm with only one time format: local time
        return int(datetime.fromisoformat(cell).timestamp())
    except ValueError:
        return None
