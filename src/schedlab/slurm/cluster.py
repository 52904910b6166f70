"""A real Slurm on this machine, from Debian's packages: one controller, several virtual nodes."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from schedlab.slurm.client import SlurmError
from schedlab.slurm.settings import (
    SETTINGS,
    SMALL,
    SiteNodes,
    SlurmNodes,
    of_another,
    settings_in_place,
)


def speed() -> float:
    """Return the seconds that pass for this process per real second, by faketime."""
    setting = os.environ.get("FAKETIME", "+0 x1")
    offset, _, factor = setting.partition(" x")
    if offset != "+0" or not factor:
        raise ValueError(f"FAKETIME is '{setting}', must be '+0 x' and a factor")
    return float(factor)


def faketime_prefix(factor: float) -> list[str]:
    """Return the prefix of a command that makes its clocks run `factor` times faster."""
    return ["faketime", "-f", f"+0 x{factor:g}"]


PACKAGES = ("munge", "slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins")
COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
# timeout in seconds of the possibly accelerated clock, for daemons and the end of jobs
TIMEOUT_S = 60 * speed()
#: environment variables that configure Slurm's commands and daemons: SLURM_CONF, SBATCH_...
CONFIGURES = re.compile(r"SLURM|(SBATCH|SQUEUE|SCANCEL|SINFO|SRUN|SALLOC|SPRIO|SACCT|SCONTROL)_")
#: Debian runs it before a service starts: exit code 101 forbids the start
POLICY_RC_D = Path("/usr/sbin/policy-rc.d")


class UnavailableError(SlurmError):
    """Slurm cannot run on this machine: no root, or a package is missing."""


@dataclass(frozen=True)
class RunningSlurm:
    """A Slurm that was started here; its daemons are by name: munge, slurmctld, n1 ..."""

    folder: Path
    daemons: dict[str, subprocess.Popen]
    machine: SlurmNodes | SiteNodes = SMALL

    def completed(self) -> list[dict[str, str]]:
        """Read the jobs in the order of their ends: JobId, JobState, StartTime, NodeList ..."""
        record = self.folder / "completed.txt"
        lines = record.read_text().splitlines() if record.exists() else []
        return [dict(cell.split("=", 1) for cell in line.split() if "=" in cell) for line in lines]

    @contextlib.contextmanager
    def under(self, lines: Iterable[str], files: Mapping[str, str] | None = None) -> Iterator[None]:
        """Restart the controller with other lines of slurm.conf and more files, by name."""
        try:
            with settings_in_place(self.folder, self.machine, lines, files or {}):
                self.restart()
                wait_until_idle(self.machine)
                try:
                    yield
                finally:
                    cancel_jobs()
        finally:
            self.restart()

    def restart(self) -> None:
        """Restart the controller; jobs stay."""
        end(self.daemons["slurmctld"])
        start_controller(self.folder, self.daemons)


def install(packages: Iterable[str] = PACKAGES, commands: Iterable[str] = COMMANDS) -> None:
    """Install Debian's packages if one of their commands is missing, without their services."""
    if os.geteuid():
        raise UnavailableError("Slurm is brought up by root alone")
    missing = ", ".join(command for command in commands if not shutil.which(command))
    if not missing:
        return
    if of_another():
        raise UnavailableError(
            f"Missing: {missing}; this machine has a Slurm's settings ({SETTINGS}/slurm.conf), and "
            "what is installed there might join it: install it yourself, or go elsewhere"
        )
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with services_not_started():
        for arguments in (["update"], ["install", "--no-install-recommends", *packages]):
            try:
                run("apt-get", "-qq", *arguments, env=environment)
            except FileNotFoundError:
                raise UnavailableError(f"Missing: {missing}, and apt-get to install it") from None
            except SlurmError as error:
                raise UnavailableError(f"{missing} could not be installed: {error}") from error


@contextlib.contextmanager
def services_not_started() -> Iterator[None]:
    """Keep packages from starting services; an administrator's existing policy stays in force."""
    try:
        with POLICY_RC_D.open("x") as policy:
            policy.write("#!/bin/sh\nexit 101\n")
    except FileExistsError:
        yield
        return
    try:
        POLICY_RC_D.chmod(0o755)
        yield
    finally:
        POLICY_RC_D.unlink()


def clean_environment() -> dict[str, str]:
    """Return the environment without variables that configure Slurm."""
    return {name: value for name, value in os.environ.items() if not CONFIGURES.match(name)}


@contextlib.contextmanager
def running(
    machine: SlurmNodes | SiteNodes = SMALL, lines: Iterable[str] = ()
) -> Iterator[RunningSlurm]:
    """Start Slurm with these lines of slurm.conf, yield it with all nodes idle, and stop it."""
    if place := os.environ.get("SLURM_CONF"):
        raise SlurmError(f"SLURM_CONF is {place}: unset it, only one Slurm may run here")
    install()
    # also if the controller of another Slurm does not answer
    if of_another():
        raise SlurmError(f"{SETTINGS}/slurm.conf is of another Slurm; it is left alone")
    if "is UP" in ping():
        raise SlurmError("Another Slurm answers on this machine; it is left alone")
    with contextlib.ExitStack() as cleanup:
        folder = Path(tempfile.mkdtemp(prefix="schedlab-slurm-"))
        cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
        # munged refuses a socket that other users cannot reach
        folder.chmod(0o755)
        cleanup.enter_context(settings_in_place(folder, machine, lines))
        try:
            daemons = start_daemons(folder, machine, cleanup)
        except SlurmError as error:
            raise SlurmError(f"{error}\n{ends_of_logs(folder)}") from error
        cleanup.callback(cancel_jobs)
        yield RunningSlurm(folder, daemons, machine)


def start_daemons(
    folder: Path, machine: SlurmNodes | SiteNodes, cleanup: contextlib.ExitStack
) -> dict[str, subprocess.Popen]:
    """Start munged, the controller and the nodes, and return them; the cleanup ends them."""
    daemons = {}
    cleanup.callback(lambda: [end(daemon) for daemon in reversed(daemons.values())])
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(128))
    (folder / "state").mkdir()
    places = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "daemon.log"}
    places["seed-file"] = "seed"
    munge = [f"--{option}={folder}/munge.{name}" for option, name in places.items()]
    daemons["munge"] = start(folder, "munge", "munged", "--foreground", *munge)
    wait_until("munge's socket", (folder / "munge.socket").exists)
    start_controller(folder, daemons)
    for name in machine.names:
        daemons[name] = start_node(folder, name)
    with contextlib.suppress(SlurmError):
        wait_until_idle(machine, TIMEOUT_S / 4)
    # on a busy machine a node's first message may get lost, and the next one comes much later
    for name, state in node_states():
        if state != "idle":
            end(daemons[name])
            daemons[name] = start_node(folder, name)
    wait_until_idle(machine)
    return daemons


def start_controller(folder: Path, daemons: dict[str, subprocess.Popen]) -> None:
    """Start the controller as one of the daemons, and wait until it answers."""
    daemons["slurmctld"] = start(folder, "slurmctld", "slurmctld", "-D")
    wait_until("the controller", lambda: "is UP" in ping())


def start_node(folder: Path, name: str) -> subprocess.Popen:
    """Start the daemon of a node."""
    return start(folder, name, "slurmd", "-D", "-N", name)


def start(folder: Path, name: str, *command: str) -> subprocess.Popen:
    """Start a daemon in the foreground, with its output in a log."""
    with (folder / f"{name}.log").open("a") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def end(daemon: subprocess.Popen) -> None:
    """End a daemon; kill it after a timeout."""
    daemon.terminate()
    try:
        daemon.wait(TIMEOUT_S / 4)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()


def ping() -> str:
    """Return the controller's answer to a ping; it contains "... is UP" if it runs."""
    return run("scontrol", "ping", check=False)


def wait_until_idle(machine: SlurmNodes | SiteNodes, timeout: float = TIMEOUT_S) -> None:
    """Wait until all nodes are idle."""
    idle = ["idle"] * machine.nodes
    wait_until("idle nodes", lambda: [state for _, state in node_states()] == idle, timeout)


def node_states() -> list[list[str]]:
    """Return name and state of every node."""
    lines = run("sinfo", "--noheader", "--Node", "--format=%N %T", check=False).splitlines()
    return [line.split() for line in lines]


def cancel_jobs() -> None:
    """Cancel all remaining jobs, so that none outlives its node."""
    run("scancel", "--user=root", "--full", check=False)
    with contextlib.suppress(SlurmError):
        wait_until("the end of all jobs", lambda: not run("squeue", "--noheader", check=False))


def wait_until(what: str, happened: Callable[[], bool], timeout: float = TIMEOUT_S) -> None:
    """Wait until something has happened; raise SlurmError after a timeout."""
    end = time.monotonic() + timeout
    while not happened():
        if time.monotonic() > end:
            raise SlurmError(f"Slurm is not as it should be: no sign of {what} in {timeout:g} s")
        time.sleep(0.2 * speed())


def run(*command: str, check: bool = True, env: dict[str, str] | None = None) -> str:
    """Run a command and return its output; raise SlurmError with all output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if check and done.returncode:
        raise SlurmError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def ends_of_logs(folder: Path) -> str:
    """Return the last lines of every daemon's log."""
    lines = []
    for log in sorted(folder.glob("*.log")):
        lines += [f"{log.name}:", *log.read_text(errors="replace").splitlines()[-10:]]
    return "\n".join(lines)
