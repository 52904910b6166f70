"""Targets with a typing error, and folders without a configuration."""

import pytest

from schedlab.flow.targets import TargetError, check_targets

NAMES = ["all", "carastan2017", "legrand2018"]
FILES = ["results/figures/table4.csv", "results/figures/carastan2017/fig7.pdf"]


def is_made(path):
    """Stand in for rules: anything under results/traces, with any wildcards."""
    return path in FILES or path.startswith("results/traces/")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("result/figures/table4.csv", "results/figures/table4.csv"),
        ("results/figures/carastan2017/fig7.pfd", "results/figures/carastan2017/fig7.pdf"),
        ("/home/me/schedlab/results/figures/table4.csv", "results/figures/table4.csv"),
        ("table4.csv", "results/figures/table4.csv"),
        ("carastan2071", "carastan2017"),
    ],
)
def test_typing_error_names_the_nearest(asked, nearest):
    with pytest.raises(TargetError, match=f"nothing makes '{asked}'; did you mean '{nearest}'"):
        check_targets([asked], NAMES, lambda: FILES, is_made)


def test_targets_of_rules_are_accepted_in_any_spelling():
    check_targets(
        ["all", "./results/figures/table4.csv", "results/traces/raw/any.swf"],
        NAMES,
        lambda: FILES,
        is_made,
    )


def test_every_unknown_target_has_its_line():
    with pytest.raises(TargetError) as error:
        check_targets(["al", "all", "qqqqqq"], NAMES, lambda: FILES, is_made)
    first, second = str(error.value).splitlines()
    assert "did you mean 'all'?" in first
    assert "snakemake --list-target-rules" in second
