"""Charges for jobs that share nodes, with and without corrections for speed.

A charge is the number of cores times the time used, as on supercomputers (section 3.3 of the
thesis). A job on shared nodes is charged for its share of every node. There are three tariffs:

plain
    cores times the actual run time: a job that its neighbor slows down pays more;
discount
    plain times min(1, speedup): no job pays for a slowdown, and a job keeps its gain by a speedup;
work
    plain times the speedup, which is cores times the time alone: every job pays for its work.

References
----------
kellari2025, sections 3.3 and 7.3; Breslow et al., Enabling fair pricing on HPC systems with node
sharing (SC'13).
"""

import numpy as np
import pandas as pd

from schedlab.core.machine import Machine
from schedlab.cosched.machine import needs, node_of
from schedlab.cosched.metrics import run_times

TARIFFS = ["plain", "discount", "work"]
MORE = 1.005  # a job pays more if its charge exceeds this multiple of its charge alone


def charges(jobs: pd.DataFrame, cluster: Machine) -> pd.DataFrame:
    """Return the charge of every job under each tariff.

    Columns: scheduler, workload, application, speedup, alone, plain, discount, work (core hours).
    """
    columns = ("time", "start", "end", "compact", "cores")
    time, start, end, compact, cores = (jobs[name].to_numpy() for name in columns)
    run = run_times(time, start, end, compact)
    speedup = time / run
    whole = needs(cluster, jobs["procs"].to_numpy(), "compact") * node_of(cluster).cpus
    plain = cores * run / 3600
    return jobs[["scheduler", "workload", "application"]].assign(
        speedup=speedup,
        alone=whole * time / 3600,
        plain=plain,
        discount=plain * np.minimum(1, speedup),
        work=plain * speedup,
    )


def by_scheduler(charged: pd.DataFrame) -> pd.DataFrame:
    """Return summaries of charges by scheduler and tariff.

    Columns: scheduler, tariff, income (percent of the total charge of all jobs alone), more
    (percent of jobs that pay over half a percent more than alone), overcharge (mean surplus of
    these jobs, percent), middle, least and most (median, 5th and 95th percentile of charge over
    charge alone).
    """
    return _summarize_charges(charged, ["scheduler"])


def by_application(charged: pd.DataFrame) -> pd.DataFrame:
    """Return summaries by application, over all schedulers that share nodes."""
    return _summarize_charges(charged, ["application"])


def _summarize_charges(charged: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    rows = []
    for values, group in charged.groupby(keys, sort=False):
        for tariff in TARIFFS:
            ratio = group[tariff] / group["alone"]
            above = ratio > MORE
            over = 100 * float(ratio[above].mean() - 1) if above.any() else 0.0
            rows.append(
                dict(zip(keys, values, strict=True))
                | {
                    "tariff": tariff,
                    "income": 100 * float(group[tariff].sum() / group["alone"].sum()),
                    "more": 100 * float(above.mean()),
                    "overcharge": over,
                    "middle": float(ratio.median()),
                    "least": float(ratio.quantile(0.05)),
                    "most": float(ratio.quantile(0.95)),
                }
            )
    return pd.DataFrame(rows)
