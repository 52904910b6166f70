"""Fit the 576 functions to a site's scores, and to resamples of its tuples."""

import logging
from collections.abc import Sequence

from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.learning.regression import distinct_functions, fit_exact, read_distribution
from schedlab.learning.resampling import resampled_policies
from schedlab.learning.transfer import policies_of


def fit_site(
    scores: str, label: str, resamples: int, key: Sequence[str], fits: str, policies: str
) -> None:
    """Write the distinct functions, best first, and the site's policy with the resampled ones."""
    distribution = read_distribution(scores)
    fit = distinct_functions(fit_exact(distribution))
    found = policies_of(label, fit, resampled_policies(distribution, resamples, *key, "resamples"))
    logging.info("%s: %d policies, %d of them different", label, len(found), found.policy.nunique())
    write_parquet(fit, fits)
    write_parquet(found, policies)


if __name__ == "__main__":
    run_script(fit_site, snakemake)  # noqa: F821
