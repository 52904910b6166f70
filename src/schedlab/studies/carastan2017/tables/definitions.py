"""Make tables 1 and 2 of carastan2017: base functions of the regression, and ad-hoc policies."""

import pandas as pd

from schedlab.learning.forms import BASE_FUNCTIONS
from schedlab.policies import REGISTRY
from schedlab.report.items import item
from schedlab.report.parts import Table

DESCRIPTIONS = {
    "id": "id(x) = x",
    "log": "log(x) = log10 x",
    "sqrt": "sqrt(x) = √x",
    "inv": "inv(x) = 1/x",
}
#: the paper's names of the ad-hoc policies, by their names in the registry
AD_HOC = {"fcfs": "FCFS", "spt": "SPT", "wfp3": "WFP3", "unicef": "UNICEF"}


@item("table1", "table2", section="Tables 1 and 2")
def make_definitions() -> dict[str, Table]:
    """Return both tables."""
    return {"table1": Table(table1()), "table2": Table(table2())}


def table1() -> pd.DataFrame:
    """Return Table 1, the base functions that the regression uses."""
    rows = [(name, DESCRIPTIONS[name]) for name in BASE_FUNCTIONS]
    return pd.DataFrame(rows, columns=["name", "description"])


def table2() -> pd.DataFrame:
    """Return Table 2, the ad-hoc policies, from the registry that the experiments use."""
    rows = [(label, REGISTRY[name].expression) for name, label in AD_HOC.items()]
    return pd.DataFrame(rows, columns=["name", "function"])
