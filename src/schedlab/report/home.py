"""The first page: what holds in total and of each paper, the scoreboard, findings and claims."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from schedlab.files.io import about
from schedlab.report.cards import checked, tables_of, totals
from schedlab.report.committed import HEADINGS, by_paper, differences, read_committed, with_cards
from schedlab.report.comparison import UNEXPLAINED
from schedlab.report.pages import figure_of, log_context, run_context, write_page
from schedlab.report.scoreboard import YES, computed_numbers, counted, grades, read_board
from schedlab.report.story import RESULTS, Story
from schedlab.report.verdicts import GRADES, KINDS, NOT_AVAILABLE, meaning_of


def render_home(
    template: str | Path,
    papers: Mapping[str, Mapping],
    scoreboard: str | Path,
    expected: str | Path,
    scored: Mapping[str, str | Path],
    facts: str | Path,
    stories: Mapping[str, Story],
    thumbnails: Mapping[str, str | Path],
    fetched: Iterable[str | Path],
    computed: Iterable[str | Path],
    config: Mapping,
    html: str | Path,
) -> None:
    """Fill the template of the first page, which links to the papers' pages, and write it."""
    board, committed = read_board(scoreboard), read_committed(expected, scored)
    paper_entries = [
        paper
        | {"key": key, "story": stories.get(key, Story())}
        | {"figure": figure_of(Path(thumbnails[key]), "") if key in thumbnails else None}
        | page_numbers(board[board["paper"] == key], paper.get("names", {}))
        for key, paper in papers.items()
    ]
    counts = counted(computed_numbers(board))
    context = {
        "papers": paper_entries,
        "linked": next((paper.get("linked", {}) for paper in papers.values()), {}),
        "totals": totals(board),
        "committed": by_paper(committed),
        "committed_totals": totals(committed),
        "committed_headings": HEADINGS,
        "differences": with_cards(differences(committed), board),
        "unchecked": counts[NOT_AVAILABLE],
        "checked": checked(counts),
        "kinds": KINDS,
        "kind_counts": {kind: int((board["kind"] == kind).sum()) for kind in KINDS},
        "results": RESULTS,
        "meanings": {grade: meaning_of(grade) for grade in GRADES},
        "open": unexplained_in(board),
        "numbers": len(board),
        "facts": json.loads(Path(facts).read_text(encoding="utf-8")),
        "versions": made_by(computed),
    }
    write_page(template, context | log_context(fetched) | run_context(config), html)


def page_numbers(board: pd.DataFrame, names: Mapping[str, str] | None = None) -> dict:
    """Return what the first page shows of a paper's numbers, from its rows of a scoreboard."""
    main = board[board["headline"] == YES]
    kinds, counts = Counter(board["kind"]), counted(computed_numbers(main))
    return {
        "counts": counts,
        "checked": checked(counts),
        "all": counted(board),
        "totals": totals(main),
        "headlines": list(dict.fromkeys(main["label"])),
        "kinds": {kind: kinds[kind] for kind in KINDS},
        "tables": tables_of(board, names=names),
    }


def unexplained_in(board: pd.DataFrame) -> list[dict]:
    """List the tables with unexplained differences, most differences first.

    Keys: paper, label, count, of (numbers of the table), known (the most frequent partial reason;
    empty if there is none).
    """
    odd = grades(board) == UNEXPLAINED
    tables = []
    for (paper, label), numbers in board[odd].groupby(["paper", "label"], sort=False):
        reasons = numbers["reason"].str.removeprefix(UNEXPLAINED).str.removeprefix(":").str.strip()
        common_reasons = Counter(filter(None, reasons)).most_common(1)
        of = int(((board["paper"] == paper) & (board["label"] == label)).sum())
        tables.append(
            {"paper": paper, "label": label, "count": len(numbers), "of": of}
            | {"known": common_reasons[0][0] if common_reasons else ""}
        )
    return sorted(tables, key=lambda entry: -entry["count"])


def made_by(computed: Iterable[str | Path]) -> dict[str, str]:
    """Return the versions that results were computed with, as their jobs recorded them.

    Several are joined by "and", if results of several versions are combined.
    """
    versions: dict[str, dict[str, None]] = {}
    for path in computed:
        for name, recorded in about(path).items():
            versions.setdefault(name, {})[recorded] = None
    return {name: " and ".join(recorded) for name, recorded in versions.items()}
