"""Statistics of Table 4 of carastan2017, published or computed, which its claims.tsv names.

A stated number is compared as other published numbers are. Where the words leave a bound open, the
claim defines it. The published table decides alone. Computed medians of ten sequences decide by
resamples of the sequences (`schedlab.report.claims.decide`). The experiments of a workload share
their sequences, so each resample draws the same sequences for all of them and for all policies.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from statistics import median
from sys import modules
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.core.intervals import resampled_places
from schedlab.core.streams import generator
from schedlab.report.claims import RESAMPLES, Claim, Facts, Sample, check, read_claims
from schedlab.report.items import From, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import is_compared
from schedlab.studies.carastan2017.inputs import Source, Table4Rows, Table4Runs
from schedlab.studies.carastan2017.names import AD_HOC, LEARNED, POLICY_COLUMNS, REGIMES
from schedlab.studies.carastan2017.sheet import PAPER
from schedlab.studies.carastan2017.tables.table4 import read_experiments

ACTUAL, ESTIMATES, BACKFILLING = REGIMES
# The input of a statistic: the six rows of the workload model, or the rows of the logs.
MODEL, LOGS = "model", "logs"
SIZES = ("256", "1024")


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


def _of_regime(rows: Rows, *regimes: str) -> Rows:
    return {name: row for name, row in rows.items() if name.endswith(regimes)}


def best_gains(rows: Rows) -> Facts:
    """Return the least and the median gain of the best of F1 to F4 over rows."""
    best = [max(gains(row).values()) for row in rows.values()]
    return {"least": min(best), "median": median(best), "count": len(best)}


def largest_gain(rows: Rows, regime: str) -> Facts:
    """Return the largest gain of any of F1 to F4 over the sizes of the model's machine."""
    return {"gain": max(max(gains(rows[_model_row(size, regime)]).values()) for size in SIZES)}


def steps(rows: Rows, size: str, regime: str, order: Sequence[str]) -> Facts:
    """Return the medians of policies of a model's row, and the least step from one to the next."""
    values = [rows[_model_row(size, regime)][name] for name in order]
    parts = [{"policy": name, "median": value} for name, value in zip(order, values, strict=True)]
    return {"parts": parts, "least_step": min(after - value for value, after in pairwise(values))}


def worst_gain(rows: Rows, regime: str) -> Facts:
    """Return the least gain of any of F1 to F4, and its row."""
    least = {name: min(gains(row).values()) for name, row in _of_regime(rows, regime).items()}
    at = min(least, key=least.get)
    return {"gain": least[at], "at": _short(at), "count": len(least)}


def cost_of_estimates(rows: Rows) -> Facts:
    """Return the least cost of estimates for any policy but FCFS, and the largest change of FCFS.

    The cost is the ratio of the medians with estimates and with actual run times.
    """
    ratios = {
        (name, size): value / rows[_model_row(size, ACTUAL)][name]
        for size in SIZES
        for name, value in rows[_model_row(size, ESTIMATES)].items()
    }
    fcfs = [ratios.pop(("FCFS", size)) for size in SIZES]
    lowest = min(ratios, key=ratios.get)
    change = max(abs(ratio - 1) for ratio in fcfs)
    return {"policy": lowest[0], "cost": ratios[lowest], "fcfs": max(fcfs), "fcfs_change": change}


def range_of_gains(rows: Rows, size: str, regime: str) -> Facts:
    """Return the least and the largest gain of F1 to F4 in a row of the model."""
    ratios = gains(rows[_model_row(size, regime)]).values()
    return {"least": min(ratios), "most": max(ratios)}


def least_gain(rows: Rows, policies: Sequence[str], regime: str) -> Facts:
    """Return the least gain of some of F1 to F4 over the sizes of the model's machine."""
    better = {size: gains(rows[_model_row(size, regime)]) for size in SIZES}
    ratios = {f"{policy}, {size}": better[size][policy] for policy in policies for size in SIZES}
    worst = min(ratios, key=ratios.get)
    return {"gain": ratios[worst], "at": worst}


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


def benefits_most(rows: Rows) -> Facts:
    """Return the policy that benefits most from backfilling, by workload, and next to it FCFS."""
    parts, names = [], []
    for workload, row in _benefits(rows).items():
        names.append(max(row, key=row.get))
        parts.append({"label": f"{workload}: {names[-1]}", "benefit": row[names[-1]]})
        if names[-1] != "FCFS":
            parts.append({"label": "FCFS", "benefit": row["FCFS"]})
    return {"parts": parts, "policies": names}


def benefits_of_learned(rows: Rows) -> Facts:
    """Return the largest benefit of F1 to F4 from backfilling, and the least of the others."""
    parts = [
        {
            "workload": name,
            "most": max(row[policy] for policy in LEARNED),
            "least": min(row[policy] for policy in AD_HOC),
        }
        for name, row in _benefits(rows).items()
    ]
    return {"parts": parts}


def best_policies(rows: Rows, regime: str, published: Mapping[str, str]) -> Facts:
    """Return the best policy of each workload, and the published one."""
    best = {_short(name): min(row, key=row.get) for name, row in _of_regime(rows, regime).items()}
    parts = [
        {"workload": name, "best": policy, "published": published[name]}
        for name, policy in best.items()
    ]
    return {"parts": parts}


def share_of_gains(rows: Rows, regime: str) -> Facts:
    """Return how many medians of F1 to F4 are below those of all others, in per cent."""
    ratios = [gain for row in _of_regime(rows, regime).values() for gain in gains(row).values()]
    return {"percent": 100 * sum(gain > 1 for gain in ratios) / len(ratios), "count": len(ratios)}


def evidence(rows: pd.DataFrame) -> dict[str, Rows]:
    """Select the rows of Table 4 that each kind of test takes.

    The key `MODEL` needs all its rows, `LOGS` a log with every regime.
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
    """Yield the rows of Table 4 with these names from each resample of the sequences."""
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


def check_claims(
    claims: Sequence[Claim], compared: pd.DataFrame, sequences: pd.DataFrame
) -> pd.DataFrame:
    """Test every claim on the published table, and on what ran on the paper's own data.

    `sequences` are those of the medians: row (of Table 4), dialect, policy, piece, avebsld.
    """
    available = compared[is_compared(compared)].astype({"computed": float})
    bodies = {"printed": evidence(_wide(compared.astype({"published": float}), "published"))}
    for dialect in ("artefact", "full"):
        dialect_sequences = sequences[sequences["dialect"] == dialect]
        dialect_sequences = dialect_sequences.assign(
            policy=dialect_sequences["policy"].map(POLICY_COLUMNS)
        ).dropna(subset="policy")
        bodies[dialect] = sampled(
            _wide(available[available["dialect"] == dialect], "computed"), dialect_sequences
        )
    return check(claims, bodies, {"in_print": "printed", "found": "artefact"})


def _wide(numbers: pd.DataFrame, column: str) -> pd.DataFrame:
    once = numbers.drop_duplicates(["experiment", "policy"])
    wide = once.pivot(index="experiment", columns="policy", values=column)
    return wide.reindex(index=once["experiment"].unique(), columns=[*AD_HOC, *LEARNED])


@item("claims", section="Table 4", rule="check_medians", memory=600, minutes=4)
def check_medians(
    rows: Table4Rows,
    runs: Table4Runs,
    source: Source,
    numbers: Annotated[
        pd.DataFrame,
        From(
            lambda study, _: study.shown("table4_comparison.csv"),
            lambda path: pd.read_csv(path, keep_default_na=False, dtype={"published": str}),
        ),
    ],
    claims: Annotated[str, From(resource("claims.tsv"), str)],
) -> Table:
    """Return one row per claim; `numbers` is the comparison of Table 4 with the published one."""
    sheet, sequences = read_experiments(rows, runs, source)
    sequences = sequences.assign(row=sequences["experiment"].map(sheet["row"]))
    numbers = numbers.assign(computed=pd.to_numeric(numbers["computed"]))
    return Table(check_claims(read_claims(claims, modules[__name__]), numbers, sequences))
