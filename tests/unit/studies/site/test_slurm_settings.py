"""The Slurm settings that a site is given."""

import re
import shlex

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.exports.slurm import ORIGIN
from schedlab.files.programs import program
from schedlab.studies.site.slurm_settings import STAYS, expression_of, slurm_condition, slurm_lines

LEARNED = {"l1": "r * n", "mine": "n"}


def lines(*names):
    return slurm_lines(list(names), LEARNED, "0.5 * r", 64, 86_400)


def test_first_order_that_slurm_can_express_is_written():
    text = lines("easy_pp", "plan_rs", "conservative", "sqf", "spf")
    assert text.startswith("# Slurm cannot run EASY++: it plans with predicted")
    assert "# Slurm cannot run Plan-RS" in text
    assert "# Slurm cannot run Conservative" in text
    assert "# SQF, by " in text
    assert "# SPF, by " not in text
    assert "PriorityType=priority/multifactor" in text


def test_no_settings_are_written_if_easy_stays():
    assert lines() == f"# {STAYS}"
    text = lines("plan_rs")
    assert text.startswith("# Slurm cannot run Plan-RS")
    assert text.endswith(f"# {STAYS}")
    assert "----" not in lines("plan_rs")


@pytest.mark.parametrize(("origin", "told"), [(1_779_926_400, 1_779_926_400), (None, ORIGIN)])
def test_origin_is_the_end_of_the_log_and_the_renewal_command_is_shown(origin, told):
    text = slurm_lines(["f1"], {}, "", 64, 86_400, origin)
    assert f"ORIGIN = {told} " in text
    assert f"#   {program('schedlab')} export-slurm --processors 64 --longest 14d -- f1\n" in text
    # weights of Slurm's own factors have no origin
    assert "export-slurm --processors" not in slurm_lines(["sqf"], {}, "", 64, 86_400, origin)


def test_printed_command_gives_the_same_file():
    own = "-0.5 * r + 870 * log10(s)"
    text = slurm_lines(["mine"], {"mine": own}, "", 64, 86_400, 1_779_926_400)
    command = re.search(r"^#   \S*schedlab export-slurm (--processors.*)$", text, re.MULTILINE)[1]
    run = CliRunner().invoke(app, ["export-slurm", "--origin", "2026-05-28", *shlex.split(command)])
    assert run.exit_code == 0, run.output
    assert text.split("job_submit.lua ----\n")[1] in run.output


@pytest.mark.parametrize(
    ("name", "policy"), [("l1", "r * n"), ("mine", "n"), ("w_train", "0.5 * r")]
)
def test_learned_and_user_policies_have_their_expressions(name, policy):
    assert expression_of(name, LEARNED, "0.5 * r") == (policy, "")


def test_every_scheduler_of_the_arena_has_slurm_lines():
    for name, one in SCHEDULERS.items():
        assert one.label in slurm_lines([name], LEARNED, "0.5 * r", 64, 86_400).replace("\n# ", " ")


def test_separate_backfilling_order_is_reported_as_lost():
    assert "in the order of priorities and not, as it was simulated, in another one" in lines(
        "easy_sjbf"
    )
    assert "in another one" not in lines("sqf")


def test_slurm_runs_orders_of_its_queue_and_nothing_else():
    names = [*SCHEDULERS, "mine", "unknown", "function"]
    learned = LEARNED | {"function": "mine.py:area"}
    reasons = slurm_condition(names, learned, "0.5 * r").reasons
    assert reasons["plan_rs"] == "Slurm cannot run it: it plans all jobs at once"
    assert reasons["unknown"] == "Slurm cannot run it: its order is unknown"
    assert reasons["function"] == "Slurm cannot run it: it is a Python function"
    assert {"sqf", "l1", "mine", "w_train", "fcfs", "saf_2d", "saf_age"}.isdisjoint(reasons)
    assert {"easy_pp", "conservative", "orig_bf"} <= set(reasons)
    assert "w_train" in slurm_condition(names, learned, weights="").reasons


@pytest.mark.parametrize("name", ["sqf", "f1", "saf_2d"])
def test_points_are_the_first_offer_and_then_fair_share_is_said_to_end(name):
    text = lines(name)
    points = text.index("schedlab export-slurm --points 10000 --out slurm --processors 64")
    ends = text.index("This ends fair share and QOS")
    assert points < ends < text.index("# ---- slurm-priority.conf ----")


def test_printed_command_with_points_changes_no_weight():
    command = re.search(r"^#   \S*schedlab export-slurm (--points.*)$", lines("f1"), re.MULTILINE)[
        1
    ]
    run = CliRunner().invoke(
        app, ["export-slurm", *shlex.split(command.replace("--out slurm", ""))]
    )
    assert run.exit_code == 0, run.output
    assert "PriorityWeight" not in run.output.partition("next:")[0]
