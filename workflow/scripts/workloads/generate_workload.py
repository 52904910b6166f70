"""Draw a workload from a model and write it in the columns of clean jobs."""

import logging

from schedlab.core.streams import generator as stream
from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.workloads import lublin, published, tsafrir
from schedlab.workloads.users import with_users


def generate_workload(
    jobs: str,
    family: str,
    generator: str,
    type: str,
    processors: int,
    count: int,
    estimates: str,
    max_estimate: int | None,
    key: str | None,
    replicate: int | None,
    seed: int | None,
    estimates_seed: int | None,
    users: int | None,
) -> None:
    """Write `count` jobs to the file `jobs`; the other arguments are a row of the model sheet."""
    if family != "lublin":
        raise ValueError(f"models: '{key}': no model family '{family}', there is 'lublin'")
    if generator == "published":
        drawn = published.generate(count, processors, seed, type)
        if estimates == "tsafrir":
            drawn = published.with_estimates(drawn, max_estimate, estimates_seed)
    else:
        drawn = lublin.generate(count, processors, stream(family, key, replicate, "jobs"), type)
        if estimates == "tsafrir":
            of_estimates = stream(family, key, replicate, "estimates")
            drawn = tsafrir.with_estimates(drawn, max_estimate, of_estimates)
    if users:
        drawn = with_users(drawn, users, stream(family, key, replicate, "users"))
    logging.info(
        "%d jobs over %.1f days, mean size %.2f, mean run time %.0f s",
        *(count, drawn["submit"].iloc[-1] / 86_400, drawn["procs"].mean()),
        drawn["runtime"].mean(),
    )
    write_parquet(drawn, jobs)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    row = dict(job.params.model)
    with logged(job.log[0]):
        generate_workload(job.output.jobs, count=row.pop("jobs"), **row)
