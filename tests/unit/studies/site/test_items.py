"""The list of a site's items, and the log that all of them read."""

import pandas as pd

from schedlab.core.metrics import CONTEST, shown_in
from schedlab.report.items import Study
from schedlab.studies.site.items import groups
from schedlab.workbench.log import load_log, read_cleaned
from site_case import site_log

STUDY = Study("site", (), {"site": {"name": "A"}, "policies": {}, "advice": {}}, str)


def test_every_metric_has_a_table():
    names = {item.name for group in groups(STUDY) for item in group.items if item.kind == "table"}
    assert set(shown_in(CONTEST)) <= names


def test_a_cleaned_log_is_read_as_it_was_written(tmp_path):
    site_log(tmp_path / "a.swf", jobs=60, runtime=4000, days=9, waits=True)
    log = load_log(tmp_path / "a.swf", processors=8)
    paths = [str(tmp_path / f"{name}.parquet") for name in ("jobs", "ledger", "lost")]
    log.write(*paths)
    again = read_cleaned(*paths)
    for name in ("frame", "ledger", "lost"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(log, name))
    assert (again.jobs.submit == log.jobs.submit).all()
    plain = ("path", "rules", "processors", "remedies", "notes", "unix_start", "queues", "zone")
    assert [getattr(again, name) for name in plain] == [getattr(log, name) for name in plain]
    assert repr(again) == repr(log)
