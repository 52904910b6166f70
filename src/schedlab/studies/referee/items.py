"""The items of the referee, and its replays."""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.items import (
    From,
    Given,
    Group,
    Item,
    Study,
    each,
    groups_of,
    item,
    resource,
    with_words,
)
from schedlab.report.parts import Data, Table, Text
from schedlab.slurm.background_load import simulate_under_load
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.studies.referee.figures import draw_referee
from schedlab.studies.referee.findings import SHOWN_DIGITS, findings, ranking_table, referee_table
from schedlab.studies.referee.metrics import evaluate_windows
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.site_slice import read_slice
from schedlab.studies.referee.slice_figure import draw_slice
from schedlab.studies.referee.slice_runs import (
    LABELS,
    distances_of,
    runs_of,
    slice_findings,
    slice_table,
    waits_by_qos,
)
from schedlab.studies.referee.strategies import INSTANTS, strategies_table
from schedlab.studies.referee.strategies import LOG as STRATEGIES_LOG
from schedlab.studies.referee.windows import NODES
from schedlab.waits.strategies import TYPED as STRATEGIES

LOGS = ("KTH-SP2", "SDSC-SP2")
MADE = "<results>/simulations/referee"
#: the slice of a site: its jobs, and the folder of its files
SLICE_JOBS, SLICE_FILES = f"{MADE}/slice.parquet", f"{MADE}/slice"
SLICE_DIGITS = dict.fromkeys(
    ("mean wait (s)", "low", "high", "waits apart (s)", "median", "90 %", "within two passes"), 0
)
DIGITS = {"core_hours": 2, "idle_core_hours": 2}


def page(study: Study) -> dict[str, Any]:
    """Return nothing: the referee has no page."""
    return {}


def groups(study: Study) -> list[Group]:
    """Return the groups of items."""
    facts = {"factor": study.config[study.key]["factor"]}
    return with_words(groups_of(study, sys.modules[__name__]), study, lambda _: facts)


def window_of(log: str, suffix: str = "") -> str:
    """Return the path of a log's window, or of a related file."""
    return f"{MADE}/{log}.window{suffix}.parquet"


def replays_of(study: Study, _item: str = "") -> list[dict[str, Any]]:
    """Return the log, order and repetition of every replay."""
    return [
        {"log": log, "order": order, "repetition": repetition}
        for log in LOGS
        for order in SETTINGS
        for repetition in range(1, study.config[study.key]["repetitions"] + 1)
    ]


def _files_of_replays(study: Study, _item: str) -> list[str]:
    return [
        f"{MADE}/{one['log']}.{one['order']}.{one['repetition']}.parquet"
        for one in replays_of(study)
    ]


Frames = list[pd.DataFrame]


@item(
    "referee", "ranking", Item("fig_referee", "figure"), Item("windows", "data"),
    Item("findings", "text"), section="Simulators", memory=1000, minutes=10,
)  # fmt: skip
def compare_simulators(
    windows: Annotated[
        Frames, From(lambda *_: [window_of(log) for log in LOGS], each(read_parquet))
    ],
    facts: Annotated[
        Frames, From(lambda *_: [window_of(log, ".facts") for log in LOGS], each(read_parquet))
    ],
    replays: Annotated[Frames, From(_files_of_replays, each(read_parquet))],
    runs: Annotated[Sequence[Mapping], Given(replays_of)],
) -> dict[str, Table | Picture | Data | Text]:
    """Compare the simulators with a real Slurm; `replays` belong to `runs`."""
    jobs = {log: Jobs.from_frame(window) for log, window in zip(LOGS, windows, strict=True)}
    real = defaultdict(list)
    for run, replay in zip(runs, replays, strict=True):
        real[run["log"], run["order"]].append(replay)
    figures, summaries, rankings = evaluate_windows(jobs, real)
    table, ranking = referee_table(summaries), ranking_table(rankings)
    return {
        "referee": Table(table, SHOWN_DIGITS),
        "ranking": Table(ranking),
        "fig_referee": Picture(draw_referee(figures, summaries), figures),
        "windows": Data(pd.concat(facts, ignore_index=True)),
        "findings": Text(findings(summaries, rankings)),
    }


def read_rows(path: str) -> pd.DataFrame:
    """Read a table of a resource."""
    return pd.read_csv(path, sep="\t")


@item(
    "slice", Item("fig_slice", "figure"), Item("slice_waits", "data"),
    Item("slice_findings", "text"), section="A site's slice", memory=1000, minutes=10,
)  # fmt: skip
def compare_slice(
    jobs: Annotated[pd.DataFrame, From(lambda *_: SLICE_JOBS)],
    files: Annotated[str, From(lambda *_: SLICE_FILES, str)],
    recorded: Annotated[pd.DataFrame, From(resource("slice.tsv"), read_rows)],
    passes: Annotated[pd.DataFrame, From(resource("slice-passes.tsv"), read_rows)],
) -> dict[str, Table | Picture | Data | Text]:
    """Compare the simulation of a site's slice with its recorded runs on a real Slurm."""
    if jobs.empty:
        nothing = pd.DataFrame({"compared": list(LABELS.values()), "pairs": NOT_AVAILABLE})
        return {
            "slice": Table(nothing),
            "fig_slice": Picture(log_not_available("the slice of a site"), nothing),
            "slice_waits": Data(nothing),
            "slice_findings": Text({"available": False}),
        }
    site = read_slice(Path(files))
    runs = runs_of(site, jobs, recorded, passes)
    distances, waits = distances_of(site, jobs, runs), waits_by_qos(jobs, runs)
    figure = draw_slice(distances, waits, len(jobs), len(site.machine))
    return {
        "slice": Table(slice_table(distances, waits), SLICE_DIGITS),
        "fig_slice": Picture(figure, distances),
        "slice_waits": Data(waits),
        "slice_findings": Text({"available": True} | slice_findings(site, jobs, distances, waits)),
    }


@item("strategies", section="Strategies", memory=1000, minutes=10)
def compare_strategies(
    jobs: Annotated[pd.DataFrame, From(lambda *_: window_of(STRATEGIES_LOG))],
    workflow: Annotated[
        WorkflowFile,
        From(
            lambda study, _: study.locate("config/referee-workflow.yaml"),
            lambda path: WorkflowFile.read(Path(path)),
        ),
    ],
    real: Annotated[
        Frames,
        From(
            lambda *_: [f"{MADE}/strategy.{strategy}.parquet" for strategy in STRATEGIES],
            each(read_parquet),
        ),
    ],
) -> Table:
    """Compare the real run of every strategy with the simulation of the same load."""
    window = Jobs.from_frame(jobs)
    stages = {}
    for strategy, run in zip(STRATEGIES.values(), real, strict=True):
        stages[strategy, "real"] = run
        stages[strategy, "simulated"] = simulate_under_load(
            window, workflow.workflow, strategy, INSTANTS, NODES
        )
    table = strategies_table(stages)
    digits = {
        name: next((kept for start, kept in DIGITS.items() if name.startswith(start)), 0)
        for name in table.columns[2:]
    }
    return Table(table, digits)
