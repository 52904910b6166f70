"""Time limits of jobs and of partitions."""

import pytest

from sacct_case import check_unreadable, job, read, rules
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.sacct_limits import PartitionLimits, read_partitions
from schedlab.traces.slurm.sacct_lines import SacctError

DAY = 86400
SHOWN = """PartitionName=short
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   DefaultTime=00:30:00 DisableRootJobs=NO ExclusiveUser=NO GraceTime=0 Hidden=NO
   MaxNodes=UNLIMITED MaxTime=02:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED
   State=UP TotalCPUs=64 TotalNodes=4 SelectTypeParameters=NONE

PartitionName=long
   DefaultTime=NONE DisableRootJobs=NO
   MaxNodes=UNLIMITED MaxTime=7-00:00:00 MinNodes=0

PartitionName=free
   DefaultTime=NONE MaxTime=UNLIMITED
"""
LIMITS = {
    "short": PartitionLimits(1800, 7200),
    "long": PartitionLimits(None, 7 * DAY),
    "free": PartitionLimits(None, None),
}


@pytest.mark.parametrize(
    "text",
    [
        SHOWN,
        " ".join(SHOWN.split()) + "\n",  # scontrol -o, all in one line
        "PartitionName=short DefaultTime=30 MaxTime=120 # minutes\n"
        "PartitionName=long MaxTime=7-0\nPartitionName=free Default=YES MaxTime=INFINITE\n",
        "partition\tmax_time\tdefault_time\nshort\t02:00:00\t30\nlong\t7-0\tNONE\n\nfree\t\n",
    ],
)
def test_partitions_are_read_from_the_formats_of_sites(tmp_path, text):
    path = tmp_path / "partitions.txt"
    path.write_text(text)
    assert read_partitions(path) == LIMITS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no partition in it; times are like 1-12:00:00"),
        ("NodeName=n1\n", "no partition in it"),
        ("PartitionName=a\n  MaxTime=soon\n", "line 2: time 'soon' has no meaning"),
        ("partition\tmax_time\na\t1:2:3:4\n", "line 2: time '1:2:3:4' has no meaning"),
        ("PartitionName=a\ninclude parts.conf\n", r"line 2: the file of 'include parts\.conf'"),
    ],
)
def test_invalid_partition_list_is_named(tmp_path, text, message):
    path = tmp_path / "partitions.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as error:
        read_partitions(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("told", "place", "seconds", "rule"),
    [
        # what a job names stands, whatever its partition allows
        ("1-00:00:00", "short", DAY, None),
        ("00:01", "short", 1, None),
        # no limit named: the partition's default one, else its longest, else the default
        ("Partition_Limit", "short", 1800, "limit_partition"),
        ("Partition_Limit", "long", 7 * DAY, "limit_partition"),
        ("Partition_Limit", "free", 3 * DAY, "limit_default"),
        ("Partition_Limit", "other", 3 * DAY, "limit_default"),
        ("", "short", 1800, "limit_partition"),
        ("INVALID", "", 3 * DAY, "limit_default"),
        # no end asked for: as long as the partition lets it
        ("UNLIMITED", "short", 7200, "limit_partition"),
        ("UNLIMITED", "free", 3 * DAY, "limit_default"),
        ("00:00:00", "short", 7200, "limit_partition"),
        # a year is what Slurm notes where there is no end
        ("365-00:00:00", "free", 3 * DAY, "limit_default"),
        ("364-23:59:00", "free", 365 * DAY - 60, None),
        ("365-00:01:00", "free", 365 * DAY + 60, None),
        # either of two partitions
        ("Partition_Limit", "short,long", 7 * DAY, "limit_partition"),
        ("Partition_Limit", "short,free", 3 * DAY, "limit_default"),
    ],
)
def test_limit_is_that_of_the_job_its_partition_or_the_default(
    tmp_path, told, place, seconds, rule
):
    log = read(
        tmp_path, job(Timelimit=told, Partition=place), partitions=LIMITS, default_limit=3 * DAY
    )
    assert log.jobs["requested_time"].tolist() == [seconds]
    assert rules(log) == [rule or ""]


def test_without_partitions_and_default_a_limit_stays_unknown(tmp_path):
    log = read(tmp_path, job(Timelimit="Partition_Limit"))
    assert log.jobs["requested_time"].tolist() == [-1]
    row = log.ledger.iloc[0]
    assert (row["rule"], row["field"]) == ("limit_unknown", "Timelimit")
    assert (row["before"], row["after"]) == ("Partition_Limit", "-1")


def test_raw_limits_are_minutes(tmp_path):
    path = tmp_path / "dump.txt"
    path.write_text(
        "7|1700000000|60|4|30\n8|1700000000|60|4|UNLIMITED\n9|1700000000|60|4|0\n10|1700000000|60|4|525600\n"
    )
    log = read_sacct(path, default_limit=60)
    assert log.jobs["requested_time"].tolist() == [1800, 60, 60, 60]
    path.write_text("7|1700000000|60|4|00:30\n")
    with pytest.raises(SacctError, match=r"line 1: field TimelimitRaw '00:30' is not a time limit"):
        read_sacct(path)


@pytest.mark.parametrize("told", ["30", "soon", "1 day"])
def test_invalid_limit_is_named(tmp_path, told):
    check_unreadable(tmp_path, "is not a time limit; export", Timelimit=told)


def test_partitions_have_the_values_of_the_default_lines_before_them(tmp_path):
    path = tmp_path / "slurm.conf"
    path.write_text(
        "PartitionName=early Nodes=n1 MaxTime=60\n"
        "PartitionName=DEFAULT MaxTime=12:00:00 DefaultTime=01:00:00 State=UP\n"
        "PartitionName=batch Nodes=n[1-4] Default=YES\n"
        "PartitionName=default MaxTime=2-0\n"
        "PartitionName=long Nodes=n[3-4] \\\n"
        "    DefaultTime=02:00:00\n"
    )
    limits = read_partitions(path)
    assert {name: (limit.default, limit.longest) for name, limit in limits.items()} == {
        "early": (None, 3600),
        "batch": (3600, 12 * 3600),
        "long": (7200, 2 * DAY),
    }


@pytest.mark.parametrize(
    "text",
    [
        "PartitionName = a  MaxTime = 60\n",
        'PartitionName="a" MaxTime="60"\n',
        "PartitionName=a MaxTime=60\nNodeSet=x Nodes=n[1-4] MaxTime=90\n",
        "PartitionName=a QoS= MaxTime=60\n",
        "\ufeffpartition\tmax_time\na\t60\n",
    ],
)
def test_partitions_are_read_as_slurm_reads_them(tmp_path, text):
    path = tmp_path / "slurm.conf"
    path.write_text(text)
    assert read_partitions(path) == {"a": PartitionLimits(None, 3600)}
    for none in ("-1", "4294967295", "INFINITE"):
        path.write_text(f"PartitionName=a MaxTime={none}\n")
        assert read_partitions(path) == {"a": PartitionLimits(None, None)}
