"""The Slurm settings that a site is given."""

import re
import shlex

import pytest
from typer.testing import CliRunner

from schedlab.cli import app
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.exports.slurm import ORIGIN
from schedlab.studies.site.slurm_settings import STAYS, expression_of, runnable, slurm_lines

LEARNED = {"l1": "r * n", "mine": "n"}


def lines(*names):
    return slurm_lines(list(names), LEARNED, "0.5 * r", 64, 86_400)


def test_first_order_that_slurm_can_express_is_written():
    text = lines("easy_pp", "plan_rs", "conservative", "sqf", "spf")
    assert text.startswith("# Slurm cannot express EASY++: it plans with predicted")
    assert "# Slurm cannot express Plan-RS" in text
    assert "# Slurm cannot express Conservative" in text
    assert "# SQF, by " in text
    assert "# SPF, by " not in text
    assert "PriorityType=priority/multifactor" in text


def test_no_settings_are_written_if_easy_stays():
    assert lines() == f"# {STAYS}"
    text = lines("plan_rs")
    assert text.startswith("# Slurm cannot express Plan-RS")
    assert text.endswith(f"# {STAYS}")
    assert "----" not in lines("plan_rs")


@pytest.mark.parametrize(("origin", "told"), [(1_779_926_400, 1_779_926_400), (None, ORIGIN)])
def test_origin_is_the_end_of_the_log_and_the_renewal_command_is_shown(origin, told):
    text = slurm_lines(["f1"], {}, "", 64, 86_400, origin)
    assert f"ORIGIN = {told} " in text
    assert "#   schedlab export-slurm --processors 64 --longest 14d -- f1\n" in text
    # weights of Slurm's own factors have no origin
    assert "#   schedlab export-slurm" not in slurm_lines(["sqf"], {}, "", 64, 86_400, origin)


def test_printed_command_gives_the_same_file():
    own = "-0.5 * r + 870 * log10(s)"
    text = slurm_lines(["mine"], {"mine": own}, "", 64, 86_400, 1_779_926_400)
    command = re.search(r"^#   schedlab export-slurm (.*)$", text, re.MULTILINE)[1]
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


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (["easy_pp", "plan_rs", "sqf", "spf"], "sqf"),
        (["w_train", "sqf"], "sqf"),
        (["l1", "sqf"], "l1"),
        (["easy_pp", "unknown"], None),
        ([], None),
    ],
)
def test_the_first_candidate_that_slurm_can_run_is_found(names, first):
    assert runnable(names, LEARNED, weights="") == first
