"""Table 1 under other readings of what was run, and how far out the printed numbers lie."""

from collections.abc import Mapping, Sequence

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.klusacek2016.tables.sets import NOTE, joint, readings
from schedlab.report import comparison, tables

JOINT = (
    "A row is one reading. Of each log: busy intervals in which jobs wait, the median changes of "
    "mean wait (WT) and mean bounded slowdown (SD) in per cent, and in how many per cent of the "
    "intervals both fall. all fall: chance that both fall in two intervals of each log drawn at "
    "random. joint tail: Fisher's statistic over the two-sided tails of the eight printed numbers, "
    "compared with every choice of two intervals of each log; a reading below 0.05 is rejected."
)


def make_readings(
    rows: Sequence[Mapping],
    runs: Sequence[str],
    sets: Mapping[str, int],
    printed: str,
    outputs: Mapping[str, str],
) -> None:
    """Write a row per reading and set, and one per reading with the joint tail."""
    read = [read_parquet(path) for path in runs]
    together = joint(comparison.read_published(printed, "table1"), rows, read)
    shown = {
        "table1_readings": (readings(rows, read, sets), "Other readings of Table 1", NOTE, None),
        "table1_joint": (together, "Table 1 under each reading", JOINT, 3),
    }
    for name, (table, title, note, digits) in shown.items():
        tables.write_csv(table, outputs[f"{name}_csv"])
        more = () if digits is None else (digits,)
        tables.write_markdown(table, outputs[f"{name}_md"], title, note, *more)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_readings(
            rows=job.params.rows,
            runs=job.input.runs,
            sets=job.params.sets,
            printed=job.input.published,
            outputs=dict(job.output.items()),
        )
