"""Statistics of zhang2020 that its claims.tsv names, over resampled windows of a log."""

from __future__ import annotations

from sys import modules
from typing import Annotated

import pandas as pd

from schedlab.report.claims import (
    Facts,
    Sample,
    check_results,
    counted,
    read_claims,
)
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.studies.zhang2020.inputs import SMALL, Rows, Runs, by_window, resamples
from schedlab.studies.zhang2020.runs import BASE, RL
from schedlab.studies.zhang2020.sheet import PolicyTrial


def ratio(evidence: dict[str, pd.DataFrame], variant: str, base: str) -> Facts:
    """Return the ratio of RL's mean to that of another policy, in the same variant."""
    means = evidence["slowdown"][variant]
    value, other = means[RL].mean(), means[base].mean()
    return {"mean": value, "other": other, "ratio": value / other}


def change(evidence: dict[str, pd.DataFrame], variant: str) -> Facts:
    """Return the ratio of RL's mean with a changed choice to the mean as published."""
    means = evidence["slowdown"]
    value, other = means[variant, RL].mean(), means[BASE, RL].mean()
    return {"mean": value, "other": other, "ratio": value / other}


def phantoms(evidence: dict[str, pd.DataFrame], policy: str) -> Facts:
    """Return the share of jobs that never ran in a policy's sum of bounded slowdowns."""
    total = evidence["slowdown"][BASE, policy] * evidence["jobs"][BASE, policy]
    share = evidence["phantom_share"][BASE, policy]
    return {"share": (total * share).sum() / total.sum()}


@item("claims", kind="table text", section="Tables", **SMALL)
def check_trial(
    rows: Rows, runs: Runs, claims: Annotated[str, From(resource("claims.tsv"), str)]
) -> tuple[Table, str]:
    """Return a row per claim and log, and a sentence with the counts."""
    sentences, frames = read_claims(claims, modules[__name__]), []
    for row, table in zip(rows, runs, strict=True):
        row_claims = [claim for claim in sentences if claim.on == row.experiment]
        is_tried = RL in set(table["policy"]) and not row.stand_in
        kinds = {row.experiment: _sample(row, table)} if is_tried else None
        frames.append(check_results(row_claims, kinds, {"log": row.name}))
    return counted(pd.concat(frames, ignore_index=True))["claims"]


def _sample(row: PolicyTrial, runs: pd.DataFrame) -> Sample:
    columns = ("slowdown", "jobs", "phantom_share")
    evidence = {column: by_window(runs, column) for column in columns}
    count = len(evidence["slowdown"])
    return Sample(
        evidence,
        count,
        lambda: (
            {name: table.iloc[places] for name, table in evidence.items()}
            for places in resamples(row, count)
        ),
    )
