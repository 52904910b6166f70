"""A simulator is held to the kit: where it first differs, and what is wrong with its table."""

import shlex
import sys
from pathlib import Path

import pytest

from schedlab.workbench.conformance.checking import (
    DIFFERS,
    EQUAL,
    FAILED,
    SimulatorError,
    check_simulator,
    read_starts,
    submits_of,
)
from schedlab.workbench.conformance.kit import read_kit

KIT = read_kit()
TEXTBOOK = KIT.workloads["textbook"]
#: a strict order in ten lines; a fault can be put in
STRICT = """
import csv, sys
jobs = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(open(sys.argv[1]))]
free_from, out, last = [0] * int(sys.argv[2]), open(sys.argv[3], "w"), 0
print("number,start", file=out)
for job in jobs:
    free_from.sort()
    last = max(last, job["submit"], free_from[job["processors"] - 1])
    free_from[: job["processors"]] = [last + job[LENGTH]] * job["processors"]
    print(job["number"], last, sep=",", file=out)
"""


@pytest.fixture
def command(tmp_path):
    """Return a function that writes a simulator, and its command."""

    def write(text):
        path = tmp_path / "simulator.py"
        path.write_text(text)
        words = [sys.executable, str(path), "{workload}", "{processors}", "{out}"]
        return shlex.join(words).replace("'", "")

    return write


@pytest.mark.slow
def test_a_plain_program_has_the_starts_of_strict_order_in_each_workload(command):
    outcomes = check_simulator(KIT, command(STRICT.replace("LENGTH", "'runtime'")), ["strict"])
    assert len(outcomes) == 9
    assert all(one.verdict == EQUAL and one.wait == one.expected_wait for one in outcomes)


def test_the_first_difference_has_job_instant_state_and_rule(command):
    strict = command(STRICT.replace("LENGTH", "'runtime'"))
    (one,) = check_simulator(KIT, strict, ["easy"], ["textbook"])
    assert one.verdict == DIFFERS
    assert (one.jobs, one.differing) == (6, 4)
    assert one.first.startswith(
        "at 20 s job 3 is expected to start, starts at 100 s. 3 of 8 processors are free. Running: "
        "job 1 (5 until 100 s by its estimate). Waiting: job 2 (6 for 50 s) and job 3 (2 for 60 s)."
    )
    assert "Rule easy: EASY. The first waiting job has a reservation" in one.first
    assert one.wait == pytest.approx((0 + 90 + 80 + 120 + 110 + 105) / 6)
    assert one.expected_wait == pytest.approx((0 + 90 + 0 + 110 + 0 + 5) / 6)


def test_a_start_that_is_too_early_is_named(command):
    """Jobs that end at once start too early: 100 s before the end of the first."""
    (one,) = check_simulator(
        KIT, command(STRICT.replace("LENGTH", "'number'")), ["strict"], ["textbook"]
    )
    assert one.first.startswith("at 10 s job 2 starts, expected at 100 s. 3 of 8 processors")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys; sys.exit('no licence')", "exit code 1: no licence"),
        ("", "it has not written {out}"),
        ("import time; time.sleep(9)", "has not ended after 1 s"),
    ],
)
def test_a_simulator_that_fails_is_a_row(command, text, said):
    (one,) = check_simulator(KIT, command(text), ["strict"], ["textbook"], timeout=1)
    assert (one.verdict, one.first, one.differing) == (FAILED, said, 0)


def test_a_program_that_is_missing_is_a_row():
    (one,) = check_simulator(KIT, "./no-such-program {out}", ["strict"], ["textbook"])
    assert "cannot be run" in one.first


ROWS = "number,start\n1,0\n2,100\n3,150\n4,150\n5,150\n6,150\n"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (ROWS.replace("start", "begin"), "no column 'start' but number, begin"),
        (ROWS.replace("2,100", "2,soon"), "row 2: start is 'soon', no number"),
        (ROWS.replace("2,100", "2,nan"), "row 2: start is 'nan', no number"),
        (ROWS.replace("2,100", "12,100"), "row 2: there is no job 12"),
        (ROWS.replace("2,100", "1,100"), "row 2: job 1 appears again"),
        (ROWS.replace("2,100\n", ""), "job 2 has no start"),
        (ROWS.replace("2,100", "2,9"), "job 2 starts at 9 s, before its submission"),
        ("", "cannot be read"),
        (ROWS.replace("2,100", "2,100,9"), r"cannot be read: .* saw 3$"),
        (ROWS.replace("number", "\x1b[2Jnumber"), r"no column 'number' but \\x1b\[2Jnumber"),
    ],
)
def test_a_wrong_table_is_an_error_with_its_row(tmp_path, table, said):
    (tmp_path / "out").write_text(table)
    with pytest.raises(SimulatorError, match=said):
        read_starts(tmp_path / "out", submits_of(TEXTBOOK.table))


def test_starts_may_be_in_any_order_with_further_columns_or_a_schedule_as_swf(tmp_path):
    lines = ROWS.splitlines()
    mixed = [lines[0] + ",node", *(f"{line},x" for line in reversed(lines[1:]))]
    (tmp_path / "csv").write_text("\n".join(mixed))
    fields = " ".join(["-1"] * 13)
    starts = dict(line.split(",") for line in lines[1:])
    submits = TEXTBOOK.table.set_index("number")["submit"]
    waits = {number: int(start) - submits[int(number)] for number, start in starts.items()}
    swf = [f"{n} {submits[int(n)]} {wait} 5 1 {fields}" for n, wait in waits.items()]
    (tmp_path / "swf").write_text("; a schedule\n" + "\n".join(swf) + "\n")
    for name in ("csv", "swf"):
        starts = read_starts(tmp_path / name, submits_of(TEXTBOOK.table))
        assert starts.tolist() == [0, 100, 150, 150, 150, 150]


@pytest.mark.parametrize(
    ("command", "rules", "said"),
    [
        (
            "sim {out} {workloads}",
            [],
            r"placeholder \{workloads\}; did you mean 'workload'",
        ),
        ("sim {workload}", [], r"\{out\} is missing"),
        ("sim 'a {out}", [], "--command: No closing quotation"),
        ("sim {out}", ["esay"], "unknown rule 'esay'; did you mean 'easy'"),
        ("sim {out} {{worklod}}", [], r"placeholder \{worklod\}; did you mean 'workload'"),
    ],
)
def test_a_wrong_command_or_rule_is_an_error(command, rules, said):
    with pytest.raises(ValueError, match=said):
        check_simulator(KIT, command, rules)


def test_a_rule_without_starts_for_a_workload_is_an_error():
    with pytest.raises(ValueError, match="no case: these rules have no starts"):
        check_simulator(KIT, "sim {out}", ["shared_nodes"], ["textbook"])


@pytest.mark.parametrize(
    "braces", ["{}", '{"a": [1]}', "{out.x}", "{out[0]}", "{nodes:d}", "{", "}"]
)
def test_other_braces_are_the_simulators(tmp_path, braces):
    code = (
        "import sys; open(sys.argv[2], 'w').write('number,start'); print(sys.argv[1]); sys.exit(3)"
    )
    words = [sys.executable, "-c", code, braces, "{out}"]
    (one,) = check_simulator(KIT, shlex.join(words), ["strict"], ["textbook"])
    assert one.first == f"exit code 3: {braces}"


def test_what_a_simulator_started_ends_with_its_time(tmp_path):
    script = f"sleep 7 & echo $! > {tmp_path}/child; wait"
    words = ["bash", "-c", script, "{out}"]
    (one,) = check_simulator(KIT, shlex.join(words), ["strict"], ["textbook"], timeout=0.3)
    assert one.first == "has not ended after 0.3 s"
    child = int((tmp_path / "child").read_text())
    # killed, though its parent may not have asked for its end
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or ") Z " in state.read_text()
