"""Run Snakemake in copies of a process that has imported its libraries, which takes three seconds.

Each line of the input is a run: folder, arguments, environment and the file for what it prints. The
answer is a line with its exit code; a negative one is a signal, as of `subprocess`.
"""

import json
import os
import sys
import traceback

# what the workflow imports besides its own package, which is another one in every folder
import filelock  # noqa: F401
import jsonschema  # noqa: F401
import nbformat  # noqa: F401
import numpy  # noqa: F401
import pandas  # noqa: F401
import pyarrow.parquet  # noqa: F401
import requests  # noqa: F401
import rich.console  # noqa: F401
import scipy.stats  # noqa: F401
import smart_open  # noqa: F401
import snakemake.executors.local
import snakemake.report.html_reporter  # noqa: F401
from snakemake import cli


def run(folder: str, arguments: list[str], environment: dict[str, str], output: str) -> None:
    """Become the process of one run; nothing of the test's own is left in it."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, place in ((0, os.devnull), (1, output), (2, output)):
        os.dup2(os.open(place, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND), number)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["snakemake", *arguments]
    cli.main()


for line in sys.stdin:
    if not (child := os.fork()):
        code = 1
        try:
            run(**json.loads(line))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else bool(ended.code)
            if isinstance(ended.code, str):
                print(ended.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(json.dumps(child), flush=True)
    _, status = os.waitpid(child, 0)
    print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)
