"""Cleaning rule sets, their ledger, and its replay."""

import json
import sys
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.splitting import DAY, MONTH, WEEK
from schedlab.files.io import read_parquet, write_parquet
from schedlab.traces.cleaning import LEDGER_DTYPES, Cleaning, as_log, clean, replay
from schedlab.traces.cleaning_rules import COLUMNS, NUMBERS, RULE_SETS, RULES
from schedlab.traces.losses import losses_of, lost_in
from schedlab.traces.records import AlteredError, sha256_of
from schedlab.traces.swf import DTYPES, FIELDS, read_swf, write_swf

SETS = sorted(RULE_SETS)


def raw(*jobs: tuple[int, int, int], **columns: list[int]) -> pd.DataFrame:
    """Jobs numbered 10, 20, … of (run time, processors, requested time), else -1."""
    frame = pd.DataFrame(-1, index=range(len(jobs)), columns=list(FIELDS)).astype(DTYPES)
    frame["number"] = [10 * (place + 1) for place in range(len(jobs))]
    frame["submit"] = range(len(jobs))
    for place, field in enumerate(("runtime", "procs", "requested_time")):
        frame[field] = pd.Series([job[place] for job in jobs], dtype="int64")
    return frame.assign(**columns)


def types_of(rules: str) -> dict[str, str]:
    """Columns of clean jobs and their types."""
    kept = {name: "int64" if name in NUMBERS else "str" for name in RULE_SETS[rules].keeps}
    return dict.fromkeys(COLUMNS, "int64") | kept


def rows(ledger: pd.DataFrame) -> list[list[object]]:
    return [
        [None if value is pd.NA else value for value in row]
        for row in ledger.itertuples(index=False)
    ]


MIXED = raw((100, 4, 200), (0, 4, 50), (60, 0, 50), (60, 2, -1), (500, 8, 300))


@pytest.mark.parametrize(
    ("rules", "numbers", "estimates"),
    [
        ("sc17_actual", [10, 40, 50], [100, 60, 500]),
        ("sc17_estimate", [10, 50], [200, 300]),
        ("full_actual", [10, 40, 50], [100, 60, 500]),
        ("full_estimate", [10, 50], [200, 500]),
        ("full_estimate_waits", [10, 50], [200, 500]),
    ],
)
def test_a_rule_set_keeps_these_jobs_with_these_estimates(rules, numbers, estimates):
    jobs, _ = clean(MIXED, rules, "SITE")
    assert jobs["number"].tolist() == numbers
    assert jobs["estimate"].tolist() == estimates


def test_job_of_one_second_and_processor_is_kept_and_zero_is_dropped():
    jobs, ledger = clean(raw((1, 1, 1), (60, 1, 0), (0, 1, 1), (60, 0, 1)), "sc17_estimate", "SITE")
    assert jobs["number"].tolist() == [10]
    assert ledger["rule"].tolist() == ["runtime_positive", "procs_positive", "estimate_positive"]


def test_the_ledger_has_a_row_for_every_dropped_or_changed_job():
    _, ledger = clean(MIXED, "full_estimate", "SITE")
    assert rows(ledger) == [
        ["SITE", "runtime_positive", 20, "runtime", 0, None],
        ["SITE", "procs_positive", 30, "procs", 0, None],
        ["SITE", "estimate_positive", 40, "estimate", -1, None],
        ["SITE", "estimate_covers_runtime", 50, "estimate", 300, 500],
    ]


def test_a_job_is_dropped_once_by_the_first_rule_that_concerns_it():
    _, ledger = clean(raw((-1, -1, -1)), "sc17_estimate", "SITE")
    assert ledger["rule"].tolist() == ["runtime_positive"]
    _, ledger = clean(raw((-1, -1, -1), submit=[-1]), "sc17_estimate", "SITE")
    assert ledger["rule"].tolist() == ["submit_known"]


def test_processors_are_allocated_not_requested_ones():
    jobs, _ = clean(raw((60, 4, 60), requested_procs=[16]), "sc17_actual", "SITE")
    assert jobs["procs"].tolist() == [4]


def test_cleaning_leaves_the_raw_frame_as_it_was():
    before = MIXED.copy()
    clean(MIXED, "full_estimate", "SITE")
    pd.testing.assert_frame_equal(MIXED, before)


def test_jobs_that_never_ran_are_kept_as_zhang2020_keeps_them():
    """Run times of -1 become 10 s, requests of -1 the run time, each with a row of the ledger."""
    frame = raw((-1, -1, 300), (-1, 4, -1), (60, 4, -1), (0, 2, 90), (60, 8, 90))
    frame = frame.assign(requested_procs=[16, 2, -1, 2, 8], executable=[7, -1, 1, 2, 3])
    jobs, ledger = clean(frame, "zhang2020", "SITE")
    assert jobs["number"].tolist() == [10, 20, 30, 50]
    assert jobs["runtime"].tolist() == [10, 10, 60, 60]
    assert jobs["estimate"].tolist() == [300, 10, 60, 90]
    assert jobs["procs"].tolist() == [16, 4, 4, 8]
    assert jobs["executable"].tolist() == [7, -1, 1, 3]
    assert rows(ledger) == [
        ["SITE", "phantom_job", 10, "runtime", -1, 10],
        ["SITE", "phantom_job", 20, "runtime", -1, 10],
        ["SITE", "estimate_known", 20, "estimate", -1, 10],
        ["SITE", "estimate_known", 30, "estimate", -1, 60],
        ["SITE", "runtime_positive", 40, "runtime", 0, None],
    ]
    ran, _ = clean(frame, "zhang2020_ran", "SITE")
    assert ran["number"].tolist() == [30, 50]


@pytest.mark.parametrize("rules", SETS)
def test_an_empty_log_gives_empty_tables_of_the_same_types(rules):
    jobs, ledger = clean(raw(), rules, "SITE")
    assert (len(jobs), len(ledger)) == (0, 0)
    assert jobs.dtypes.astype(str).to_dict() == types_of(rules)
    assert (
        ledger.dtypes.to_dict()
        == pd.DataFrame(columns=[*LEDGER_DTYPES]).astype(LEDGER_DTYPES).dtypes.to_dict()
    )
    pd.testing.assert_frame_equal(replay(raw(), ledger, rules), jobs)


def test_the_simulator_of_rr9212_refuses_jobs_that_ran_over_their_estimate():
    """A job of just its estimate stays; processors are those asked for, where that is known."""
    frame = raw((100, 4, 100), (101, 4, 100), (50, 4, -1), (9, 0, 9), (9, 0, 9), (0, 4, 9))
    frame["requested_procs"] = [16, 16, 16, 2, -1, 4]
    jobs, ledger = clean(frame, "rr9212", "SITE")
    assert jobs["number"].tolist() == [10, 40]
    assert jobs["procs"].tolist() == [16, 2]
    assert jobs["submit"].tolist() == [0, 3]
    assert ledger[["rule", "number"]].to_numpy().tolist() == [
        ["runtime_positive", 60],
        ["procs_positive", 50],
        ["runtime_within_estimate", 20],
        ["runtime_within_estimate", 30],
    ]
    pd.testing.assert_frame_equal(replay(frame, ledger, "rr9212"), jobs)


def test_missing_requested_processors_are_rejected_if_read():
    frame = raw((9, 1, 9)).drop(columns="requested_procs")
    with pytest.raises(ValueError, match="SITE: field 'requested_procs' is missing"):
        clean(frame, "rr9212", "SITE")
    with pytest.raises(ValueError, match="field 'runtime' is missing"):
        clean(frame.drop(columns=["runtime", "wait"]), "sc17_actual", "SITE")
    assert len(clean(frame, "rr9212_ran", "SITE")[0]) == 1


UNIX_START = 3 * WEEK - 100


def test_first_last_and_crossing_week_jobs_are_dropped_in_the_ledger():
    submit = [0, 99, 100, 200, 300, 100 + WEEK, 100 + 2 * WEEK]
    frame = raw(*[(60, 1, 60)] * 7, submit=submit, wait=[0, 0, 0, WEEK, -1, 0, 0])
    frame.loc[4, "runtime"] = WEEK
    jobs, ledger = clean(frame, "rr9212_weeks", "SITE", UNIX_START)
    assert jobs["number"].tolist() == [30, 60]
    assert jobs["submit"].tolist() == [3 * WEEK, 4 * WEEK]
    assert rows(ledger) == [
        ["SITE", "estimate_covers_runtime", 50, "estimate", 60, WEEK],
        ["SITE", "week_whole", 10, "submit", UNIX_START, None],
        ["SITE", "week_whole", 20, "submit", UNIX_START + 99, None],
        ["SITE", "week_whole", 70, "submit", 5 * WEEK, None],
        ["SITE", "week_crossed", 40, "end", 4 * WEEK + 160, None],
        ["SITE", "week_crossed", 50, "end", 4 * WEEK + 200, None],
    ]


def test_a_job_may_end_in_the_last_second_of_its_month_and_no_later():
    submit = [0, MONTH, MONTH, 3 * MONTH]
    frame = raw((60, 1, 60), (MONTH - 1, 1, 60), (MONTH, 1, 60), (60, 1, 60), submit=submit)
    assert clean(frame, "rr9212_months", "SITE", 0)[0]["number"].tolist() == [20]


def test_jobs_of_klusacek2016_have_known_users_and_keep_their_requests():
    """A job just over its estimate has it raised, one of just its estimate not; user 0 is known."""
    frame = raw((100, 4, 100), (101, 4, 100), (50, 4, 60), (50, 4, 60), user=[0, 3, -1, 2])
    frame = frame.assign(wait=[5, -1, 0, 7], requested_memory=[1024, -1, 8, 0])
    frame = frame.assign(field19="{1}", field20=["q_2h", "", "ops", "q_1d"], field21="1:ppn=4#excl")
    jobs, ledger = clean(frame, "klusacek2016", "SITE")
    assert rows(ledger) == [
        ["SITE", "user_known", 30, "user", -1, None],
        ["SITE", "estimate_covers_runtime", 20, "estimate", 100, 101],
    ]
    kept = jobs[["number", "estimate", "requested_time", "wait", "requested_memory", "queue_name"]]
    assert kept.to_numpy().tolist() == [
        [10, 100, 100, 5, 1024, "q_2h"],
        [20, 101, 100, -1, -1, ""],
        [40, 60, 60, 7, 0, "q_1d"],
    ]
    assert set(jobs["node_spec"]) == {"1:ppn=4#excl"}


def test_missing_fields_of_a_log_are_unknown():
    frame = raw((60, 1, 60), user=[1]).drop(columns="requested_memory")
    jobs, _ = clean(frame, "klusacek2016", "SITE")
    assert jobs[["requested_memory", "queue_name", "node_spec"]].iloc[0].tolist() == [-1, "", ""]


@pytest.mark.parametrize("rules", SETS)
def test_job_with_an_unknown_submit_time_is_dropped_in_the_ledger(rules):
    submit = [-1, 3, WEEK, WEEK + 2, 2 * MONTH]
    frame = raw(*[(60, 1, 60)] * 5, submit=submit)
    jobs, ledger = clean(frame, rules, "SITE", 0)
    assert rows(ledger)[0] == ["SITE", "submit_known", 10, "submit", -1, None]
    assert (jobs["submit"] > 0).all()
    known, without = clean(frame.iloc[1:], rules, "SITE", 0)
    pd.testing.assert_frame_equal(jobs, known)
    assert rows(ledger)[1:] == rows(without)
    pd.testing.assert_frame_equal(replay(frame, ledger, rules, 0), jobs)


def test_a_rule_set_on_unix_time_needs_to_know_when_the_log_began():
    with pytest.raises(ValueError, match="SITE: the header has no UnixStartTime; rr9212_weeks"):
        clean(MIXED, "rr9212_weeks", "SITE")


def test_each_reading_of_weeks_changes_one_thing_of_the_one_that_was_run():
    """Of four jobs the second ran over its estimate and the third ends a second into the next week.

    They asked for twice the processors that they had, and come on the first two days of a log that
    began on a Friday.
    """
    frame = raw((100, 4, 200), (60, 2, 30), (WEEK - 1, 1, WEEK), (WEEK - 2, 1, WEEK))
    frame = frame.assign(requested_procs=2 * frame["procs"], submit=[0, 1, 2, 3], wait=-1)
    frame.loc[3, "submit"] = 1
    friday = 30 * WEEK + 86_400

    def cleaned(rules):
        return clean(frame, rules, "SITE", friday)[0]

    run = cleaned("rr9212")
    assert run["number"].tolist() == [10, 30, 40]
    assert run["procs"].tolist() == [8, 2, 2]
    raised = cleaned("rr9212_raised")
    assert raised["number"].tolist() == [10, 20, 30, 40]
    assert raised["estimate"].tolist() == [200, 60, WEEK, WEEK]
    assert raised["procs"].tolist() == [8, 4, 2, 2]
    assert cleaned("rr9212_used")["procs"].tolist() == [4, 1, 1]
    assert cleaned("rr9212_uncrossed")["number"].tolist() == [10, 40]
    known = cleaned("rr9212_known")
    assert known["estimate"].tolist() == run["runtime"].tolist()
    thursdays = cleaned("rr9212_thursdays")
    assert thursdays["submit"].tolist() == [86_400, 86_402, 86_401]
    assert thursdays.drop(columns="submit").equals(run.drop(columns="submit"))


values = st.integers(-2, 5)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    jobs=st.lists(st.tuples(values, values, values), max_size=12),
    gap=st.sampled_from([1, WEEK // 2, WEEK]),
    rules=st.sampled_from(SETS),
)
def test_the_ledger_replayed_gives_the_clean_jobs(jobs, gap, rules):
    frame = raw(*jobs)
    frame["submit"] = (frame["submit"] - 1) * gap
    cleaned, ledger = clean(frame, rules, "SITE", UNIX_START)
    assert cleaned.dtypes.astype(str).to_dict() == types_of(rules)
    pd.testing.assert_frame_equal(replay(frame, ledger, rules, UNIX_START), cleaned)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    jobs=st.lists(st.tuples(*[st.integers(-1, 3)] * 3), min_size=1, max_size=9),
    gap=st.sampled_from([1, DAY, WEEK]),
    rules=st.sampled_from(SETS),
    cut=st.integers(1, 9),
)
def test_a_log_is_cleaned_in_parts_as_a_whole(jobs, gap, rules, cut):
    frame = raw(*jobs)
    frame["submit"] *= gap
    parts = [frame.iloc[place : place + cut] for place in range(0, len(frame), cut)]
    whole, ledger = clean(frame, rules, "SITE", 5)
    process = Cleaning(rules, "SITE", 5)
    for part in parts:
        process.add(part)
    found, pages = process.finish()
    pd.testing.assert_frame_equal(found, whole)
    pd.testing.assert_frame_equal(pages, ledger)
    lost = lost_in(process)
    pd.testing.assert_frame_equal(losses_of(parts, rules, 5), lost)
    gone = ledger[ledger["after"].isna()]
    assert lost["jobs"].to_dict() == gone["rule"].value_counts().to_dict()
    area = frame["runtime"].clip(lower=0) * frame["procs"].clip(lower=0)
    by_number = dict(zip(frame["number"], area, strict=True))
    work = gone["number"].map(by_number).groupby(gone["rule"]).sum() / 3600
    assert lost["core_hours"].to_dict() == work.astype(float).to_dict()
    assert lost["jobs_share"].sum() == pytest.approx(len(gone) / len(frame))
    hours = area.sum() / 3600
    assert lost["hours_share"].sum() == pytest.approx(work.sum() / hours if hours else 0)


def test_rules_on_the_whole_log_do_not_take_a_part_for_it():
    """The first and the last week are those of the log, not of each of its parts."""
    frame = raw(*[(1, 1, 1)] * 4).assign(submit=[0, WEEK, 2 * WEEK, 3 * WEEK])
    process = Cleaning("rr9212_weeks", "SITE", 0)
    for part in (frame[:2], frame[2:]):
        process.add(part)
    jobs, ledger = process.finish()
    assert jobs["number"].tolist() == [20, 30]
    assert ledger["number"].tolist() == [10, 40]


def test_parts_out_of_order_are_sorted_by_submit_time_then_number():
    frame = raw((1, 1, 1), (2, 2, 2), (3, 3, 3)).assign(submit=[5, 5, 0])
    process = Cleaning("sc17_actual", "SITE")
    for place in (1, 2, 0):
        process.add(frame.iloc[place : place + 1])
    assert process.finish(in_order=False)[0]["number"].tolist() == [30, 10, 20]


def test_further_columns_are_kept_once_and_only_if_the_log_has_them():
    process = Cleaning("full_estimate_waits", "SITE", more=("wait", "account"))
    process.add(raw((1, 1, 1)))
    assert list(process.finish()[0]) == [*COLUMNS, "wait"]
    process = Cleaning("sc17_actual", "SITE", more=("wait", "account"))
    process.add(raw((1, 1, 1)).assign(account=4))
    assert list(process.finish()[0]) == [*COLUMNS, "wait", "account"]


def test_a_ledger_survives_parquet(tmp_path):
    cleaned, ledger = clean(MIXED, "full_estimate", "SITE")
    write_parquet(ledger, tmp_path / "ledger.parquet")
    again = read_parquet(tmp_path / "ledger.parquet")
    pd.testing.assert_frame_equal(replay(MIXED, again, "full_estimate"), cleaned)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (MIXED.assign(runtime=7), "job 20: field 'runtime' should be 0, the log has 7"),
        (MIXED.iloc[:1], "job 20: field 'runtime' should be 0, the log has nan"),
        (MIXED.assign(runtime=7, procs=9), "job 20: field 'runtime' should be 0"),
    ],
)
def test_a_ledger_of_another_log_is_refused(other, message):
    _, ledger = clean(MIXED, "sc17_actual", "SITE")
    with pytest.raises(ValueError, match=message):
        replay(other, ledger, "sc17_actual")


def test_an_unknown_rule_set_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="no cleaning rules 'sc71'; there are sc17_actual"):
        clean(MIXED, "sc71", "SITE")


def test_every_rule_is_described_and_used():
    assert all(rule.description and rule.source for rule in RULES.values())
    assert {name for rules in RULE_SETS.values() for name in rules.rules} == set(RULES)


@pytest.fixture
def script(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "workflow" / "scripts" / "traces"))
    import clean_log

    yield clean_log.clean_log
    sys.modules.pop("clean_log")


def fetched(folder: Path, jobs: pd.DataFrame) -> Path:
    """Write a log with its record."""
    text = folder / "log.swf"
    write_swf(text, jobs)
    text.with_suffix(".json").write_text(json.dumps({"written": sha256_of(text)}))
    return text


DRAWN = pd.DataFrame(
    {
        **{"number": [1, 2], "submit": [5, 9], "runtime": [30, 40], "estimate": [60, 40]},
        **{"procs": [4, 2], "user": -1, "group": -1, "queue": 0},
    }
)


@pytest.mark.parametrize(
    ("rules", "estimated", "estimates", "changed"),
    [
        ("sc17_actual", True, [30, 40], 0),
        ("sc17_estimate", True, [60, 40], 0),
        ("full_actual", False, [30, 40], 0),
        ("full_estimate", False, [], 2),
        ("rr9212_ran", False, [30, 40], 2),
    ],
)
def test_jobs_that_a_model_draws_are_cleaned_like_those_of_their_log(
    rules, estimated, estimates, changed
):
    """Without estimates there are no requested times: jobs go for it, or are raised from -1."""
    jobs, ledger = clean(as_log(DRAWN, estimated), rules, "SITE")
    assert jobs["estimate"].tolist() == estimates
    assert ledger["before"].tolist() == [-1] * changed


@pytest.mark.parametrize(("log", "numbers"), [(MIXED, [10, 50]), (MIXED[:0], [1, 2])])
def test_script_uses_generated_jobs_only_if_the_log_is_missing(script, tmp_path, log, numbers):
    text, model = fetched(tmp_path, log), tmp_path / "model.parquet"
    write_parquet(DRAWN, model)
    jobs, ledger = tmp_path / "jobs.parquet", tmp_path / "ledger.parquet"
    script(text, True, "SITE", "sc17_estimate", jobs, ledger, model)
    assert read_parquet(jobs)["number"].tolist() == numbers
    assert len(read_parquet(ledger)) == (3 if len(log) else 0)
    script(fetched(tmp_path, MIXED[:0]), False, "SITE", "sc17_actual", jobs, ledger)
    assert read_parquet(jobs).empty  # no model draws them


def test_the_script_turns_a_log_into_jobs_and_ledger(script, tmp_path: Path):
    text = fetched(tmp_path, MIXED)
    jobs, ledger = tmp_path / "out" / "jobs.parquet", tmp_path / "out" / "ledger.parquet"
    script(str(text), False, "SITE", "full_estimate", str(jobs), str(ledger))
    expected, changes = clean(MIXED, "full_estimate", "SITE")
    pd.testing.assert_frame_equal(read_parquet(jobs), expected)
    pd.testing.assert_frame_equal(read_parquet(ledger), changes)
    assert sorted(path.name for path in jobs.parent.iterdir()) == ["jobs.parquet", "ledger.parquet"]
    write_swf(text, MIXED.assign(runtime=MIXED["runtime"] * 10))
    with pytest.raises(AlteredError, match=r"log\.swf: altered since it was fetched"):
        script(str(text), False, "SITE", "full_estimate", str(jobs), str(ledger))


# Counted with awk: jobs kept by sc17_actual, by sc17_estimate; estimates raised by full_estimate;
# and by other means, jobs that ran within one whole week of Unix time.
COUNTS = {
    "KTH-SP2": (28467, 28467, 475, 26749),
    "CTC-SP2": (77205, 77199, 7174, 70882),
    "SDSC-SP2": (54034, 53999, 4134, 50134),
    "SDSC-BLUE": (223637, 223637, 22217, 208227),
    "CEA-Curie": (295540, 295540, 5416),
    "HPC2N": (202871, 202871, 14817),
    "wagap-2013": (17898, 17898, 702),
    "RICC": (447784, 447782, 7092),
    "UniLu-Gaia": (51859, 51859, 1500),
    "Theta-2022": (23911, 23911, 6264),
}


@pytest.mark.logs
@pytest.mark.parametrize("name", COUNTS)
def test_rules_change_as_many_jobs_of_a_real_log_as_counted(raw_log, name):
    log = read_swf(raw_log(name))
    frame, start = log.jobs, log.header.integer("UnixStartTime")
    counts = [len(clean(frame, rules, name)[0]) for rules in ("sc17_actual", "sc17_estimate")]
    cleaned, ledger = clean(frame, "full_estimate", name)
    counts.append(int(ledger["after"].notna().sum()))
    pd.testing.assert_frame_equal(replay(frame, ledger, "full_estimate"), cleaned)
    if len(COUNTS[name]) > 3:
        cleaned, ledger = clean(frame, "rr9212_weeks", name, start)
        counts.append(len(cleaned))
        pd.testing.assert_frame_equal(replay(frame, ledger, "rr9212_weeks", start), cleaned)
    assert tuple(counts) == COUNTS[name]
