"""Figure 5: time of planning, by the number of jobs in the plan."""

import datetime
import platform
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.parts import write_items
from schedlab.studies.klusacek2016.figures.searching import draw_costs
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.searches import Timing, timings
from schedlab.studies.klusacek2016.sheet import PAPER, PlanSettings


def time_plans(
    jobs: str,
    settings: Mapping,
    machine: Sequence[Mapping],
    arrivals: int,
    title: str,
    outputs: Mapping[str, str],
) -> None:
    """Measure planning times at some arrivals of a run, draw them, and write them."""
    row = PlanSettings(**settings)
    workload = Workload.of(row, read_parquet(jobs), machine_of(machine))
    measured = []
    if len(workload):
        planning, key = row.planning("plan-rs"), (PAPER, row.experiment, 0)
        run = (workload.demand.requests, workload.machine, planning, key, arrivals)
        with counted("arrivals", arrivals) as advance:
            for one in timings(*run):
                measured.append(one)
                advance()
    costs = pd.DataFrame(measured, columns=list(Timing._fields))
    costs = costs.assign(both=costs["backfill"] + costs["update"])
    where = f"{platform.machine()} {platform.system()}, {datetime.date.today().isoformat()}"
    setting = f"{title}, {len(costs)} arrivals; one core of {where}"
    figure = draw_costs(costs, setting) if len(costs) else log_not_available(row.source)
    write_items({"fig5": Picture(figure, costs)}, outputs)


if __name__ == "__main__":
    run_script(time_plans, snakemake)  # noqa: F821
