"""Tables of legrand2018 by weeks and months, as data frames.

The first columns of every table name its trace, and the log or model that ran.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.splitting import MEAN_MONTH, WEEK
from schedlab.files.io import read_parquet
from schedlab.policies import ALIASES, REGISTRY
from schedlab.report.items import From, Given, each, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE, kendall
from schedlab.report.words import listed_workloads
from schedlab.studies.legrand2018 import inputs
from schedlab.studies.legrand2018.adaptation import (
    GREEDY,
    LEARNED,
    OPTIMUM,
    TRAINED,
    by_period,
    pure_by_period,
    sums,
)
from schedlab.studies.legrand2018.inputs import LARGE, Covered, Own, Pure, Row, Rows, Runs
from schedlab.studies.legrand2018.periods import Surface, read_surface
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf

ABOUT = ["trace", "ran_on"]
TRACE_FACTS = ["cpus", "duration", "jobs", "avg_duration", "avg_size"]
CONCLUSIONS = [*ABOUT, "threshold", "best", "best_text"]
CONCLUSIONS += ["fcfs_over_saf", "fcfs_over_saf_text", "kendall"]
SENSITIVITY = [*ABOUT, "what", "setting", "value", "sum", "percent"]


tables = partial(item, section="Tables")


@tables("table1", rule="make_trace_facts")
def table1(
    rows: Rows,
    jobs: Annotated[
        list[pd.DataFrame],
        From(
            lambda study, name: [inputs.jobs_of(row) for row in inputs.rows_of(study, name)],
            each(read_parquet),
        ),
    ],
) -> Table:
    """Return Table 1: the traces by weeks."""
    facts = pd.DataFrame(
        trace_facts(row, within(of_row)) for row, of_row in zip(rows, jobs, strict=True)
    )
    return Table(facts, 1, {"traces": listed_workloads(row.name for row in rows)})


@tables(lambda study: inputs.with_own(study, ["table2"]), rule="make_train_test", apart=True)
def table2(row: Row, surface: Covered, pure: Runs, own: Own) -> Table:
    """Return Table 2: sums over the training and the testing periods."""
    table = train_and_test(row, by_period(surface, pure, row.threshold, row.train))
    facts = {"trace": ", ".join([row.name, *own]), "unit": row.unit}
    return Table(table, facts=facts | {"train": row.train, "test": row.test})


@tables(
    lambda study: inputs.with_own(study, inputs.items_of(study, "thresholds_item")),
    rule="make_thresholds", apart=True, **LARGE,
)  # fmt: skip
def tables3_to_6(row: Row, pure: Runs, own: Own) -> Table:
    """Return Tables 3 to 6: sums over all periods, threshold by threshold."""
    number = row.thresholds_item.removeprefix("table").strip("_").replace("_", " ")
    facts = {"number": number, "trace": ", ".join([row.name, *own])}
    facts |= {"periods": f"{row.pieces} {row.unit}"}
    return Table(by_threshold(row, pure, own), facts=facts)


@tables("table7", rule="make_longest")
def table7(
    row: Row,
    jobs: Annotated[str, From(lambda study, _: inputs.log_of(study)["jobs"], str)],
    ledger: Annotated[str, From(lambda study, _: inputs.log_of(study).get("ledger"), str)] = "",
) -> Table:
    """Return Table 7: the longest jobs of a log, or of a model if there is no ledger."""
    log = read_swf(unaltered(jobs)).jobs if ledger else read_parquet(jobs)
    changes = read_parquet(ledger) if ledger else pd.DataFrame(columns=[*LEDGER_DTYPES])
    return Table(longest(row, log, changes), facts={"trace": row.name})


@tables("coverings", rule="make_coverings", **LARGE)
def held_coverings(
    row: Row,
    scaled: Annotated[list[tuple[str, int]], Given(inputs.coverings_of)],
    surfaces: Annotated[
        list[Surface],
        From(
            lambda study, _: [
                inputs.covered(study, *covering) for covering in inputs.coverings_of(study)
            ],
            each(read_surface),
        ),
    ],
    pure: Pure,
    published: inputs.Table2,
) -> Table:
    """Return the sums of Table 2's searched weights by covering, nearest to the paper first."""
    ways = {
        way: by_period(surface, pure, way[1], row.train)
        for way, surface in zip(map(tuple, scaled), surfaces, strict=True)
    }
    return Table(coverings(row, ways, published), facts={"trace": row.name})


@tables("conclusions", rule="make_conclusions", **LARGE)
def changed_conclusions(
    run: Annotated[
        list[pd.DataFrame], From(partial(inputs.made_twice, ""), each(inputs.read_computed))
    ],
    text: Annotated[
        list[pd.DataFrame], From(partial(inputs.made_twice, "_text"), each(inputs.read_computed))
    ],
) -> Table:
    """Compare the conclusions of Tables 3 to 6 as run and by the text."""
    return Table(stacked(conclusions(*pair) for pair in zip(run, text, strict=True)))


@tables("sensitivity", rule="make_sensitivity", **LARGE)
def sensitivity(
    row: Row,
    scaled: Covered,
    unscaled: inputs.Unscaled,
    pure: Pure,
    search: inputs.Search,
    varied: inputs.Varied,
) -> Table:
    """Return the sums of mixed policies by scaling, and of xNES by its settings."""
    ways = {
        name: by_period(space, pure, row.threshold, row.train)
        for name, space in (("deviation", scaled), ("none", unscaled))
    }
    both = [scaling_sums(row, ways), search_sums(row, search, varied)]
    return Table(pd.concat(both, ignore_index=True), facts={"trace": row.name})


def about(experiment: PeriodExperiment) -> dict[str, str]:
    """Return the name of an experiment's trace and of the log or model that ran."""
    return {"trace": experiment.label, "ran_on": experiment.source}


def with_trace(experiment: PeriodExperiment, table: pd.DataFrame) -> pd.DataFrame:
    """Put the columns of `about` in front of a table."""
    return table.assign(**about(experiment))[[*ABOUT, *table]]


def threshold_label(threshold: int | None) -> str:
    """Name a starvation threshold as the paper does: in whole hours, otherwise in days.

    The tables' "no threshold" was one of a week: 600,000 and 700,000 s give other sums.
    """
    if threshold in (None, WEEK):
        return "No threshold"
    hours, rest = divmod(threshold, 3600)
    return f"{threshold / 86400:.2f} days" if rest else f"{hours} hours"


def printed(mean: float) -> float:
    """Round a period's average as the paper's simulator wrote it; its tables sum these."""
    return float(f"{mean:.3f}")


def policy_label(name: str) -> str:
    """Return the paper's name of a policy; learned policies and yours keep their names."""
    return name.upper() if name in REGISTRY or name in ALIASES else name


def trace_facts(experiment: PeriodExperiment, jobs: pd.DataFrame) -> dict:
    """Return one row of Table 1 for a trace by weeks."""
    row = about(experiment) | {"cpus": experiment.processors}
    if jobs.empty:
        return row | dict.fromkeys(TRACE_FACTS[1:], NOT_AVAILABLE)
    return row | {
        "duration": float(jobs["submit"].max() - jobs["submit"].min()) / MEAN_MONTH,
        "jobs": len(jobs),
        "avg_duration": float(jobs["runtime"].mean()),
        "avg_size": float(jobs["procs"].mean()),
    }


def within(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the jobs of all weeks of a log, by its clock, except the first and the last."""
    week = jobs["submit"] // WEEK
    return jobs[(week > week.min()) & (week < week.max())]


def train_and_test(experiment: PeriodExperiment, table: pd.DataFrame) -> pd.DataFrame:
    """Return Table 2: the sum over the training and the testing periods, best training first."""
    table = table.map(printed)
    ranges = {"Training": experiment.train, "Testing": experiment.test}
    columns = {name: sums(table, *ends) for name, ends in ranges.items()}
    return _sort_rows(experiment, pd.DataFrame(columns), empty=table.empty)


def by_threshold(
    experiment: PeriodExperiment, pure: pd.DataFrame, custom: Sequence[str] = ()
) -> pd.DataFrame:
    """Return one of Tables 3 to 6: each policy's sum over all periods, threshold by threshold."""
    columns = {
        threshold_label(threshold): pure_by_period(pure, threshold).map(printed).sum()
        for threshold in experiment.thresholds
    }
    table = pd.DataFrame(columns).reindex([*experiment.policies, *custom])
    return _sort_rows(experiment, table, empty=pure.empty)


def conclusions(run: pd.DataFrame, text: pd.DataFrame) -> pd.DataFrame:
    """Return the effect of undocumented settings on one of Tables 3 to 6, a row per threshold."""
    rows = []
    by_run, by_text = (table.set_index("policy") for table in (run, text))
    for column in by_run.columns.drop(ABOUT):
        if by_run[column].eq(NOT_AVAILABLE).any():
            continue
        run_sums, text_sums = by_run[column].astype(float), by_text[column].astype(float)
        row = {name: run[name].iloc[0] for name in ABOUT} | {"threshold": column}
        row |= {"best": run_sums.idxmin(), "best_text": text_sums.idxmin()}
        row |= {"fcfs_over_saf": run_sums["FCFS"] / run_sums["SAF"]}
        row |= {"fcfs_over_saf_text": text_sums["FCFS"] / text_sums["SAF"]}
        rows.append(row | {"kendall": kendall(run_sums, text_sums[run_sums.index])})
    return pd.DataFrame(rows, columns=CONCLUSIONS)


def _sort_rows(experiment: PeriodExperiment, table: pd.DataFrame, empty: bool) -> pd.DataFrame:
    """Sort the rows by the first column, and insert trace and policy as first columns."""
    if empty:
        table = pd.DataFrame(NOT_AVAILABLE, index=table.index, columns=table.columns)
    else:
        table = table.sort_values(table.columns[0], kind="stable")
    table.insert(0, "policy", [policy_label(name) for name in table.index])
    return with_trace(experiment, table).reset_index(drop=True)


def longest(
    experiment: PeriodExperiment, jobs: pd.DataFrame, ledger: pd.DataFrame, count: int = 10
) -> pd.DataFrame:
    """Return Table 7: the jobs of a log with the longest run times, inside a week or not."""
    top = jobs.sort_values("runtime", ascending=False, kind="stable").head(count)
    dropped = ledger[ledger["after"].isna()].set_index("number")["rule"]
    table = pd.DataFrame(
        {
            "rank": range(1, len(top) + 1),
            "job_ID": top["number"].to_numpy(),
            "submit_time": top["submit"].to_numpy(),
            "run_time": top["runtime"].to_numpy(),
            "number_processors": top["procs"].to_numpy(),
            "kept": ["yes" if n not in dropped.index else str(dropped[n]) for n in top["number"]],
        }
    )
    return with_trace(experiment, table)


def best_pure(pure: pd.DataFrame, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return SAF and the best pure policy of each period."""
    candidates = pure.reindex(
        columns=["saf", *(name for name in pure if name not in ("saf", *custom))]
    )
    which = candidates.idxmin(axis=1) if len(candidates) else pd.Series(dtype=str)
    best = {"best pure": candidates.min(axis=1), "which": which.map(policy_label)}
    return pd.DataFrame({"saf": candidates["saf"], **best}).join(pure.reindex(columns=list(custom)))


def compare_search(optima: pd.DataFrame, search: pd.DataFrame) -> pd.DataFrame:
    """Compare xNES with the coverage: index piece, columns w*3, xnes3, xnes6."""
    values = search.pivot(index="piece", columns="features", values="value")
    values = values.reindex(columns=[3, 6]).set_axis(["xnes3", "xnes6"], axis=1)
    return values.assign(**{"w*3": optima.set_index("piece")["value"]})


def shown(experiment: PeriodExperiment, table: pd.DataFrame) -> pd.DataFrame:
    """Return a figure's data as a table: first the trace, then piece and the columns."""
    return with_trace(experiment, table.rename_axis(index="piece").reset_index())


def scaling_sums(experiment: PeriodExperiment, ways: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the sums of the mixed policies by the scaling of features, columns `SENSITIVITY`."""
    rows, used = [], next(iter(ways))
    total = {name: _learned_sums(experiment, table) for name, table in ways.items()}
    for name, policy_sums in total.items():
        for policy, value in policy_sums.items():
            row = {"what": policy, "setting": "scaling", "value": name, "sum": value}
            rows.append(about(experiment) | row | {"percent": _percent(value, total[used][policy])})
    return pd.DataFrame(rows, columns=SENSITIVITY)


def coverings(
    experiment: PeriodExperiment,
    ways: Mapping[tuple[str, int], pd.DataFrame],
    published: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the searched weights of several coverings with the published Table 2."""
    rows = []
    published_sums = published.loc[list(LEARNED), ["Training", "Testing"]].astype(float).to_numpy()
    for (scaling, threshold), table in ways.items():
        rounded = table.map(printed)
        computed_sums = {
            f"{name} {part}": sums(rounded, *ends)[name]
            for name in LEARNED
            for part, ends in (("training", experiment.train), ("testing", experiment.test))
        }
        ratios = np.array([*computed_sums.values()]) / published_sums.ravel()
        away = 100 * np.abs(ratios - 1).mean() if not experiment.stand_in else np.nan
        row = about(experiment) | {"scaling": scaling, "threshold": threshold}
        rows.append(row | computed_sums | {"away": away})
    return pd.DataFrame(rows).sort_values("away", kind="stable", ignore_index=True)


def _learned_sums(experiment: PeriodExperiment, table: pd.DataFrame) -> dict[str, float]:
    """Sum w* over all periods, and the learned weights over the testing ones."""
    test = sums(table, *experiment.test)
    return {OPTIMUM: table[OPTIMUM].sum(), TRAINED: test[TRAINED], GREEDY: test[GREEDY]}


def search_sums(
    experiment: PeriodExperiment, search: pd.DataFrame, varied: pd.DataFrame
) -> pd.DataFrame:
    """Return the sums of xNES by its settings, one changed at a time; columns `SENSITIVITY`."""
    every = pd.concat([search.assign(setting="as used", changed_to=""), varied])
    total = every.groupby(["setting", "changed_to", "features"], sort=False)["value"].sum()
    rows = []
    for (setting, value, features), search_sum in total.items():
        row = {"what": f"xnes{features}", "setting": setting, "value": value, "sum": search_sum}
        used = total["as used", "", features]
        rows.append(about(experiment) | row | {"percent": _percent(search_sum, used)})
    return pd.DataFrame(rows, columns=SENSITIVITY)


def _percent(value: float, used: float) -> float:
    return 100 * (value / used - 1) if used else float("nan")


def stacked(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables; if all are empty, return the first for its columns."""
    tables = list(tables)
    filled = [table for table in tables if len(table)]
    return pd.concat(filled, ignore_index=True) if filled else tables[0]
