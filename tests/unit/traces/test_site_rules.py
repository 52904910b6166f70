"""A site's own rules: the jobs they concern, and their order among the other rules."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from schedlab.core.machine import Partition
from schedlab.traces.cleaning import Cleaning, clean
from schedlab.traces.cleaning_rules import CHOICES, RULE_SETS, RULES
from schedlab.traces.losses import REMEDIES, lost_in, remedies
from schedlab.traces.site_rules import YEAR, default_limit, fits_machine, partition_limit
from schedlab.traces.swf import FIELDS


def frame(**columns):
    """Jobs with the log's fields, unknown by default."""
    count = len(columns["runtime"])
    jobs = pd.DataFrame(columns | {"number": range(1, count + 1), "submit": range(count)})
    return jobs.reindex(columns=list(FIELDS), fill_value=-1)


def test_default_limit_is_given_to_jobs_that_ran_without_one():
    """Not to job 3, which has one, nor to job 4, which never ran and is dropped before."""
    raw = frame(runtime=[9, 9, 9, 0], procs=[1] * 4, requested_time=[-1, 0, 5, -1])
    rule = default_limit(7, "sc17_estimate")
    jobs, ledger = clean(raw, "sc17_estimate", "site", limit=rule)
    assert jobs["estimate"].tolist() == [7, 7, 5]
    assert ledger[["rule", "number"]].to_numpy().tolist() == [
        ["runtime_positive", 4], ["default_limit", 1], ["default_limit", 2],
    ]  # fmt: skip


@pytest.mark.parametrize("rules", [name for name, each in RULE_SETS.items() if "week" not in name])
def test_every_rule_set_begins_with_the_jobs_that_ran(rules):
    """Behind which a site's limit stands; that of RLScheduler lets other jobs run first."""
    names = list(RULE_SETS[rules].rules)
    if rules == "zhang2020":
        assert [names.pop(0), names.pop(0)] == ["phantom_job", "estimate_known"]
    assert [RULES[name].field for name in names[:3]] == ["submit", "runtime", "procs"]


def test_rules_of_a_site_are_behind_all_jobs_that_ran():
    raw = frame(runtime=[9, -1, 9], procs=[4, 4, -1], requested_time=[9, 9, 9])
    cleaning = Cleaning("zhang2020", "site", fits=fits_machine(4))
    cleaning.add(raw)
    jobs, ledger = cleaning.finish()
    assert jobs["runtime"].tolist() == [9, 10]
    assert ledger["rule"].tolist() == ["phantom_job", "procs_positive"]


def test_jobs_that_just_fit_are_kept():
    raw = frame(runtime=[9, 9], procs=[4, 5], requested_time=[9, 9])
    cleaning = Cleaning("full_estimate", "site", fits=fits_machine(4))
    cleaning.add(raw)
    lost = lost_in(cleaning)
    jobs, _ = cleaning.finish()
    assert jobs["procs"].tolist() == [4]
    assert lost.loc["fits_machine", "hours_share"] == 5 / 9
    assert remedies(lost) == ["fits_machine: a larger --processors keeps them"]


@pytest.mark.parametrize(("dropped", "told"), [(9, 0), (10, 1)])
def test_remedy_is_given_if_a_tenth_of_the_jobs_is_lost(dropped, told):
    raw = frame(runtime=[9] * 100, procs=[5] * dropped + [1] * (100 - dropped))
    raw = raw.assign(requested_time=9, runtime=[1] * dropped + [900] * (100 - dropped))
    cleaning = Cleaning("full_estimate", "site", fits=fits_machine(4))
    cleaning.add(raw)
    assert len(remedies(lost_in(cleaning))) == told


def test_limits_that_make_no_sense_are_errors():
    for limit in (0, {1: 60, 2: 0}):
        with pytest.raises(ValueError, match="the default limit is 0 s, must be at least 1 s"):
            default_limit(limit, "full_estimate")
    with pytest.raises(ValueError, match="rules full_actual decide on run times"):
        default_limit(60, "full_actual")


#: a job that each rule alone drops, with requested processors
DROPPED = {
    "runtime_positive": {"runtime": 0},
    "procs_positive": {"procs": -1},
    "estimate_positive": {"requested_time": -1},
    "runtime_within_estimate": {"runtime": 99},
    "user_known": {"user": -1},
}


@pytest.mark.parametrize("rule", DROPPED)
def test_rules_that_a_remedy_names_keep_the_job(rule):
    job = {"runtime": 9, "procs": 2, "requested_procs": 2, "requested_time": 60, "user": 1}
    raw = frame(**{name: [value] for name, value in (job | DROPPED[rule]).items()})
    keep = [name for name in CHOICES if len(clean(raw, name, "site", unix_start=0)[0])]
    named = re.findall(r"--rules (\w+)", REMEDIES[rule])
    assert set(named) <= set(keep)
    assert ("no rules keep" in REMEDIES[rule]) == (not keep)


def test_partition_limit_is_that_of_the_first_named_or_the_default_partition():
    """Job 6 names one that the site lacks; job 7 has a limit."""
    raw = frame(runtime=[9] * 7, procs=[1] * 7, requested_time=[-1] * 6 + [5])
    named = ["a", "b", "c", "b,a", "", "z", "a"]
    partitions = (
        Partition("a", (0,), max_time=100, default_time=10, default=True),
        Partition("b", (0,), max_time=100),
        Partition("c", (0,)),
    )
    raw["request.partition"] = named
    cleaning = Cleaning(
        "sc17_estimate", "site", limit=partition_limit(partitions), more=("request.partition",)
    )
    cleaning.add(raw)
    jobs, ledger = cleaning.finish()
    assert jobs["estimate"].tolist() == [10, 100, YEAR, 100, 10, 10, 5]
    assert ledger["rule"].tolist() == ["partition_limit"] * 6
    jobs, _ = clean(
        raw.drop(columns="request.partition"),
        "sc17_estimate",
        "site",
        limit=partition_limit(partitions[1:]),
    )
    assert jobs["estimate"].tolist() == [YEAR] * 6 + [5]
    raw["queue"] = [1, 2, 3, 1, -1, 7, 1]
    partitions = (*partitions[:2], Partition("3", (0,), max_time=33))
    rule = partition_limit(partitions, {1: "a", 2: "b"})
    jobs, _ = clean(raw.drop(columns="request.partition"), "sc17_estimate", "site", limit=rule)
    assert jobs["estimate"].tolist() == [10, 100, 33, 10, 10, 10, 5]
