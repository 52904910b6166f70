"""A site's Slurm from its files."""

from pathlib import Path

import pytest

from schedlab.core.machine import Change, NodeKind
from schedlab.core.slurm_site import Site
from schedlab.traces.slurm.conf_text import SiteFileError
from schedlab.traces.slurm.site_files import read_site

CONF = """\
ClusterName=test
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
PriorityType=priority/multifactor
NodeName=DEFAULT RealMemory=1000 Sockets=2 CoresPerSocket=4 ThreadsPerCore=1
NodeName=n[1-3,10] Feature=ib,old Weight=5
NodeName=g1 Gres=gpu:2 MemSpecLimit=100
PartitionName=DEFAULT MaxTime=1-0 DefaultTime=60
PartitionName=work Nodes=n[1-3,10],g1 Default=YES
"""


@pytest.fixture
def read(tmp_path):
    """Return a function that writes files and reads the site; slurm.conf is `CONF` and more."""

    def read(lines: str = "", conf: str = CONF, *, dumps: str = "", script: str = "", **options):
        for name in ("gres.conf", "topology.conf"):
            text = options.pop(name.partition(".")[0], "")
            (tmp_path / name).unlink(missing_ok=True)
            if text:
                (tmp_path / name).write_text(text)
        (tmp_path / "slurm.conf").write_text(conf + lines)
        if dumps:
            (tmp_path / "dump.txt").write_text(dumps)
            options["more"] = [tmp_path / "dump.txt"]
        if script:
            (tmp_path / "accounts.txt").write_text(script)
            options["accounts"] = tmp_path / "accounts.txt"
        return read_site(tmp_path / "slurm.conf", **options)

    return read


def kind_of(site, name):
    return site.machine.kinds[site.machine.kind[site.machine.names.index(name)]]


def qos_of(site, name):
    return next(each for each in site.qos if each.name == name)


def test_nodes_are_in_natural_order_and_partitions_have_their_places(read):
    site = read()
    assert site.machine.names == ("g1", "n1", "n2", "n3", "n10")
    assert kind_of(site, "n10") == NodeKind(8, 1000, {}, frozenset({"ib", "old"}), 5, 1)
    assert kind_of(site, "g1") == NodeKind(8, 900, {"gpu": 2})
    (work,) = site.machine.partitions
    assert (work.name, work.nodes, work.default) == ("work", (0, 1, 2, 3, 4), True)
    assert (work.max_time, work.default_time) == (86_400, 3600)
    assert site.not_modeled == ()
    assert (site.qos, site.associations) == (Site.qos, Site.associations)


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        ("CPUs=6", NodeKind(6)),
        ("", NodeKind(1)),
        ("Boards=2 SocketsPerBoard=2 CoresPerSocket=3 ThreadsPerCore=2", NodeKind(24, threads=2)),
        ("CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", NodeKind(8, threads=1)),
        (
            "CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CoreSpecCount=1",
            NodeKind(14, threads=2),
        ),
        ("RealMemory=2000 MemSpecLimit=500", NodeKind(1, 1500)),
        ("Gres=gpu:a100:2,gpu:v100:1", NodeKind(1, gres={"gpu:a100": 2, "gpu:v100": 1})),
        ("Gres=gpu", NodeKind(1, gres={"gpu": 1})),
        ("Gres=gpu:2(S:0-1),fs:lustre:no_consume:4G", NodeKind(1, gres={"gpu": 2})),
        ("Gres=mps:2K", NodeKind(1, gres={"mps": 2048})),
        ("Gres=gpu:0", NodeKind(1)),
    ],
)
def test_kind_of_a_node(read, node, kind):
    assert kind_of(read(conf=f"NodeName=n1 {node}\n"), "n1") == kind


@pytest.mark.parametrize(
    ("line", "gres", "counts"),
    [
        ("gpu", "NodeName=n1 Name=gpu Count=4\n", {"gpu": 4}),
        ("gpu", "Name=gpu File=/dev/nvidia[0-3]\n", {"gpu": 4}),
        ("gpu", "NodeName=n[2-3] Name=gpu Count=4\n", {"gpu": 1}),
        ("gpu:4", "Name=gpu Type=a Count=1\nName=gpu Type=b Count=3\n", {"gpu:a": 1, "gpu:b": 3}),
        ("gpu:4", "Name=gpu Type=a Count=2\n", {"gpu": 4}),
        ("gpu:2", "Name=gpu Count=7\n", {"gpu": 2}),
        ("gpu:a", "Name=gpu Type=a Count=2\nName=gpu Type=b Count=3\n", {"gpu:a": 2}),
        ("", "Name=gpu Count=7\n", {}),
    ],
)
def test_gres_conf_has_numbers_and_types_that_nodes_lack(read, line, gres, counts):
    site = read(conf=f"NodeName=n1 Gres={line}\n", gres=f"AutoDetect=off\n{gres}")
    assert kind_of(site, "n1").gres == counts
    assert site.not_modeled == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Nodes=ALL", {"nodes": (0, 1, 2, 3, 4), "tier": 1, "job_factor": 1}),
        ("Nodes=fast,n10", {"nodes": (0, 4)}),
        ("Nodes=olds", {"nodes": (1, 2, 3, 4)}),
        ("Nodes=n1 Priority=7", {"tier": 7, "job_factor": 7}),
        ("Nodes=n1 Priority=7 PriorityTier=3", {"tier": 3, "job_factor": 7}),
        ("Nodes=n1 MaxTime=INFINITE DefaultTime=NONE", {"max_time": None, "default_time": None}),
        ("Nodes=n1 MaxNodes=UNLIMITED MinNodes=2", {"max_nodes": None, "min_nodes": 2}),
        ("Nodes=n1 AllowQos=a,b DenyAccounts=c", {"allow_qos": {"a", "b"}, "deny_accounts": {"c"}}),
        ("Nodes=n1 AllowQos=ALL QOS=q GraceTime=9", {"allow_qos": None, "qos": "q", "grace": 9}),
        ("Nodes=n1 TRESBillingWeights=cpu=2,Mem=1G", {"billing": {"cpu": 2, "mem": 1 / 1024}}),
        ("Nodes=n1 State=DOWN OverSubscribe=EXCLUSIVE", {"up": False, "exclusive": True}),
        ("Nodes=n1", {"memory_per_cpu": 50, "memory_per_node": None, "most_memory_per_node": 900}),
        ("Nodes=n1 DefMemPerNode=70", {"memory_per_cpu": None, "memory_per_node": 70}),
        ("Nodes=n1 MaxMemPerCPU=30", {"most_memory_per_cpu": 30, "most_memory_per_node": None}),
    ],
)
def test_partition(read, line, expected):
    site = read(
        script="add qos q",
        lines="NodeSet=fast Nodes=g1\nNodeSet=olds Feature=old\n"
        "DefMemPerCPU=50\nMaxMemPerNode=900\n"
        f"PartitionName=other {line}\n",
    )
    other = site.machine.partitions[1]
    assert {name: getattr(other, name) for name in expected} == expected
    assert site.not_modeled == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", {"default_memory_per_cpu": None, "preempt_type": "", "requeue": True}),
        ("DefMemPerCPU=2G", {"default_memory_per_cpu": 2048}),
        ("OverTimeLimit=2", {"over_time_limit": 120}),
        ("PreemptType=preempt/qos\nPreemptMode=requeue", {"preempt_mode": "REQUEUE"}),
        ("PreemptExemptTime=0:01:00\nJobRequeue=0", {"preempt_exempt": 60, "requeue": False}),
        ("EnforcePartLimits=all\nKillWait=5", {"enforce_part_limits": "ALL", "kill_wait": 5}),
        ("SelectTypeParameters=CR_CPU", {"memory_counts": False, "whole_cores": False}),
        ("SelectTypeParameters=CR_CPU_Memory", {"memory_counts": True, "whole_cores": False}),
        ("SelectTypeParameters=CR_Core", {"memory_counts": False, "whole_cores": True}),
        (
            "SelectTypeParameters=CR_CPU,CR_CORE_DEFAULT_DIST_BLOCK",
            {"memory_counts": False, "whole_cores": False},
        ),
    ],
)
def test_settings_of_the_cluster_the_last_of_a_key_counts(read, line, expected):
    site = read(f"{line}\n")
    assert {name: getattr(site, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("line", "version", "multifactor"),
    [
        ("", "22.05", False),
        ("", "24.11", True),
        ("PriorityType=priority/basic", "25.11", False),
        ("PriorityType=priority/multifactor", "22.05", True),
    ],
)
def test_default_of_the_priority_depends_on_the_release(read, line, version, multifactor):
    site = read(conf=f"NodeName=n1\n{line}\n", version=version)
    assert (site.priorities.multifactor, site.version) == (multifactor, version)


def test_leaf_switches_are_in_the_order_of_the_file(read):
    topology = "SwitchName=b Nodes=n[1-4]\nSwitchName=a Nodes=g1\nSwitchName=t Switches=a,b\n"
    site = read("TopologyPlugin=topology/tree\n", topology=topology)
    assert site.switches == ((1, 2, 3), (0,))
    (row,) = site.not_modeled
    assert (row.line, row.key, row.value, row.note) == (
        1,
        "Nodes",
        "n4",
        "no such nodes in slurm.conf",
    )
    assert read(topology=topology).switches == ()
    (row,) = read("TopologyPlugin=topology/tree\n").not_modeled
    assert (row.key, row.note) == ("TopologyPlugin", "no leaf switch; add a topology.conf")


def test_nodes_that_are_not_available_from_the_beginning(read):
    site = read(
        "NodeName=f[1-2] State=FUTURE\nNodeName=d1 State=DOWN\nNodeName=d2 State=FAIL\n"
        "DownNodes=n[1-2] State=DRAIN Reason=x\nDownNodes=n3\nPartitionName=f Nodes=f1,n1\n"
    )
    names = site.machine.names
    assert "f1" not in names
    changes = {each.kind: [names[place] for place in each.nodes] for each in site.machine.changes}
    assert changes == {"down": ["d1", "n3"], "drain": ["d2", "n1", "n2"]}
    assert {each.time for each in site.machine.changes} == {0}
    assert site.machine.partitions[1].nodes == (names.index("n1"),)
    assert [(each.key, each.note) for each in site.not_modeled] == [("State", "no node yet")]


DUMP = """\
Configuration data as of 2026-11-28T10:00:00
KillWait                = 10 sec
SchedulerParameters     = bf_interval=45
PriorityType            = priority/multifactor

NodeName=n1 CPUAlloc=0 CPUTot=6
   RealMemory=500 State=IDLE+DRAIN Weight=9

NodeName=x1 CPUAlloc=0 CPUTot=2
   RealMemory=500 State=DOWN*

PartitionName=work
   AllocNodes=ALL QoS=N/A DefaultTime=NONE MaxTime=02:00:00 TotalNodes=2
   Nodes=n1,x1
"""


def test_dump_overrides_or_replaces_slurm_conf(read):
    site = read(dumps=DUMP)
    assert site.kill_wait == 10
    assert site.scheduling.bf_interval == 45
    assert kind_of(site, "n1") == NodeKind(6, 500, {}, frozenset({"ib", "old"}), 9, 1)
    assert site.machine.names == ("g1", "n1", "n2", "n3", "n10", "x1")
    (work,) = site.machine.partitions
    assert (work.nodes, work.max_time, work.default_time) == ((1, 5), 7200, None)
    assert site.machine.changes == (Change(0, "down", (5,)), Change(0, "drain", (1,)))
    alone = read(conf=DUMP)
    assert alone.machine.names == ("n1", "x1")
    assert (alone.kill_wait, alone.not_modeled) == (10, ())


RESERVATION = """\
ReservationName=course StartTime=2026-11-28T11:00:00 EndTime=2026-11-28T12:00:00 Duration=01:00:00
   Nodes=n[1-2] NodeCnt=2 CoreCnt=16 Features=(null) PartitionName=(null) Flags=SPEC_NODES
   Users=(null) Groups=(null) Accounts=a,b Licenses=(null) State=INACTIVE BurstBuffer=(null)

ReservationName=past StartTime=2026-11-28T09:00:00 EndTime=2026-11-28T09:30:00 Duration=00:30:00
   Nodes=n1 NodeCnt=1 Users=u1 Flags=MAINT

"""
#: 2026-11-28 10:00:00 in UTC
TEN = 1_795_860_000


@pytest.mark.parametrize(
    ("zone", "origin", "begin", "end"),
    [
        ("UTC", TEN, 3600, 7200),
        ("Europe/Paris", TEN, 0, 3600),
        ("UTC", TEN + 5400, 0, 1800),
    ],
)
def test_reservations_of_a_dump(read, zone, origin, begin, end):
    site = read(dumps=RESERVATION, origin=origin, zone=zone)
    expected = Change(
        begin,
        "reservation",
        (1, 2),
        end,
        known=0,
        name="course",
        accounts=frozenset({"a", "b"}),
        flags=frozenset({"SPEC_NODES"}),
    )
    assert site.machine.changes == (expected,)


def test_changes_are_in_order_of_time(read):
    site = read(dumps=RESERVATION, origin=TEN - 7200)
    assert [each.name for each in site.machine.changes] == ["past", "course"]


def test_setting_of_several_nodes_is_listed_once(read):
    site = read("NodeName=DEFAULT CpuSpecList=0\nNodeName=x1\nNodeName=x2 Weight=2\n")
    assert [(each.line, each.key) for each in site.not_modeled] == [(10, "CpuSpecList")]


def test_reservations_need_the_time_of_second_0(read):
    site = read(dumps=RESERVATION)
    assert site.machine.changes == ()
    assert [(each.value, each.note) for each in site.not_modeled] == [
        ("course", "needs the Unix time of second 0"),
        ("past", "needs the Unix time of second 0"),
    ]


def test_accounts_of_the_site(read):
    site = read(script="add account a Fairshare=3\nadd user u1 Account=a GraceTime=3\n")
    assert [(each.account, each.user, each.parent) for each in site.associations] == [
        *[("root", "", -1), ("root", "root", 0), ("a", "", 0), ("a", "u1", 2)]
    ]
    assert [each.name for each in site.qos] == ["normal"]
    assert site.default_accounts == {"u1": "a"}
    (row,) = site.not_modeled
    assert (row.line, row.key, row.value, row.note) == (2, "GraceTime", "3", "unknown key")


def test_qos_without_a_definition_has_no_limits(read):
    script = "add account a qos=x,normal\nadd user u Account=a DefaultQOS=y\n"
    site = read("PartitionName=p Nodes=n1 QOS=z\n", script=script)
    assert [each.name for each in site.qos] == ["normal", "x", "y", "z"]
    assert [(each.key, each.value) for each in site.not_modeled] == [
        ("QOS", "x"),
        ("QOS", "y"),
        ("QOS", "z"),
    ]


def test_dumps_of_a_real_slurm(tmp_path):
    folder = Path(__file__).with_name("slurm-22.05")
    (tmp_path / "nodes.conf").write_text("NodeName=n[1-3],big CPUs=8 RealMemory=16000\n")
    more = [folder / "partitions.txt", tmp_path / "nodes.conf"]
    site = read_site(folder / "config.txt", more=more)
    main, urgent, free = site.machine.partitions
    assert [len(each.nodes) for each in (main, urgent, free)] == [2, 2, 2]
    assert (main.default_time, main.max_time, urgent.tier) == (1800, 7200, 9)
    assert (main.preempt, urgent.preempt, free.max_time) == ("REQUEUE", "OFF", None)
    assert (site.scheduling.sched_interval, site.scheduling.bf_interval) == (1, 1)
    assert (site.memory_counts, site.whole_cores, site.enforce) == (True, False, frozenset())
    assert [(each.line, each.key) for each in site.not_modeled] == [(9, "AccountingStorageType")]


def test_file_of_more_replaces_that_of_the_folder(read, tmp_path):
    (tmp_path / "other.conf").write_text("Name=gpu Type=b Count=2\n")
    site = read(gres="Name=gpu Type=a Count=2\n", more=[tmp_path / "other.conf"])
    assert kind_of(site, "g1").gres == {"gpu:b": 2}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("NodeName=n[1-\n", r"slurm.conf: line 10: NodeName=n\[1-: host list .* is no name; write"),
        ("NodeName=x1 CPUs=0\n", "line 10: NodeName=x1: node: cpus is 0, must be at least 1; corr"),
        ("PartitionName=p Nodes=z1\n", "line 10: Nodes=z1: node z1 has no line; add NodeName=z1"),
        ("PreemptMode=SUSPEND\n", "line 10: PreemptMode=SUSPEND: SUSPEND is not supported; no job"),
        (
            "PartitionName=p Nodes=n1 MaxTime=soon\n",
            "line 10: MaxTime=soon: MaxTime must be a time",
        ),
    ],
)
def test_line_without_meaning_is_an_error(read, line, problem):
    with pytest.raises(SiteFileError, match=problem):
        read(line)


@pytest.mark.parametrize(
    ("begin", "problem"),
    [
        ("StartTime=soon", "line 1: StartTime=soon: must be a time like 2026-11-28T08:00:00"),
        ("", "line 1: ReservationName=r: has no starttime; write the file with scontrol show"),
    ],
)
def test_reservation_without_a_begin_is_an_error(read, begin, problem):
    dump = f"ReservationName=r {begin} EndTime=2026-11-28T12:00:00\n   Nodes=n1 NodeCnt=1\n"
    with pytest.raises(SiteFileError, match=problem):
        read(dumps=dump, origin=TEN)


def test_user_of_an_account_that_no_file_has_is_an_error(read):
    with pytest.raises(SiteFileError, match=r"accounts.txt: account 'x' of 'u' is not known; add"):
        read(script="add user u Account=x\n")


def test_site_without_nodes_or_of_an_unknown_release_is_an_error(read):
    with pytest.raises(SiteFileError, match=r"slurm.conf: has no node; give its NodeName lines"):
        read(conf="KillWait=3\n")
    with pytest.raises(ValueError, match=r"version 19.05 is not modeled; choose one of 22.05, 24"):
        read(version="19.05")


def test_partition_without_nodes_is_not_modeled(read):
    lines = "NodeName=f State=FUTURE\nPartitionName=a MaxTime=5\nPartitionName=b Nodes=f\n"
    site = read(lines)
    assert [each.name for each in site.machine.partitions] == ["work"]
    assert [(each.value, each.note) for each in site.not_modeled[1:]] == [
        ("a", "a partition without nodes"),
        ("b", "a partition without nodes"),
    ]


def test_front_ends_and_blocks_are_not_modeled(read):
    site = read("FrontendName=f Port=7\n", topology="BlockName=b Nodes=n1\n")
    assert [(each.key, each.note) for each in site.not_modeled] == [
        ("Port", "front-end mode"),
        ("Nodes", "block topology"),
    ]


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("PriorityWeightAge=7", lambda site: site.priorities.age == 7),
        ("priorityweightage = 7", lambda site: site.priorities.age == 7),
        ("bf_interval=60", lambda site: site.scheduling.bf_interval == 60),
        ("defer", lambda site: site.scheduling.defer),
        ("SchedulerParameters=bf_window=60", lambda site: site.scheduling.bf_window == 3600),
        ("SelectTypeParameters=CR_CPU", lambda site: not site.memory_counts),
        ("PartitionName=work PriorityTier=3", lambda site: site.machine.partitions[0].tier == 3),
        (
            "NodeName=n[1-2] State=DRAIN",
            lambda site: [one.nodes for one in site.machine.changes] == [(1, 2)],
        ),
        ("NodeName=p1 CPUs=2 RealMemory=9", lambda site: len(site.machine) == 6),
        ("modify qos high set Priority=4", lambda site: qos_of(site, "high").priority == 4),
        (
            "modify qos high set MaxJobsPerUser=-1",
            lambda site: qos_of(site, "high").limits.max_jobs_pu is None,
        ),
    ],
)
def test_setting_in_place_of_that_of_the_file(read, change, value):
    lines = "PriorityWeightAge=5\nSchedulerParameters=bf_interval=90,bf_resolution=120\n"
    script = "add qos high MaxJobsPerUser=2\n"
    assert not value(read(lines, script=script))
    site = read(lines, changed=[change], script=script)
    assert value(site)
    assert site.scheduling.bf_resolution == 120


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("bf_interval=x", "--slurm-set: SchedulerParameters=bf_interval=x: bf_interval must be"),
        ("PriorityWeightAge=x", "--slurm-set: PriorityWeightAge=x: PriorityWeightAge must be"),
        ("bf_nonsense=1", "bf_nonsense is no key of slurm.conf, and none of SchedulerParameters"),
        ("MessageTimeout=9", "--slurm-set: MessageTimeout=9: changes nothing here"),
        ("bf_licenses", "SchedulerParameters=bf_licenses: is not modeled: licenses"),
        ("SchedulerParameters=defer,bf_licenses", "defer,bf_licenses: is not modeled: licenses"),
        ("bf_busy_nodes", "bf_busy_nodes is not supported; another choice of nodes"),
        ("PartitionName=wrk PriorityTier=3", "no partition wrk; did you mean 'work'?"),
        ("PartitionName=work", "PartitionName=work: changes nothing here"),
        ("PartitionName=work Foo=3", "PartitionName=work: Foo is not modeled: unknown key"),
        ("NodeName=n[3-4] State=DRAIN", r"NodeName=n\[3-4\]: there is no node n4"),
        ("NodeName=n1 State", "--slurm-set: 'State' is not Key=Value"),
        ("modify qos high set Priority=4", "give a file of accounts"),
    ],
)
def test_setting_that_cannot_be_changed_is_an_error(read, change, problem):
    with pytest.raises(SiteFileError, match=problem):
        read(changed=[change])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("modify qos high set Foo=4", "--slurm-set: Foo: is not modeled: unknown key"),
        ("modify foo", "--slurm-set: 'modify foo' is no command of sacctmgr"),
        ("modify qos 'high", "close the quotes"),
    ],
)
def test_command_that_cannot_be_run_is_an_error(read, change, problem):
    with pytest.raises(SiteFileError, match=problem):
        read(changed=[change], script="add qos high\n")
