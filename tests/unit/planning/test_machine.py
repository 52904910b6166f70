"""Clusters and machines: valid ones, and the errors of invalid ones."""

import pandas as pd
import pytest

from schedlab.core.machine import Cluster, Machine, NodeKind, Partition
from schedlab.planning.machine import MOST_CLUSTERS, MOST_CPUS, clusters_of, machine_of


def test_a_table_of_clusters_is_a_machine():
    rows = [("zewura", 20, 80, 529_426_432), ("zegox", 48, 12, 94_035_968)]
    machine = machine_of(pd.DataFrame(rows, columns=["cluster", "nodes", "cpus", "ram"]))
    clusters = [(cluster.name, cluster.processors) for cluster in clusters_of(machine)]
    assert clusters == [("zewura", 1600), ("zegox", 576)]
    assert machine.memory == 20 * 529_426_432 + 48 * 94_035_968


def test_unknown_memory_of_a_cluster_makes_that_of_the_machine_unknown():
    table = pd.DataFrame({"cluster": ["a", "b"], "nodes": [1, 1], "cpus": [2, 2], "ram": [5, None]})
    machine = machine_of(table)
    assert [cluster.memory for cluster in clusters_of(machine)] == [5, None]
    assert machine.memory is None
    assert machine_of(table.drop(columns="ram")).clusters[0].memory is None
    with pytest.raises(ValueError, match="no column cpus, nodes"):
        machine_of(table[["cluster"]])
    with pytest.raises(ValueError, match="cluster a: two clusters have this name"):
        machine_of([{"cluster": "a", "nodes": 1, "cpus": 1}] * 2)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"nodes": 0}, "cluster a: nodes is 0, must be at least 1"),
        ({"cpus": 0}, "cluster a: node: cpus is 0, must be at least 1"),
        ({"ram": 0}, "cluster a: node: memory is 0, must be at least 1"),
    ],
)
def test_a_cluster_out_of_range_is_refused_by_its_field(row, message):
    with pytest.raises(ValueError, match=message):
        machine_of([{"cluster": "a", "nodes": 1, "cpus": 1, "ram": 1} | row])


def test_the_largest_cluster_and_the_most_clusters_are_taken():
    assert MOST_CPUS == 2_147_483_646
    largest = Machine.of_clusters(Cluster("a", 1, NodeKind(MOST_CPUS)))
    assert clusters_of(largest)[0].processors == MOST_CPUS
    with pytest.raises(ValueError, match="cluster a: 4294967292 processors, at most"):
        clusters_of(Machine.of_clusters(Cluster("a", 2, NodeKind(MOST_CPUS))))
    clusters = [Cluster(str(k), 1, NodeKind(1)) for k in range(MOST_CLUSTERS + 1)]
    assert len(clusters_of(Machine.of_clusters(*clusters[1:]))) == MOST_CLUSTERS
    with pytest.raises(ValueError, match="has 65 clusters, at most 64"):
        clusters_of(Machine.of_clusters(*clusters))
    with pytest.raises(ValueError, match="there is no node"):
        Machine.of_clusters()


def test_only_disjoint_partitions_of_equal_nodes_are_clusters():
    nodes = {"a": NodeKind(1), "b": NodeKind(2)}
    both, first = Partition("both", (0, 1)), Partition("first", (0,))
    with pytest.raises(ValueError, match="partition both: its nodes are of 2 kinds"):
        clusters_of(Machine.of_nodes(nodes, (both,)))
    with pytest.raises(ValueError, match="two partitions have a node in common"):
        clusters_of(Machine.of_nodes(nodes, (both, first)))
    assert clusters_of(Machine.of_processors(3)) == (Cluster("all", 3, NodeKind(1)),)
