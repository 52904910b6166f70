"""Fit the 576 functions to a site's scores, and to resamples of its tuples."""

import logging
from collections.abc import Sequence

from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.learning.regression import distinct_functions, fit_exact, read_distribution
from schedlab.learning.resampling import resampled_policies
from schedlab.learning.transfer import policies_of


def fit_site(
    scores: str, site: str, resamples: int, key: Sequence[str], fits: str, policies: str
) -> None:
    """Write the distinct functions, best first, and the site's policy with the resampled ones."""
    distribution = read_distribution(scores)
    fit = distinct_functions(fit_exact(distribution))
    found = policies_of(site, fit, resampled_policies(distribution, resamples, *key, "resamples"))
    logging.info("%s: %d policies, %d of them different", site, len(found), found.policy.nunique())
    write_parquet(fit, fits)
    write_parquet(found, policies)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        fit_site(
            scores=job.input.scores,
            site=job.params.label,
            resamples=job.params.resamples,
            key=job.params.key,
            fits=job.output.fits,
            policies=job.output.policies,
        )
