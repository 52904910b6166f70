"""Fit the 576 forms to one score distribution, with the paper's method and exactly."""

import logging
import time
from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.regression import fit_exact, fit_paper, fitters, read_distribution
from schedlab.report.parts import Table, write_items
from schedlab.studies.carastan2017.tables.table3 import in_digits
from schedlab.traces.records import unaltered

SHOWN, APART, SHORT = 40, 1e-5, 0.01
DIGITS = {"error_exact": ".7f", "error_paper": ".7f", "difference": ".1e", "excess": ".1e"}


def fit_policies(distribution: str, fits: str, csv: str, md: str, words: Mapping[str, str]) -> None:
    """Write every fit as .parquet, and the comparison of the two fitters as .csv and .md."""
    fetched = not distribution.endswith(".parquet")
    tasks = read_distribution(unaltered(distribution) if fetched else distribution)
    kinds = {
        ("paper", False): lambda: fit_paper(tasks),
        ("exact", False): lambda: fit_exact(tasks),
        ("exact", True): lambda: fit_exact(tasks, intercept=True),
    }
    made = {}
    for (fitter, intercept), fit in kinds.items():
        start = time.perf_counter()
        made[fitter, intercept] = fit().assign(fitter=fitter, intercept=intercept)
        message = "%s, intercept %s: %d forms on %d tasks in %.2f s"
        seconds = time.perf_counter() - start
        logging.info(message, fitter, intercept, len(made[fitter, intercept]), len(tasks), seconds)
    write_parquet(pd.concat(made.values(), ignore_index=True), fits)
    pairs = fitters(made["exact", False], made["paper", False])
    shown = in_digits(pairs, DIGITS)
    facts = {
        "stuck": (~pairs["converged"]).sum(),
        "apart": (pairs["difference"].abs() > APART).sum(),
        "apart_from": f"{APART:g}",
        "short": (pairs["excess"] > SHORT).sum(),
        "short_of": f"{SHORT:.0%}",
    }
    table = Table(shown, facts=facts, readable=shown.head(SHOWN))
    outputs = {"fitters_csv": csv, "fitters_md": md}
    write_items({"fitters": table}, outputs, words={"fitters": words})


if __name__ == "__main__":
    run_script(fit_policies, snakemake)  # noqa: F821
