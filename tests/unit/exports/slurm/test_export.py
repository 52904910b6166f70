"""The files that a policy is exported to, and their headers."""

import pytest

from schedlab.exports.slurm import MEANS, slurm_export
from schedlab.exports.slurm.export import CONF, LUA, SCRIPT
from schedlab.policies import REGISTRY, ExpressionError, Policy
from schedlab.policies.mixed import mixed_policy

WEIGHTS = {"fcfs", "sqf", "lqf", "srf", "lrf"}
MOVING = {"wfp3", "unicef", "lexp", "sexp"}


@pytest.mark.parametrize("name", REGISTRY)
def test_every_registered_policy_is_exported_by_its_mechanism(name):
    export = slurm_export(name, processors=256)
    expected = "weights" if name in WEIGHTS else "script" if name in MOVING else "submit"
    assert export.means == expected
    files = {"weights": {CONF}, "submit": {CONF, LUA}, "script": {CONF, SCRIPT}}
    assert set(export.files) == files[expected]
    assert export.says in " ".join(export.files[CONF].replace("\n# ", " ").split()) or (
        expected != "weights"
    )
    assert len(export.steps) >= 4
    steps = " ".join(export.steps)
    for name in ("PriorityFlags", "INCR_ONLY", "PriorityTier", "fair share", "QOS"):
        assert name in steps
    assert ("add lua to JobSubmitPlugins" in steps) is (expected == "submit")


@pytest.mark.parametrize(
    ("weights", "scales", "means"),
    [
        ([0.5, 0, 0.5], [4, 1, 600], "weights"),
        ([-0.5, 0, 0.5], [4, 1, 600], "weights"),
        ([0, 0, 1], [4, 1, 600], "weights"),
        ([0.5, 0, -0.5], [4, 1, 600], "submit"),
        ([0.25, 0.25, 0.5], [4, 300, 600], "submit"),
        ([0.25, 0.25, 0.25, 0.25, 0, 0], [4, 300, 600, 9, 1, 1], "submit"),
        ([0.25, 0, 0.25, 0, 0.5, 0], [4, 300, 600, 9, 1, 1], "script"),
    ],
)
def test_mixed_policies(weights, scales, means):
    policy = mixed_policy(weights, scales)
    export = slurm_export(policy, processors=256)
    assert export.means == means
    assert export.policy is policy
    assert slurm_export(policy.expression, processors=256).files == export.files or (
        policy.label != policy.expression
    )


def test_lines_are_without_comments():
    export = slurm_export("f1", processors=256)
    assert export.lines[0] == "PriorityType=priority/multifactor"
    assert export.lines[-1] == "JobSubmitPlugins=lua"
    assert all("=" in line and not line.startswith("#") for line in export.lines)
    assert export.files[CONF].startswith("# F1, smallest score first: ")


def test_file_headers_state_the_limits_of_the_order():
    assert (
        "until 2036-"
        in slurm_export("fcfs", processors=4, means="submit", origin=1_780_000_000).files[LUA]
    )
    assert "bends in s" in slurm_export("f1", processors=4).files[LUA]
    assert "bends in s" not in slurm_export("lcfs", processors=4).files[LUA]
    assert "are kept apart until" not in slurm_export("saf", processors=4).files[LUA]
    assert (
        "ORIGIN = 1767225600 -- 2026-01-01 00:00:00 UTC"
        in slurm_export("f1", processors=4).files[LUA]
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"processors": 0}, "processors are 0"),
        ({"processors": 1, "longest": 59}, "longest time limit is 59 s"),
        ({"processors": 1, "origin": -1}, "origin is -1"),
        ({"processors": 1, "means": "magic"}, "unknown means 'magic'; one of weights, submit"),
        (
            {"processors": 1, "means": "weights"},
            "'wfp3' cannot be expressed by lines of slurm.conf",
        ),
        ({"processors": 1, "means": "submit"}, "its order moves while jobs wait"),
        ({"processors": 1, "points": 0}, "points are 0, must be from 1 to 2147483644"),
        ({"processors": 1, "points": 2**31 - 3}, "points are 2147483645, must be"),
        ({"processors": 1, "points": 5, "means": "submit"}, "points are added by a script"),
    ],
)
def test_invalid_settings_are_rejected(settings, words):
    with pytest.raises(ValueError, match=words):
        slurm_export("wfp3", **settings)


def test_bounds_of_settings():
    assert slurm_export("f1", processors=1, longest=120, origin=0).means == "submit"
    for points in (1, 2**31 - 4):
        assert slurm_export("f1", processors=1, points=points).means == "script"


def test_points_leave_the_weights_of_the_site_alone():
    export = slurm_export("f1", processors=4, points=500)
    assert (export.lines, export.exact) == ((), False)
    assert "has 500 more points of priority" in export.says
    assert not any("Include" in step for step in export.steps)
    alone = slurm_export("f1", processors=4, means="script")
    assert "PriorityWeightFairshare=0" in alone.lines


def test_unknown_policy_is_rejected():
    with pytest.raises(ExpressionError, match="did you mean"):
        slurm_export("wfp4", processors=4)


@pytest.mark.parametrize("means", MEANS)
def test_comments_contain_no_code_that_runs(means):
    expression = '(n\n  # """\n  # --]] os.exit()\n)'
    export = slurm_export(Policy('"""\nos.exit()', '"""\nos.exit()', expression), processors=4)
    assert all('# "' not in text for text in export.files.values())
    for name, text in slurm_export(expression, processors=4, means=means).files.items():
        assert "os.exit" not in text, name
        if name == SCRIPT:
            compile(text, name, "exec")
    text = slurm_export(Policy("x", '"""\nos.exit()', "w / r"), processors=4).files[SCRIPT]
    compile(text, SCRIPT, "exec")
    assert "\nos.exit" not in text
    text = slurm_export('w / r # """ os.exit()', processors=4).files[SCRIPT]
    compile(text, SCRIPT, "exec")
    assert "os.exit" not in text
