"""How further policies, learned here or a reader's own, stand beside F1 to F4 in Table 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
from scipy.stats import binomtest

from schedlab.papers.carastan2017.names import LEARNED_COLUMNS
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable

PUBLISHED = ("F4", "F3", "F2", "F1")
REGIMES = {
    ("actual", "none"): "actual run times",
    ("estimate", "none"): "user estimates",
    ("estimate", "easy"): "backfilling",
}
KEYS = ["experiment", "dialect", "regime"]
OVERALL = "all regimes"
LEVEL = 0.05  # of the sign test over the rows


@dataclass(frozen=True)
class Further:
    """Policies that are held against F1 to F4.

    Parameters
    ----------
    names : tuple of str
        Their columns.
    short, words : str
        What headings and sentences call them.
    """

    names: tuple[str, ...]
    short: str
    words: str

    @property
    def best(self) -> str:
        """The column of their best median."""
        return f"best_{self.short}"


LEARNED = Further(LEARNED_COLUMNS, "L", "L1–L4")


def own(names: Iterable[str]) -> Further:
    """Return a reader's own policies."""
    names = tuple(names)
    return Further(names, "own", f"policies of one's own ({', '.join(names)})")


def standing(sheet: pd.DataFrame, values: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Rank the policies of every row, and hold the best further one against the best of F1-F4.

    Parameters
    ----------
    sheet : DataFrame
        From `schedlab.papers.carastan2017.tables.experiments.sheet_frame`.
    values : DataFrame
        From `schedlab.papers.carastan2017.tables.experiments.medians`, with columns for the
        further policies.
    further : Further
        Which these are.

    Returns
    -------
    DataFrame
        Columns experiment, dialect, regime, one per policy (1: the lowest median of the row; equal
        medians share the better rank), best_F, `further.best` (medians), ratio (the latter over
        the former; below 1 the further policies are better). Numbers are nan in a row that was
        not run.
    """
    run = values.notna().all(axis=1)
    table = values.rank(axis=1, method="min").where(run)
    table["best_F"] = values[list(PUBLISHED)].min(axis=1).where(run)
    table[further.best] = values[list(further.names)].min(axis=1).where(run)
    table["ratio"] = table[further.best] / table["best_F"]
    table.insert(0, "experiment", sheet["label"])
    table.insert(1, "dialect", sheet["dialect"])
    pairs = zip(sheet["decisions"], sheet["backfill"], strict=True)
    table.insert(2, "regime", [REGIMES[pair] for pair in pairs])
    return table.reset_index(drop=True)


def over_rows(table: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Medians over the rows that were run, by dialect and regime, and by dialect alone.

    Parameters
    ----------
    table, further
        From `standing`, and as for it.

    Returns
    -------
    DataFrame
        Columns of `table` but the two medians, numbers being medians over the rows; rows: over how
        many; better, worse: in how many of them the ratio is below 1, above 1; experiment: rows and
        better in words.
    """
    run = table.dropna(subset="ratio")
    numbers = [column for column in table if column not in (*KEYS, "best_F", further.best)]
    rows = []
    for dialect, own in run.groupby("dialect", sort=False):
        for regime in (*own["regime"].unique(), OVERALL):
            part = own if regime == OVERALL else own[own["regime"] == regime]
            counts = {"rows": len(part), "better": int((part["ratio"] < 1).sum())}
            counts["worse"] = int((part["ratio"] > 1).sum())
            label = f"median over {counts['rows']} rows; "
            label += f"{further.short} lower in {counts['better']}"
            words = {"experiment": label, "dialect": dialect, "regime": regime}
            rows.append(words | part[numbers].median().to_dict() | counts)
    return pd.DataFrame(rows, columns=[*KEYS, *numbers, "rows", "better", "worse"])


def sentence(table: pd.DataFrame, stand_ins: bool = False, further: Further = LEARNED) -> str:
    """Say whether further policies beat F1 to F4, from the numbers.

    They beat them in a dialect where the best of them has the lower median in so many of the rows
    that a sign test tells it from chance, and the median ratio is below 1. Rows on one log are not
    independent of each other, for which the test makes no allowance.

    Parameters
    ----------
    table, further
        From `standing`, and as for it.
    stand_ins : bool
        Whether models ran in the place of the paper's data.
    """
    summary = over_rows(table, further)
    if summary.empty:
        return f"No row was run under both {further.words} and F1–F4: nothing can be said of them."
    said = []
    for dialect, rows in summary.groupby("dialect", sort=False):
        *regimes, overall = rows.to_dict("records")
        better, worse = overall["better"], overall["worse"]
        chance = binomtest(better, better + worse).pvalue if better + worse else 1.0
        beat = better > worse and overall["ratio"] < 1 and chance < LEVEL
        by_regime = ", ".join(f"{row['ratio']:.2f} with {row['regime']}" for row in regimes)
        said.append(
            f"in the {dialect} dialect {further.words} {'beat' if beat else 'do not beat'} F1–F4: "
            f"the best of them, chosen with hindsight on either side, has the lower median in "
            f"{better} of {overall['rows']} rows (higher in {worse}; sign test: p = {chance:.2g}), "
            f"and its median is {overall['ratio']:.2f} times that of the best of F1–F4, as a "
            f"median over the rows ({by_regime})"
        )
    text = "; ".join(said) + "."
    return f"On model stand-ins, {text}" if stand_ins else text[0].upper() + text[1:]


def shown(table: pd.DataFrame, further: Further = LEARNED) -> pd.DataFrame:
    """Rows and the medians over them in one table; cells of a row that was not run say so.

    Parameters
    ----------
    table, further
        From `standing`, and as for it.
    """
    run = table["ratio"].notna()
    policies = [name for name in table if name not in (*KEYS, "best_F", further.best, "ratio")]
    ranks = table[policies].astype("Int64").astype(object).where(run, NOT_AT_HAND)
    medians = table[["best_F", further.best, "ratio"]].astype(object).where(run, NOT_AT_HAND)
    rows = pd.concat([table[KEYS], ranks, medians], axis=1)
    summary = over_rows(table, further).drop(columns=["rows", "better", "worse"])
    return pd.concat([rows, summary.astype(object)], ignore_index=True)


def mixture(stand_in: Iterable[bool]) -> str:
    """Say how many rows ran on stand-ins where others did not; nothing where all or none did.

    Examples
    --------
    >>> mixture([True, False, True]), mixture([False, False])
    ('2 of these 3 rows ran on model stand-ins.', '')
    """
    rows = list(stand_in)
    models = sum(rows)
    if models in (0, len(rows)):
        return ""
    return f"{models} of these {len(rows)} rows ran on model stand-ins."
