"""What commands print on a terminal of 80 columns: wrapped text, whole cells, no nan."""

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from math import inf, nan

import pytest
from rich.console import Console
from typer.testing import CliRunner

from schedlab.cli import app, output
from schedlab.cli.compare import interval
from site_case import site_log

WIDTH = 80
#: lines that a reader copies, which stay whole
COPIED = ("    schedlab ", "formula ", "LaTeX ", "    tuned_", "    learned_")
COMMANDS = (
    "simulate {log} --policy fcfs --policy saf --by size --dialect slurm",
    "compare {log} --policy fcfs --policy saf --days 7",
    "compare {calm} --policy fcfs --policy saf --days 1",
    "tune {log} --points 3",
    "learn {log} --tuples 2 --trials 1024",
    "explain {log} 17 --policy saf",
    "explore {log} --html {folder}/page.html",
    "gantt {log} --to 48h --out {folder}/schedule.svg",
    "export-batsim {log} --out {folder}/workload.json",
    "export-schedule {log} --evalys {folder}/jobs.csv",
    "export-slurm wfp3 --processors 100 --out {folder}/slurm",
    "simulate {log} --rules full_actual --policy fcsf",
    "policies",
)


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Paths of a log with recorded waits, and of one whose jobs never wait."""
    folder = tmp_path_factory.mktemp("terminal")
    calm = folder / "calm.swf"
    rows = [f"{k} {100 * k} 0 10 1 -1 -1 1 20" + " -1" * 9 for k in range(1, 2001)]
    calm.write_text("\n".join(["; MaxProcs: 4", *rows, ""]))
    return {"log": site_log(folder / "site.swf.gz", waits=True), "calm": calm, "folder": folder}


@pytest.fixture
def terminal(monkeypatch):
    """Stdout and stderr as terminals of 80 columns."""
    monkeypatch.setattr(
        output, "Console", lambda **_: Console(force_terminal=True, width=WIDTH, color_system=None)
    )


def text_of(command, names):
    return CliRunner().invoke(app, [word.format(**names) for word in command.split()]).output


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_wider_than_the_terminal_but_what_is_copied(command, names, terminal):
    lines = text_of(command, names).splitlines()
    wide = [line for line in lines if len(line) > WIDTH and not line.startswith(COPIED)]
    # a word of more than a line, such as a path, is whole
    assert [line for line in wide if len(line.split()) > 1] == []
    assert lines
    assert not re.search(r"\b(nan|inf)\b|…", "\n".join(lines))


@pytest.mark.slow
def test_lines_are_as_wide_as_a_real_terminal(names):
    words = [sys.executable, "-m", "schedlab", "compare", str(names["calm"]), "--days", "1"]
    near_end, other_end = pty.openpty()
    environment = os.environ | {"COLUMNS": "60", "TERM": "xterm", "NO_COLOR": "1"}
    process = subprocess.Popen(words, stdout=other_end, stderr=subprocess.STDOUT, env=environment)
    os.close(other_end)
    shown = b""
    with suppress(OSError):  # the command has ended
        while part := os.read(near_end, 1 << 16):
            shown += part
    os.close(near_end)
    assert process.wait(60) == 0
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown.decode())
    note = text[text.index("mean and median are over") :].splitlines()
    assert note[0] == "mean and median are over the windows' means over their jobs;"
    assert max(map(len, note)) <= 60


def test_text_wraps_between_words_and_is_indented_like_its_line(terminal, capsys):
    path = "/a/path" * 20
    output.print_text(f"{'word ' * 20}\n  {'rule ' * 20}\n1. {'step ' * 20}\n{path}\n{'x' * WIDTH}")
    lines = capsys.readouterr().out.splitlines()
    assert [line.rstrip() for line in lines[:2]] == [("word " * 16).rstrip(), "word word word word"]
    assert lines[2].startswith("  rule rule")
    assert lines[3].startswith("  rule")
    assert lines[4].startswith("1. step")
    assert lines[5].startswith("   step")
    assert lines[6:] == [path, "x" * WIDTH]


@pytest.mark.slow
def test_one_window_of_one_day_is_not_in_the_plural(names):
    text = text_of("compare {calm} --policy fcfs --policy saf --days 1", names)
    assert "mean bounded slowdown (10 s), 1 window of 1 day\n" in text


def test_text_is_whole_in_a_pipe(capsys):
    output.print_text("word " * 100)
    assert capsys.readouterr().out == "word " * 100 + "\n"


def test_columns_of_words_are_on_the_left_and_of_numbers_on_the_right(capsys):
    rows = [("FCFS", "1.00", "", "9 d"), ("SAF", "12.00", "0.5 to 1.0", "1 to 6 hours")]
    output.show_table("title", ("policy", "mean", "95 % interval", "who loses"), rows)
    lines = capsys.readouterr().out.splitlines()[2:]
    assert lines == [
        "FCFS     1.00                 9 d",
        "SAF     12.00     0.5 to 1.0  1 to 6 hours",
    ]


@pytest.mark.parametrize(
    ("ends", "text"),
    [((0.5, 2.0), "0.50 to 2.00"), ((-inf, inf), "–"), ((0.5, inf), "–"), ((nan, nan), "–")],
)
def test_an_interval_without_ends_is_a_dash(ends, text):
    assert interval(*ends) == text


@pytest.mark.parametrize(("number", "text"), [(nan, "–"), (0.0, "0.00"), (1e3, "1,000.00")])
def test_a_number_that_does_not_exist_is_a_dash(number, text):
    assert output.number_or_missing(number) == text


@pytest.mark.parametrize("group", ["asa", "site"])
def test_summaries_of_a_groups_commands_are_whole(group):
    text = CliRunner().invoke(app, [group, "--help"], env={"COLUMNS": str(WIDTH)}).stdout
    assert "..." not in text.replace("[ARGS]...", "")
    assert max(map(len, text.splitlines())) <= WIDTH


def test_notes_on_a_log_are_printed_once(tmp_path):
    """The reader logs them at each of its passes, for users of Python."""
    log = tmp_path / "wide.swf"
    rows = [f"{k} {9 * k} 0 10 1 -1 -1 1 20" + " -1" * 9 + " name" for k in (1, 2, 3)]
    log.write_text("\n".join(["; MaxProcs: 4", *rows, ""]))
    command = [sys.executable, "-m", "schedlab", "simulate", str(log), "--policy", "fcfs"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr.count("kept as text") == 1


@pytest.mark.slow
def test_a_reader_that_has_enough_ends_a_command_without_a_word(tmp_path):
    """As head does, here before the first line."""
    text = "".join(f"{k} {k} 0 10 1 -1 -1 1 20 -1 1 {k} 1 1 1 1 -1 -1\n" for k in range(1, 400))
    (tmp_path / "log.swf").write_text("; MaxProcs: 64\n" + text)
    words = ["simulate", str(tmp_path / "log.swf"), "--policy", "fcfs", "--by", "user"]
    run = subprocess.Popen(
        [sys.executable, "-u", "-m", "schedlab", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    run.stdout.close()
    assert run.stderr.read() == ""
    assert run.wait() != 0
