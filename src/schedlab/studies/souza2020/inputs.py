"""What the items of souza2020 are made from: rows of the sheet, and files of their results."""

from collections.abc import Mapping
from typing import Annotated, Any

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.sheets import cells_of
from schedlab.report.comparison import published_of
from schedlab.report.items import From, Given, Study, each
from schedlab.studies.souza2020.evidence import read_stages
from schedlab.studies.souza2020.runs import learning_of
from schedlab.waits.settings import Settings

#: columns of an experiment that tables and figures receive
COLUMNS = {"experiment", "item", "label", "system", "source", "cores", "load"}
COLUMNS |= {"processors", "request", "accrue"}
#: resources of the jobs that read all replicates
LARGE = {"memory": 2000, "minutes": 10}


def facts_of(study: Study, *items: str) -> list[dict[str, Any]]:
    """Return the columns that tables and figures need of the rows of some items."""
    rows = [row for item in items for row in study.of_item(item)]
    return [
        cells_of(row, COLUMNS) | {"is_model": row.is_model, "workload": row.workload}
        for row in rows
    ]


def rows_of(*items: str) -> Given:
    """Return the rows of some items as what a parameter gets."""
    return Given(lambda study, _: facts_of(study, *items))


def results_of(kind: str, *items: str, read=read_parquet) -> From:
    """Return a kind of results of some items as what a parameter gets, one by one."""
    return From(
        lambda study, _: [path for item in items for path in study.results_of(item, kind)],
        each(read),
    )


def setting(*names: str) -> Given:
    """Return a setting of the configuration as what a parameter gets."""

    def value(study: Study, _item: str) -> Any:
        found = study.config[study.key]
        for name in names:
            found = found[name]
        return found

    return Given(value)


Facts = list[Mapping[str, Any]]
Rows = Annotated[Facts, rows_of("table1")]
#: stages of Table 1's runs, and of Table 2's series
Stages = Annotated[
    pd.DataFrame, From(lambda study, _: study.results_of("table1", "stages"), read_stages)
]
Series = Annotated[
    pd.DataFrame, From(lambda study, _: study.results_of("table2", "series"), read_stages)
]
Games = Annotated[
    pd.DataFrame, From(lambda study, _: study.shown("theorem1_kept.csv"), pd.read_csv)
]
Table1 = Annotated[pd.DataFrame, published_of("table1")]
Learning = Annotated[
    Settings, Given(lambda study, _: study.config[study.key]["learning"], learning_of)
]
