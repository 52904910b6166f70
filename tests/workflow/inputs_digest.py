"""Print a digest of all inputs of the targets of given groups, as JSON by group.

usage: python inputs_digest.py CONFIGFILE < targets.json

The working directory is a project, the input a list of targets by group. Every job on the way to
the targets of a group adds the name of its rule, its parameters (among them the digest of the code
that its script imports, the versions of its libraries and the flags of the kernels) and the bytes
of the project's files that it reads; a raw log is known by its checksum in the registry. Nothing is
run, and results that exist do not count.
"""

import contextlib
import hashlib
import json
import sys
from pathlib import Path

from snakemake.api import (
    ConfigSettings,
    DAGSettings,
    OutputSettings,
    ResourceSettings,
    SnakemakeApi,
)

from schedlab.flow.build import PACKAGE, RECORD

# of the record of the kernels' build: what differs between machines
MACHINE = ("compiler", "command")


def plan(configfile: Path, targets: list[str]):
    with SnakemakeApi(OutputSettings(dryrun=True)) as api:
        opened = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=[configfile]),
            snakefile=Path("Snakefile"),
        )
        opened.dag(DAGSettings(targets=set(targets), forceall=True))
        workflow = opened._workflow
        workflow._prepare_dag(forceall=True, ignore_incomplete=True, lock_warn_only=True)
        workflow._build_dag()
        return workflow.dag


def how_built() -> dict:
    """Return flags, directives and versions with which the kernels were built, on any machine."""
    record = json.loads((PACKAGE / RECORD).read_text(encoding="utf-8"))
    return {name: value for name, value in record.items() if name not in MACHINE}


def line(job, dependencies) -> str:
    made = {path for paths in dependencies.values() for path in paths}
    parameters = {name: value for name, value in job.params.items() if name}
    attempt = parameters.get("attempt")
    if attempt:  # at a raw log or pool, wherever it is found
        parameters = {"bytes": attempt["entry"], "found": bool(attempt["found"])}
        read = {}
    else:
        environment = parameters.get("environment", {})
        if "kernels" in environment:
            environment = environment | {"kernels": how_built()}
        parameters |= {"environment": environment}
        read = {
            str(path): hashlib.sha256(Path(path).read_bytes()).hexdigest()
            for path in sorted(set(job.input) - made)
        }
    described = {name: repr(value) for name, value in sorted(parameters.items())}
    return json.dumps([job.rule.name, sorted(job.output), described, read])


def digest(graph, targets: list[str]) -> str:
    waiting = [job for job in graph.jobs if not set(targets).isdisjoint(job.output)]
    found = set()
    while waiting:
        job = waiting.pop()
        if job not in found:
            found.add(job)
            waiting += graph.dependencies[job]
    lines = sorted(line(job, graph.dependencies[job]) for job in found)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


if __name__ == "__main__":
    groups = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        planned = plan(Path(sys.argv[1]), [path for targets in groups.values() for path in targets])
        digests = {name: digest(planned, targets) for name, targets in groups.items()}
    print(json.dumps(digests))
