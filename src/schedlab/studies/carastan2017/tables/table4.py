"""Table 4 in full precision, and further policies compared with F1 to F4 in it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from schedlab.files.io import read_parquet
from schedlab.files.stand_ins import name_of_stand_in, short_name
from schedlab.report.items import Given, Item, Study, item
from schedlab.report.parts import Table, Words
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import filled
from schedlab.studies.carastan2017.inputs import (
    Own,
    Source,
    Table4Rows,
    Table4Runs,
    files_of_table4,
    further_of,
    of_table4,
)
from schedlab.studies.carastan2017.names import DIALECT_WORDS, LEARNED_COLUMNS, POLICY_COLUMNS
from schedlab.studies.carastan2017.sheet import Experiment

PUBLISHED = ("F4", "F3", "F2", "F1")
REGIMES = {
    ("actual", "none"): "actual run times",
    ("estimate", "none"): "user estimates",
    ("estimate", "easy"): "backfilling",
    # only in user-defined rows
    ("estimate", "conservative"): "conservative backfilling",
    ("actual", "easy"): "backfilling by actual run times",
    ("actual", "conservative"): "conservative backfilling by actual run times",
}
KEYS = ["experiment", "dialect", "regime"]
OVERALL = "all regimes"
LEVEL = 0.05  # significance level of the sign test over the workloads
BEAT, DO_NOT_BEAT, UNDECIDED = "beat", "do not beat", "undecided"


def _ranked(
    which: str,
    rows: Sequence[Mapping],
    runs: Sequence[str],
    names: Sequence[str],
    source: str,
    words: Words,
) -> dict[str, Table | str]:
    further = LEARNED if which == "learned" else own(names)
    sheet, sequences = read_experiments(rows, runs, source)
    table = standing(sheet, medians(sheet, sequences, names), further)
    item = f"table4_{which}_ranks"
    finding = sentence(table, words[item]["sentence"], sheet["stand_in"], further)
    return {
        item: Table(shown(table, further), facts={"finding": finding}),
        f"table4_{which}_sentence": finding,
    }


def _items(which: str) -> Callable[[Study], list[Item]]:
    items = [Item(f"table4_{which}_ranks"), Item(f"table4_{which}_sentence", "text")]
    return lambda study: items if which in further_of(study) else []


ranking = partial(item, section="Table 4", memory=400, minutes=4)


@ranking(_items("learned"))
def rank_learned(
    rows: Table4Rows, runs: Table4Runs, names: Own, source: Source, words: Words
) -> dict[str, Table | str]:
    """Rank the learned policies among F1 to F4."""
    return _ranked("learned", rows, runs, names, source, words)


@ranking(_items("own"))
def rank_own(
    rows: Table4Rows, runs: Table4Runs, names: Own, source: Source, words: Words
) -> dict[str, Table | str]:
    """Rank your policies among F1 to F4."""
    return _ranked("own", rows, runs, names, source, words)


@dataclass(frozen=True)
class Further:
    """Policies that are compared with F1 to F4."""

    names: tuple[str, ...]
    short: str
    words: str

    @property
    def best(self) -> str:
        """Return the name of the column with their best median."""
        return f"best_{self.short}"


LEARNED = Further(LEARNED_COLUMNS, "L", "L1–L4")


def own(names: Iterable[str]) -> Further:
    """Return user-defined policies."""
    names = tuple(names)
    return Further(names, "own", f"user-defined policies ({', '.join(names)})")


def _regime(decisions: str, backfill: str) -> str:
    """Return the words for what the scheduler sees and which jobs have a reservation."""
    words = "first fit" if backfill == "fit" else f"backfilling with {backfill} reservations"
    words += " by actual run times" * (decisions == "actual")
    return REGIMES.get((decisions, backfill), words)


def standing(sheet: pd.DataFrame, values: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Rank the policies in every row, and compare the best further one with the best of F1-F4."""
    run = values.notna().all(axis=1)
    table = values.rank(axis=1, method="min").where(run)
    table["best_F"] = values[list(PUBLISHED)].min(axis=1).where(run)
    table[further.best] = values[list(further.names)].min(axis=1).where(run)
    table["ratio"] = table[further.best] / table["best_F"]
    table.insert(0, "experiment", sheet["label"])
    table.insert(1, "dialect", sheet["dialect"])
    pairs = zip(sheet["decisions"], sheet["backfill"], strict=True)
    table.insert(2, "regime", [_regime(*pair) for pair in pairs])
    return table.reset_index(drop=True)


def over_rows(table: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Return medians over the rows that ran, by dialect and regime, and by dialect alone."""
    run = table.dropna(subset="ratio")
    numbers = [column for column in table if column not in (*KEYS, "best_F", further.best)]
    rows = []
    for dialect, dialect_rows in run.groupby("dialect", sort=False):
        for regime in (*dialect_rows["regime"].unique(), OVERALL):
            part = (
                dialect_rows
                if regime == OVERALL
                else dialect_rows[dialect_rows["regime"] == regime]
            )
            counts = {"rows": len(part), "better": int((part["ratio"] < 1).sum())}
            counts["worse"] = int((part["ratio"] > 1).sum())
            label = f"median over {counts['rows']} rows; "
            label += f"{further.short} lower in {counts['better']}"
            cells = {"experiment": label, "dialect": dialect, "regime": regime}
            rows.append(cells | part[numbers].median().to_dict() | counts)
    return pd.DataFrame(rows, columns=[*KEYS, *numbers, "rows", "better", "worse"])


def by_workload(table: pd.DataFrame) -> pd.DataFrame:
    """Return the median ratio of each workload over its rows, by dialect."""
    run = table.dropna(subset="ratio")
    run = run.assign(workload=run["experiment"].map(workload_of))
    grouped = run.groupby(["dialect", "workload"], sort=False)["ratio"]
    return grouped.median().reset_index()


def workload_of(label: str) -> str:
    """Return the workload in a row's label: the part before the last comma."""
    return label.rpartition(", ")[0] or label


def sign_test(ratios: np.ndarray) -> tuple[str, float]:
    """Return whether further policies beat F1 to F4, by a sign test over workloads; and p."""
    ratios = np.asarray(ratios, dtype=float)
    better, worse = int((ratios < 1).sum()), int((ratios > 1).sum())
    chance = float(binomtest(better, better + worse).pvalue) if better + worse else 1.0
    if chance < LEVEL and np.median(ratios) < 1:
        return BEAT, chance
    if chance < LEVEL and np.median(ratios) > 1:
        return DO_NOT_BEAT, chance
    return UNDECIDED, chance


def sentence(
    table: pd.DataFrame, text: str, stand_in: Iterable[bool] = (), further: Further = LEARNED
) -> str:
    """Fill whether further policies beat F1 to F4, from `standing`, and which rows are models."""
    summary, workloads, parts = over_rows(table, further), by_workload(table), []
    for dialect, rows in summary.groupby("dialect", sort=False):
        *regimes, overall = rows.to_dict("records")
        group = workloads[workloads["dialect"] == dialect]
        verdict, chance = sign_test(group["ratio"])
        # even full agreement of so few workloads has this chance
        least = 2 * 0.5 ** len(group)
        names = [short_name(workload) for workload in group["workload"]]
        part = {"seen": DIALECT_WORDS[dialect], "verdict": verdict, "chance": chance}
        part |= {"overall": overall, "regimes": regimes, "workloads": names, "least": least}
        parts.append(part | {"better": int((group["ratio"] < 1).sum()), "few": not least < LEVEL})
    facts = {"who": further.words, "parts": parts, "stand_in": list(stand_in)}
    return filled(text, facts)


def shown(table: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Return rows and their medians in one table; cells of a row that did not run state so."""
    run = table["ratio"].notna()
    policies = [name for name in table if name not in (*KEYS, "best_F", further.best, "ratio")]
    ranks = table[policies].astype("Int64").astype(object).where(run, NOT_AVAILABLE)
    medians = table[["best_F", further.best, "ratio"]].astype(object).where(run, NOT_AVAILABLE)
    rows = pd.concat([table[KEYS], ranks, medians], axis=1)
    summary = over_rows(table, further).drop(columns=["rows", "better", "worse"])
    return pd.concat([rows, summary.astype(object)], ignore_index=True)


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
