"""Run Snakemake in forks of a process that has imported its libraries, which saves three seconds.

usage: python forking.py CHECKOUT < runs

Each line of the input is a run: folder, arguments, environment and the file for what it prints. The
answer is a line with its process and one with its exit code; a negative one is a signal, as of
`subprocess`. The scripts of the workflow run in such copies too, by the module of the checkout.
"""

import json
import os
import sys
from importlib import util
from pathlib import Path

# what the workflow imports besides its own package, which is another one in every folder
import filelock  # noqa: F401
import nbformat  # noqa: F401
import requests  # noqa: F401
import rich.console  # noqa: F401
import smart_open  # noqa: F401
import snakemake.executors.local
import snakemake.report.html_reporter  # noqa: F401
from snakemake import cli

MODULE = Path(sys.argv[1]) / "workflow/forked_scripts.py"
specification = util.spec_from_file_location(MODULE.stem, MODULE)
module = util.module_from_spec(specification)
specification.loader.exec_module(module)


def run(folder: str, arguments: list[str], environment: dict[str, str], output: str) -> None:
    """Become the process of one run, without any state of the tests."""
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, place in ((0, os.devnull), (1, output), (2, output)):
        os.dup2(os.open(place, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND), number)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["snakemake", *arguments]
    with module.forked_scripts():
        cli.main()


module.import_libraries()
for line in sys.stdin:
    child = module.fork(lambda request: run(**request), json.loads(line))
    print(json.dumps(child), flush=True)
    print(json.dumps(module.wait_for(child)), flush=True)
