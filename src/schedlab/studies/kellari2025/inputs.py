"""What the items of kellari2025 are made from: rows of the sheet, and files of their results."""

from collections.abc import Mapping
from typing import Annotated

import pandas as pd

from schedlab.core.machine import Machine
from schedlab.cosched.machine import shared_nodes
from schedlab.cosched.pool import Pool
from schedlab.files.io import read_parquet
from schedlab.files.stand_ins import name_of_stand_in
from schedlab.report.items import SHEET, From, Given, Item, Study
from schedlab.studies.kellari2025.tables.chapter6 import read_runs

POOL = "<results>/pools/aris-nas.parquet"
#: resources of jobs that read metrics, and of those that read schedules or draw comparisons
SMALL, LARGE = {"memory": 1000, "minutes": 5}, {"memory": 1500, "minutes": 5}


def runs_of(study: Study, item: str, *policies: str) -> list[str]:
    """List the result files of an item's experiments, with further policies if given."""
    names = [row.experiment for row in study.of_item(item)]
    return [path for one in (SHEET, *policies) for path in study.results(one, names)]


def labels_of(study: Study, item: str) -> dict[str, str]:
    """Return the labels of an item's experiments; a label names the model that replaces a log."""
    labels = {row.experiment: row.label for row in study.of_item(item)}
    if study.config["source"] == "models":
        for row in study.of_item(item):
            if row.log:
                name = name_of_stand_in(study.models[row.standin], row.log)
                label = row.label.replace(row.log, name)
                labels[row.experiment] = label if name in label else f"{label}, {name}"
    return labels


def with_own(study: Study, names: list[str], kind: str = "table") -> list[Item]:
    """Return items, followed by those that show your policies too."""
    ends = ("", "_own") if study.config["policies"] else ("",)
    return [Item(f"{name}{end}", kind) for end in ends for name in names]


def own_of(study: Study, item: str) -> list[str]:
    """Return your policies that an item shows in addition to the thesis's."""
    return list(study.config["policies"]) if item.endswith("_own") else []


def kept(study: Study, experiment: str) -> str:
    """Return the path of an experiment's schedules."""
    return f"<results>/schedules/{study.key}/{experiment}.parquet"


def as_nodes(machine: Mapping[str, int]) -> Machine:
    """Return a machine of a row."""
    return shared_nodes(**machine)


Own = Annotated[list[str], Given(own_of)]
#: runs of Tables 6.1 and 6.2, with your policies; runs of the made item
Table6Runs = Annotated[
    pd.DataFrame,
    From(lambda study, name: runs_of(study, "table6", *own_of(study, name)), read_runs),
]
Runs = Annotated[pd.DataFrame, From(runs_of, read_runs)]
Labels = Annotated[dict[str, str], Given(labels_of)]
Speeds = Annotated[Pool, From(lambda *_: POOL, lambda path: Pool.from_frame(read_parquet(path)))]
