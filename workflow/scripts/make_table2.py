"""Table 2: the ad-hoc policies, from the registry that the experiments use."""

from schedlab import tables
from schedlab.policies import REGISTRY


def make_table2(csv: str, md: str) -> None:
    """Write Table 2 as .csv and .md."""
    table = tables.table2(REGISTRY)
    tables.write_csv(table, csv)
    note = "r: run time or its estimate, n: processors, s: submit time, w: wait so far; smallest first."
    tables.write_markdown(table, md, "Table 2: scheduling policies used for comparison", note)


if __name__ == "__main__":
    make_table2(snakemake.output.csv, snakemake.output.md)  # noqa: F821
