"""Vary the choices behind Table 4 one at a time, each in one cell of a sheet row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.sequences import run_policies
from schedlab.comparison.toggles.rows import NEITHER, NEW, OLD, Toggle
from schedlab.policies import get
from schedlab.report.comparison import read_published
from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.sheet import Experiment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from schedlab.traces.sources import Workloads

NUMBERS = "Table 4"
TABLE4 = "table4"


def _dialect(name: str, switch: str, label: str, says: str = NEITHER) -> Toggle:
    return Toggle(name, label, "dialect", {"artefact": f"artefact+{switch}"}, says)


TOGGLES = (
    Toggle("tau_1", "τ = 1 s", "tau", {10: 1}, OLD),
    Toggle("tau_60", "τ = 60 s", "tau", {10: 60}, OLD),
    _dialect("whole_queue", "window=all", "the whole queue visible, not 32 tasks", NEW),
    _dialect("window16", "window=16", "a window of 16 tasks"),
    _dialect("window64", "window=64", "a window of 64 tasks"),
    _dialect("no_latency", "latency=0", "no dispatch latency"),
    _dialect("spt_kept", "ties_of=none", "stable ties of equal run times under SPT"),
    _dialect("by_submit", "ties=submit", "equal priorities by submission"),
    _dialect("lifo", "ties=lifo", "equal priorities by submission, the latest first"),
    _dialect("merged", "shadow=merged", "joint release of jobs that end together"),
    _dialect("no_extra", "extra=false", "no backfilling beyond the shadow time"),
    _dialect("together", "first_alone=false",
             "simultaneous arrivals visible together to an idle scheduler"),
    Toggle("full", "whole queue, no latency and stable ties", "dialect",
           {"artefact": "full"}, NEW),
    Toggle("raised", "estimates raised to the run time if below it", "cleaning",
           {"sc17_estimate": "full_estimate"}),
    Toggle("requested", "jobs without a requested time dropped for actual run times too",
           "cleaning", {"sc17_actual": "sc17_estimate"}),
    Toggle("known", "actual run times, not estimates", "decisions",
           {"estimate": "actual"}, OLD),
    Toggle("no_backfill", "no backfilling, not aggressive backfilling", "backfill",
           {"easy": "none"}, OLD),
    Toggle("kept_sequences", "the first ten sequences of Curie, without skipping any", "skip",
           {(0, 7): ()}),
    Toggle("five_sequences", "the first five sequences", "pieces", {10: 5}, OLD),
    Toggle("no_head", "no head of 16 tasks that start in order and are not counted", "head",
           {16: 0}),
)  # fmt: skip


def numbers_of(row: Experiment, workloads: Workloads) -> pd.DataFrame:
    """Return the median over a row's sequences by policy; no rows if the log is not available."""
    frame = workloads.pieces(row.source, row.cleaning, row.split)
    policies = {name: get(name) for name in row.policies}
    runs = run_policies(frame, row.experiment, row.settings, policies)
    medians = runs.groupby("policy")["avebsld"].median().reindex(list(policies)).dropna()
    return pd.DataFrame(
        {
            "column": "",
            "policy": [POLICY_COLUMNS[name] for name in medians.index],
            "value": medians.to_numpy(),
        }
    )


def read_printed(rows: Iterable[Experiment], published: str | Path, models: bool) -> pd.Series:
    """Read the published numbers of rows that ran on the paper's own data."""
    table = read_published(published, TABLE4)
    numbers = {
        (row.experiment, "", policy): table.at[row.label, policy]
        for row in rows
        if row.label in table.index and (row.drawn or not models)
        for policy in table
    }
    return pd.Series(numbers, dtype=object)
