"""What the items of carastan2017 are made from: rows of the sheet, and files of their results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.sheets import cells_of
from schedlab.report.comparison import published_of
from schedlab.report.items import LEARNED, SHEET, From, Given, Study, each
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS
from schedlab.studies.carastan2017.sheet import GENERATED, TABLE4, Experiment

#: figures with boxes by policy
BOXES = tuple(f"fig{number}" for number in range(4, 10))
#: ending of the files like Table 4 with learned policies in the full dialect
LEARNED_FULL = "learned_full"
DRAWING: Mapping[str, int] = {"memory": 500, "minutes": 5}
COMPARING: Mapping[str, int] = {"memory": 1000, "minutes": 5}


def further_of(study: Study) -> dict[str, tuple[list[str], Sequence[str]]]:
    """Return the further policies by the ending of the files that show them."""
    custom = list(study.config["policies"])
    learned = ([LEARNED], LEARNED_COLUMNS)
    return {"learned": learned, LEARNED_FULL: learned} | (
        {"own": (custom, custom)} if custom else {}
    )


def files_of_table4(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the items whose rows each file like Table 4 shows."""
    generated = study.config[study.key]["generated"]
    computed = {"table4_generated": GENERATED} if generated else {}
    files = {"table4": TABLE4[:1], "table4_full": TABLE4[1:]} | computed
    if study.config["policies"]:
        files |= {f"{name}_own": items for name, items in ({"table4": TABLE4} | computed).items()}
    return files | {"table4_learned": TABLE4[:1], f"table4_{LEARNED_FULL}": TABLE4[1:]}


def rows_of(rows: Iterable[Experiment], items: Sequence[str]) -> list[Experiment]:
    """Return the rows that belong to items."""
    return [row for row in rows if row.item in items]


def simulations(study: Study, rows: Iterable[Experiment], *further: str) -> list[str]:
    """List the result files of rows, then those with further policies."""
    names = [row.experiment for row in rows]
    return [
        f"<results>/simulations/{study.key}/{policies}/{name}.parquet"
        for policies in (SHEET, *further)
        for name in names
    ]


def end_of(study: Study, item: str) -> tuple[list[str], Sequence[str]]:
    """Return the folders and column names of the further policies of an item."""
    further, shown = further_of(study), item.removesuffix("_ranks")
    return next((further[end] for end in further if shown.endswith(f"_{end}")), ([], []))


def drawn(rows: Iterable[Experiment], item: str) -> list[Experiment]:
    """Return the rows that a figure shows."""
    figure = item.partition("_")[0]
    return [row for row in rows if (row.figure or " ")[:-1] == figure]


def of_table4(study: Study, item: str) -> tuple[str, ...]:
    """Return the items whose rows an item of Table 4 shows: those of its file, or all."""
    return files_of_table4(study).get(item, TABLE4)


def sites_of(study: Study) -> Mapping[str, Any]:
    """Return the settings of the sites that policies are learned on."""
    return study.config[study.key]["learning"]["sites"]


def of_sites(pattern: str) -> Callable[[Study, str], list[str]]:
    """Return what lists a file of each site."""
    return lambda study, _: [pattern.replace("{site}", one) for one in sites_of(study)["names"]]


def scores(kind: str) -> From:
    """Return the scores of the configured workload as what a parameter gets."""

    def path(study: Study, _item: str) -> str:
        learned_from = study.config[study.key]["learning"]["source"]
        return f"<results>/scores/{learned_from}.{kind}.parquet"

    return From(path)


Frames = list[pd.DataFrame]
Own = Annotated[Sequence[str], Given(lambda study, item: end_of(study, item)[1])]
Source = Annotated[str, Given(lambda study, _: study.config["source"])]
#: rows of Table 4 in the sheet, and the results of those that run
Table4Rows = Annotated[
    Sequence[Mapping],
    Given(
        lambda study, item: [cells_of(one) for one in rows_of(study.sheet, of_table4(study, item))]
    ),
]
Table4Runs = Annotated[
    Sequence[str],
    From(
        lambda study, item: simulations(
            study, rows_of(study.rows, of_table4(study, item)), *end_of(study, item)[0]
        ),
        list,
    ),
]
Published4 = Annotated[pd.DataFrame, published_of("table4")]
Draws = Annotated[
    Frames, From(of_sites("<results>/scores/sites/{site}.draws.parquet"), each(read_parquet))
]
Resampled = Annotated[
    Frames, From(of_sites("<results>/policies/sites/{site}.resampled.parquet"), each(read_parquet))
]
Fewest = Annotated[int, Given(lambda study, _: sites_of(study)["fewest"])]
Resamples = Annotated[int, Given(lambda study, _: sites_of(study)["resamples"])]
