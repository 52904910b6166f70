"""Run Snakemake with its Python scripts in copies of one process that has imported the libraries.

usage: python workflow/forked_scripts.py [arguments of snakemake]

A script of the workflow takes about a second to import NumPy, pandas and matplotlib, often longer
than its work. Here one process imports them once, and each script runs in a fork of it. Results,
logs and benchmarks are those of `snakemake`.
"""

from __future__ import annotations

import gc
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
from contextlib import contextmanager
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


def import_libraries() -> None:
    """Import the libraries of the scripts; skip one that is not installed.

    Garbage collections of copies of this process then leave them alone. Otherwise each copy would
    write to all their pages, and so have to copy them: a sixth of a script that draws a figure.
    """
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


def _run_at(address: str) -> Callable:
    """Return the replacement of the method that starts a script of Snakemake."""

    def execute_script(self: PythonScript, fname: str, edit: bool = False) -> None:
        from snakemake.benchmark import benchmarked

        environment = os.environ | {"OMP_NUM_THREADS": str(self.threads)}
        if folder := self.resources.get("tmpdir"):
            environment |= dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), folder)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            lines = connection.makefile("rw")
            print(json.dumps([fname, os.getcwd(), environment]), file=lines, flush=True)
            child = int(lines.readline())
            if self.bench_record is None:
                code = int(lines.readline())
            else:
                with benchmarked(child, self.bench_record):
                    code = int(lines.readline())
        if code:
            raise subprocess.CalledProcessError(code, f"{sys.executable} {fname}")

    return execute_script


@contextmanager
def forked_scripts() -> Iterator[None]:
    """Run the Python scripts of Snakemake in copies of one process while the context lasts.

    This process must not have started threads.
    """
    with tempfile.TemporaryDirectory() as folder, _Server(str(Path(folder) / "scripts")) as server:
        child = fork(server.serve)
        from snakemake.script import PythonScript

        usual = PythonScript.execute_script
        PythonScript.execute_script = _run_at(server.server_address)
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
