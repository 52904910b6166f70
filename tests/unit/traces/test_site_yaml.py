"""A site in a small YAML file."""

from __future__ import annotations

import pytest

from schedlab.core.machine import NodeKind
from schedlab.core.slurm_site import Limits
from schedlab.files.config import ConfigError
from schedlab.traces.site_yaml import QOS_WEIGHT, read_yaml_site

SITE = """\
nodes:
  thin: {count: 11, cpus: 4, memory: 1000}
  fat: {count: 1, cpus: 8, memory: 2000, gpus: 2}
partitions:
  short: {nodes: [thin], max_time: 1h, default_time: 30m, priority: 2, memory_per_cpu: 100}
  long: {qos: few}
qos:
  few:
    priority: 7
    limits:
      all: {jobs: 9, cpus: 30}
      user: {jobs: 3, gpus: 1}
      account: {jobs: 5, memory: 900}
      job: {nodes: 2}
  none: {}
"""


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a file with a text in place of another."""

    def read(old: str = "", new: str = ""):
        path = tmp_path / "site.yaml"
        assert old in SITE
        path.write_text(SITE.replace(old, new, 1))
        return read_yaml_site(path)

    return read


def test_nodes_are_in_groups(read):
    machine = read().machine
    assert machine.names == ("fat-1", *(f"thin-{number}" for number in range(1, 12)))
    assert machine.kinds[machine.kind[0]] == NodeKind(8, 2000, {"gpu": 2})
    assert machine.kinds[machine.kind[11]] == NodeKind(4, 1000)


def test_partitions_have_groups_of_nodes_and_the_first_is_the_default(read):
    short, long = read().machine.partitions
    assert (short.nodes, long.nodes) == (tuple(range(1, 12)), tuple(range(12)))
    assert (short.max_time, short.default_time, short.tier, short.qos) == (3600, 1800, 2, "")
    assert (long.max_time, long.default_time, long.tier, long.qos) == (None, None, 1, "few")
    assert (short.memory_per_cpu, long.memory_per_cpu) == (100, None)
    assert (short.default, long.default) == (True, False)


def test_qos_have_priorities_and_limits(read):
    site = read()
    few, none = site.qos
    assert (few.name, few.priority, none.priority, none.limits) == ("few", 7, 0, Limits())
    assert few.limits == Limits(
        grp_jobs=9,
        grp_tres={"cpu": 30},
        max_jobs_pu=3,
        max_tres_pu={"gres/gpu": 1},
        max_jobs_pa=5,
        max_tres_pa={"mem": 900},
        max_tres_pj={"node": 2},
    )
    assert "limits" in site.enforce
    assert site.priorities.qos == QOS_WEIGHT
    assert site.priorities.flags == {"NO_NORMAL_QOS"}


def test_memory_counts_if_nodes_have_it(read):
    assert read().memory_counts
    site = read(", memory: 1000}\n  fat: {count: 1, cpus: 8, memory: 2000, gpus: 2}", "}")
    assert not site.memory_counts


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("count: 11, ", "", "key 'nodes.thin': missing key 'count'"),
        ("cpus: 4", "cpus: 0", "nodes.thin.cpus"),
        ("max_time: 1h", "max_time: 1x", "key 'partitions.short.max_time': '1x' is not a duration"),
        ("[thin]", "[thim]", "key 'partitions.short.nodes': there is no 'thim'; did you mean"),
        ("qos: few", "qos: fiw", "key 'partitions.long.qos': there is no 'fiw'; did you mean"),
        ("job: {nodes", "job: {jobs", "unknown key 'jobs'"),
        ("user: {jobs", "user: {job", "unknown key 'job'; did you mean 'jobs'"),
    ],
)
def test_error_names_file_and_key(read, old, new, problem):
    with pytest.raises(ConfigError, match=r"site.yaml: ") as error:
        read(old, new)
    assert problem in str(error.value)
