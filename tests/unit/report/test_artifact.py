"""The page for artifact evaluation."""

import pandas as pd
import pytest

from schedlab.report.artifact import artifact_page, minutes_by_stage, scope_of
from schedlab.report.minutes import Made

FACTS = {
    "commit": "abc",
    "command": "snakemake",
    "machine": "2 cores",
    "scale": "quick",
    "results": "results/quick",
}


def numbers(*verdicts, label="Table 1"):
    return pd.DataFrame(
        {
            "paper": "p",
            "label": label,
            "file": "table1.csv",
            "verdict": verdicts,
            "explained": ["no" if verdict == "differs" else "" for verdict in verdicts],
        }
    )


def test_each_table_has_expected_and_computed_verdicts(root):
    page = artifact_page(
        root / "workflow/report/artifact.md.j2",
        {"p": {"title": "A paper", "venue": "SC", "scope": "- **Easy**: all."}},
        pd.concat([numbers("match", "differs"), numbers("match", label="Text")]),
        numbers("match", "match"),
        {"p": {"set-up": 0.5, "execution": 12.25, "analysis": 0.0}},
        FACTS,
    )
    assert "| p | Table 1 | `table1.csv` | 2 match | 1 match, 1 unexplained |\n" in page
    assert "| p | Text | `table1.csv` | none | 1 match |\n" in page
    assert "| p | 0.5 | 12.2 | 0.0 |\n" in page
    assert "## p: scope, and what was difficult\n\n- **Easy**: all.\n" in page


def test_a_job_that_made_two_files_counts_once():
    shared = Made("shared", [], [60.0], "simulate", "queue/simulate_experiment.py")
    records = {
        "a": Made("a", ["s"], [30.0], "make", "make_items.py"),
        "b": Made("b", ["s", "t"], [], "make", "report/render_page.py"),
        "s": shared,
        "t": shared,
    }
    assert minutes_by_stage(["a", "b"], records.get) == {
        "set-up": 0.0,
        "execution": 1.0,
        "analysis": 0.5,
    }


@pytest.mark.parametrize("paper", ["carastan2017", "legrand2018", "kellari2025", "souza2020"])
def test_scope_is_that_of_the_documentation(root, paper):
    scope = scope_of(root / f"docs/papers/{paper}.md")
    assert scope.startswith("- **Scope**: ")
    assert "- **Difficult**: " in scope
    assert "## " not in scope


def test_a_workflow_without_documentation_has_no_scope(tmp_path):
    assert scope_of(None) == ""
    (tmp_path / "page.md").write_text("# A paper\n")
    assert scope_of(tmp_path / "page.md") == ""
