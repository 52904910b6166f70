"""The list of the referee's items, without the makers."""

from schedlab.report.items import Study
from schedlab.studies.referee.items import groups
from schedlab.studies.referee.settings import SETTINGS

STUDY = Study("referee", (), {"referee": {"repetitions": 3, "factor": 60}}, str)


def test_every_replay_has_the_parameters_of_its_file():
    judged = groups(STUDY)[0]
    runs, files = judged.params["runs"], judged.inputs["replays"]
    assert len(runs) == len(files) == 2 * len(SETTINGS) * 3
    for one, path in zip(runs, files, strict=True):
        assert path.endswith(f"/{one['log']}.{one['order']}.{one['repetition']}.parquet")
