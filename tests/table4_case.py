"""A Table 4 of two rows in both dialects, small enough to compute by hand."""

from collections.abc import Mapping

import pandas as pd

from schedlab.studies.carastan2017.names import POLICY_COLUMNS
from schedlab.studies.carastan2017.sheet import Experiment

MODEL_ROW = "Workload model, nmax = 256, actual runtimes r"
LOG_ROW = "CTC SP2 workload trace, actual runtimes r"
# Printed numbers of the two rows, with the printed digits.
PRINTED = {
    MODEL_ROW: ["5846.87", "3630.66", "1799.74", "943.59", "583.89", "89.93", "29.65", "29.58"],
    LOG_ROW: ["439.72", "309.72", "29.87", "87.55", "19.02", "14.06", "5.32", "10.27"],
}


def published() -> pd.DataFrame:
    """Return the printed rows as `read_published` does."""
    return pd.DataFrame.from_dict(PRINTED, orient="index", columns=list(POLICY_COLUMNS.values()))


#: names of both rows on stand-ins
LOG_ON_MODEL = "model, 256 processors (stands in for CTC-SP2), actual runtimes r"
MODEL_ON_MODEL = "model, 256 processors (stands in for lublin-256), nmax = 256, actual runtimes r"


def experiments(drawn: bool = False) -> list[Experiment]:
    """Both rows in both dialects, in order; `drawn`: the stand-in draws the log's jobs."""
    rows = []
    for item, dialect in (("table4", "artefact"), ("table4_full", "full")):
        for place, label in enumerate(PRINTED):
            name = ("model", "ctc")[place]
            rows.append(
                Experiment(
                    experiment=f"{name}_{dialect}",
                    item=item,
                    label=label,
                    figure=f"fig4{'ab'[place]}",
                    source=("lublin-256", "CTC-SP2")[place],
                    standin=f"lublin_quick_{name}",
                    processors=256,
                    cleaning="sc17_actual",
                    split="sequences15d",
                    pieces=3,
                    skip=(),
                    decisions="actual",
                    backfill="none",
                    policies=tuple(POLICY_COLUMNS),
                    dialect=dialect,
                    tau=10,
                    head=16,
                    drawn=drawn and name == "model",
                )
            )
    return rows


def sequences(values: Mapping[str, list[float]]) -> pd.DataFrame:
    """Three sequences per experiment with medians `values`: half, once and ten times."""
    rows = [
        (name, name.split("_")[1], policy, piece, 100, max(1.0, factor * value))
        for name, medians in values.items()
        for policy, value in zip(POLICY_COLUMNS, medians, strict=True)
        for piece, factor in enumerate((10.0, 0.5, 1.0))
    ]
    columns = ["experiment", "dialect", "policy", "piece", "jobs", "avebsld"]
    return pd.DataFrame(rows, columns=columns)


def printed_values() -> dict[str, list[float]]:
    """Return medians for `sequences` that equal the printed numbers in both dialects."""
    return {
        row.experiment: [float(number) for number in PRINTED[row.label]] for row in experiments()
    }


def sequences_of(compared, spread=1.0, pieces=10):
    """Sequences with a comparison's computed medians: half `spread` times larger, half smaller."""
    names = {shown: name for name, shown in POLICY_COLUMNS.items()}
    parts = []
    for piece in range(pieces):
        factor = 1 if 2 * piece + 1 == pieces else spread ** (1 if piece % 2 else -1)
        parts.append(compared.assign(piece=piece, avebsld=compared["computed"] * factor))
    table = pd.concat(parts).rename(columns={"experiment": "row"})
    return table.assign(policy=table["policy"].map(names))
