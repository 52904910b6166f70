"""Slurm for the tests of this folder; SCHEDLAB_SLURM=1 lets them bring it up."""

import os
from collections.abc import Iterator

import pytest

from slurm.cluster import Cluster, SlurmError, running
from workflow.conftest import new_project, snakemake  # noqa: F401  (fixtures)


def pytest_collection_modifyitems(items) -> None:
    """Mark the tests of this folder; without SCHEDLAB_SLURM=1 they are skipped."""
    reason = "brings up a Slurm as root on Debian: make test-slurm (SCHEDLAB_SLURM=1)"
    for item in items:
        if item.get_closest_marker("slurm") and os.environ.get("SCHEDLAB_SLURM") != "1":
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def slurm() -> Iterator[Cluster]:
    """Bring up a Slurm that lasts for all tests; where it does not come up, they fail."""
    try:
        with running() as cluster:
            yield cluster
    except SlurmError as error:
        pytest.fail(str(error), pytrace=False)
