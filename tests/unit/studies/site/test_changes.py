"""Changes of a site's settings are texts that slurm.conf and sacctmgr take."""

import pytest

from schedlab.exports.slurm.conf_diff import edited, lines_to_paste
from schedlab.studies.site.changes import FREE, Limit, changes_in, changes_of, table_of
from schedlab.traces.slurm.sacctmgr_text import is_command
from schedlab.traces.slurm.site_files import read_site

CONF = """\
# weights
PriorityType=priority/multifactor
PriorityWeightAge=100   # of a week
PriorityWeightQOS=0
SchedulerParameters=bf_interval=60,bf_max_job_user=20
NodeName=n[1-4] CPUs=4 RealMemory=100
NodeName=g1 CPUs=8 RealMemory=200 Gres=gpu:2
PartitionName=work Nodes=n[1-4] Default=YES DefaultTime=60 MaxTime=120
PartitionName=gpu Nodes=g1 \\
  PriorityTier=3 MaxTime=60 MaxNodes=1
"""
ACCOUNTS = "add qos high Priority=5 MaxJobsPerUser=4 GrpTRES=cpu=8\nadd qos low\n"


@pytest.fixture
def files(tmp_path):
    conf, accounts = tmp_path / "slurm.conf", tmp_path / "accounts.txt"
    conf.write_text(CONF)
    accounts.write_text(ACCOUNTS)
    return conf, accounts


@pytest.fixture
def read(files):
    return lambda *texts: read_site(files[0], files[1], changed=texts)


@pytest.fixture
def changes(read):
    return {change.label: change for change in changes_of(read())}


@pytest.mark.parametrize(
    ("label", "today", "texts"),
    [
        ("PriorityWeightAge=0", "100", ("PriorityWeightAge=0",)),
        ("PriorityWeightAge=300", "100", ("PriorityWeightAge=300",)),
        # a weight of 0 is tried as large as the largest that the site has
        ("PriorityWeightQOS=100", "0", ("PriorityWeightQOS=100",)),
        ("bf_interval=30", "60", ("bf_interval=30",)),
        # in minutes, as in the file
        ("bf_window=720", "1440", ("bf_window=720",)),
        ("QOS low: Priority=5", "0", ("modify qos low set Priority=5",)),
        ("QOS high: MaxJobsPerUser=8", "4", ("modify qos high set MaxJobsPerUser=8",)),
        ("QOS high: GrpTRES=no limit", "cpu=8", ("modify qos high set GrpTRES=cpu=-1",)),
        ("partition work: PriorityTier=3", "1", ("PartitionName=work PriorityTier=3",)),
        ("partition gpu: MaxNodes=UNLIMITED", "1", ("PartitionName=gpu MaxNodes=UNLIMITED",)),
        ("1 of 4 nodes like n1 drained", "4", ("NodeName=n1 State=DRAIN",)),
    ],
)
def test_change_is_a_text(changes, label, today, texts):
    assert (changes[label].today, changes[label].texts) == (today, texts)


def test_no_change_is_the_value_of_today(changes):
    assert not {"PriorityWeightAge=100", "bf_interval=60", "QOS high: Priority=5"} & set(changes)


def test_default_limit_changes_limits_of_jobs(changes):
    assert changes["partition work: DefaultTime=30"].limit == Limit("work", 3600, 1800)
    # the partition's limit is shorter than half of nothing
    assert "partition gpu: DefaultTime=30" not in changes


def test_added_nodes_are_in_the_partitions_of_their_kind(changes, read):
    site = read(*changes["1 node like g1 added"].texts)
    partition = next(each for each in site.machine.partitions if each.name == "gpu")
    assert [site.machine.kinds[site.machine.kind[node]].gres for node in partition.nodes] == [
        {"gpu": 2},
        {"gpu": 2},
    ]


def test_nodes_that_come_back_are_not_drained(read):
    site = read("NodeName=n1 State=DRAIN")
    texts = [text for change in changes_of(site) for text in change.texts]
    assert "NodeName=n2 State=DRAIN" in texts
    assert not [text for text in texts if "n1 State" in text]


def test_every_change_is_read_and_differs_from_today(changes, read):
    def parts(site):
        nodes = (len(site.machine), site.machine.changes)
        return site.priorities, site.scheduling, site.qos, site.machine.partitions, nodes

    today = parts(read())
    assert len(changes) > 35
    for change in changes.values():
        assert bool(change.policy) != (parts(read(*change.texts)) != today), change


def test_changes_that_take_rights_or_cost_money_are_not_free(changes):
    assert {change.group for change in changes.values() if change.is_free} == set(FREE)
    assert not changes["QOS low: Priority=5"].is_free


def test_table_keeps_changes(changes):
    kept = {change.label: change for change in changes_in(table_of(changes.values()))}
    assert kept["bf_interval=30"] == changes["bf_interval=30"]
    assert list(kept) == list(changes)


def test_edited_file_is_what_was_simulated(changes, read, files, tmp_path):
    for change in changes.values():
        if not change.texts or is_command(change.texts[0]) or "Node" in change.texts[0][:8]:
            continue
        (text,) = edited(files[0], change.texts).values()
        (tmp_path / "new.conf").write_text(text)
        new, changed = read_site(tmp_path / "new.conf", files[1]), read(*change.texts)
        for part in ("priorities", "scheduling"):
            assert getattr(new, part) == getattr(changed, part), change
        assert new.machine.partitions == changed.machine.partitions


def test_lines_to_paste(files):
    texts = (
        "PriorityWeightAge=5",
        "bf_interval=30",
        "bf_max_job_start=7",
        "PriorityWeightFairshare=9",
        "PartitionName=gpu PriorityTier=1 DefaultTime=5",
        "modify qos high set Priority=3",
    )
    assert lines_to_paste(files[0], texts).splitlines()[2:] == [
        "@@ -3 +3 @@",
        "-PriorityWeightAge=100   # of a week",
        "+PriorityWeightAge=5   # of a week",
        "@@ -5 +5 @@",
        "-SchedulerParameters=bf_interval=60,bf_max_job_user=20",
        "+SchedulerParameters=bf_interval=30,bf_max_job_user=20,bf_max_job_start=7",
        "@@ -9,2 +9,2 @@",
        "-PartitionName=gpu Nodes=g1 \\",
        "-  PriorityTier=3 MaxTime=60 MaxNodes=1",
        "+PartitionName=gpu Nodes=g1 PriorityTier=1 MaxTime=60 MaxNodes=1 DefaultTime=5",
        "+PriorityWeightFairshare=9",
        "scontrol reconfigure",
        "sacctmgr -i modify qos high set Priority=3",
    ]
    assert lines_to_paste(files[0], []) == ""


def test_setting_of_an_included_file_changes_there(files, tmp_path):
    (tmp_path / "more.conf").write_text("PriorityWeightAge=7\n")
    files[0].write_text(
        CONF.replace("PriorityWeightAge=100   # of a week\n", "Include more.conf\n")
    )
    assert edited(files[0], ["PriorityWeightAge=8"]) == {
        tmp_path / "more.conf": "PriorityWeightAge=8\n"
    }
