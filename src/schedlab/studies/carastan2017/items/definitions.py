"""Make tables 1 and 2 of carastan2017: base functions of the regression, and ad-hoc policies."""

from schedlab.policies import REGISTRY
from schedlab.report.parts import Table
from schedlab.studies.carastan2017.tables.table1 import table1
from schedlab.studies.carastan2017.tables.table2 import table2

FUNCTIONS = "Logarithms, inverses and divisors use x + 1e-10."
POLICIES = "r: run time or estimate, n: processors, s: submit time, w: wait so far; smallest first."


def make() -> dict[str, Table]:
    """Return both tables."""
    functions = "Table 1: base functions of the nonlinear regression"
    policies = "Table 2: scheduling policies used for comparison"
    return {
        "table1": Table(table1(), functions, FUNCTIONS),
        "table2": Table(table2(REGISTRY), policies, POLICIES),
    }
