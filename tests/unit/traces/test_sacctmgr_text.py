"""Accounts, users and QOS: scripts, flat files and tables."""

import pytest

from schedlab.core.slurm_site import OF_PARENT, Limits
from schedlab.traces.slurm.accounts import Accounts
from schedlab.traces.slurm.conf_text import SiteFileError
from schedlab.traces.slurm.sacctmgr_text import read_accounts

SCRIPT = """\
#!/bin/bash
add qos high Priority=100 MaxTRESPerUser=cpu=8,gres/gpu=2 MaxWall=1-00:00:00 Flags=DenyOnLimit
add qos Name=low GrpTRES=cpu=10 MaxJobsPU=2 UsageFactor=0.5 GraceTime=60
modify qos high set Preempt=low PreemptMode=requeue
modify cluster c set qos=normal,high,low
add account science Description="all of it" Fairshare=60
add account phys,chem parent=science Fairshare=20 GrpTRES=cpu=16
add user u1 Account=phys,chem DefaultAccount=chem Fairshare=parent
add user u2 Account=phys Partition=debug MaxJobs=3
add coordinator account=phys names=u1
"""
#: the same site as a flat file and as tables
FLAT = """\
# To edit this file start with a cluster line for the new cluster
QOS - 'high':Priority=100:MaxWallDuration=30
Cluster - 'c':Fairshare=1:QOS='normal,high,low'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'science':Description='all: of it':Organization='s':Fairshare=60
Parent - 'science'
Account - 'phys':Description='p':Fairshare=20:GrpTRES=cpu=16,gres/gpu:a=1
Account - 'chem':FairShare=20:QOS+=low:QOS-=normal
Parent - 'phys'
User - 'u1':DefaultAccount='chem':Fairshare=parent:MaxWallDurationPerJob=60
Parent - 'chem'
User - 'u1':DefaultAccount='chem':Fairshare=parent:QOS='+high'
"""
ASSOC = """\
Cluster|Account|User|Partition|Share|GrpTRES|MaxJobs|QOS|Def QOS
c|root||||||normal|
c|root|root||1|||normal|
c| science|||60|||normal|
c|  phys|||20|cpu=16||normal|
c|  phys|u1||parent|||normal,high|high
c|  chem|||20|||normal|
c|  chem|u2|debug|1||3|normal|
c| bio|||5|||normal|
other| bio|u9||5|||normal|
"""
QOS = """\
Name|Priority|GraceTime|Preempt|PreemptMode|Flags|UsageFactor|MaxTRESPU|MaxJobsPU|MaxSubmitPU
normal|0|00:00:00||cluster||1.000000|||
high|100|00:01:00|normal|requeue|DenyOnLimit,NoReserve|2.000000|cpu=8||20
"""


def read(folder, *texts, cluster="c"):
    accounts = Accounts()
    for text in texts:
        (folder / "accounts.txt").write_text(text)
        read_accounts(folder / "accounts.txt", accounts, cluster)
    qos, associations = accounts.built()
    tree = {(each.account, each.user): each for each in associations}
    return accounts, {each.name: each for each in qos}, tree, associations


def below(tree, associations, *place):
    return associations[tree[place].parent].account


@pytest.mark.parametrize("prefix", ["", "sacctmgr -i ", "/usr/bin/env sacctmgr --immediate "])
def test_script(tmp_path, prefix):
    lines = [line if line[0] == "#" else prefix + line for line in SCRIPT.splitlines()]
    accounts, qos, tree, associations = read(tmp_path, "\n".join(lines))
    assert qos["high"].limits == Limits(max_tres_pu={"cpu": 8, "gres/gpu": 2}, max_wall=86_400)
    assert (qos["high"].priority, qos["high"].preempts) == (100, {"low"})
    assert (qos["high"].preempt, qos["high"].flags) == ("REQUEUE", {"DenyOnLimit"})
    assert qos["low"].limits == Limits(grp_tres={"cpu": 10}, max_jobs_pu=2)
    assert (qos["low"].usage_factor, qos["low"].grace) == (0.5, 60)
    assert tree["root", ""].qos == {"normal", "high", "low"}
    assert tree["phys", "u1"].qos is None
    assert below(tree, associations, "phys", "") == "science"
    assert below(tree, associations, "chem", "u1") == "chem"
    assert (tree["science", ""].shares, tree["phys", "u1"].shares) == (60, OF_PARENT)
    assert tree["phys", "u2"].partition == "debug"
    assert tree["phys", "u2"].limits == Limits(max_jobs=3)
    assert accounts.default_accounts == {"u1": "chem", "u2": "phys"}
    assert [each.key for each in accounts.not_modeled] == ["UsageFactor"]


def test_parents_are_before_their_children_and_root_has_a_user(tmp_path):
    *_, associations = read(tmp_path, SCRIPT)
    assert associations[0].parent == -1
    assert [(each.account, each.user) for each in associations[:2]] == [
        ("root", ""),
        ("root", "root"),
    ]
    assert associations[1].shares == 1
    assert all(each.parent < place for place, each in enumerate(associations))


def test_shell_lines_around_commands_are_skipped(tmp_path):
    text = (
        "set -e\nexport A=$HOME\nsacctmgr -i add account a Fairshare=7 > /dev/null || true\n"
        "sacctmgr list qos\nsacctmgr -i add account b && sacctmgr -i add user u Account=b 2>&1\n"
    )
    tree = read(tmp_path, text)[2]
    assert tree["a", ""].shares == 7
    assert list(tree)[2:] == [("a", ""), ("b", ""), ("b", "u")]


@pytest.mark.parametrize(
    ("line", "place", "field", "value"),
    [
        ("modify account phys set GrpTRES=cpu=-1,mem=1G", ("phys", ""), "grp_tres", {"mem": 1024}),
        ("modify user u2 where account=phys set MaxJobs=-1", ("phys", "u2"), "max_jobs", None),
        ("modify user name=u1 account=chem set MaxJobs=5", ("phys", "u1"), "max_jobs", None),
        ("modify user name=u1 account=chem set MaxJobs=5", ("chem", "u1"), "max_jobs", 5),
        ("modify user where partition=debug set MaxJobs=5", ("phys", "u2"), "max_jobs", 5),
        ("modify user where partition=debug set MaxJobs=5", ("phys", "u1"), "max_jobs", None),
        ("modify user set MaxJobs=5", ("chem", "u1"), "max_jobs", 5),
        ("modify account set GrpJobs=5", ("science", ""), "grp_jobs", 5),
        ("modify cluster c set GrpNodes=5", ("root", ""), "grp_tres", {"node": 5}),
    ],
)
def test_modified_limits(tmp_path, line, place, field, value):
    assert getattr(read(tmp_path, SCRIPT + line)[2][place].limits, field) == value


@pytest.mark.parametrize(
    ("line", "place", "names"),
    [
        ("modify account phys set qos=high", ("phys", ""), {"high"}),
        ("modify account phys set qos+=other", ("phys", ""), {"normal", "high", "low", "other"}),
        ("modify user u1 set qos-=high,low", ("chem", "u1"), {"normal"}),
        ("modify user u1 set qos=+other", ("chem", "u1"), {"normal", "high", "low", "other"}),
        ("remove qos where name=normal", ("root", ""), {"high", "low"}),
    ],
)
def test_modified_qos(tmp_path, line, place, names):
    assert read(tmp_path, SCRIPT + line)[2][place].qos == names


@pytest.mark.parametrize(
    ("line", "removed"),
    [
        ("remove user u1", {("phys", "u1"), ("chem", "u1")}),
        ("delete user where name=u1 account=chem", {("chem", "u1")}),
        ("remove account chem", {("chem", ""), ("chem", "u1")}),
        (
            "remove account science",
            {
                ("science", ""),
                ("phys", ""),
                ("chem", ""),
                ("phys", "u1"),
                ("phys", "u2"),
                ("chem", "u1"),
            },
        ),
    ],
)
def test_removed_associations(tmp_path, line, removed):
    before, after = (set(read(tmp_path, text)[2]) for text in (SCRIPT, SCRIPT + line))
    assert before - after == removed


def test_default_account_of_a_new_user_is_one_of_its_accounts(tmp_path):
    """As a real sacctmgr 22.05 prints the associations that it adds."""
    site = SCRIPT + "add user u4 Account=phys DefaultAccount=chem Fairshare=parent\n"
    tree = read(tmp_path, site)[2]
    assert {("chem", "u4"), ("phys", "u4")} <= set(tree)


def test_user_without_an_account_is_in_the_default_account(tmp_path):
    tree = read(tmp_path, SCRIPT + "add user u3 DefaultAccount=chem\n")[2]
    assert ("chem", "u3") in tree


def test_another_name_is_not_modeled(tmp_path):
    accounts, _, tree, _ = read(tmp_path, SCRIPT + "modify user u1 set Name=u2\n")
    assert ("chem", "u1") in tree
    assert {(each.key, each.value, each.note) for each in accounts.not_modeled} == {
        ("Name", "u2", "unknown key"),
        ("UsageFactor", "0.5", "usage counts as with 1"),
    }


def test_flags_of_a_qos_change_by_signs(tmp_path):
    change = "modify qos high set Flags+=NoDecay\nmodify qos high set Flags-=DenyOnLimit\n"
    assert read(tmp_path, SCRIPT + change)[1]["high"].flags == {"NoDecay"}
    assert read(tmp_path, SCRIPT + "modify qos high set Flags=-1\n")[1]["high"].flags == frozenset()


def test_flat_file(tmp_path):
    accounts, qos, tree, associations = read(tmp_path, FLAT)
    assert (qos["high"].priority, qos["high"].limits) == (100, Limits(max_wall=1800))
    assert below(tree, associations, "phys", "") == "science"
    assert tree["phys", ""].limits == Limits(grp_tres={"cpu": 16, "gres/gpu:a": 1})
    assert tree["phys", "u1"].limits == Limits(max_wall=3600)
    assert (tree["phys", "u1"].shares, tree["science", ""].shares) == (OF_PARENT, 60)
    assert tree["chem", ""].qos == {"high", "low"}
    assert tree["chem", "u1"].qos == {"high", "low"}
    assert accounts.default_accounts == {"root": "root", "u1": "chem"}
    assert accounts.not_modeled == []


def test_tables(tmp_path):
    users = "User|Def Acct|Admin\nu1|chem|None\n"
    accounts, qos, tree, associations = read(tmp_path, ASSOC, QOS, users)
    assert below(tree, associations, "chem", "") == "science"
    assert below(tree, associations, "bio", "") == "root"
    assert tree["phys", ""].limits == Limits(grp_tres={"cpu": 16})
    assert (tree["phys", "u1"].qos, tree["phys", "u1"].default_qos) == ({"normal", "high"}, "high")
    assert (tree["chem", "u2"].partition, tree["chem", "u2"].limits.max_jobs) == ("debug", 3)
    assert ("bio", "u9") not in tree
    assert qos["high"].limits == Limits(max_tres_pu={"cpu": 8}, max_submit_pu=20)
    assert (qos["high"].grace, qos["high"].usage_factor, qos["high"].preempt) == (
        60,
        2.0,
        "REQUEUE",
    )
    assert qos["high"].flags == {"DenyOnLimit", "NoReserve"}
    assert accounts.default_accounts == {"root": "root", "u1": "chem", "u2": "chem"}
    assert {each.value for each in accounts.not_modeled} == {"NoReserve", "2.000000"}


#: the names that Slurm 22.05 to 25.11 writes, in the columns of `show assoc` and `show qos`
ASSOC_NAMES = (
    "Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|GrpSubmit|GrpWall|GrpTRESMins|"
    "MaxJobs|MaxTRES|MaxTRESPerNode|MaxSubmit|MaxWall|MaxTRESMins|QOS|Def QOS|GrpTRESRunMins"
)
QOS_NAMES = (
    "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|UsageThres|UsageFactor|"
    "GrpTRES|GrpTRESMins|GrpTRESRunMins|GrpJobs|GrpSubmit|GrpWall|MaxTRES|MaxTRESPerNode|"
    "MaxTRESMins|MaxWall|MaxTRESPU|MaxJobsPU|MaxSubmitPU|MaxTRESPA|MaxJobsPA|MaxSubmitPA|MinTRES"
)


def test_all_columns_of_tables(tmp_path):
    assoc = "c|root|||1|2|3|cpu=4|5|00:10:00|cpu=6|7|cpu=8|cpu=9|10|1-00:00:00|cpu=11|q|q|cpu=12"
    qos = (
        "q|1|00:00:02||||||1.0|cpu=1|cpu=2|cpu=3|4|5|00:06:00|cpu=7|cpu=8|cpu=9|00:10:00|cpu=11|"
        "12|13|cpu=14|15|16|cpu=17"
    )
    texts = f"{ASSOC_NAMES}\n{assoc}\n", f"{QOS_NAMES}\n{qos}\n"
    accounts, names, tree, _ = read(tmp_path, *texts)
    assert accounts.not_modeled == []
    root = tree["root", ""]
    assert (root.shares, root.priority, root.qos, root.default_qos) == (1, 2, {"q"}, "q")
    assert root.limits == Limits(
        grp_jobs=3,
        grp_tres={"cpu": 4},
        grp_submit=5,
        grp_wall=600,
        grp_tres_mins={"cpu": 6},
        max_jobs=7,
        max_tres_pj={"cpu": 8},
        max_tres_pn={"cpu": 9},
        max_submit=10,
        max_wall=86_400,
        max_tres_mins_pj={"cpu": 11},
        grp_tres_run_mins={"cpu": 12},
    )
    assert names["q"].limits == Limits(
        grp_tres={"cpu": 1},
        grp_tres_mins={"cpu": 2},
        grp_tres_run_mins={"cpu": 3},
        grp_jobs=4,
        grp_submit=5,
        grp_wall=360,
        max_tres_pj={"cpu": 7},
        max_tres_pn={"cpu": 8},
        max_tres_mins_pj={"cpu": 9},
        max_wall=600,
        max_tres_pu={"cpu": 11},
        max_jobs_pu=12,
        max_submit_pu=13,
        max_tres_pa={"cpu": 14},
        max_jobs_pa=15,
        max_submit_pa=16,
        min_tres_pj={"cpu": 17},
    )


def test_table_of_qos_has_all(tmp_path):
    assert list(read(tmp_path, "Name|Priority\nshort|3\n")[1]) == ["short"]


def test_parents_by_column_and_without(tmp_path):
    table = "Account|User|ParentName|Share\nroot|||1\nb||a|1\na||root|2\nb|u1||3\n"
    _, _, tree, associations = read(tmp_path, table)
    assert below(tree, associations, "b", "") == "a"
    without = "Account|User|Share\nroot||1\na||2\nb||1\n"
    accounts, _, tree, associations = read(tmp_path, without)
    assert below(tree, associations, "b", "") == "root"
    (row,) = accounts.not_modeled
    assert (row.key, row.note.partition(";")[0]) == ("ParentName", "all accounts are below root")


def test_usage_of_sshare(tmp_path):
    table = "Account|User|RawShares|NormShares|RawUsage|FairShare\nroot||||300|\n a||1|0.5|300|\n"
    accounts, *_ = read(tmp_path, SCRIPT, table + " a|u1|1|0.5|120|0.1\n")
    assert accounts.usage == {("root", ""): 300, ("a", ""): 300, ("a", "u1"): 120}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("add thing a\n", "line 1: 'add thing a' is no command of sacctmgr; commands are like"),
        ("ad account a\n", "'ad account a' is no command"),
        ('add account "a\n', "line 1: No closing quotation; close the quotes"),
        (
            "modify user u1 set MaxJobs=2\n",
            "line 1: user 'u1' in such an account is not known; add",
        ),
        ("modify account x set MaxJobs=2\n", "line 1: account 'x' is not known; add"),
        ("modify user where qos=a set MaxJobs=2\n", "qos=a: no condition that is read; name"),
        ("add user u1 Account=x\n", "account 'x' of 'u1' is not known; add it to the files"),
        ("add account a parent=b\n", "account 'b' of 'a' is not known"),
        ("add qos a MaxJobs=many\n", "line 1: MaxJobs=many: MaxJobs must be a whole number"),
        ("Cluster - 'c':Fairshare=1\nUsers\n", "line 2: 'Users' is not like Account - 'a'"),
        ("Account|User\na|b|c\n", "line 2: has 3 cells, 2 names; write the file with option -P"),
        ("Job|State\n1|R\n", "no column Account, User or Name; write"),
        (ASSOC.replace("c|", "d|", 1), "clusters c, d, other: which one is not known; set Cluster"),
    ],
)
def test_file_without_meaning_is_an_error(tmp_path, text, problem):
    with pytest.raises(SiteFileError, match=problem):
        read(tmp_path, text, cluster="" if "Cluster|" in text else "c")
