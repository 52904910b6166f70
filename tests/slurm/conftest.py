"""Slurm for the tests of this folder; with SCHEDLAB_SLURM they may start it themselves."""

import os
from collections.abc import Iterator

import pytest

from schedlab.slurm.cluster import RunningSlurm, SlurmError, UnavailableError, running
from workflow.conftest import new_project, snakemake  # noqa: F401  (fixtures)


def pytest_collection_modifyitems(items) -> None:
    """Skip the tests of this folder; SCHEDLAB_SLURM=core runs some of them, =whole all."""
    asked = os.environ.get("SCHEDLAB_SLURM")
    reason = "brings up a Slurm as root on Debian: make test-slurm (SCHEDLAB_SLURM=core or whole)"
    for item in items:
        if not item.get_closest_marker("slurm"):
            continue
        if asked != "whole" and (asked != "core" or item.get_closest_marker("whole")):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def slurm() -> Iterator[RunningSlurm]:
    """Bring up a Slurm that lasts for all tests; skipped where it cannot be, else they fail."""
    try:
        with running() as cluster:
            yield cluster
    except UnavailableError as error:
        pytest.skip(str(error))
    except SlurmError as error:
        pytest.fail(str(error), pytrace=False)
