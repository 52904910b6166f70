"""Number cards: every published number with an anchor, and what a reader needs to check it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from schedlab.report.cells import WORDS, like
from schedlab.report.scoreboard import JOINT, counted, counts_by_kind, grades, of_the_paper
from schedlab.report.tables import show
from schedlab.report.verdicts import (
    APART,
    CONSISTENT,
    EXPLAINED,
    MATCH,
    NOT_AVAILABLE,
    REPRODUCED,
    SAME_RANKING,
    UNEXPLAINED,
)
from schedlab.report.words import american

#: numbers on one page of cards, which is then shorter than 6,000 pixels
CARDS = 56
#: key of a comparison's rows: the anchor of the number's card
CARD = "card"
#: name of the page that lists the tables and the numbers that differ
INDEX = "numbers"


def card_ids(item: str, cells: Iterable[str]) -> list[str]:
    """Return the anchors of a table's numbers from their names, in their order.

    >>> card_ids("table4", ["CTC SP2, r | F1", "w* | F1", "w | F1"])
    ['n-table4-ctc-sp2-r-f1', 'n-table4-w-f1', 'n-table4-w-f1-2']
    """
    seen: Counter[str] = Counter()
    ids = []
    for name in cells:
        anchor = f"n-{item}-{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-')}"
        seen[anchor] += 1
        ids.append(anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}")
    return ids


def page_names(item: str, count: int) -> list[str]:
    """Return the page of cards of each of a table's numbers.

    >>> sorted(set(page_names("table1", 81)))
    ['numbers-table1', 'numbers-table1-2']
    """
    pages = (number // CARDS for number in range(count))
    return [f"{INDEX}-{item}" + (f"-{page + 1}" if page else "") for page in pages]


def with_addresses(board: pd.DataFrame) -> pd.DataFrame:
    """Return a scoreboard with the columns `CARD` and page: anchor and page of every card."""
    parts = []
    for (_, item), own in board.groupby(["paper", "item"], sort=False):
        pages = page_names(item, len(own))
        parts.append(own.assign(**{CARD: card_ids(item, own["cell"]), "page": pages}))
    return pd.concat(parts) if parts else board.assign(**{CARD: "", "page": ""})


def link_cards(frames: Mapping[str, pd.DataFrame], board: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return a page's tables with a column `CARD` in the comparisons of a scoreboard.

    `board` has the rows of one paper. Only numbers in the dialect of the paper have a card; the
    anchor of the others is empty.
    """
    linked = dict(frames)
    for file, numbers in with_addresses(board).groupby("file", sort=False):
        item = file.removesuffix(".csv")
        if item in frames:
            own = of_the_paper(frames[item]).index
            anchors = pd.Series(numbers[CARD].to_numpy(), own)
            linked[item] = frames[item].assign(
                **{CARD: anchors.reindex(frames[item].index, fill_value="")}
            )
    return linked


def spots_of(numbers: Iterable[Sequence], board: pd.DataFrame) -> list[dict]:
    """Return the links of a figure to the cards of the published numbers that it marks.

    A spot has card, label, item, style (place in the figure) and table, the name of the table of
    its number. Numbers that the board of the paper lacks have none.
    """
    cards = {
        f"{number.item}{JOINT}{number.cell}": number
        for number in with_addresses(board).itertuples()
    }
    return [
        {
            CARD: number.card,
            "item": number.item,
            "table": number.label,
            "label": f"{number.label}, {_shown(number.cell)}: {number.published}",
            "style": f"left: {left}%; top: {top}%; width: {width}%; height: {height}%",
        }
        for name, left, top, width, height in numbers
        if (number := cards.get(name))
    ]


def figures_by_card(figures: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the figures that mark a number, by its card; each figure has spots of `spots_of`."""
    by_card: dict[str, list[Mapping[str, Any]]] = {}
    for drawn in figures:
        for card in dict.fromkeys(spot[CARD] for spot in drawn.get("spots", ())):
            by_card.setdefault(card, []).append(drawn)
    return by_card


def tables_of(
    board: pd.DataFrame,
    frames: Mapping[str, pd.DataFrame] | None = None,
    sheet: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[dict]:
    """Return the tables of a paper with a card per number, from its rows of a scoreboard.

    `frames` are the comparisons by item, every cell as text: intervals are from their columns low
    and high. `sheet` has by file the sheet rows behind a table: dicts of experiment, label,
    dialect and line. `names` are from `schedlab.report.items.Study.names`.

    A table has label, item, file, command, minutes (None: unknown), bases (what its numbers come
    from: how many of them), counts, sheet and cards. A card has card, page, cell, published,
    computed, interval, difference, grade, kind, basis, reason, rows, the sheet rows with a label
    that is part of the number's name, and ran, the model that ran in the place of its data (empty:
    none).
    """
    tables, names = [], names or {}
    board = board.replace({"basis": names, "reason": names}) if names else board
    for _, own in with_addresses(board).groupby(["paper", "file"], sort=False):
        first = own.iloc[0]
        item = first["file"].removesuffix(".csv")
        frame = of_the_paper(frames[item]) if frames and item in frames else None
        rows = (sheet or {}).get(item, ())
        intervals = _intervals(frame, own) if frame is not None else [""] * len(own)
        dialect = "" if frame is None or "dialect" not in frame else frame["dialect"].iloc[0]
        cards = [
            {
                CARD: number.card,
                "page": number.page,
                "cell": _shown(number.cell),
                "published": number.published,
                "computed": like(number.computed, number.published),
                "interval": interval,
                "difference": difference_of(number),
                "grade": grade,
                "kind": number.kind,
                "basis": number.basis,
                "reason": number.reason,
                "rows": _rows_of(number.cell, dialect, rows),
                "ran": next((names[key] for key in number.cell.split(JOINT) if key in names), ""),
            }
            for number, grade, interval in zip(
                own.itertuples(), grades(own), intervals, strict=True
            )
        ]
        heading = {name: first[name] for name in ("label", "item", "file", "command")}
        heading["bases"] = dict(Counter(own["basis"]))
        minutes = None if pd.isna(first["minutes"]) else float(first["minutes"])
        numbers = {"minutes": minutes, "counts": counted(own), "sheet": rows, "cards": cards}
        tables.append(heading | numbers)
    return tables


def _intervals(frame: pd.DataFrame, own: pd.DataFrame) -> list[str]:
    """Return the interval of every number as text; empty without one."""
    if not {"low", "high"} <= set(frame):
        return [""] * len(own)
    ends = zip(frame["low"], frame["high"], own["published"], strict=True)
    return [
        f"{like(low, printed)} to {like(high, printed)}"
        if WORDS.get(low, low) not in ("", "–")
        else ""
        for low, high, printed in ends
    ]


def _shown(cell: str) -> str:
    """Return the name of a number as pages write it."""
    return american(cell).replace(JOINT, " · ")


def _rows_of(name: str, dialect: str, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the experiments with a label that is part of a number's name."""
    keys = name.split(JOINT)
    return [
        row["experiment"]
        for row in rows
        if row["label"] in keys and dialect in ("", row.get("dialect", ""))
    ]


def difference_of(number) -> str:
    """Return the difference of a number: in per cent, or absolute if the published number is 0."""
    if not pd.isna(number.relative):
        return _signed(100 * number.relative, " %")
    return "" if pd.isna(number.difference) else _signed(number.difference, "")


def _signed(value: float, unit: str) -> str:
    """Write a difference with its sign; write no sign if it rounds to zero."""
    text = show(abs(value), 1 if abs(value) < 99.95 else 0)
    return f"{'+' if value > 0 else '−'}{text}{unit}" if float(text) else f"0{unit}"


def sentence_to_cite(
    card: Mapping[str, Any], label: str, paper: Mapping[str, Any], version: str
) -> str:
    """Return a sentence that cites a number; empty if the number was not computed.

    `card` and `label` (of its table) are from `tables_of`; `paper` has title, authors and venue;
    `version` is that of schedlab.

    >>> card = {"cell": "CTC · F1", "published": "5.2", "computed": "5.25", "interval": ""}
    >>> paper = {"title": "On Queues", "authors": "A. Erlang", "venue": "JSSPP 1995"}
    >>> sentence_to_cite(card | {"kind": "reproduced"}, "Table 4", paper, "1.0")[:56]
    'schedlab 1.0 computes 5.25 for CTC · F1 in Table 4 of “O'
    """
    if not card["kind"]:
        return ""
    notes = [f"95 % interval {card['interval']}"] if card["interval"] else []
    notes += [card["kind"]] if card["kind"] != REPRODUCED else []
    computed = card["computed"] + (f" ({', '.join(notes)})" if notes else "")
    place = "the text" if label == "Text" else label
    source = f"“{paper['title']}” ({paper['authors']}, {paper['venue']})"
    return (
        f"schedlab {version} computes {computed} for {card['cell']} in {place} of {source}; "
        f"the paper has {card['published']}."
    )


def checked(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts of grades without the numbers that were not compared."""
    return {grade: count for grade, count in counts.items() if grade != NOT_AVAILABLE}


def total(counts: Mapping[str, int], of: str = "computed numbers") -> str:
    """Return in one sentence how many numbers match, and what is with the others.

    `counts` are those of `schedlab.report.scoreboard.counted`, `of` says what was counted.

    >>> total({"match": 147, "explained": 11, "unexplained": 2, "log not available": 832})
    '147 of 160 computed numbers match; 13 differ, 11 explained.'
    >>> total({"log not available": 3})
    'No computed number can be checked in this run.'
    """
    checkable = sum(checked(counts).values())
    if not checkable:
        return "No computed number can be checked in this run."
    parts = [f"{counts.get(MATCH, 0):,} of {checkable:,} {of} match"]
    if count := counts.get(CONSISTENT, 0):
        parts.append(f"{count:,} {'is' if count == 1 else 'are'} consistent")
    if count := counts.get(SAME_RANKING, 0):
        parts.append(f"{count:,} {'has' if count == 1 else 'have'} the same ranking")
    explained = counts.get(EXPLAINED, 0)
    if differ := explained + counts.get(UNEXPLAINED, 0):
        known = f"{explained:,} explained" if explained else "not explained"
        parts.append(f"{differ:,} differ{'s' if differ == 1 else ''}, {known}")
    return "; ".join(parts) + "."


def totals(board: pd.DataFrame) -> dict[str, str]:
    """Return `total` of the computed numbers of a scoreboard, and apart that of each other kind."""
    return {
        kind: total(counts, APART.get(kind, "computed numbers"))
        for kind, counts in counts_by_kind(board).items()
    }
