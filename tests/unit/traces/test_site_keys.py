"""Table of keys: every row has a meaning, and settings follow it."""

import re
from dataclasses import fields

import pytest

from schedlab.core.machine import Partition
from schedlab.core.slurm_site import Association, Limits, Priorities, Qos, Scheduling, Site
from schedlab.traces.slurm.conf_text import Setting, SiteFileError
from schedlab.traces.slurm.site_keys import WHAT, interpret, read_keys
from schedlab.traces.slurm.site_values import FORMS

ROWS = [row for rows in read_keys().values() for row in rows.values()]
#: groups of fields that are a class, and fields that its reader derives others from
CLASSES = {
    "site": (
        Site,
        {"select", "topology", "cluster", "most_memory_per_cpu", "most_memory_per_node"},
    ),
    "priorities": (Priorities, set()),
    "scheduling": (Scheduling, set()),
    "partition": (Partition, {"priority"}),
    "qos": (Qos, set()),
    "association": (Association, {"default_account", "usage"}),
    "limits": (Limits, set()),
}


def test_rows_are_complete():
    for row in ROWS:
        assert row.what in WHAT, row
        assert bool(row.field) == bool(row.form), row
        assert row.form in {"", *FORMS}, row
        # a remedy, and a reason
        assert row.note or row.what in ("modeled", "no effect"), row
    assert all("" in rows for rows in read_keys().values())


def test_fields_of_the_table_are_those_of_the_types():
    for row in ROWS:
        group, _, name = row.field.partition(".")
        if group in CLASSES:
            kind, others = CLASSES[group]
            assert name in {field.name for field in fields(kind)} | others, row


def test_every_option_of_scheduling_can_be_read():
    in_table = {row.field for row in ROWS}
    assert {f"scheduling.{field.name}" for field in fields(Scheduling)} <= in_table
    assert {f"priorities.{field.name}" for field in fields(Priorities)} <= in_table
    assert {f"limits.{field.name}" for field in fields(Limits)} <= in_table


def setting(key, value):
    return Setting("slurm.conf", 7, key, value)


@pytest.mark.parametrize(
    ("file", "key", "value", "meanings"),
    [
        ("conf", "killwait", "10", {"site.kill_wait": 10}),
        ("conf", "KillWait", "(null)", {}),
        (
            "conf",
            "SchedulerParameters",
            "defer,bf_window=60,bf_continue",
            {"scheduling.defer": True, "scheduling.bf_window": 3600},
        ),
        ("conf", "SchedulerType", "sched/builtin", {"scheduling.bf_interval": 0}),
        ("conf", "PriorityFlags", "max_tres", {"priorities.flags": {"MAX_TRES"}}),
        ("partition", "OverSubscribe", "exclusive", {"partition.exclusive": True}),
        ("qos", "MaxSubmitJobsPerUser", "5", {"limits.max_submit_pu": 5}),
        ("association", "MaxSubmitJobs", "5", {"limits.max_submit": 5}),
        ("conf", "CompleteWait", "0 sec", {}),
        ("qos", "PreemptExemptTime", "00:00:00", {}),
    ],
)
def test_modeled_setting(file, key, value, meanings):
    left = []
    assert interpret(file, [setting(key, value)], left) == meanings
    assert left == []


@pytest.mark.parametrize(
    ("file", "key", "value", "member", "note"),
    [
        ("conf", "NewKey", "1", "1", "unknown key"),
        ("conf", "SchedulerParameters", "defer,bf_new=3", "bf_new=3", "unknown option"),
        ("conf", "Licenses", "matlab:3", "matlab:3", "licenses"),
        ("conf", "CompleteWait", "30", "30", "completing nodes"),
        ("conf", "PreemptMode", "REQUEUE,WITHIN", "WITHIN", "preemption within a QOS"),
        ("partition", "OverSubscribe", "YES:4", "YES:4", "no job shares its processors"),
        ("partition", "AllowGroups", "staff", "staff", "groups of users are not known"),
        ("node", "State", "FUTURE", "FUTURE", "no node yet"),
    ],
)
def test_setting_that_is_not_modeled_is_listed_with_its_place(file, key, value, member, note):
    left = []
    interpret(file, [setting(key, value)], left)
    assert left == [("slurm.conf", 7, key, member, note)]


@pytest.mark.parametrize(
    ("file", "key", "value", "problem"),
    [
        ("conf", "PreemptMode", "SUSPEND,GANG", "SUSPEND is not supported; no job is suspended"),
        ("partition", "PreemptMode", "suspend", "SUSPEND is not supported"),
        ("qos", "PreemptMode", "gang", "GANG is not supported"),
        ("conf", "SelectType", "select/linear", "select/linear is not supported; whole nodes: set"),
        ("conf", "SelectType", "select/cray_aries", "SelectType is not supported; set"),
        ("conf", "SelectTypeParameters", "CR_Core_Memory,CR_LLN", "CR_LLN is not supported"),
        ("conf", "TopologyPlugin", "topology/block", "topology/block is not supported"),
        ("conf", "TopologyParam", "Dragonfly", "Dragonfly is not supported"),
        ("conf", "PriorityFlags", "NO_FAIR_TREE", "NO_FAIR_TREE is not supported; only the fair"),
        ("conf", "SchedulerParameters", "bf_busy_nodes", "bf_busy_nodes is not supported"),
        ("partition", "OverSubscribe", "FORCE:4", "FORCE is not supported; jobs do not share"),
        ("partition", "LLN", "YES", "LLN is not supported; another choice of nodes"),
        ("node", "State", "IDLE+CLOUD", "CLOUD is not supported; nodes do not come and go"),
        ("reservation", "Flags", "FLEX,SPEC_NODES", "FLEX is not supported"),
        ("conf", "KillWait", "soon", "KillWait must be a whole number"),
        ("conf", "SchedulerParameters", "bf_window=a", "bf_window must be a whole number"),
    ],
)
def test_setting_that_is_refused_stops_with_place_and_remedy(file, key, value, problem):
    place = re.escape(f"slurm.conf: line 7: {key}={value}: ")
    with pytest.raises(SiteFileError, match=f"^{place}{problem}"):
        interpret(file, [setting(key, value)], [])
