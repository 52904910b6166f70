"""Test what carastan2017 states of Table 4 on the published and on the computed table.

A stated number is compared as other published numbers are. Where the words leave a bound open, the
claim defines it. The published table decides alone. Computed medians of ten sequences decide by
resamples of the sequences (`schedlab.report.claims.decide`). The experiments of a workload share
their sequences, so each resample draws the same sequences for all of them and for all policies.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import ge, gt
from statistics import median

import numpy as np
import pandas as pd

from schedlab.core.intervals import resampled_places
from schedlab.core.streams import generator
from schedlab.report import claims
from schedlab.report.claims import RESAMPLES, Claim, Found, Sample
from schedlab.report.verdicts import NOT_AVAILABLE, agrees
from schedlab.studies.carastan2017.names import AD_HOC, LEARNED, POLICY_COLUMNS, REGIMES
from schedlab.studies.carastan2017.sheet import PAPER

ACTUAL, ESTIMATES, BACKFILLING = REGIMES
# The input of a test: the six rows of the workload model, or the rows of the logs that were run.
MODEL, LOGS = "model", "logs"
SIZES = ("256", "1024")
DRAMATIC, IMPORTANT, CONSIDERABLE = 10.0, 2.0, 1.1


def _model_row(size: str, regime: str) -> str:
    return f"Workload model, nmax = {size}, {regime}"


MODEL_ROWS = [_model_row(size, regime) for regime in REGIMES for size in SIZES]
#: medians of Table 4: by row, then by policy
Rows = dict[str, dict[str, float]]


def gains(row: dict[str, float]) -> dict[str, float]:
    """Return the median of the best ad-hoc policy divided by that of each of F1 to F4."""
    best = min(row[name] for name in AD_HOC)
    return {name: best / row[name] for name in LEARNED}


def _short(row: str) -> str:
    """Return a short name of a row of Table 4, without its regime."""
    return row.rsplit(", ", 1)[0].removeprefix("Workload model, ").removesuffix(" workload trace")


def _join_values(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {number:.2f}" for name, number in numbers.items())


def _of_regime(rows: Rows, *regimes: str) -> Rows:
    return {name: row for name, row in rows.items() if name.endswith(regimes)}


def _best_gains(least: float, middle: float, *regimes: str) -> Callable:
    """Return the test that the best of F1-F4 is better in all rows, and by a factor in the median.

    The gain must exceed `least` in all rows, and its median must reach `middle`.
    """

    def test(rows: Rows) -> Found:
        best = [max(gains(row).values()) for row in _of_regime(rows, *regimes).values()]
        text = f"{min(best):.2f} times at least, median {median(best):.2f} of {len(best)}"
        return text, min(best) > least and median(best) >= middle

    return test


def _most(rows: Rows) -> list[tuple[str, float]]:
    """Return the published factor 14, and the largest gain of any of F1-F4 with backfilling."""
    return [("14", max(max(gains(rows[_model_row(size, BACKFILLING)]).values()) for size in SIZES))]


def _up_to(rows: Rows) -> Found:
    ((printed, best),) = _most(rows)
    return f"{best:.2f} times", agrees(printed, best)


def _falling(row: str, order: tuple[str, ...]) -> Callable:
    """Return the test that the medians of the policies in `order` increase, best first."""

    def test(rows: Rows) -> Found:
        values = {name: rows[row][name] for name in order}
        return _join_values(values), all(one < other for one, other in pairwise(values.values()))

    return test


def _all_below(*regimes: str) -> Callable:
    """Return the test that each of F1-F4 is below the best ad-hoc policy in every row."""

    def test(rows: Rows) -> Found:
        least = {name: min(gains(row).values()) for name, row in _of_regime(rows, *regimes).items()}
        at = min(least, key=least.get)
        text = f"the worst of F1–F4 is {least[at]:.2f} times better ({_short(at)})"
        return f"{text}, of {len(least)} rows", least[at] > 1

    return test


def _estimates_cost(rows: Rows) -> Found:
    ratios = {
        size: {
            name: value / rows[_model_row(size, ACTUAL)][name]
            for name, value in rows[_model_row(size, ESTIMATES)].items()
        }
        for size in SIZES
    }
    ordered = {
        (name, size): ratio
        for size, row in ratios.items()
        for name, ratio in row.items()
        if name != "FCFS"
    }
    lowest = min(ordered, key=ordered.get)
    fcfs = [ratios[size]["FCFS"] for size in SIZES]
    text = f"least for {lowest[0]}: times {ordered[lowest]:.2f}; FCFS {max(fcfs):.2f}"
    same = all(abs(ratio - 1) < 0.005 for ratio in fcfs)
    return text, same and ordered[lowest] >= CONSIDERABLE


def _ends(size: str, low: str, high: str) -> Callable:
    """Return a function for the published and computed ends of F1-F4's gains with estimates."""

    def numbers(rows: Rows) -> list[tuple[str, float]]:
        ratios = gains(rows[_model_row(size, ESTIMATES)]).values()
        return [(low, min(ratios)), (high, max(ratios))]

    return numbers


def _between(numbers: Callable) -> Callable:
    """Return the test that both numbers have their published digits."""

    def test(rows: Rows) -> Found:
        pairs = numbers(rows)
        (_, least), (_, most) = pairs
        return f"{least:.2f} to {most:.2f} times", all(agrees(*pair) for pair in pairs)

    return test


def _claim_between(text: str, where: str, *ends: str) -> Claim:
    """Return a claim that consists of two published numbers."""
    numbers = _ends(*ends)
    return Claim(text, where, _between(numbers), MODEL, numbers)


def _times_better(policies: tuple[str, ...], is_enough: Callable, times: float) -> Callable:
    """Return the test that policies beat the best ad-hoc one by a factor, with backfilling."""

    def test(rows: Rows) -> Found:
        better = {size: gains(rows[_model_row(size, BACKFILLING)]) for size in SIZES}
        ratios = {
            f"{policy}, {size}": better[size][policy] for policy in policies for size in SIZES
        }
        worst = min(ratios, key=ratios.get)
        return f"{ratios[worst]:.2f} times at least ({worst})", bool(
            is_enough(ratios[worst], times)
        )

    return test


def _benefits(rows: Rows) -> Rows:
    """Return the median without backfilling over that with it, by workload and policy."""
    plain, filled = (
        {_short(name): row for name, row in _of_regime(rows, regime).items()}
        for regime in (ESTIMATES, BACKFILLING)
    )
    return {
        name: {policy: value / filled[name][policy] for policy, value in row.items()}
        for name, row in plain.items()
        if name in filled
    }


def _fcfs_benefits_most(rows: Rows) -> Found:
    benefits = _benefits(rows)
    most = {name: max(row, key=row.get) for name, row in benefits.items()}
    text = ", ".join(
        f"{name}: {most[name]} {row[most[name]]:.2f}"
        + ("" if most[name] == "FCFS" else f", FCFS {row['FCFS']:.2f}")
        for name, row in benefits.items()
    )
    return text, all(name == "FCFS" for name in most.values())


def _learned_benefit_least(rows: Rows) -> Found:
    ends = {
        name: (max(row[one] for one in LEARNED), min(row[one] for one in AD_HOC))
        for name, row in _benefits(rows).items()
    }
    text = ", ".join(
        f"{name}: at most {most:.2f}, ad-hoc at least {least:.2f}"
        for name, (most, least) in ends.items()
    )
    return text, all(most < least for most, least in ends.values())


def _best_by_log(rows: Rows) -> Found:
    published_best = {"Curie": "F2", "ANL-Intrepid": "F3", "SDSC Blue": "F2", "CTC SP2": "F2"}
    best = {_short(name): min(row, key=row.get) for name, row in _of_regime(rows, ACTUAL).items()}
    text = ", ".join(f"{name}: {policy}" for name, policy in best.items())
    return text, all(policy == published_best[name] for name, policy in best.items())


def _most_below(rows: Rows) -> Found:
    ratios = [
        gain for row in _of_regime(rows, BACKFILLING).values() for gain in gains(row).values()
    ]
    share = 100 * sum(gain > 1 for gain in ratios) / len(ratios)
    return f"{share:.0f} % of {len(ratios)}", share > 50


CLAIMS = (
    Claim("the functions dramatically improved the mean slowdown in synthetic workloads: the best "
          "of them tenfold in every experiment", "abstract",
          _best_gains(DRAMATIC, DRAMATIC, *REGIMES), MODEL),
    Claim("on real traces they still resulted in important performance improvements: the best of "
          "them is better in every experiment, and twofold in the median", "abstract",
          _best_gains(1.0, IMPORTANT, *REGIMES), LOGS),
    Claim("performances up to 14 times better than the best ad-hoc one in the most realistic "
          "setting", "1", _up_to, MODEL, _most),
    Claim("F1 provided the best performance, followed by F2, F3 and F4 (256 cores)", "4.2.1",
          _falling(_model_row("256", ACTUAL), LEARNED[::-1]), MODEL),
    Claim("with actual run times all functions performed better than the ad-hoc policies", "4.2.1",
          _all_below(ACTUAL), MODEL),
    Claim("with estimates all policies had a considerable performance degradation, except FCFS: by "
          "a tenth or more", "4.2.2", _estimates_cost, MODEL),
    _claim_between("F1 to F4 were between 4.94 and 107.92 times better with 256 cores and "
                   "estimates", "4.2.2", "256", "4.94", "107.92"),
    _claim_between("F1 to F4 were between 2.27 and 23.74 times better with 1024 cores and "
                   "estimates", "4.2.2", "1024", "2.27", "23.74"),
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


def evidence(rows: pd.DataFrame) -> dict[str, Rows]:
    """Select the rows of Table 4 that each kind of test takes.

    `rows` are numbers indexed by their published names, with policies as columns. The result has
    the key `MODEL` if all its rows are available, and `LOGS` if any log is available in every
    regime.
    """
    table, kinds = rows.to_dict("index"), {}
    if set(MODEL_ROWS) <= set(table):
        kinds[MODEL] = {name: table[name] for name in MODEL_ROWS}
    # A claim on a log needs the log in every regime.
    logs = [name for name in table if name not in MODEL_ROWS]
    regimes = Counter(map(_short, logs))
    if whole := [name for name in logs if regimes[_short(name)] == len(REGIMES)]:
        kinds[LOGS] = {name: table[name] for name in whole}
    return kinds


def resampled(names: Sequence[str], sequences: pd.DataFrame) -> Iterator[Rows]:
    """Yield the rows of Table 4 with these names from each resample of the sequences.

    Columns of `sequences`: row (others are ignored), policy (published name), piece, avebsld.
    """
    policies = [*AD_HOC, *LEARNED]
    places: dict[tuple[str, int], np.ndarray] = {}
    columns = []
    for name in names:
        row_sequences = sequences[sequences["row"] == name]
        values = row_sequences.pivot(index="policy", columns="piece", values="avebsld").loc[
            policies
        ]
        key = (_short(name), values.shape[1])
        if key not in places:
            places[key] = resampled_places(key[1], RESAMPLES, generator(PAPER, "claims", *key))
        columns.append(np.median(values.to_numpy(float)[:, places[key]], axis=2).T.tolist())
    for medians in zip(*columns, strict=True):
        yield {
            name: dict(zip(policies, row, strict=True))
            for name, row in zip(names, medians, strict=True)
        }


def sampled(rows: pd.DataFrame, sequences: pd.DataFrame) -> dict[str, Sample]:
    """Return the `evidence` of computed rows, with resamples as in `resampled`."""
    counts = sequences.groupby("row")["piece"].nunique()
    return {
        kind: Sample(own, int(counts[list(own)].min()), partial(resampled, list(own), sequences))
        for kind, own in evidence(rows).items()
    }


def check(compared: pd.DataFrame, sequences: pd.DataFrame) -> pd.DataFrame:
    """Test every claim on the published table, and on what ran on the paper's own data.

    `compared` is from `published.compare_table4`. `sequences` are those of the medians: row (of
    Table 4), dialect, policy (its registered name), piece, avebsld.

    Columns: claim, where, printed (whether it follows from the published table), artefact, full
    (``holds``, ``fails``, ``undecided`` or that the logs are not available), in_print and found
    (numbers of the published table, and of the artefact dialect).
    """
    available = compared[compared["verdict"] != NOT_AVAILABLE].astype({"computed": float})
    bodies = {"printed": evidence(_wide(compared.astype({"published": float}), "published"))}
    for dialect in ("artefact", "full"):
        dialect_sequences = sequences[sequences["dialect"] == dialect]
        dialect_sequences = dialect_sequences.assign(
            policy=dialect_sequences["policy"].map(POLICY_COLUMNS)
        ).dropna(subset="policy")
        bodies[dialect] = sampled(
            _wide(available[available["dialect"] == dialect], "computed"), dialect_sequences
        )
    table = claims.check(CLAIMS, bodies, "artefact")
    in_print = claims.check(CLAIMS, {"printed": bodies["printed"]}, "printed")["found"]
    table.insert(table.columns.get_loc("found"), "in_print", in_print)
    return table


def _wide(numbers: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of the comparison in the layout of Table 4."""
    once = numbers.drop_duplicates(["experiment", "policy"])
    wide = once.pivot(index="experiment", columns="policy", values=column)
    return wide.reindex(index=once["experiment"].unique(), columns=[*AD_HOC, *LEARNED])
