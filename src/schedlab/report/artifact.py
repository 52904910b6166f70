"""The page for artifact evaluation: which file answers which table, what to expect, and minutes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pandas as pd
from jinja2 import Environment, StrictUndefined

from schedlab.report.minutes import Made
from schedlab.report.scoreboard import counted

#: stages of a run, by the folder or name of a rule's script; all others are the execution
SET_UP, EXECUTION, ANALYSIS = "set-up", "execution", "analysis"
_STAGES = {"traces": SET_UP, "workloads": SET_UP, "report": ANALYSIS, "make_items.py": ANALYSIS}
_SCOPE = re.compile(r"^## Scope, and what was difficult\n+(.*?)(?=^## |\Z)", re.M | re.S)


def stage_of(script: str) -> str:
    """Return the stage of a rule by its script, relative to the folder of scripts.

    >>> stage_of("traces/clean_log.py"), stage_of("workloads/generate_workload.py")
    ('set-up', 'set-up')
    >>> stage_of("make_items.py"), stage_of("report/render.py"), stage_of("queue/simulate.py")
    ('analysis', 'analysis', 'execution')
    """
    return _STAGES.get(script.partition("/")[0], EXECUTION)


def minutes_by_stage(
    files: Iterable[str], record_of: Callable[[str], Made | None]
) -> dict[str, float]:
    """Add up the minutes of all jobs behind some files by stage, each job once.

    `record_of` is as for `schedlab.report.minutes.minutes_of`.

    >>> made = {
    ...     "b": Made(1, ["a"], [30.0], "sum_up", "make_items.py"),
    ...     "a": Made(2, ["raw"], [90.0], "read", "traces/read.py"),
    ... }
    >>> minutes_by_stage(["b"], made.get)
    {'set-up': 1.5, 'execution': 0.0, 'analysis': 0.5}
    """
    seconds = dict.fromkeys((SET_UP, EXECUTION, ANALYSIS), 0.0)
    waiting, seen, jobs = list(files), set(files), set()
    while waiting:
        if (record := record_of(waiting.pop())) is None:
            continue
        if record.job not in jobs:
            jobs.add(record.job)
            seconds[stage_of(record.script)] += sum(record.seconds)
        waiting += [need for need in record.needs if need not in seen]
        seen.update(record.needs)
    return {stage: total / 60 for stage, total in seconds.items()}


def scope_of(page: str | Path | None) -> str:
    """Return what the documentation of a paper says of its scope and difficulties; else nothing."""
    if page is None:
        return ""
    section = _SCOPE.search(Path(page).read_text(encoding="utf-8"))
    return section[1].strip() if section else ""


def artifact_page(
    template: str | Path,
    papers: Mapping[str, Mapping],
    scoreboard: pd.DataFrame,
    expected: pd.DataFrame,
    minutes: Mapping[str, Mapping[str, float]],
    facts: Mapping[str, str],
) -> str:
    """Return the page as Markdown.

    Parameters
    ----------
    template : path
        Jinja template of the page.
    papers : mapping
        By key of a paper: title, venue, and scope as Markdown.
    scoreboard, expected : pandas.DataFrame
        Published numbers of this run, and those with committed verdicts (`read_committed`).
    minutes : mapping
        By key of a paper: minutes by stage in this run.
    facts : mapping
        commit, command, machine and scale of the run.
    """
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = Path(template).read_text(encoding="utf-8")
    committed = dict(list(expected.groupby(["paper", "label"], sort=False)))
    tables = [
        {
            "paper": paper,
            "label": label,
            "files": sorted(numbers["file"].unique()),
            "expected": in_words(committed.get((paper, label), expected[:0])),
            "computed": in_words(numbers),
        }
        for (paper, label), numbers in scoreboard.groupby(["paper", "label"], sort=False)
    ]
    return environment.from_string(text).render(
        papers=papers, tables=tables, minutes=minutes, facts=facts
    )


def in_words(numbers: pd.DataFrame) -> str:
    """Return how many numbers have each grade: "3 match, 1 explained"; "none" without numbers."""
    counts = {grade: count for grade, count in counted(numbers).items() if count}
    return ", ".join(f"{count} {grade}" for grade, count in counts.items()) or "none"
