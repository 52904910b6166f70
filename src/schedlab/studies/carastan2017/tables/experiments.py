"""Make Table 4 in full precision: the results of the experiments, and their medians."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.files.stand_ins import name_of_stand_in
from schedlab.report.items import Given, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.inputs import (
    Own,
    Source,
    Table4Rows,
    Table4Runs,
    files_of_table4,
    of_table4,
)
from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.sheet import Experiment

SEQUENCE_COLUMNS = ["experiment", "dialect", "policy", "piece", "jobs", "avebsld"]


@item(
    lambda study: files_of_table4(study), section="Table 4", apart=True, memory=400, minutes=4,
)  # fmt: skip
def make_table4(
    item: str,
    rows: Table4Rows,
    simulations: Table4Runs,
    own: Own,
    shown: Annotated[Sequence[str], Given(of_table4)],
    source: Source,
) -> Table:
    """Return median average bounded slowdown over the sequences: Table 4, or rows like its own."""
    sheet = sheet_frame([Experiment(**row) for row in rows], source)
    if not simulations:
        sheet = sheet.iloc[:0]
    sequences = read_sequences(sheet, simulations)
    if len(shown) > 1:
        table = row_group(sheet, sequences, own)
    else:
        table = table4(sheet, medians(sheet, sequences, own))
    return Table(table, facts={"dialects": " and ".join(sheet["dialect"].unique())})


def sheet_frame(experiments: Iterable, source: str = "logs") -> pd.DataFrame:
    """Return the rows of the experiment sheet, in its order and indexed by experiment.

    `source` is what the experiments ran on: "logs" or "models". With models, the label names the
    model and `stand_in` is true, unless the model draws the paper's own jobs.
    """
    experiments = list(experiments)
    frame = pd.DataFrame([asdict(experiment) for experiment in experiments])
    frame = frame.assign(
        row=frame["label"],
        stand_in=(source == "models") & (frame["source"] != frame["standin"]) & ~frame["drawn"],
    )
    labels = [row.named(name_of_stand_in(row.processors, row.source)) for row in experiments]
    frame["label"] = frame["row"].where(~frame["stand_in"], pd.Series(labels, dtype=object))
    return frame.set_index("experiment", drop=False).rename_axis(None)


def read_sequences(sheet: pd.DataFrame, paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the results per sequence of every experiment of `sheet`, from `sheet_frame`.

    `paths` are files ``{experiment}.parquet``. Files of other experiments are ignored. Several
    files of one experiment, each with other policies, are concatenated.
    """
    files = {}
    for path in map(Path, paths):
        files.setdefault(path.stem, []).append(path)
    if absent := [name for name in sheet.index if name not in files]:
        raise ValueError(f"no result file for experiment {absent[0]!r} of the sheet")
    frames = []
    for path in [path for name in sheet.index for path in files[name]]:
        frame = read_parquet(path)
        if lacking := [column for column in SEQUENCE_COLUMNS if column not in frame]:
            raise ValueError(f"{path}: column {lacking[0]!r} is missing")
        frames.append(frame[SEQUENCE_COLUMNS])
    filled = [frame for frame in frames if len(frame)]
    if not filled:
        return pd.DataFrame(columns=SEQUENCE_COLUMNS)
    return pd.concat(filled, ignore_index=True)


def read_experiments(
    rows: Iterable[Mapping], paths: Iterable[str | Path], source: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `sheet_frame` of rows given by their cells, and `read_sequences` of their results."""
    sheet = sheet_frame([Experiment(**row) for row in rows], source)
    return sheet, read_sequences(sheet, paths)


def medians(
    sheet: pd.DataFrame, sequences: pd.DataFrame, custom: Iterable[str] = ()
) -> pd.DataFrame:
    """Return the medians of AVEbsld over the sequences, as in section 4.2 and Table 4."""
    table = sequences.pivot_table(
        index="experiment", columns="policy", values="avebsld", aggfunc="median", observed=True
    )
    columns = [*POLICY_COLUMNS, *custom]
    table = table.reindex(index=sheet.index, columns=columns).astype(float)
    return table.rename(columns=POLICY_COLUMNS).rename_axis(index=None, columns=None)


def table4(sheet: pd.DataFrame, values: pd.DataFrame) -> pd.DataFrame:
    """Return Table 4 under the paper's row texts; `values` as from `medians`."""
    table = values.astype(object).where(values.notna(), NOT_AVAILABLE)
    table.insert(0, "experiment", sheet["label"])
    return table.reset_index(drop=True)


def row_group(
    sheet: pd.DataFrame, sequences: pd.DataFrame, custom: Iterable[str] = ()
) -> pd.DataFrame:
    """Return a table like Table 4 for rows that only schedlab has, such as generated workloads."""
    table = table4(sheet, medians(sheet, sequences, custom))
    counts = sequences.groupby("experiment")["piece"].nunique()
    table.insert(1, "dialect", sheet["dialect"].to_numpy())
    table.insert(2, "sequences", counts.reindex(sheet.index, fill_value=0).to_numpy())
    return table
