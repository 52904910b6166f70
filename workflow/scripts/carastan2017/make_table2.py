"""Table 2: the ad-hoc policies, from the registry that the experiments use."""

from schedlab.logs import logged
from schedlab.papers.carastan2017.tables import experiments
from schedlab.policies import REGISTRY
from schedlab.report import tables

NOTE = "r: run time or estimate, n: processors, s: submit time, w: wait so far; smallest first."


def make_table2(csv: str, md: str) -> None:
    """Write Table 2 as .csv and .md."""
    table = experiments.table2(REGISTRY)
    tables.write_csv(table, csv)
    tables.write_markdown(table, md, "Table 2: scheduling policies used for comparison", NOTE)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table2(
            job.output.csv,
            job.output.md,
        )
