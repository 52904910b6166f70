"""The sheet under a configuration."""

import pytest

from schedlab.files.sheets import read
from schedlab.studies.souza2020.sheet import READINGS, ROW, as_run


@pytest.fixture
def rows(root):
    return read(
        ROW,
        root / "config/experiments/souza2020.tsv",
        root / "workflow/schemas/souza2020.schema.yaml",
    )


def config(source, replicates=None, logs=None):
    return {"souza2020": {"replicates": replicates, "waits": {"logs": logs}}, "source": source}


def test_all_rows_run_unchanged_at_the_papers_scale(rows):
    assert as_run(rows, config("logs")) == rows


def test_readings_that_differ_only_in_background_are_merged_on_a_model(rows):
    found = as_run(rows, config("models", replicates=2, logs=1))
    readings = [row for row in found if row.item == READINGS]
    asked = {(row.system, row.request, row.accrue) for row in readings}
    assert len(asked) == len(readings)
    # what differs from Table 1's own rows by its background alone does not run again
    assert not asked & {("System 1", "4h", True), ("System 2", "4h", True)}
    assert {(one, "own", True) for one in ("System 1", "System 2")} < asked
    assert {row.source for row in found if row.item != "waits"} == {"lublin_months_256"}
    assert all(row.replicates <= 2 for row in found)


def test_number_of_predicted_logs_follows_the_configuration(rows):
    found = as_run(rows, config("logs", logs=2))
    assert [row.label for row in found if row.item == "waits"] == ["KTH-SP2", "CTC-SP2"]
