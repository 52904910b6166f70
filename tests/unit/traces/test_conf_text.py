"""Lines of slurm.conf, gres.conf and topology.conf."""

import pytest

from schedlab.traces.slurm.conf_text import SiteFileError, read_conf


def read(folder, text, file="conf"):
    (folder / "slurm.conf").write_text(text)
    return read_conf(folder / "slurm.conf", file)


def pairs(records):
    return [(each.name.key, each.name.value) for each in records]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KillWait=30 # seconds\n# all\n\n", [("KillWait", "30")]),
        ("KillWait = 30\r\n", [("KillWait", "30")]),
        ('MailProg="/bin/a #1" # a mail\n', [("MailProg", "/bin/a #1")]),
        ("Prolog=/a\\#1\n", [("Prolog", "/a\\#1")]),
        ("A=1\\\n  B=2\n", [("A", "1"), ("B", "2")]),
        ("A=\nB=2\n", [("A", ""), ("B", "2")]),
        ("AccountingStorageTRES+=gres/gpu\n", [("AccountingStorageTRES", "gres/gpu")]),
    ],
)
def test_pairs_of_lines(tmp_path, text, expected):
    assert pairs(read(tmp_path, text)) == expected


def test_keys_have_their_line_and_lines_that_are_joined_the_first(tmp_path):
    records = read(tmp_path, "A=1\n\n# x\nNodeName=n1 \\\n CPUs=4\nB=2\n")
    assert [each.name.line for each in records] == [1, 4, 6]
    assert records[1].settings["cpus"].line == 4


def test_default_lines_hold_for_later_lines_of_their_kind(tmp_path):
    records = read(
        tmp_path,
        "NodeName=n0\n"
        "nodename=default CPUs=4 Weight=1\n"
        "NodeName=n1 WEIGHT=9\n"
        "PartitionName=p\n"
        "NodeName=DEFAULT CPUs=8\n"
        "NodeName=n2\n",
    )
    values = {
        each.name.value: {key: setting.value for key, setting in each.settings.items()}
        for each in records
    }
    assert values == {
        "n0": {},
        "n1": {"cpus": "4", "weight": "9"},
        "p": {},
        "n2": {"cpus": "8", "weight": "1"},
    }


def test_includes_are_in_the_folder_of_the_file_and_may_be_patterns(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/a.conf").write_text("A=1\nInclude b.conf\n")
    (tmp_path / "parts/b.conf").write_text("B=2\n")
    records = read(tmp_path, "include parts/a*.conf\nInclude parts/none*\nC=3\n")
    assert pairs(records) == [("A", "1"), ("B", "2"), ("C", "3")]
    assert records[1].name.file == str(tmp_path / "parts/b.conf")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A=1\nKillWait 30\n", r"slurm.conf: line 2: 'KillWait 30' is not Key=Value; put quotes"),
        ("A=a b\n", r"line 1: 'b' is not Key=Value"),
        ("Include none.conf\n", r"line 1: Include none.conf: no such file in .*; copy it there"),
        ("Include slurm.conf\n", r"slurm.conf: includes itself; remove"),
    ],
)
def test_line_without_meaning_is_an_error(tmp_path, text, problem):
    with pytest.raises(SiteFileError, match=problem):
        read(tmp_path, text)


def test_lines_of_gres_conf_begin_with_nodes_or_a_name(tmp_path):
    records = read(tmp_path, "AutoDetect=off\nNodeName=n1 Name=gpu\nName=mps Count=2\n", "gres")
    assert [each.kind for each in records] == ["gres", "gres", "gres"]
    assert [sorted(each.settings) for each in records] == [
        ["autodetect"],
        ["name", "nodename"],
        ["count", "name"],
    ]
