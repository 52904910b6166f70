"""Commands that write files or print lists report them as one JSON object with --json."""

import json

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.policies import REGISTRY

LOG = """; MaxProcs: 4
7 5 -1 10 3 -1 -1 3 12 -1 1 8 2 -1 1 -1 -1 -1
2 0 -1 5 4 -1 -1 4 5 -1 1 9 2 -1 1 -1 -1 -1
3 5 -1 10 2 -1 -1 2 10 -1 1 8 2 -1 1 -1 -1 -1
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "names", "more"),
    [
        ("gantt LOG --out {0} --policy spt", ["a.png"], {"policy": "SPT"}),
        ("explore LOG --html {0} --policy spt", ["a.html"], {"policies": ["SPT"]}),
        ("export-batsim LOG --out {0}", ["a.json"], {}),
        ("export-schedule LOG --swf {0} --evalys {1}", ["a.swf", "a.csv"], {"policy": "FCFS"}),
    ],
)
def test_json_names_the_written_files(tmp_path, command, names, more):
    log, files = tmp_path / "site.swf", [str(tmp_path / name) for name in names]
    log.write_text(LOG)
    arguments = command.format(*files).replace("LOG", str(log)).split()
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["log"], found["jobs"], found["processors"]) == ("site.swf", 3, 4)
    assert found["files"] == files
    assert found.items() >= more.items()
    plain = CliRunner().invoke(app, arguments)
    assert [line.split(": ")[0] for line in plain.stdout.splitlines()][-len(files) :] == files


def test_policies_are_listed():
    found = json.loads(CliRunner().invoke(app, ["policies", "--json"]).stdout)["policies"]
    assert [one["name"] for one in found] == list(REGISTRY)
    assert found[1]["order"] == "linear"
    assert found[0]["expression"] == "s"
