"""Make Table 3, the four best functions of every distribution, and compare it."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet
from schedlab.learning.forms import BASE_FUNCTIONS
from schedlab.learning.regression import COEFFICIENTS, distinct_functions, form_of
from schedlab.policies import REGISTRY
from schedlab.report.comparison import (
    UNEXPLAINED,
    compare_number,
    not_compared,
    published_of,
    reasons_of,
)
from schedlab.report.items import From, each, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import MATCH, NOT_AVAILABLE, verdict_of
from schedlab.studies.carastan2017.names import BEST, DISTRIBUTIONS, IDS

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


def in_digits(frame: pd.DataFrame, formats: Mapping[str, str]) -> pd.DataFrame:
    """Format small numbers as text, because a .csv file would round them to six decimals.

    A format is such as ``.9f``. Missing columns are skipped; cells that are not floats stay.
    """
    texts = {
        column: [format(x, how) if isinstance(x, float) else x for x in frame[column]]
        for column, how in formats.items()
        if column in frame
    }
    return frame.assign(**texts)


DIGITS = dict.fromkeys(("rank_error", "c_submit", "c0"), ".9f")
DECIMALS = {"K": 0, "rank_error": 7, "c0": 6, "c_submit": 7, "ratio": 4}


@item("table3", "table3_comparison", "table3_own", "table3_intercept", section="Table 3")
def make_table3(
    fits: Annotated[
        list[pd.DataFrame],
        From(
            lambda *_: [f"<results>/policies/{one}.parquet" for one in DISTRIBUTIONS],
            each(read_parquet),
        ),
    ],
    published: Annotated[pd.DataFrame, published_of("table3")],
    reasons: Annotated[pd.DataFrame, reasons_of("table3")],
) -> dict[str, Table]:
    """Return Table 3 of the first fit with its comparison, and the same tables for all fits."""
    by_label = dict(zip(DISTRIBUTIONS.values(), fits, strict=True))
    table = table3(fits[0][fits[0]["fitter"] == "paper"])
    tables = {
        "table3": table,
        "table3_comparison": compare_table3(published, table, reasons),
        "table3_own": table3_own(by_label),
        "table3_intercept": table3_intercept(by_label),
    }
    return {
        name: Table(in_digits(rows, DIGITS), DECIMALS, readable=rows)
        for name, rows in tables.items()
    }


def table3(fits: pd.DataFrame) -> pd.DataFrame:
    """Return Table 3, the four best functions of a fit: columns ID, function, K, rank_error."""
    if fits.empty:
        return pd.DataFrame({"ID": IDS} | dict.fromkeys(["function", "K", "rank_error"],
                                                        NOT_AVAILABLE))  # fmt: skip
    top = distinct_functions(fits).head(BEST)
    return pd.DataFrame(
        {"ID": IDS, "function": top["formula"], "K": top["K"], "rank_error": top["rank_error"]}
    )


def table3_own(fits: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return Table 3 of every distribution, with and without an intercept, fitted exactly."""
    frames = []
    for label, fit in fits.items():
        for intercept in (False, True):
            chosen = fit[(fit["fitter"] == "exact") & (fit["intercept"] == intercept)]
            # Only the paper's functions are named F1 to F4.
            table = table3(chosen).drop(columns="ID")
            table.insert(0, "distribution", label)
            table.insert(1, "intercept", intercept)
            table.insert(2, "rank", range(1, BEST + 1))
            table.insert(
                5, "c0", NOT_AVAILABLE if fit.empty else distinct_functions(chosen).head(BEST)["c0"]
            )
            frames.append(table)
    return pd.concat(frames, ignore_index=True)


def table3_intercept(fits: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the effect of an intercept on the four best functions without one."""
    rows = []
    for label, fit in fits.items():
        exact = fit[fit["fitter"] == "exact"]
        plain, shifted = (
            distinct_functions(exact[exact["intercept"] == has]) for has in (False, True)
        )
        for form in (form_of(one) for _, one in plain.head(BEST).iterrows()):
            for ranked in (plain, shifted):
                function = next(one for _, one in ranked.iterrows() if form_of(one) == form)
                *sizes, submit = form.merged(function[COEFFICIENTS].to_numpy(dtype=float))
                rows.append(
                    {
                        "distribution": label,
                        "function": form.name,
                        "intercept": function["intercept"],
                        "rank": function["rank"],
                        "c_size": " ".join(f"{size:.6e}" for size in sizes),
                        "c_submit": submit,
                        "c0": function["c0"],
                        "rank_error": function["rank_error"],
                    }
                )
    columns = ["distribution", "function", "intercept", "rank", "c_size", "c_submit", "c0",
               "rank_error"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def compare_table3(
    published: pd.DataFrame, computed: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every entry of Table 3 with the computed one; a function matches if its form does."""
    by_id = computed.set_index("ID")
    rows = []
    for name in IDS:
        for column in ("function", "K"):
            printed, value = published.at[name, column], by_id.at[name, column]
            row = {"ID": name, "column": column, "published": printed, "computed": value}
            if value == NOT_AVAILABLE:
                outcome = not_compared()
            elif column == "K":
                outcome = compare_number(printed, value, reasons, ("", name, column))
            else:
                word = verdict_of(_shape(value) == _shape(printed))
                reason = "" if word == MATCH else UNEXPLAINED
                outcome = {"ratio": np.nan, "verdict": word, "reason": reason}
            rows.append(row | outcome)
    return pd.DataFrame(rows)


def _shape(function: str) -> str:
    """Return the form of a function's text, without numbers, multiplication signs and blanks."""
    terms = function.replace("·", "*").split(" + ")
    parts = [[x for x in term.split(" * ") if not x[:1].isdigit()] for term in terms]
    return "+".join("*".join(part) for part in parts).replace(" ", "")


def learned_policies(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the four best functions of the computed distribution as policies; L1 is the best."""
    exact = fits[(fits["fitter"] == "exact") & ~fits["intercept"]]
    top = distinct_functions(exact).head(BEST)
    names = [f"L{rank}" for rank in top["rank"]]
    forms = [(form_of(fit), fit[COEFFICIENTS].to_numpy(dtype=float)) for _, fit in top.iterrows()]
    return pd.DataFrame(
        {
            "name": names,
            "rank": top["rank"],
            "rank_error": top["rank_error"],
            "function": top["formula"],
            "expression": top["policy"],
            "latex": [form.latex(coefficients) for form, coefficients in forms],
            "config": [
                f'{name.lower()}: "{policy}"'
                for name, policy in zip(names, top["policy"], strict=True)
            ],
        }
    )
