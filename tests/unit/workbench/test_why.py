"""Why a job of a small queue waits: reasons, jobs ahead, starts, changes that help."""

from dataclasses import replace

import numpy as np
import pytest

from schedlab.core.machine import Change
from schedlab.workbench.site_factors import Factors
from schedlab.workbench.site_forecast import start_times
from schedlab.workbench.why import why_waits
from schedlab.workbench.why_changes import changed, changes_of
from schedlab.workbench.why_page import draw_nodes, write_page
from site_queue_case import LINES, queue_of

FOUR = "It is first in its queue. "


def why(folder, job="4", lines=LINES, changes=(), **options):
    queue = queue_of(folder, lines)
    machine = replace(queue.site.machine, changes=tuple(changes))
    queue = replace(queue, site=replace(queue.site, machine=machine))
    return why_waits(queue, job, runs=4, days=2, **options)


def alone(*jobs):
    """Return the lines of some jobs."""
    return "\n".join(line for line in LINES.splitlines() if line[0] in jobs)


@pytest.mark.parametrize(
    ("job", "lines", "words"),
    [
        ("4", LINES.replace("|Priority|", "|JobHeldUser|"), "It cannot start: held by its user."),
        ("1", LINES, "It runs since 2026-11-22T12:10:00."),
        ("5", LINES, "It waits until job 3 end."),
        (
            "4",
            LINES.replace("N/A|2026-11-22T12:11:40", "2026-11-22T14:00:00|2026-11-22T12:11:40")
            .replace("|Priority|", "|BeginTime|"),
            "It does not begin before 2026-11-22T14:00:00.",
        ),
        (
            "3",
            LINES.replace("|physics|normal|", "|physics|high|"),
            "It has reached the limit of QOS high for user ada of 12 processors: 8 are in use.",
        ),
        ("4", alone("1", "2", "4"), FOUR + "Partition gpu is short of gpu for it."),
        (
            "4",
            LINES,
            "Job 3 (by QOS) is ahead of it. Partition gpu is short of gpu for it.",
        ),
        (
            "3",
            LINES.replace("|cpu=8,mem=800M,node=2|N/A|N/A|ib", "|cpu=8,mem=800M,node=2|N/A|N/A|no"),
            FOUR + "No nodes of partition main have what it asks for.",
        ),
    ],
)  # fmt: skip
def test_reason_is_a_sentence(tmp_path, job, lines, words):
    found = why(tmp_path, job, lines).reason
    assert found.startswith(words), found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([Change(0, "drain", (2,))], "Too few of its nodes in partition gpu are up"),
        (
            [Change(2100, "reservation", (2,), 9000, 0, "maint", flags=frozenset({"MAINT"}))],
            "Reservation maint needs its nodes before its limit of 20 min ends.",
        ),
        ([], "Partition gpu has free nodes for it"),
    ],
)
def test_nodes_that_are_away_are_the_reason(tmp_path, changes, words):
    lines = alone("1", "4")
    assert FOUR + words in why(tmp_path, "4", lines, changes).reason


def test_each_short_resource_is_named(tmp_path):
    lines = alone("1", "2", "4").replace("|1|2|1|500M|", "|1|2|1|1900M|")
    lines = lines.replace("N/A|gres:gpu:2|", "N/A|N/A|")
    assert why(tmp_path, "4", lines).reason.endswith("Partition gpu is short of memory for it.")


def test_start_is_when_the_job_before_it_ends(tmp_path):
    found = why(tmp_path, "4", alone("1", "2", "4"))
    # job 2 ends at 13:13:20 at the latest, and Slurm plans nothing
    latest = found.starts["limits"]
    assert found.queue.source.stamp(latest)[:16] == "2026-11-22T13:13"
    assert found.starts["low"] <= found.starts["median"] <= found.starts["high"] <= latest
    assert found.starts["slurm"] is None
    assert found.assumption.startswith("no log is given")
    again = why(tmp_path, "4", alone("1", "2", "4"))
    assert again.to_dict() == found.to_dict()


def test_only_what_helps_is_listed(tmp_path):
    """A GPU less is no change that is tried; a job of both GPUs waits for the other's end."""
    assert why(tmp_path, "4", alone("1", "2", "4")).helps == ()
    helps = why(tmp_path, "3", alone("1", "3").replace("main,gpu", "main")).helps
    assert [each.words for each in helps] == ["1 node in place of 2, with 4 tasks"]
    assert helps[0].command == "scontrol update JobId=3 NumNodes=1 NumTasks=4"
    assert all(gain > 60 for gain in helps[0].gain)


def test_changes_are_those_that_the_site_allows(tmp_path):
    queue = queue_of(tmp_path)
    kinds = changes_of(queue, queue.place("4"))
    update = "scontrol update JobId=4 "
    assert [[change.command.removeprefix(update) for change in kind] for kind in kinds] == [
        ["TimeLimit=15", "TimeLimit=10", "TimeLimit=5"],
        ["NumTasks=1"],
        ["MinMemoryNode=375", "MinMemoryNode=250", "MinMemoryNode=125"],
        ["Partition=gpu,main"],
        ["QOS=high"],
    ]


def test_a_changed_job_keeps_the_recorded_difference_of_its_priority(tmp_path):
    queue = queue_of(tmp_path)
    job = queue.place("4")
    other = changed(queue, job, {"qos": "high", "estimate": 300})
    assert other.points.tolist() == queue.points.tolist()
    assert other.jobs.requests.qos[job] == "high"
    assert other.problem.limit[job] == 300
    assert queue.problem.limit[job] == 1200


def test_factors_that_sprio_has_otherwise_are_noted(tmp_path):
    recorded = {("4", "gpu"): {"QOS": 100.0, "age": 0.0}}
    assert why(tmp_path, "4", recorded=recorded).notes == why(tmp_path, "4").notes
    recorded["4", "gpu"]["QOS"] = 97.0
    assert (
        "sprio: QOS of job 4 differs by 3 points" in why(tmp_path, "4", recorded=recorded).notes[-1]
    )


def test_factor_that_puts_a_job_ahead(tmp_path):
    queue = queue_of(tmp_path)
    factors = Factors(queue.problem, queue.kernel(queue.problem))
    first = queue.problem.pair_of
    three, four = int(first[queue.place("3")]), int(first[queue.place("4")])
    assert factors.ahead(three, four, queue.now) == "QOS"
    assert factors.points_of(four, queue.now)["QOS"] == 100


def test_page_has_everything_and_loads_nothing(tmp_path):
    found = why(tmp_path, "4")
    write_page(tmp_path / "page.html", found)
    page = (tmp_path / "page.html").read_text()
    assert found.reason in page
    assert "<svg" in page
    assert "Job 3" in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http-equiv", "")


def test_chart_is_of_the_nodes_from_the_past_on(tmp_path):
    figure = draw_nodes(why(tmp_path, "4"))
    first, last = figure.axes[1].get_xlim()
    assert first == pytest.approx(-1400 / 3600)
    assert last > 0.3
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["c1", "c2", "g1"]


def test_chart_has_the_passes_of_its_future(tmp_path):
    """Both nodes are idle: the next pass decides when job 3 starts, and the chart ends with it."""
    found = why(tmp_path, "3", "\n".join(LINES.splitlines()[1:]).replace("main,gpu", "main"))
    job = found.queue.place("3")
    chart = replace(found.chart, parts=(0.99, 0.99))
    starts = {start_times(found.queue, way, 1)[job] for way in (chart, found.chart)}
    assert len(starts) == 2
    for way in (chart, found.chart):
        start = start_times(found.queue, way, 1)[job]
        last = draw_nodes(replace(found, chart=way)).axes[1].get_xlim()[1]
        limit = found.queue.jobs.estimate[job]
        assert last == pytest.approx((start + limit - found.queue.now) / 3600)


def test_unknown_job_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no job 77 waits; 3, 4, 5 do"):
        why(tmp_path, "77")
    assert np.isnan(
        why(tmp_path, "4", LINES.replace("|Priority|", "|JobHeldUser|")).helps[0].gain[1]
    )
