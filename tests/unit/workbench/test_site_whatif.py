"""Starts of waiting jobs on a site's own Slurm with other settings or nodes."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.results import policy_of
from schedlab.workbench.site_forecast import Given, forecast, futures, past_of_jobs
from schedlab.workbench.site_whatif import AS_IT_IS, what_if_site, with_nodes, without_nodes
from site_queue_case import LINES, queue_of


def starts_of(folder, lines=LINES, **sites):
    queue = queue_of(folder, lines)
    made = {name: make(queue) for name, make in sites.items()}
    return queue, what_if_site(queue, made, futures(queue, None, 3, 0, 1), days=2)


def test_more_and_fewer_nodes_change_starts(tmp_path):
    queue, result = starts_of(
        tmp_path,
        LINES.replace("main,gpu", "main"),
        more=lambda queue: with_nodes(queue.site, "2:c1"),
        fewer=lambda queue: without_nodes(queue.site, "c2,g1", queue.now),
    )
    starts = result.starts.loc["3"]
    # two idle nodes more are free at the next pass
    assert starts["more"] <= queue.now + queue.origin + 60
    assert starts[AS_IT_IS] > starts["more"]
    # without them there are never two nodes
    assert starts["fewer"] == -1
    assert result.table.loc["fewer", "started"] == 0
    assert result.table.loc[AS_IT_IS, ["earlier", "later"]].tolist() == [0, 0]


#: in place of job 3: two jobs for all of both nodes, of which the second one is shorter
TWO = "\n".join(
    [
        *LINES.splitlines()[:2],
        *(
            LINES.splitlines()[2]
            .replace("3|PEND", f"{name}|PEND").replace("30:00", limit).replace("main,gpu", "main")
            .replace("high|2026-11-22T12:11:00", f"high|2026-11-22T12:11:0{name}")
            for name, limit in (("3", "50:00"), ("4", "10:00"))
        ),
    ]
)  # fmt: skip


def points_of(folder, policy, lines=TWO):
    """Return the starts of the two jobs as it is and with the points of a policy."""
    queue = queue_of(folder, lines)
    ways = futures(queue, None, 1, 0, 2)
    made = what_if_site(queue, {}, ways, days=2, policies={"points": get(policy)})
    return made.starts.to_numpy().T.tolist()


@pytest.mark.parametrize("are_idle", [False, True])
def test_points_of_a_policy_order_the_queue_at_once(tmp_path, are_idle):
    """If nodes are idle, a job starts before priorities are calculated again."""
    lines = "\n".join(TWO.splitlines()[are_idle:])
    as_it_is, with_points = points_of(tmp_path, "r * n", lines)
    assert as_it_is[0] < as_it_is[1]
    assert with_points[1] < with_points[0]
    # the first one starts when the nodes are free, whichever it is
    assert min(as_it_is) == min(with_points)


def test_points_are_too_few_against_other_factors(tmp_path):
    """Job 3 has 835 points more by its recorded priority."""
    more = TWO.replace("4|PENDING|8|10:00|0:00|N/A|2026-11-22T12:11:00|ada|main|995",
                       "4|PENDING|8|10:00|0:00|N/A|2026-11-22T12:11:00|ada|main|160")  # fmt: skip
    assert more != TWO
    queue = queue_of(tmp_path, more)
    ways = futures(queue, None, 1, 0, 2)
    for points, first in ((100, "3"), (9000, "4")):
        made = what_if_site(queue, {}, ways, days=2, policies={"x": get("r")}, points=points)
        assert made.starts["x"].idxmin() == first


def test_jobs_that_come_later_get_points_at_the_next_calculation(tmp_path):
    """A job each ten minutes, which is short: with points it is before the long one that waits."""
    queue = queue_of(tmp_path, "\n".join(TWO.splitlines()[:3]))
    minutes = 10 * 60 * np.arange(7 * 24 * 6 + 1)
    frame = pd.DataFrame({"submit": minutes, "runtime": 590, "estimate": 600, "procs": 8})
    frame = frame.assign(number=range(len(frame)), partition="main", nodes=2, user="bob")
    frame = frame.assign(qos="normal", account="biology")
    ways = futures(queue, past_of_jobs(Jobs.from_frame(frame)), 1, 0, 1)
    plain = forecast(queue, ways, 1).starts[0]
    given = forecast(queue, ways, 1, given=Given(get("r"), 9000)).starts[0]
    job = queue.place("3")
    assert 0 < plain[job] < given[job]


@pytest.mark.parametrize(
    ("conf", "policy", "words"),
    [
        ("PriorityType=priority/basic", "r", "PriorityType=priority/basic reads none"),
        ("BackfillInterval=1", lambda jobs: 0, "is a Python function"),
    ],
)
def test_site_must_read_points_of_scores(tmp_path, conf, policy, words):
    queue = queue_of(tmp_path)
    if "basic" in conf:
        site = read_site(*(tmp_path / name for name in ("slurm.conf", "accounts.txt")),
                         changed=[conf])  # fmt: skip
        queue = queue.changed(site=site)
    with pytest.raises(ValueError, match=words):
        what_if_site(queue, {}, [], policies={"x": policy_of(policy)})


def test_nodes_are_in_the_partitions_of_the_one_that_they_are_like(tmp_path):
    site = queue_of(tmp_path).site
    more = with_nodes(site, "2:g1").machine
    assert more.names[-2:] == ("new1", "new2")
    assert [each.nodes[-2:] for each in more.partitions] == [(3, 4), (3, 4)]
    assert more.cpus[-1] == 8
    assert [each.nodes for each in with_nodes(site, "1").machine.partitions] == [(0, 1, 2, 3), (2,)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda queue: with_nodes(queue.site, "few"), "--add-nodes few: must be a number of nodes"),
        (lambda queue: with_nodes(queue.site, "0"), "--add-nodes 0: must be a number of nodes"),
        (lambda queue: with_nodes(queue.site, "1:x"), "--add-nodes x: x is no node of the site's"),
        (lambda queue: without_nodes(queue.site, "c[2-1]", 0), "--drain c[2-1]: host list"),
        (lambda queue: what_if_site(queue, {}, [], hours=0), "hours is 0, must be at least"),
    ],
)
def test_mistakes_name_the_option(tmp_path, call, words):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(queue_of(tmp_path))
    assert words in str(caught.value)
