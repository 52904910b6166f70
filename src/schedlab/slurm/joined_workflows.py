"""Several workflow files as one, for a run in which they share a pool.

A stage gets the name ``WORKFLOW.STAGE``; tasks keep their names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from schedlab.files.config import ConfigError
from schedlab.slurm.workflow_file import Member, WorkflowFile, name_problem
from schedlab.slurm.workflow_lines import mistake_in
from schedlab.waits.workflows import Workflow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def join_workflows(files: Sequence[WorkflowFile]) -> WorkflowFile:
    """Return one workflow with the stages of several, named ``A+B``; of one file, the file itself.

    One allocation serves all of them, so all have the same options of sbatch.
    """
    first = files[0]
    if len(files) == 1:
        return first
    _check_names(files)
    for described in files[1:]:
        _check_options(first, described)
    members = tuple(
        Member(
            described.workflow.name,
            {_name(described, stage.name): stage.name for stage in described.workflow.stages},
            described.source,
        )
        for described in files
    )
    _check_stages(files, members)
    stages = tuple(
        replace(
            stage,
            name=_name(described, stage.name),
            after=tuple(_name(described, name) for name in stage.after),
        )
        for described in files
        for stage in described.workflow.stages
    )
    by_stage = {
        key: {
            _name(described, stage): value
            for described in files
            for stage, value in getattr(described, key).items()
        }
        for key in ("limits", "commands", "tolerances", "tasks")
    }
    name = "+".join(member.name for member in members)
    return WorkflowFile(
        Workflow(name, stages),
        options=first.options,
        partition=first.partition,
        members=members,
        **by_stage,
    )


def _name(described: WorkflowFile, stage: str) -> str:
    return f"{described.workflow.name}.{stage}"


def _where(described: WorkflowFile) -> str:
    return described.source or f"workflow {described.workflow.name}"


def _mistake(described: WorkflowFile, text: str) -> ConfigError:
    return mistake_in(described.source, described.workflow.name, text)


def _check_names(files: Sequence[WorkflowFile]) -> None:
    by_name: dict[str, WorkflowFile] = {}
    for described in files:
        name = described.workflow.name
        if other := by_name.get(name):
            raise _mistake(
                described,
                f"key 'name': is {name!r}, as in {_where(other)}; workflows of one run need "
                "different names",
            )
        by_name[name] = described


def _check_options(first: WorkflowFile, other: WorkflowFile) -> None:
    expected, options = _options(first), _options(other)
    for name in sorted(expected.keys() | options.keys()):
        if options.get(name) != expected.get(name):
            raise _mistake(
                other,
                f"key 'sbatch.{name}': is {_shown(options, name)}, in {_where(first)} it is "
                f"{_shown(expected, name)}; one allocation serves all workflows of a run",
            )


def _options(described: WorkflowFile) -> dict[str, str]:
    parts = (option[2:].partition("=") for option in described.options)
    return {name: value if sign else "true" for name, sign, value in parts}


def _shown(options: Mapping[str, str], name: str) -> str:
    return repr(options[name]) if name in options else "missing"


def _check_stages(files: Sequence[WorkflowFile], members: Sequence[Member]) -> None:
    """Raise ConfigError if stages get a name in the run that is too long, or another's."""
    used: dict[str, tuple[WorkflowFile, str]] = {}
    for described, member in zip(files, members, strict=True):
        for name, own in member.stages.items():
            tasks = map(vars, described.tasks.get(own, ()))
            if problem := name_problem(name, tasks):
                raise _mistake(described, f"stage {own!r}: {problem}, where it is {name!r}")
            if name in used:
                other, others = used[name]
                raise _mistake(
                    described,
                    f"stage {own!r}: key 'name': is {name!r} in the run, as stage {others!r} of "
                    f"{_where(other)}; rename one of them",
                )
            used[name] = described, own
