"""Real runs of a workflow compared with simulated ones, and the list of the referee's items."""

import pandas as pd
import pytest

from schedlab.report.items import Study
from schedlab.studies.referee.items import groups
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.strategies import per_run, strategies_table


def stages(shift=0):
    """Two runs of two stages: submitted at 100 and 1,000, ended 400 and 250 s later."""
    return pd.DataFrame(
        {
            "run": [1, 1, 2, 2],
            "at": [100, 100, 1000, 1000],
            "end": [300, 500 + shift, 1100, 1250],
            "perceived": [10, 20 + shift, 5, 0],
            "core_seconds": [3600, 1800, 3600, 1800],
            "idle_core_seconds": [0, 900, 0, 0],
            "resubmitted": [0, 1, 0, 0],
        }
    )


def test_stages_of_a_run_are_summed_up():
    found = per_run(stages())
    assert found["perceived"].tolist() == [30, 5]
    assert found["makespan"].tolist() == [400, 250]
    assert found["core_hours"].tolist() == [1.5, 1.5]
    assert found["idle_core_hours"].tolist() == [0.25, 0]
    assert found["resubmitted"].tolist() == [1, 0]


def test_table_has_real_and_simulated_runs_with_their_means():
    found = {("ASA", "real"): stages(shift=40), ("ASA", "simulated"): stages()}
    table = strategies_table(found)
    assert table["run"].tolist() == ["1", "2", "mean"]
    assert table["perceived_real"].tolist() == [70, 5, 37.5]
    assert table["perceived_simulated"].tolist() == [30, 5, 17.5]
    assert table["makespan_real"].tolist() == [440, 250, 345]
    assert table["idle_core_hours_simulated"].tolist() == pytest.approx([0.25, 0, 0.125])


STUDY = Study("referee", (), {"referee": {"repetitions": 3, "factor": 60}}, str)


def test_every_replay_has_the_parameters_of_its_file():
    judged = groups(STUDY)[0]
    runs, files = judged.params["runs"], judged.inputs["replays"]
    assert len(runs) == len(files) == 2 * len(SETTINGS) * 3
    for one, path in zip(runs, files, strict=True):
        assert path.endswith(f"/{one['log']}.{one['order']}.{one['repetition']}.parquet")
