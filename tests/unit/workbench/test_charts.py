"""Charts and traces of a schedule."""

import gzip
import json

import numpy as np
import pytest

import schedlab
from schedlab.report.figures.style import save_one
from schedlab.workbench.charts import steps, trace_events, write_trace
from site_case import jobs_of, log_of, site_log

# On 4 processors: job 2 waits from 1 to 10 and job 3 is backfilled at 2.
THREE = jobs_of((0, 10, 3), (1, 10, 4), (2, 5, 1))


@pytest.fixture
def result():
    return schedlab.simulate(log_of(THREE, 4))


def test_a_trace_has_lanes_of_jobs_counters_and_the_reason_of_each_wait(result, tmp_path):
    write_trace(result, tmp_path / "trace.json.gz")
    events = json.loads(gzip.decompress((tmp_path / "trace.json.gz").read_bytes()))["traceEvents"]
    jobs = {event["args"]["job"]: event for event in events if event["ph"] == "X"}
    assert [(jobs[n]["tid"], jobs[n]["ts"], jobs[n]["dur"]) for n in (1, 2, 3)] == [
        (0, 0, 10_000_000), (0, 10_000_000, 10_000_000), (1, 2_000_000, 5_000_000),
    ]  # fmt: skip
    assert jobs[2]["args"] == {
        "job": 2, "procs": 4, "estimate": 10, "user": 1, "wait": 9,
        "reason": "too few free", "wait: too few free": 9,
    }  # fmt: skip
    assert "reason" not in jobs[1]["args"]
    counts = {"waiting jobs": [], "free processors": []}
    for event in events:
        if event["ph"] == "C":
            counts[event["name"]].append((event["ts"] // 1_000_000, event["args"]["n"]))
    assert counts["waiting jobs"] == [(0, 0), (1, 1), (2, 1), (10, 0)]
    assert counts["free processors"] == [(0, 1), (2, 0), (7, 1), (10, 0), (20, 4)]


def test_traces_of_equal_schedules_are_equal_files_packed_or_not(result, tmp_path):
    for name in ("a.json.gz", "b.json.gz", "c.json"):
        write_trace(result, tmp_path / name)
    one, other, plain = (
        (tmp_path / name).read_bytes() for name in ("a.json.gz", "b.json.gz", "c.json")
    )
    assert one == other
    assert gzip.decompress(one) == plain


def test_recorded_schedule_is_traced_without_reasons(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", jobs=40, waits=True))
    events = trace_events(schedlab.as_recorded(log))
    assert not any("reason" in event.get("args", {}) for event in events)
    assert sum(event["ph"] == "X" for event in events) == 40


def test_steps_add_up_weights():
    found = steps(np.array([0, 5]), np.array([10, 5]), np.array([2, 7]))
    assert found.to_numpy().tolist() == [[0, 2], [5, 2], [10, 0]]


def test_a_chart_has_a_bar_a_range_of_processors_and_the_queue_below(result):
    top, below, _ = result.gantt(job=2).axes
    bars, marked = top.collections
    assert len(bars.get_paths()) == 3
    assert len(marked.get_paths()) == 1
    assert bars.get_array().tolist() == [0, 0, 9 / 3600]
    assert below.lines[0].get_ydata().tolist() == [0, 1, 1, 0]
    assert "FCFS: 3 jobs" in top.figure.get_suptitle()


def test_chart_of_a_span_has_the_jobs_that_run_in_it(result):
    top, below, _ = result.gantt(0, 7).axes
    assert len(top.collections[0].get_paths()) == 2
    assert below.get_xlim() == (0, 7 / 3600)
    with pytest.raises(ValueError, match="no job runs between 30 s and 40 s"):
        result.gantt(30, 40)
    with pytest.raises(ValueError, match="there is no job 8"):
        result.gantt(job=8)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg"])
def test_charts_are_saved_the_same_each_time(result, tmp_path, suffix):
    for name in ("a", "b"):
        save_one(result.gantt(), tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
