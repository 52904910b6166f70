"""Clusters and machines: valid ones, and the errors of invalid ones."""

import pandas as pd
import pytest

from schedlab.planning.machine import MOST_CLUSTERS, MOST_CPUS, Cluster, Machine


def test_a_table_of_clusters_is_a_machine():
    rows = [("zewura", 20, 80, 529_426_432), ("zegox", 48, 12, 94_035_968)]
    machine = Machine.from_table(pd.DataFrame(rows, columns=["cluster", "nodes", "cpus", "ram"]))
    clusters = [(one.name, one.processors) for one in machine.clusters]
    assert clusters == [("zewura", 1600), ("zegox", 576)]
    assert machine.memory == 20 * 529_426_432 + 48 * 94_035_968


def test_unknown_memory_of_a_cluster_makes_that_of_the_machine_unknown():
    table = pd.DataFrame({"cluster": ["a", "b"], "nodes": [1, 1], "cpus": [2, 2], "ram": [5, None]})
    machine = Machine.from_table(table)
    assert [one.ram for one in machine.clusters] == [5, None]
    assert machine.memory is None
    assert Machine.from_table(table.drop(columns="ram")).clusters[0].memory is None
    with pytest.raises(ValueError, match="no column cpus, nodes"):
        Machine.from_table(table[["cluster"]])
    with pytest.raises(ValueError, match="cluster a: two clusters have this name"):
        Machine((Cluster("a", 1, 1), Cluster("a", 2, 1)))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("a", 0, 1), "cluster a: nodes is 0, must be at least 1"),
        (("a", 1, 0), "cluster a: cpus is 0, must be at least 1"),
        (("a", 1, 1, 0), "cluster a: ram is 0, must be at least 1"),
        (("a", 2, MOST_CPUS // 2 + 1), "cluster a: 2 nodes of"),
    ],
)
def test_a_cluster_out_of_range_is_refused_by_its_field(fields, message):
    with pytest.raises(ValueError, match=message):
        Cluster(*fields)


def test_the_largest_cluster_and_the_most_clusters_are_taken():
    assert MOST_CPUS == 2_147_483_646
    assert Cluster("a", 1, MOST_CPUS).processors == MOST_CPUS
    clusters = tuple(Cluster(str(k), 1, 1) for k in range(MOST_CLUSTERS + 1))
    assert Machine(clusters[1:]).processors == MOST_CLUSTERS
    with pytest.raises(ValueError, match="has 65 clusters, must have 1 to 64"):
        Machine(clusters)
    with pytest.raises(ValueError, match="has 0 clusters"):
        Machine(())
