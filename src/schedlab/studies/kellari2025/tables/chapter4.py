"""Make the data of chapter 4: part of a heatmap, problem sizes, speedups by process count."""

import pandas as pd

from schedlab.cosched.pool import STAND_IN, Pool, printed_name, processes_class
from schedlab.report.comparison import compare_table

REFERENCE = "bt.D.256"  # the application whose pairs Table 4.1 lists
TABLE41 = ["compact_B", "co_A_B", "co_B_A"]


def table4_1(pool: Pool) -> pd.DataFrame:
    """Return every pair of bt.D.256 in the columns of Table 4.1; nan for unmeasured pairs."""
    place = int(pool.index([REFERENCE])[0])
    return pd.DataFrame(
        {
            "name_A": REFERENCE,
            "procs_A": pool.procs[place],
            "compact_A": pool.compact[place],
            "name_B": pool.names,
            "procs_B": pool.procs,
            "compact_B": pool.compact,
            "co_A_B": pool.coscheduled[place],
            "co_B_A": pool.coscheduled[:, place],
        }
    )


def compare_table4_1(
    published: pd.DataFrame, computed: pd.DataFrame, label: str, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every published number of Table 4.1 with the computed one.

    Columns: name_B, column, published, computed, ratio, verdict, reason. The model in place
    of a pool is made from Table 4.1, so nothing is compared on it.
    """
    by_name = computed.set_index(computed["name_B"].map(printed_name))
    missing = dict.fromkeys(TABLE41, f"made of {STAND_IN} itself")
    return compare_table(
        published[TABLE41],
        by_name,
        reasons,
        ("name_B", "column"),
        missing=missing if label.startswith(STAND_IN) else {},
    )


def table4_2(sizes: pd.DataFrame, pool: Pool) -> pd.DataFrame:
    """Return the benchmarks' problem sizes, and how many applications of each class the pool has.

    `sizes` has the columns benchmark, parameter, class_d, class_e.
    """
    kinds = pd.Series([tuple(name.split(".")[:2]) for name in pool.names]).value_counts()
    counts = {
        f"applications_{problem}": [
            int(kinds.get((benchmark.lower(), problem.upper()), 0))
            for benchmark in sizes["benchmark"]
        ]
        for problem in "de"
    }
    return sizes.assign(**counts)


def by_processes(pool: Pool) -> pd.DataFrame:
    """Return the data of figure 4.6: every ordered pair with the class of its process count."""
    frame = pool.to_frame()
    return frame.assign(processes=[processes_class(procs) for procs in frame["procs_A"]])
