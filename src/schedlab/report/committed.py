"""Committed verdicts at the papers' scale, by paper, and the numbers that differ there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from schedlab.report.cards import CARD, totals, with_addresses
from schedlab.report.drift import KEY, read_expected
from schedlab.report.scoreboard import (
    COMPARISON,
    JOINT,
    counted,
    counts_by_kind,
    files_of,
    grades,
    of_the_paper,
    provenance_of,
    read_scored,
)
from schedlab.report.verdicts import (
    APART,
    COMPUTED,
    EXPLAINED,
    GRADES,
    NOT_AVAILABLE,
    SAME_RANKING,
    UNEXPLAINED,
)
from schedlab.report.words import american

#: grades of numbers that differ, those without a reason first
DIFFERENT = (UNEXPLAINED, EXPLAINED, SAME_RANKING)
#: headings of the counts of grades
HEADINGS = {grade: grade for grade in GRADES} | {NOT_AVAILABLE: "without a log"}


def read_committed(expected: str | Path, scored: Mapping[str, str | Path]) -> pd.DataFrame:
    """Return the committed verdicts in the papers' dialects, with label, kind and grade."""
    numbers, parts = read_expected(expected), []
    for paper, path in scored.items():
        sheet = read_scored(path)
        for file in files_of(sheet):
            entries, item = sheet.loc[[file]], file.removesuffix(COMPARISON)
            of_table = numbers[(numbers["paper"] == paper) & (numbers["item"] == item)]
            of_table = of_the_paper(of_table.reset_index(drop=True))
            label = entries["label"].iloc[0]
            kinds = provenance_of(of_table, entries)["kind"]
            parts.append(of_table.assign(label=label, kind=kinds))
    committed = pd.concat(parts, ignore_index=True)
    return committed.assign(grade=grades(committed))


def of_checkout(resources: Path) -> pd.DataFrame:
    """Return `read_committed` of all papers with a folder in `resources`."""
    sheets = sorted(resources.glob("*/scored.tsv"))
    return read_committed(resources / "expected.tsv", {path.parent.name: path for path in sheets})


def by_paper(committed: pd.DataFrame) -> list[dict]:
    """Count grades: computed numbers by paper and in sum, then those of other kinds, then all.

    A row has paper, numbers and the count of each of `GRADES`.
    """
    counts = {paper: counts_by_kind(rows) for paper, rows in committed.groupby("paper", sort=False)}
    rows = [(paper, kinds[COMPUTED]) for paper, kinds in counts.items()]
    rows.append(("all computed", counts_by_kind(committed)[COMPUTED]))
    rows += [
        (f"{paper}, {kind}", kinds[kind])
        for kind in APART
        for paper, kinds in counts.items()
        if kind in kinds
    ]
    rows.append(("all", counted(committed)))
    return [{"paper": name, "numbers": sum(count.values()), **count} for name, count in rows]


def differences(committed: pd.DataFrame) -> list[dict]:
    """List the numbers that differ, by paper, grade (`DIFFERENT`) and table.

    A row has paper, grade, label and cells: item and name of each number.
    """
    return [
        {"paper": paper, "grade": grade, "label": label}
        | {"cells": list(zip(of_table["item"], of_table["cell"], strict=True))}
        for paper, numbers in committed.groupby("paper", sort=False)
        for grade in DIFFERENT
        for label, of_table in numbers[numbers["grade"] == grade].groupby("label", sort=False)
    ]


def with_cards(listed: list[dict], board: pd.DataFrame) -> list[dict]:
    """Return `differences` with links: name and address of the card on a scoreboard, if any."""
    cards = {
        (paper, item, cell): f"{paper}/{page}.html#{card}"
        for paper, item, cell, page, card in with_addresses(board)[[*KEY, "page", CARD]].values
    }
    return [
        entry
        | {
            "links": [
                (american(cell).replace(JOINT, " · "), cards.get((entry["paper"], item, cell), ""))
                for item, cell in entry["cells"]
            ]
        }
        for entry in listed
    ]


def as_markdown(committed: pd.DataFrame) -> str:
    """Return the totals in words and the table of `by_paper` in Markdown."""
    computed, *apart = totals(committed).values()
    table = pd.DataFrame(by_paper(committed)).rename(columns=HEADINGS)
    sentences = [computed, *(f"Apart from these, {sentence}" for sentence in apart)]
    return "\n".join(sentences) + f"\n\n{table.to_markdown(index=False)}"


def differences_as_markdown(committed: pd.DataFrame) -> str:
    """Return every number that differs in Markdown, with links to the pages of the papers."""
    return "\n".join(
        f"- [{entry['paper']}]({entry['paper']}.md#verdicts), {entry['label']}, "
        f"{len(entry['cells'])} {entry['grade']}: "
        f"{'; '.join(american(cell).replace(JOINT, ', ') for _, cell in entry['cells'])}."
        for entry in differences(committed)
    )
