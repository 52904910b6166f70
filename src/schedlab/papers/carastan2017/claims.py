"""What carastan2017 says of Table 4 in words, held against the printed table and against ours.

Where a sentence gives a number it is compared as printed numbers are; where its words leave a bound
open, the bound stands in the claim.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt

import pandas as pd

from schedlab.papers.carastan2017.names import AD_HOC, LEARNED, REGIMES
from schedlab.report import claims
from schedlab.report.claims import Claim, Found
from schedlab.report.verdicts import NOT_AT_HAND, agrees

ACTUAL, ESTIMATES, BACKFILLING = REGIMES
# What a test takes: the six rows of the workload model, or those of the logs that were run.
MODEL, LOGS = "model", "logs"
SIZES = ("256", "1024")
DRAMATIC, IMPORTANT, CONSIDERABLE = 10.0, 2.0, 1.1


def _model_row(size: str, regime: str) -> str:
    return f"Workload model, nmax = {size}, {regime}"


MODEL_ROWS = [_model_row(size, regime) for regime in REGIMES for size in SIZES]


def _policies(row: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Return a row's medians of the ad-hoc policies, and of F1 to F4."""
    return row[list(AD_HOC)], row[list(LEARNED)]


def gains(row: pd.Series) -> pd.Series:
    """By how often the median of each of F1 to F4 is in that of the best ad-hoc policy."""
    ad_hoc, learned = _policies(row)
    return ad_hoc.min() / learned


def _short(row: str) -> str:
    """Name a row of Table 4 in few words, without its regime."""
    return row.rsplit(", ", 1)[0].removeprefix("Workload model, ").removesuffix(" workload trace")


def _told(numbers: pd.Series) -> str:
    return ", ".join(f"{name} {number:.2f}" for name, number in numbers.items())


def _of_regime(rows: pd.DataFrame, *regimes: str) -> pd.DataFrame:
    return rows[[name.endswith(regimes) for name in rows.index]]


def _best_gains(least: float, middle: float, *regimes: str) -> Callable:
    """Test that the best of F1-F4 is better everywhere and, by a factor, in the median."""

    def test(rows: pd.DataFrame) -> Found:
        best = _of_regime(rows, *regimes).apply(lambda row: gains(row).max(), axis=1)
        words = f"{best.min():.2f} times at least, median {best.median():.2f} of {len(best)}"
        return words, bool(best.min() > least and best.median() >= middle)

    return test


def _up_to(rows: pd.DataFrame) -> Found:
    best = max(gains(rows.loc[_model_row(size, BACKFILLING)]).max() for size in SIZES)
    return f"{best:.2f} times", agrees("14", best)


def _falling(row: str, order: tuple[str, ...]) -> Callable:
    """Test that the medians of `order` rise, best first."""

    def test(rows: pd.DataFrame) -> Found:
        values = rows.loc[row, list(order)]
        return _told(values), bool((values.diff().iloc[1:] > 0).all())

    return test


def _all_below(*regimes: str) -> Callable:
    """Test that each of F1-F4 is below the best ad-hoc policy in every row."""

    def test(rows: pd.DataFrame) -> Found:
        chosen = _of_regime(rows, *regimes)
        least = chosen.apply(lambda row: gains(row).min(), axis=1)
        words = f"the worst of F1–F4 is {least.min():.2f} times better ({_short(least.idxmin())})"
        return f"{words}, of {len(least)} rows", bool((least > 1).all())

    return test


def _estimates_cost(rows: pd.DataFrame) -> Found:
    ratios = pd.concat(
        [rows.loc[_model_row(size, ESTIMATES)] / rows.loc[_model_row(size, ACTUAL)]
         for size in SIZES], axis=1, keys=SIZES
    )  # fmt: skip
    others = ratios.drop(index="FCFS")
    lowest = others.min(axis=1).idxmin()
    words = (
        f"least for {lowest}: times {others.min().min():.2f}; FCFS {ratios.loc['FCFS'].max():.2f}"
    )
    same = bool(((ratios.loc["FCFS"] - 1).abs() < 0.005).all())
    return words, same and bool((others >= CONSIDERABLE).all(axis=None))


def _between(size: str, low: str, high: str) -> Callable:
    """Test that F1-F4 are between `low` and `high` times better with estimates."""

    def test(rows: pd.DataFrame) -> Found:
        found = gains(rows.loc[_model_row(size, ESTIMATES)])
        words = f"{found.min():.2f} to {found.max():.2f} times"
        return words, agrees(low, found.min()) and agrees(high, found.max())

    return test


def _times_better(policies: tuple[str, ...], is_enough: Callable, times: float) -> Callable:
    """Test that policies are so many times better than the best ad-hoc one with backfilling."""

    def test(rows: pd.DataFrame) -> Found:
        found = {
            f"{policy}, {size}": gains(rows.loc[_model_row(size, BACKFILLING)])[policy]
            for policy in policies
            for size in SIZES
        }
        worst = min(found, key=found.get)
        return f"{found[worst]:.2f} times at least ({worst})", bool(is_enough(found[worst], times))

    return test


def _benefits(rows: pd.DataFrame) -> pd.DataFrame:
    """How often the median with backfilling is in that without, by workload and policy."""
    plain, filled = _of_regime(rows, ESTIMATES), _of_regime(rows, BACKFILLING)
    plain, filled = (part.rename(index=_short) for part in (plain, filled))
    shared = plain.index.intersection(filled.index)
    return plain.loc[shared] / filled.loc[shared]


def _fcfs_benefits_most(rows: pd.DataFrame) -> Found:
    benefits = _benefits(rows)
    most = benefits.idxmax(axis=1)
    words = ", ".join(
        f"{name}: {most[name]} {benefits.at[name, most[name]]:.2f}"
        + ("" if most[name] == "FCFS" else f", FCFS {benefits.at[name, 'FCFS']:.2f}")
        for name in benefits.index
    )
    return words, bool((most == "FCFS").all())


def _learned_benefit_least(rows: pd.DataFrame) -> Found:
    benefits = _benefits(rows)
    most, least = benefits[list(LEARNED)].max(axis=1), benefits[list(AD_HOC)].min(axis=1)
    words = ", ".join(
        f"{name}: at most {most[name]:.2f}, ad-hoc at least {least[name]:.2f}"
        for name in benefits.index
    )
    return words, bool((most < least).all())


def _best_by_log(rows: pd.DataFrame) -> Found:
    wanted = {"Curie": "F2", "Anl Interpid": "F3", "SDSC Blue": "F2", "CTC SP2": "F2"}
    best = _of_regime(rows, ACTUAL).rename(index=_short).idxmin(axis=1)
    words = ", ".join(f"{name}: {policy}" for name, policy in best.items())
    return words, all(policy == wanted[name] for name, policy in best.items())


def _most_below(rows: pd.DataFrame) -> Found:
    found = _of_regime(rows, BACKFILLING).apply(gains, axis=1)
    share = 100 * float((found > 1).to_numpy().mean())
    return f"{share:.0f} % of {found.size}", share > 50


CLAIMS = (
    Claim("the functions dramatically improved the mean slowdown in synthetic workloads: the best "
          "of them tenfold in every experiment", "abstract",
          _best_gains(DRAMATIC, DRAMATIC, *REGIMES), MODEL),
    Claim("on real traces they still resulted in important performance improvements: the best of "
          "them is better in every experiment, and twofold in the median", "abstract",
          _best_gains(1.0, IMPORTANT, *REGIMES), LOGS),
    Claim("performances up to 14 times better than the best ad-hoc one in the most realistic "
          "setting", "1", _up_to, MODEL),
    Claim("F1 provided the best performance, followed by F2, F3 and F4 (256 cores)", "4.2.1",
          _falling(_model_row("256", ACTUAL), LEARNED[::-1]), MODEL),
    Claim("with actual run times all functions performed better than the ad-hoc policies", "4.2.1",
          _all_below(ACTUAL), MODEL),
    Claim("with estimates all policies had a considerable performance degradation, except FCFS: by "
          "a tenth or more", "4.2.2", _estimates_cost, MODEL),
    Claim("F1 to F4 were between 4.94 and 107.92 times better with 256 cores and estimates",
          "4.2.2", _between("256", "4.94", "107.92"), MODEL),
    Claim("F1 to F4 were between 2.27 and 23.74 times better with 1024 cores and estimates",
          "4.2.2", _between("1024", "2.27", "23.74"), MODEL),
    Claim("FCFS took the most advantage of backfilling", "4.2.3", _fcfs_benefits_most, MODEL),
    Claim("the functions had the smallest benefits from backfilling", "4.2.3",
          _learned_benefit_least, MODEL),
    Claim("with backfilling F1 was more than 12 times better than the best ad-hoc policy for both "
          "machines", "4.2.3", _times_better(("F1",), gt, 12), MODEL),
    Claim("with backfilling the obtained policies were at least 12.5 times better: the best of "
          "them", "5", _times_better(("F1",), ge, 12.5), MODEL),
    Claim("with backfilling the obtained policies were at least 12.5 times better: each of them",
          "5", _times_better(LEARNED, ge, 12.5), MODEL),
    Claim("any of F1 to F4 improved the median in all scenarios with actual run times", "4.3.1",
          _all_below(ACTUAL), LOGS),
    Claim("F2 achieved the best results on Curie, SDSC Blue and CTC SP2, F3 on ANL Intrepid",
          "4.3.1", _best_by_log, LOGS),
    Claim("F1 to F4 continued to have lower medians on all platforms with estimates", "4.3.2",
          _all_below(ESTIMATES), LOGS),
    Claim("FCFS benefited the most from backfilling", "4.3.3", _fcfs_benefits_most, LOGS),
    Claim("the functions had small benefits from backfilling: smaller than any ad-hoc policy's",
          "4.3.3", _learned_benefit_least, LOGS),
    Claim("with backfilling F1 to F4 still had lower medians for most scenarios: more than half",
          "4.3.3", _most_below, LOGS),
)  # fmt: skip


def evidence(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Sort the rows of Table 4 that there are by what tests take.

    Parameters
    ----------
    rows : DataFrame of float
        Rows of Table 4 by their printed names, policies as columns.

    Returns
    -------
    dict of str to DataFrame
        `MODEL` where all its rows are there, `LOGS` where any is.
    """
    kinds = {}
    if set(MODEL_ROWS) <= set(rows.index):
        kinds[MODEL] = rows.loc[MODEL_ROWS]
    logs = rows.drop(index=MODEL_ROWS, errors="ignore")
    # A sentence on a log needs it in every regime.
    whole = logs.groupby(_short)["FCFS"].transform("size")
    if len(logs := logs[whole == len(REGIMES)]):
        kinds[LOGS] = logs
    return kinds


def check(compared: pd.DataFrame) -> pd.DataFrame:
    """Test every claim on what is printed, and on what was run on the paper's own data.

    Parameters
    ----------
    compared : DataFrame
        From `schedlab.papers.carastan2017.published.compare_table4`.

    Returns
    -------
    DataFrame
        claim, where, printed (does it follow from the printed table), artefact, full (``holds``,
        ``fails`` or that the logs are not at hand), in_print and found (numbers of the printed
        table, and of the artefact dialect).
    """
    held = compared[compared["verdict"] != NOT_AT_HAND].astype({"ours": float})
    bodies = {"printed": evidence(_wide(compared.astype({"published": float}), "published"))}
    for dialect in ("artefact", "full"):
        bodies[dialect] = evidence(_wide(held[held["dialect"] == dialect], "ours"))
    table = claims.check(CLAIMS, bodies, "artefact", untested=NOT_AT_HAND)
    in_print = claims.check(CLAIMS, bodies, "printed")["found"]
    table.insert(table.columns.get_loc("found"), "in_print", in_print)
    return table


def _wide(numbers: pd.DataFrame, column: str) -> pd.DataFrame:
    """Lay out a column of the comparison as Table 4 is."""
    once = numbers.drop_duplicates(["experiment", "policy"])
    wide = once.pivot(index="experiment", columns="policy", values=column)
    return wide.reindex(index=once["experiment"].unique(), columns=[*AD_HOC, *LEARNED])
