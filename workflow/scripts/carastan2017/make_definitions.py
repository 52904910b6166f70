"""Tables 1 and 2: the base functions of the regression, and the ad-hoc policies of the registry."""

from schedlab.files.logs import logged
from schedlab.policies import REGISTRY
from schedlab.report import tables
from schedlab.studies.carastan2017.tables.table1 import table1
from schedlab.studies.carastan2017.tables.table2 import table2

FUNCTIONS = "Logarithms and inverses, and whatever divides, are taken of x + 1e-10."
POLICIES = "r: run time or estimate, n: processors, s: submit time, w: wait so far; smallest first."


def make_definitions(table1_csv: str, table1_md: str, table2_csv: str, table2_md: str) -> None:
    """Write both tables as .csv and .md."""
    functions, policies = table1(), table2(REGISTRY)
    tables.write_csv(functions, table1_csv)
    title = "Table 1: base functions of the nonlinear regression"
    tables.write_markdown(functions, table1_md, title, FUNCTIONS)
    tables.write_csv(policies, table2_csv)
    title = "Table 2: scheduling policies used for comparison"
    tables.write_markdown(policies, table2_md, title, POLICIES)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_definitions(**dict(job.output.items()))
