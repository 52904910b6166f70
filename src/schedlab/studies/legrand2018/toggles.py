"""One-at-a-time sensitivity of Tables 2 to 6: plausible changes of one column of a row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.toggles.rows import NEW, OLD, Toggle
from schedlab.core.splitting import WEEK
from schedlab.report.columns import move_to_owners, read_owners
from schedlab.report.comparison import read_published
from schedlab.studies.legrand2018.adaptation import LEARNED, pure_by_period, sums
from schedlab.studies.legrand2018.periods import periods_of, simulate_pure
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import policy_label, printed, threshold_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from schedlab.traces.sources import Workloads

NUMBERS = "Tables 3 to 6 and the pure policies of Table 2"
TRAINING, TESTING = "Table 2, training", "Table 2, testing"
WEEK_FIRST = (WEEK, 200_000, 72_000)
TOGGLES = (
    Toggle("tau_10", "τ = 10 s", "tau", {60: 10}, NEW),
    Toggle("tau_1", "τ = 1 s", "tau", {60: 1}),
    Toggle("no_threshold", "“no threshold” as none at all, not as one week", "thresholds",
           {WEEK_FIRST: (None, *WEEK_FIRST[1:])}, NEW, (threshold_label(None),)),
    Toggle("uncrossed", "removing jobs that cross the end of a week", "cleaning",
           {"rr9212": "rr9212_uncrossed"}, NEW),
    Toggle("thursdays", "weeks of Unix time, not of the log’s clock", "cleaning",
           {"rr9212": "rr9212_thursdays"}, NEW),
    Toggle("first_week", "weeks counted from the log’s first, without skipping any", "split",
           {"log_weeks": "weeks"}),
    Toggle("raised", "keeping jobs that ran over their estimate, with raised estimates", "cleaning",
           {"rr9212": "rr9212_raised"}),
    Toggle("used", "used processors, not requested ones", "cleaning",
           {"rr9212": "rr9212_used"}),
    Toggle("known", "known run times, not estimates", "cleaning",
           {"rr9212": "rr9212_known"}, OLD),
    Toggle("in_order", "simultaneous arrivals in the order of the log", "dialect",
           {"ocs": "ocs_in_order"}),
    Toggle("lifo", "EASY as in the text: two passes, joint release of jobs that end together",
           "dialect", {"ocs": "lifo"}, NEW),
    Toggle("full", "EASY in two passes, equal priorities by submission", "dialect",
           {"ocs": "full"}),
)  # fmt: skip


def tables_alone(row: PeriodExperiment) -> PeriodExperiment:
    """Return a row without the figures of searched weights: other dialects do not have them."""
    return replace(row, mixed_item=None, space_item=None, search_item=None, months_item=None)


def numbers_of(
    row: PeriodExperiment, workloads: Workloads, columns: Iterable[str], halves: bool
) -> pd.DataFrame:
    """Run the pure policies of a row by weeks, and compute the sums of the paper's tables."""
    frame = workloads.pieces(row.source, row.cleaning, row.split)
    jobs = periods_of(frame, row.numbers, f"{row.source} by {row.cleaning}, {row.split}")
    policies = {name: name for name in row.policies}
    pure = simulate_pure(jobs, row.processors, policies, row.thresholds, row.tau, row.dialect)
    if pure.empty:
        return pd.DataFrame(columns=["column", "policy", "value"])
    weekly = {
        column: pure_by_period(pure, threshold).map(printed)
        for column, threshold in zip(columns, row.thresholds, strict=True)
    }
    totals = {column: table.sum() for column, table in weekly.items()}
    if halves:
        at_threshold = pure_by_period(pure, row.threshold).map(printed)
        totals |= {TRAINING: sums(at_threshold, *row.train), TESTING: sums(at_threshold, *row.test)}
    table = pd.DataFrame(totals).rename_axis(index="policy").reset_index()
    table["policy"] = table["policy"].map(policy_label)
    return table.melt("policy", var_name="column")[["column", "policy", "value"]]


def read_printed(
    rows: Iterable[PeriodExperiment], published: str | Path, owners: str | Path, halved: str
) -> pd.Series:
    """Read the published numbers of the rows that ran on their logs, each in its owner's row."""
    numbers: dict[tuple[str, str, str], str] = {}
    for row in rows:
        if row.stand_in:
            continue
        item = row.thresholds_item
        table = move_to_owners(read_published(published, item), read_owners(owners, item))
        numbers |= _cells(row.experiment, table)
        if row.experiment == halved:
            pure = read_published(published, "table2").drop(index=list(LEARNED))
            names = {"Training": TRAINING, "Testing": TESTING}
            numbers |= _cells(row.experiment, pure.rename(columns=names))
    return pd.Series(numbers, dtype=object)


def _cells(experiment: str, table: pd.DataFrame) -> Mapping[tuple[str, str, str], str]:
    return {
        (experiment, column, policy): table.at[policy, column]
        for column in table
        for policy in table.index
    }
