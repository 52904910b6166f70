"""The profile of a site's workload."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.studies.site import profile
from schedlab.workbench.log import load_log
from words_case import text_of

HEAD = ("; MaxProcs: 10", "; UnixStartTime: 1704067200", "; Queue: 1 short", "; Queue: 2 long")
# 2024-01-01, a Monday; columns: submit, wait, run, processors, estimate, user, queue
ROWS = [
    (0, 0, 3600, 1, 7200, 1, 1),
    (1800, 100, 3600, 4, 3600, 1, 1),
    (3600, 200, 7200, 5, 72_000, 2, 2),
    (7 * 86_400, 300, 36_000, 10, 36_000, 3, 2),
]


@pytest.fixture
def log(tmp_path):
    """Four jobs in eight days."""
    return written(tmp_path, ROWS)


def written(folder, rows, head=HEAD):
    lines = [
        f"{number} {s} {w} {r} {n} -1 -1 {n} {e} -1 1 {u} 1 -1 {q} -1 -1 -1"
        for number, (s, w, r, n, e, u, q) in enumerate(rows, start=1)
    ]
    path = folder / "site.swf"
    path.write_text("\n".join([*head, *lines]) + "\n")
    return load_log(path, default_limit=None)


def test_facts_state_what_they_describe(log):
    found = profile.facts(log, None).set_index("what")
    assert found.loc["jobs", "value"] == "4 jobs"
    assert found.loc["users", "value"] == "3 users"
    # 1 + 4 + 10 + 100 core-hours on 10 processors in 168 hours
    assert found.loc["work", "value"] == "115 core-hours"
    assert found.loc["offered load", "value"] == f"{115 / 1680:.1%}"
    assert found.loc["first to last submission", "of"] == "2024-01-01 to 2024-01-08, UTC"
    assert found.loc["run time", "value"] == "5,400 s, 12,600 s, 36,000 s"
    assert found.loc["share of the estimate that is used", "value"] == "75.0%, 65.0%"
    assert found.loc["wait, as in the log", "value"].startswith("150 s, 150 s, ")
    assert "over the 4 jobs" in found.loc["wait, as in the log", "of"]


def test_unknown_waits_and_users_are_marked_unknown(tmp_path):
    rows = [(s, -1, r, n, e, -1, q) for s, _, r, n, e, _, q in ROWS]
    found = profile.facts(written(tmp_path, rows, HEAD[:1]), None).set_index("what")
    assert found.loc["wait, as in the log", "value"] == "–"
    assert found.loc["users", "of"] == "known of 0 of 4 jobs"
    assert "does not say what its times count from" in found.loc["first to last submission", "of"]


def test_sizes_are_shares_of_jobs_and_of_core_hours(log):
    found = profile.sizes(log)
    assert found["processors"].tolist() == ["1", "2–4", "5–16"]
    assert found["jobs %"].tolist() == [25, 25, 50]
    assert found["core_hours %"].tolist() == pytest.approx([100 / 115, 400 / 115, 11_000 / 115])


def test_quantiles_are_of_the_jobs(log):
    found = profile.quantiles(log).set_index("per cent of jobs")
    assert found["run time"].loc[[0, 50, 100]].tolist() == [3600, 5400, 36_000]
    assert found["wait, as in the log"].loc[[0, 50, 100]].tolist() == [0, 150, 300]


def test_accuracy_counts_the_share_of_the_estimate_in_fives(log):
    found = profile.accuracy(log).set_index("from %")["jobs %"]
    # 10 %, 50 %, and twice all of it
    assert found[found > 0].to_dict() == {10: 25, 50: 25, 95: 50}


def test_load_of_a_week_is_the_demand_of_its_jobs(log):
    found = profile.load_by_week(log)
    assert found["jobs"].tolist() == [3, 1]
    # the second week is a second long: nothing is said of it
    assert found["load %"].tolist()[0] == pytest.approx(100 * 15 / 1680)
    assert np.isnan(found["load %"].tolist()[1])


@pytest.mark.parametrize(("seconds", "told"), [(86_399, False), (86_400, True)])
def test_last_week_has_a_load_from_one_day_on(tmp_path, seconds, told):
    rows = [*ROWS, (7 * 86_400 + seconds, 0, 60, 1, 60, 1, 1)]
    load = profile.load_by_week(written(tmp_path, rows))["load %"].iloc[-1]
    assert np.isfinite(load) == told
    if told:
        assert load == pytest.approx(100 * (100 + 1 / 60) / (10 * 24))


def test_arrivals_are_means_over_the_hours_of_the_log(log):
    found = profile.arrivals(log, None).set_index("weekday")
    # two Mondays, and on one of them two jobs between 0 and 1; the second Monday ends in that hour
    assert found.loc["Mon", "0"] == 1.5
    assert found.loc["Mon", "1"] == 1.0
    assert found.loc["Tue", "0"] == 0.0
    assert found.shape == (7, 24)


def test_arrivals_are_on_the_sites_clock(log):
    assert profile.arrivals(log, "Asia/Tokyo").set_index("weekday").loc["Mon", "9"] == 1.5


def test_a_log_without_a_clock_has_no_arrivals(tmp_path):
    assert profile.arrivals(written(tmp_path, ROWS, HEAD[:1]), None).empty


def test_queues_have_their_names_and_medians(log):
    found = profile.queues(log).set_index("queue")
    assert list(found.index) == ["long", "short"]
    assert found.loc["short", ["jobs", "users", "processors", "wait"]].tolist() == [2, 1, 2.5, 50]
    assert found["core-hours %"].tolist() == pytest.approx([11_000 / 115, 500 / 115])
    assert found.loc["long", "used %"] == pytest.approx(55)


def test_loss_summary_states_the_loss_and_a_remedy(tmp_path):
    rows = [*ROWS, (8 * 86_400, 0, 36_000, 10, -1, 3, 2)]
    log = written(tmp_path, rows)
    found = profile.lost(log).set_index("rule")
    assert found.loc["estimate_positive", ["dropped", "changed"]].tolist() == [1, 0]
    assert found.loc["estimate_positive", "jobs %"] == pytest.approx(20)
    assert found.loc["estimate_positive", "core-hours %"] == pytest.approx(10_000 / 215)
    facts = profile.lost_in_all(log) | {"rules": "full_estimate"}
    said = text_of("site", "lost_said", facts)
    assert "drops 20.0 % of the log's jobs and 46.5 % of its core-hours" in said
    assert "for the 4 jobs that are left" in said
    assert "--rules rr9212_ran" in said


def test_import_steps_are_listed_before_cleaning(tmp_path, log):
    ledger = pd.DataFrame({
        "line": [1, 2, 3, 3], "rule": ["", "step", "eligible", "limit_partition"],
        "fate": ["imported", "dropped", "changed", "changed"],
    })  # fmt: skip
    ledger.to_csv(tmp_path / "ledger.csv", index=False)
    found = profile.lost(log, str(tmp_path / "ledger.csv")).set_index("rule")
    assert found["step"].tolist() == ["import"] * 3
    assert found.loc["step", ["dropped", "changed"]].tolist() == [1, 0]
    assert found.loc["eligible", ["dropped", "changed"]].tolist() == [0, 1]


def test_the_ten_largest_users_are_ten(tmp_path):
    """Of twelve users with 1 to 12 core-hours each, the two least are none of them."""
    rows = [(60 * user, 0, 3600 * user, 1, 3600 * user, user, 1) for user in range(1, 13)]
    found = profile.facts(written(tmp_path, rows), None).set_index("what")
    assert found.loc["share of the ten largest users", "value"] == f"{75 / 78:.1%}"


def test_the_longest_twentieth_of_waits_is_cut(tmp_path):
    """Waits of 0, 10, ..., 200 s: 19 of the 20 steps are below 190 s."""
    rows = [(60 * place, 10 * place, 3600, 1, 3600, 1, 1) for place in range(21)]
    found = profile.facts(written(tmp_path, rows), None).set_index("what")
    assert found.loc["wait, as in the log", "value"] == "100 s, 100 s, 190 s"


def test_user_0_is_a_user_and_an_unknown_one_is_none(tmp_path):
    """Of four jobs one is of user 0, one of user 7, and two of unknown users."""
    users = [0, 7, -1, -1]
    rows = [(s, w, r, n, e, u, 1) for (s, w, r, n, e, *_), u in zip(ROWS, users, strict=True)]
    log = written(tmp_path, rows)
    found = profile.facts(log, None).set_index("what")
    assert found.loc["users", ["value", "of"]].tolist() == ["2 users", "known of 2 of 4 jobs"]
    assert profile.queues(log)["users"].tolist() == [2]


def test_a_log_of_one_job_of_one_core_hour_has_shares_and_no_load(tmp_path):
    log = written(tmp_path, ROWS[:1])
    assert profile.sizes(log)[["jobs %", "core_hours %"]].to_numpy().tolist() == [[100.0, 100.0]]
    found = profile.facts(log, None).set_index("what")
    assert found.loc["offered load", "value"] == "–"


def test_accuracy_of_short_estimates_and_of_jobs_that_run_beyond_theirs(log):
    """Run times of 1, 1, 1 and 150 s under estimates of 1, 2, 4 and 100 s."""
    jobs = Jobs(range(1, 5), [0] * 4, [1, 1, 1, 150], [1, 2, 4, 100], [1] * 4)
    found = profile.accuracy(replace(log, jobs=jobs)).set_index("from %")["jobs %"]
    assert found[found > 0].to_dict() == {25: 25, 50: 25, 95: 50}


@pytest.mark.parametrize(("fate", "counts"), [("dropped", [1, 0]), ("changed", [0, 1])])
def test_an_import_that_only_drops_or_only_changes_lines_has_zeros(tmp_path, log, fate, counts):
    ledger = pd.DataFrame({"line": [1, 2], "rule": ["", "step"], "fate": ["imported", fate]})
    ledger.to_csv(tmp_path / "ledger.csv", index=False)
    found = profile.lost(log, str(tmp_path / "ledger.csv")).set_index("rule")
    assert found.loc["step", ["dropped", "changed"]].tolist() == counts
