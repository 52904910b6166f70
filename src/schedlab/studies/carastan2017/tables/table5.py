"""Make Table 5, the real logs, and compare it with the published one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import pandas as pd

from schedlab.core.splitting import MEAN_MONTH
from schedlab.report.comparison import compare_table, published_of, reasons_of
from schedlab.report.items import From, each, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.names import TABLE5
from schedlab.traces.records import unaltered
from schedlab.traces.swf import read_swf

if TYPE_CHECKING:
    from schedlab.traces.swf import SwfLog

TABLE5_COLUMNS = ["year", "cpus", "jobs", "utilisation", "duration"]


@item("table5", "table5_comparison", section="Table 5")
def make_table5(
    logs: Annotated[
        list[str], From(lambda *_: [f"resources/raw/{log}.swf" for log in TABLE5], each(unaltered))
    ],
    published: Annotated[pd.DataFrame, published_of("table5")],
    reasons: Annotated[pd.DataFrame, reasons_of("table5")],
) -> dict[str, Table]:
    """Return Table 5 and its comparison."""
    facts = pd.DataFrame(
        [log_facts(name, read_swf(path)) for name, path in zip(TABLE5.values(), logs, strict=True)]
    )
    return {
        "table5": Table(facts, {"utilisation": 1, "duration": 1}),
        "table5_comparison": Table(compare_table5(published, facts, reasons), {"ratio": 4}),
    }


def log_facts(name: str, log: SwfLog) -> dict:
    """Return one row of Table 5, measured on a raw log; `name` is the log's name in the paper."""
    jobs = log.jobs
    if jobs.empty:
        return {"log": name} | dict.fromkeys(TABLE5_COLUMNS, NOT_AVAILABLE)
    ran = jobs[(jobs["runtime"] > 0) & (jobs["procs"] > 0)]
    processors = log.header.integer("MaxProcs")
    first, last = jobs["submit"].min(), jobs["submit"].max()
    end = (ran["submit"] + ran["wait"].clip(lower=0) + ran["runtime"]).max()
    work = float(ran["runtime"] @ ran["procs"])
    return {
        "log": name,
        "year": pd.Timestamp(log.header.integer("UnixStartTime") + first, unit="s").year,
        "cpus": processors,
        "jobs": len(jobs),
        "utilisation": 100 * work / (processors * float(end - first)),
        "duration": float(last - first) / MEAN_MONTH,
    }


def compare_table5(
    published: pd.DataFrame, facts: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every number of Table 5 with the value measured on the log."""
    logs = published.loc[facts["log"], list(TABLE5_COLUMNS)]
    return compare_table(logs, facts.set_index("log"), reasons, ("log", "column"))
