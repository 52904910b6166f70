"""Large parameters of rules are printed as a digest and keep their values."""

import inspect
import pickle
import re

import pytest

from schedlab.flow.parameters import LONGEST, with_short_text


def as_computed(value):
    """A parameter as Snakemake has it of a function of wildcards."""
    return with_short_text(lambda wildcards: value)("wildcards")


ROWS = [{"experiment": f"e{number}", "tau": 10.0} for number in range(50)]


@pytest.mark.parametrize("value", [ROWS, {"rows": ROWS}], ids=["list", "dict"])
def test_a_large_value_equals_itself_and_has_a_short_text(value):
    short = as_computed(value)
    assert short == value
    assert len(repr(short)) < 60
    assert re.search(f"of {len(value)}, digest [0-9a-f]{{16}}>$", repr(short))


def test_changed_cell_changes_the_text_and_an_equal_value_does_not():
    text = repr(as_computed(ROWS))
    assert repr(as_computed([dict(row) for row in ROWS])) == text
    assert repr(as_computed([*ROWS[:-1], ROWS[-1] | {"tau": 60.0}])) != text


def test_scripts_get_the_plain_value():
    value = pickle.loads(pickle.dumps(with_short_text({"rows": ROWS})))
    assert type(value) is dict
    assert value == {"rows": ROWS}


@pytest.mark.parametrize("value", [{"tau": 10}, [1, 2], "x" * 999, None, (1,) * LONGEST])
def test_short_values_and_other_types_are_unchanged(value):
    assert with_short_text(value) is value


def test_a_list_of_a_rule_becomes_a_function_for_snakemake_copies_lists():
    short = with_short_text(ROWS)
    assert list(inspect.signature(short).parameters) == ["wildcards"]
    assert short("w") == ROWS
    assert len(repr(short("w"))) < 60


def test_a_list_of_strings_stays_for_they_may_name_wildcards():
    paths = ["results/{log}.parquet"] * 50
    assert with_short_text(paths) is paths


def test_a_function_keeps_its_signature_by_which_snakemake_calls_it():
    def rows(wildcards, input):
        return ROWS

    short = with_short_text(rows)
    assert inspect.signature(short) == inspect.signature(rows)
    assert len(repr(short("w", input="i"))) < 60
