"""Figures 4.1 to 4.5, 6.4, 6.9 and 6.10 of kellari2025: single schedules over time."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.cosched import timelines
from schedlab.figures import gantt
from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.figures import comparisons
from schedlab.papers.kellari2025.sheet import CoExperiment
from schedlab.report import tables

GANTTS = {
    "fig4_5": ("small", "EASY-Co"),
    "fig6_9": ("gantt400", "SJF"),
    "fig6_10": ("gantt400", "SJF-Co"),
}


def draw_coschedules(rows: Sequence[Mapping], schedules: str, outputs: Mapping[str, str]) -> None:
    """Draw each figure and write what it draws beside it; `outputs` by `figure_kind`."""
    machines = {row["experiment"]: CoExperiment(**row).cluster for row in rows}
    kept = dict(list(read_parquet(schedules).groupby(["experiment", "scheduler"], sort=False)))
    of_example = {name: jobs for (run, name), jobs in kept.items() if run == "example"}
    on = f"{len(of_example['EASY'])} jobs on {of_example['EASY']['pool'].iloc[0]}"
    until = max(jobs["end"].max() for jobs in of_example.values())
    cores = machines["example"].processors
    states = timelines.states(kept["small", "EASY-Co"])
    speedups = pd.concat(of_example.values(), ignore_index=True)
    speedups["speedup"] = speedups["time"] / (speedups["end"] - speedups["start"])
    ends = speedups.groupby("scheduler")["end"].max()
    spans = ends["Conservative"] / ends
    finished = over_time(of_example, timelines.throughput, until)
    idle = [
        timelines.unused_cores(jobs, cores, jobs["end"].max()).assign(scheduler=name)
        for name, jobs in of_example.items()
    ]
    unused = pd.concat(idle, ignore_index=True)
    popular = of_example["Popularity"].reset_index(drop=True)
    bins = timelines.speedup_bins(popular)
    summary = speedups.groupby("scheduler")["speedup"].describe()
    summary = summary.assign(makespan_speedup=spans).reset_index()
    small = f"EASY-Co, {len(kept['small', 'EASY-Co'])} jobs"
    figures = {
        "fig4_1": (comparisons.draw_states(states, small), states),
        "fig4_2": (comparisons.draw_speedups(speedups, spans, on), summary),
        "fig4_3": (comparisons.draw_lines(finished, "finished", "jobs finished", on), finished),
        "fig4_4": (comparisons.draw_unused(unused, f"{on}: mean until the end (line)"), unused),
        "fig6_4": (comparisons.draw_speedup_bins(popular, bins, f"Popularity, {on}"), bins),
    }  # fmt: skip
    for figure, run in GANTTS.items():
        jobs = kept[run].reset_index(drop=True)
        note = f"{run[1]}, {len(jobs)} jobs on {jobs['pool'].iloc[0]}: {jobs['end'].max():,.0f} s"
        if not jobs["compact"].all():
            note += "; pale: half free"
        drawn = gantt.draw_gantt(timelines.lanes(jobs), jobs, machines[run[0]].node_cores, note)
        figures[figure] = (drawn, timelines.listed(jobs))
    for name, (figure, table) in figures.items():
        save(figure, outputs[f"{name}_pdf"], outputs[f"{name}_png"])
        tables.write_csv(table, outputs[f"{name}_csv"])


def over_time(schedules: Mapping[str, pd.DataFrame], measure, *arguments: float) -> pd.DataFrame:
    """Return a quantity over time for every scheduler, below each other."""
    frames = [measure(jobs, *arguments).assign(scheduler=name) for name, jobs in schedules.items()]
    return pd.concat(frames, ignore_index=True)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_coschedules(
            *(job.params.rows, job.input.schedules, dict(job.output.items())),
        )
