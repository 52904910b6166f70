"""Commands on your log: output on terminals, in pipes and as JSON."""

import gzip
import json
import re
import shlex
import subprocess
import sys

import pandas as pd
import pytest
from rich.console import Console
from typer.testing import CliRunner

from schedlab.cli import COMMANDS, EXAMPLES, LoadedCommands, app, output
from schedlab.comparison.comparing import compare
from schedlab.core.splitting import middle
from schedlab.workbench.log import load_log
from site_case import site_log

# On 4 processors: job 2 waits from 1 to 10, job 3 is backfilled at 2, job 4 would end too late.
LOG = """; MaxProcs: 4
1 0 0 10 3 -1 -1 3 10 -1 1 1 1 -1 1 -1 -1 -1
2 1 50 10 4 -1 -1 4 10 -1 1 2 1 -1 1 -1 -1 -1
3 2 -1 5 1 -1 -1 1 5 -1 1 1 1 -1 1 -1 -1 -1
4 3 8 20 1 -1 -1 1 20 -1 1 1 1 -1 2 -1 -1 -1
5 8 0 2 1 -1 -1 1 2 -1 1 1 1 -1 1 -1 -1 -1
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "five.swf"
    path.write_text(LOG)
    return str(path)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return site_log(tmp_path_factory.mktemp("site") / "site.swf.gz", waits=True)


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


def rows(text):
    """Cells of the printed lines that are columns."""
    return [re.split(r"  +", line.strip()) for line in text.splitlines() if "  " in line.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - {"whatif"}))
def test_every_help_has_an_example_that_runs(name, site, tmp_path, monkeypatch):
    said = " ".join(call(name, "--help").stdout.split())
    example = re.search(r"Example: (schedlab .+)$", said)[1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.swf.gz").symlink_to(site)
    result = call(*shlex.split(example)[1:])
    assert result.exit_code == 0, result.output


def test_list_of_commands_is_whole_on_a_terminal_of_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = call("--help").stdout.splitlines()
    for commands in COMMANDS.values():
        for name, (_, summary) in commands.items():
            assert any(re.fullmatch(rf"  {name} +{re.escape(summary)}", line) for line in lines)
    assert max(map(len, lines)) <= 80


def test_every_listed_command_has_a_function():
    assert list(LoadedCommands()) == [name for group in COMMANDS.values() for name in group]
    for name, command in LoadedCommands().items():
        assert command.name == name


def test_version_is_printed():
    assert re.fullmatch(r"schedlab \d+\.\d+\.\d+\n", call("--version").output)


@pytest.mark.slow
def test_the_module_is_the_command():
    command = [sys.executable, "-m", "schedlab", "--version"]
    assert subprocess.run(command, check=True, capture_output=True).stdout.startswith(b"schedlab ")


def test_piped_tables_are_plain_and_whole(log):
    said = call("policies").stdout
    assert "(-0.2188093701 * r) * (-0.0000000049 * n) + 0.0073580361 * log10(s)" in said
    assert not re.search("[│┃…\x1b]", said + call("simulate", log).stdout)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_numbers_are_whole_on_a_terminal_of_any_width(monkeypatch, capsys, width):
    """Columns that do not fit side by side are tables of their own, with the words in each."""
    monkeypatch.setattr(output, "Console", lambda **_: Console(force_terminal=True, width=width))
    numbers = [f"{10**place + 248_000:,}" for place in range(5, 11)]
    headings = [f"mean number {place}" for place in range(len(numbers))]
    output.show_table("title", ("policy", *headings), [("as in the log", *numbers)])
    said = capsys.readouterr().out
    assert all(number in said for number in numbers)
    assert "…" not in said
    assert said.count("title") == 1
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in said.splitlines() if "│" in line]
    assert max(map(len, lines)) <= width
    assert all(line.endswith("│") for line in lines)
    assert (said.count("policy") > 1) == (width < 200)


def test_recorded_schedule_is_a_row_over_jobs_with_known_waits(log):
    """Waits of 0, 50, 8 and 0; job 3's is unknown."""
    said = call("simulate", log, "--policy", "fcfs").stdout
    (row,) = [row for row in rows(said) if row[0] == "as in the log"]
    assert row[1] == "14"
    assert "as in the log (of 4 jobs whose wait it has): what the site did" in said
    assert "means, medians and percentiles are over all jobs of the log" in said


def test_groups_are_separate_tables(log):
    said = call("simulate", log, "--policy", "fcfs", "--by", "user", "--by", "size").stdout
    assert "FCFS, by user" in said
    assert "as in the log, by size" in said
    assert ["2", "1", "0", "9", "9", "9", "9", "9", "1.90", "1.90", "1.90"] in rows(said)


def test_starts_and_trace_are_written_of_one_policy(log, tmp_path):
    starts, trace = tmp_path / "starts.csv", tmp_path / "trace.json.gz"
    files = ["--starts", str(starts), "--trace", str(trace)]
    assert call("simulate", log, "--policy", "fcfs", *files).exit_code == 0
    assert pd.read_csv(starts)["start"].tolist() == [0, 10, 2, 20, 8]
    events = json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"]
    waits = {event["args"]["job"]: event["args"] for event in events if event["ph"] == "X"}
    assert waits[4]["wait: reservation"] == 1
    for option, path in (("--starts", starts), ("--trace", trace)):
        result = call("simulate", log, option, str(path))
        assert result.exit_code == 1
        assert f"{option} is of one schedule: give one --policy" in result.output


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--policy", "fcfs", "--by", "size"],
        ["compare", "--days", "20", "--policy", "fcfs", "--policy", "spt"],
        ["explain", "700"],
        ["tune", "--points", "3"],
    ],
)
def test_json_output_is_one_object(site, command):
    name, *rest = command
    found = json.loads(call(name, site, *rest, "--json").stdout)
    assert found["jobs"] == 1500
    assert found["lost"] == {}
    assert found["rules"] == "full_estimate"


def test_json_has_the_numbers_that_are_printed(log):
    found = json.loads(call("simulate", log, "--policy", "fcfs", "--by", "user", "--json").stdout)
    fcfs, site = found["results"]
    assert fcfs["mean_wait"] == (9 + 17) / 5
    assert fcfs["by"]["user"]["2"]["mean_slowdown"] == 1.9
    assert (site["policy"], site["simulated"], site["jobs"]) == ("as in the log", False, 4)


def test_a_wait_is_explained(log):
    said = call("explain", log, "4").stdout
    assert "job 4 (1 processors, estimate 0:00:20) under FCFS waited 0:00:17" in said
    assert "job 5 (1 processors, 0:00:02) starts: backfilled without delaying the head" in said
    assert "at the site it waited 0:00:08; the log" in said
    assert "at the site" not in call("explain", log, "3").stdout
    found = json.loads(call("explain", log, "4", "--json").stdout)["explanation"]
    assert found["passed"] == {"backfill in time": 1, "order": 1}


def test_long_explanations_are_cut_without_all(site):
    cut = call("explain", site, "1193", "--reservations", "none").stdout
    whole = call("explain", site, "1193", "--reservations", "none", "--all").stdout
    assert len(cut.splitlines()) <= len(whole.splitlines())
    assert "decisions more" not in whole


def test_compare_prints_intervals_and_the_metric(site):
    result = call("compare", site, "--days", "7", "--policy", "fcfs", "--policy", "spt")
    said = result.stdout
    assert "mean bounded slowdown (10 s), 7 windows of 7 days" in said
    compared, _, worst = said.partition("Worst cases over all counted jobs")
    (spt,) = [row for row in rows(compared) if row[0] == "SPT"]
    assert re.fullmatch(r"\d\.\d\d to \d\.\d\d", spt[4])
    assert spt[5] == "better"
    assert "10,000 resamples of blocks of neighboring windows, the same for all" in said
    assert "as in the log: no ratio, for FCFS does not come near the recorded waits" in said
    (spt,) = [row for row in rows(worst) if row[0] == "SPT"]
    assert re.fullmatch(r"[\d.]+ d", spt[2])
    assert re.fullmatch(r"\d+\.\d\d", spt[3])


def test_ties_that_change_the_result_give_a_warning(tmp_path):
    """Nine jobs of equal estimates wait, two of them short: first or last, by the order of ties."""
    path = tmp_path / "ties.swf"
    lines = [f"{n} {10 * (n > 1)} 0 {1000 if n < 9 else 2} 4 -1 -1 4 1000" for n in range(1, 12)]
    path.write_text("; MaxProcs: 4\n" + "".join(line + 9 * " -1" + "\n" for line in lines))
    result = call("simulate", str(path), "--policy", "spt")
    assert "SPT: the order of equal jobs moves the mean bounded slowdown" in result.stderr


def test_tuned_policy_is_compared_with_the_best_of_the_others(site):
    said = call("tune", site, "--points", "3").stdout
    assert "on the second half, which it has not seen" in said
    assert re.search(r"tuned: \d.\d\d times \(.*\) FCFS, chosen beforehand: ", said)
    line = re.search(r'^    (tuned_site: ".+")$', said, re.MULTILINE)[1]
    assert call("simulate", site, "--policy", line.split('"')[1]).exit_code == 0


@pytest.mark.slow
def test_command_printed_by_tune_repeats_its_test(tmp_path):
    """The order of backfilling too: its mean over the second half is the comparison's."""
    path = site_log(tmp_path / "site.swf")
    said = call("tune", path, "--points", "3", "--days", "7").stdout
    tried = shlex.split(re.search(r"^    (schedlab simulate .*)$", said, re.MULTILINE)[1])
    assert "--backfill-order" in tried
    log = load_log(path)
    policy = next(word for word in tried if word.startswith("--policy=")).partition("=")[2]
    backfill = tried[tried.index("--backfill-order") + 1]
    own = compare(log, ["fcfs", policy], backfill=backfill, days=7, begin=middle(log.jobs.submit))
    compared = said.partition("Worst cases")[0]
    (row,) = [row for row in rows(compared) if row[0] == "tuned" and len(row) == 6]
    assert row[1] == f"{own.table.loc[policy, 'mean']:,.2f}"
    assert call(*tried[1:]).exit_code == 0


@pytest.mark.slow
def test_charts_have_the_format_of_the_suffix(log, tmp_path):
    out = tmp_path / "g.pdf"
    result = call("gantt", log, "--job", "4", "--out", str(out))
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(b"%PDF")
    assert "5 jobs on 4 processors, FCFS: mean wait 5 s" in result.output
    assert "as in the log" in call("gantt", log, "--recorded", "--out", str(out)).output
    wrong = call("gantt", log, "--out", str(tmp_path / "g.bmp"))
    assert wrong.exit_code == 1
    assert "must end with .png, .pdf, .svg" in wrong.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ["--processors", "3"],
            "1 of 5 jobs (20.0%, 41.2% of the core-hours) need too many: --dro",
        ),
        (["--by", "color"], "unknown group 'color'; one of size, user, queue"),
        (["--default-limit", "5s", "--default-limit", "6s"], "give DURATION once"),
        (["--default-limit", "debug=1h"], "with the number of the queue"),
        (["--threshold", "86400"], "--threshold: 86400 is a number without a unit; write 90s, 30m"),
    ],
)
def test_mistakes_state_a_remedy(log, change, message):
    result = call("simulate", log, *change)
    assert result.exit_code == 1
    assert message in " ".join(result.output.split())
    assert "Traceback" not in result.output


def test_remedies_can_be_typed(log):
    said = call("simulate", log, "--processors", "3", "--drop-wide").stdout
    assert "fits_machine: 1 job (20.0%)" in said
    limits = ["--default-limit", "1=60s", "--default-limit", "2=00:01:30"]
    assert call("simulate", log, *limits).exit_code == 0
