"""Draw a workload from a model and write it in the columns of clean jobs."""

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np

from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.workloads import lublin, published, tsafrir
from schedlab.workloads.users import with_users


def stream_of(model: Mapping[str, Any], what: str) -> np.random.Generator:
    """Return the random stream of one kind of a row's numbers."""
    return generator(model["family"], model["key"], model["replicate"], what)


def generate_workload(model: Mapping[str, Any], jobs: str) -> None:
    """Write the jobs of a row of the model sheet to the file `jobs`."""
    family, key, count = model["family"], model["key"], model["jobs"]
    if family != "lublin":
        raise ValueError(f"models: '{key}': no model family '{family}', there is 'lublin'")
    size, max_estimate = (count, model["processors"]), model["max_estimate"]
    with_estimates = model["estimates"] == "tsafrir"
    if model["generator"] == "published":
        drawn = published.generate(*size, model["seed"], model["type"])
        if with_estimates:
            drawn = published.with_estimates(drawn, max_estimate, model["estimates_seed"])
    else:
        drawn = lublin.generate(*size, stream_of(model, "jobs"), model["type"])
        if with_estimates:
            drawn = tsafrir.with_estimates(drawn, max_estimate, stream_of(model, "estimates"))
    if model["users"]:
        drawn = with_users(drawn, model["users"], stream_of(model, "users"))
    logging.info(
        "%d jobs over %.1f days, mean size %.2f, mean run time %.0f s",
        *(count, drawn["submit"].iloc[-1] / 86_400, drawn["procs"].mean()),
        drawn["runtime"].mean(),
    )
    write_parquet(drawn, jobs)


if __name__ == "__main__":
    run_script(generate_workload, snakemake)  # noqa: F821
