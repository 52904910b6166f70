"""Targets with a typing error; invalid ones and invalid settings end the workflow."""

import sys

import pytest

from schedlab.files.config import ConfigError
from schedlab.flow.submission import SubmissionError
from schedlab.flow.targets import TargetError, check_targets, without_stack

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


def message_of(error):
    """Return the message that the program ends with."""
    with pytest.raises(SystemExit) as stopped, without_stack():
        raise error
    return stopped.value.code


@pytest.mark.parametrize("kind", [ConfigError, SubmissionError, TargetError])
def test_each_line_of_an_error_is_marked(kind):
    assert message_of(kind("a.yaml: key\nb.yaml: key")) == (
        "Error: a.yaml: key\nError: b.yaml: key"
    )


def test_long_message_wraps_on_a_terminal_only(monkeypatch):
    error = ConfigError("/a/long-path-of/mine.yaml: key 'site': unknown key 'processor'")
    monkeypatch.setenv("COLUMNS", "40")
    assert message_of(error) == f"Error: {error}"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert message_of(error) == (
        "Error: /a/long-path-of/mine.yaml: key\n  'site': unknown key 'processor'"
    )


def test_other_errors_keep_their_stack():
    with pytest.raises(ValueError, match="own mistake"), without_stack():
        raise ValueError("own mistake")
