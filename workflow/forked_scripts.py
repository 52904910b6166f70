"""Run Snakemake with its Python scripts in copies of one process that has imported the libraries.

usage: python workflow/forked_scripts.py [arguments of snakemake]

A script of the workflow takes about a second to import NumPy, pandas and matplotlib, often longer
than its work. Here one process imports them once, and each script runs in a fork of it. Results,
logs and benchmarks are those of `snakemake`.
"""

from __future__ import annotations

import functools
import gc
import inspect
import json
import os
import runpy
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import traceback
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from snakemake.script import PythonScript

#: what many scripts import; nothing of schedlab, which may be another one in every folder
LIBRARIES = (
    "snakemake.script",
    "jinja2",
    "jsonschema",
    "pandas",
    "pyarrow.parquet",
    "scipy.optimize",
    "scipy.stats",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf",
    "matplotlib.figure",
)

#: BLAS reads these when it is loaded: with more threads it may add numbers in another order
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS")}
#: what `PythonScript` must have been created with for its method to be replaced
NEEDED = {"threads", "resources", "bench_record", "conda_env", "container_img", "env_modules"}
#: longest path of a socket on all systems, in bytes
LONGEST_ADDRESS = 100


def import_libraries() -> None:
    """Import the libraries of the scripts, BLAS on one thread; skip one that is not installed.

    Garbage collections of copies of this process then leave them alone. Otherwise each copy would
    write to all their pages, and so have to copy them: a sixth of a script that draws a figure.
    """
    os.environ.update(ONE_THREAD)
    for name in LIBRARIES:
        try:
            import_module(name)
        except ImportError:
            continue
    gc.collect()
    gc.freeze()


def fork(call: Callable, *arguments: object) -> int:
    """Start `call` in a copy of this process.

    Returns
    -------
    int
        Number of the new process. Its exit code is that of a program that runs `call` alone.
    """
    if child := os.fork():
        return child
    code = 1
    try:
        call(*arguments)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:  # the process ends here, whatever happened
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def wait_for(child: int) -> int:
    """Wait until a process of `fork` ends; return its exit code, negative if a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run_script(path: str, folder: str, environment: dict[str, str]) -> None:
    """Run a script as if this process had been started for it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # it depends on the environment
    sys.argv = [path]
    runpy.run_path(path, run_name="__main__")


class _Request(socketserver.StreamRequestHandler):
    """One script: a line with its path, folder and environment; answers: process and exit code."""

    def handle(self) -> None:
        child = fork(run_script, *json.loads(self.rfile.readline()))
        self.wfile.write(b"%d\n" % child)
        self.wfile.write(b"%d\n" % wait_for(child))


class _Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    """Starts scripts until the process that it serves ends."""

    def __init__(self, address: str) -> None:
        super().__init__(address, _Request)
        self.served = os.getpid()

    def serve(self) -> None:
        """Serve; Ctrl-C ends the scripts, and Snakemake then ends this process."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        import_libraries()
        self.serve_forever()

    def service_actions(self) -> None:
        """End with the process that is served, however it ended."""
        super().service_actions()
        if os.getppid() != self.served:
            os._exit(1)


@functools.cache
def _report(reason: str) -> None:
    """Print once that scripts run in processes of their own."""
    print(f"{reason}: scripts run as in plain Snakemake, and take longer", file=sys.stderr)


def _run_at(address: str, usual: Callable) -> Callable:
    """Return the replacement of `usual`, the method that starts a script of Snakemake."""

    def execute_script(self: PythonScript, fname: str, edit: bool = False) -> None:
        from snakemake.benchmark import benchmarked

        # these have a Python of their own
        if self.conda_env or self.container_img or self.env_modules:
            return usual(self, fname, edit)
        environment = {"OMP_NUM_THREADS": str(self.threads)} | os.environ
        if folder := self.resources.get("tmpdir"):
            environment |= dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), folder)
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(address)
                lines = connection.makefile("rw")
                print(json.dumps([fname, os.getcwd(), environment]), file=lines, flush=True)
                child = int(lines.readline())
            except (OSError, ValueError):
                _report("The process that starts scripts was killed")
                return usual(self, fname, edit)
            record = self.bench_record
            with nullcontext() if record is None else benchmarked(child, record):
                answer = lines.readline()
        if not answer:  # the process that waits for the script was killed
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        if code := int(answer or -signal.SIGKILL):
            raise subprocess.CalledProcessError(code, f"{sys.executable} {fname}")
        return None

    return execute_script


def _fits(script: type[PythonScript]) -> bool:
    """Return whether a script of this Snakemake has what the replacement of its method needs."""
    call = list(inspect.signature(script.execute_script).parameters)
    return call == ["self", "fname", "edit"] and set(inspect.signature(script).parameters) >= NEEDED


def _folder_of_socket() -> str:
    """Return a folder whose path is short enough for that of a socket in a folder there."""
    usual = tempfile.gettempdir()
    return (
        usual if len(os.fsencode(usual)) + len("/tmp12345678/scripts") < LONGEST_ADDRESS else "/tmp"
    )


@contextmanager
def forked_scripts() -> Iterator[None]:
    """Run the Python scripts of Snakemake in copies of one process while the context lasts.

    This process must not have started threads. Without a Snakemake that fits, scripts run as usual.
    """
    with (
        tempfile.TemporaryDirectory(dir=_folder_of_socket()) as folder,
        _Server(str(Path(folder) / "scripts")) as server,
    ):
        child = fork(server.serve)
        # a connection is then refused once that process has ended
        server.socket.close()
        from snakemake.script import PythonScript

        usual = PythonScript.execute_script
        if _fits(PythonScript):
            PythonScript.execute_script = _run_at(server.server_address, usual)
        else:
            _report("This version of Snakemake starts scripts in another way")
        try:
            yield
        finally:
            PythonScript.execute_script = usual
            os.kill(child, signal.SIGKILL)
            wait_for(child)


def main() -> None:
    """Run Snakemake with the arguments of the command line."""
    with forked_scripts():
        from snakemake import cli

        sys.argv[0] = "snakemake"
        cli.main()


if __name__ == "__main__":
    main()
