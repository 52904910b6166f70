"""Starts of waiting jobs on a site's own Slurm with other settings or nodes."""

import pytest

from schedlab.workbench.site_forecast import futures
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
