"""Ledger of an import: the fate of every line of an `sacct` dump.

It has the columns of the cleaning ledger (`schedlab.traces.cleaning`) and two more: the number of
the line and its fate.
"""

from dataclasses import dataclass, field

import pandas as pd

from schedlab.traces.cleaning import LEDGER_DTYPES

IMPORTED, CHANGED, DROPPED = "imported", "changed", "dropped"
#: before and after are texts here: from the dump, or whole numbers
DTYPES = LEDGER_DTYPES | {"before": "str", "after": "str", "line": "int64", "fate": "str"}


@dataclass(frozen=True)
class ImportRule:
    """Rule by which a line is dropped, or a field differs from the dump.

    If it `drops` lines, `loses` states whether their data are lost; data that are also on another
    line are not. Other rules change fields of jobs.
    """

    name: str
    description: str
    drops: bool = False
    loses: bool = False


RULES = {
    rule.name: rule
    for rule in (
        ImportRule("name_break", "the rest of a job name that holds a line break", drops=True),
        ImportRule("step", "a step of a job that has its own line", drops=True),
        ImportRule("line_repeated", "says what an earlier line says", drops=True),
        ImportRule("het_component", "counted in the first component of its job", drops=True),
        ImportRule("not_ended", "still waits or runs, or its end is unknown", True, True),
        ImportRule("requeued", "a run that was broken off, and its job put back", True, True),
        ImportRule("run_again", "broken off by the system; its job has a later line", True, True),
        ImportRule("resized", "the part of a job before its size was changed", True, True),
        ImportRule("revoked", "ran on another cluster of a federation", True, True),
        ImportRule("array_unstarted", "tasks of an array, none of which started", True, True),
        ImportRule("submit_unknown", "its submit time is unknown", True, True),
        ImportRule("time_ambiguous", "a local time that comes twice"),
        ImportRule("time_nonexistent", "a local time that never comes, moved to the gap's end"),
        ImportRule("eligible", "comes when it may start, not when it was submitted"),
        ImportRule("eligible_late", "started before it was eligible; comes when submitted"),
        ImportRule("start_early", "started before it was submitted; comes when started"),
        ImportRule("het_whole", "processors, limit and run time are of all components"),
        ImportRule("procs_requested", "ran, its processors are not recorded: as many as requested"),
        ImportRule("runtime_between", "run time not recorded: the time between start and end"),
        ImportRule("runtime_unknown", "run time not recorded, nor are start and end"),
        ImportRule("limit_partition", "no limit of its own: that of its partition"),
        ImportRule("limit_default", "no limit of its own, none of its partition: the default"),
        ImportRule("limit_unknown", "no time limit"),
        ImportRule("state_unknown", "a state that is not known: status -1"),
        ImportRule("number_given", "its id is no number, or another job's: a number of its own"),
    )
}


@dataclass(eq=False)
class Book:
    """Record of actions on lines during reading, a page per application of a rule to lines."""

    pages: list[pd.DataFrame] = field(default_factory=list)

    def write(
        self, rule: str, name: str, before: pd.Series, after: pd.Series | None = None
    ) -> None:
        """Record that a rule drops lines, or changes a field of them.

        `rule` is a name of `RULES`, `name` the dump's field that it checks. Old and new values are
        by line; new ones only for a rule that changes a field.
        """
        if before.empty:
            return
        page = pd.DataFrame({"rule": rule, "field": name, "before": before.astype("str")})
        page["after"] = pd.NA if after is None else after.reindex(before.index).astype("str")
        self.pages.append(page.assign(after=page["after"].astype("str")).rename_axis("line"))

    def dropped(self) -> pd.Index:
        """Return the lines that have been dropped so far."""
        return self._dropping().index

    def _dropping(self) -> pd.DataFrame:
        """Return the first rule that drops each dropped line."""
        pages = [page for page in self.pages if RULES[page["rule"].iat[0]].drops]
        if not pages:
            return self._no_rows()
        rows = pd.concat(pages)
        return rows[~rows.index.duplicated()]

    @staticmethod
    def _no_rows() -> pd.DataFrame:
        columns = ["rule", "field", "before", "after"]
        return pd.DataFrame(columns=columns, dtype="str").rename_axis("line")

    def close(self, log: str, lines: pd.Index, numbers: pd.Series) -> pd.DataFrame:
        """Return the ledger of a log.

        `lines` are all lines of the dump; `numbers` are the jobs' numbers by line, for lines that
        have one. Columns, by line: log, rule, number, field, before, after, line and fate. A
        dropped line has one row (after is missing), and so has a line imported unchanged (rule,
        field, before and after are empty). Other lines have a row for each change. Number is -1 if
        a line has none.
        """
        gone = self._dropping()
        changes = [page for page in self.pages if not RULES[page["rule"].iat[0]].drops]
        changed = pd.concat([self._no_rows(), *changes])
        changed = changed[~changed.index.isin(gone.index)]
        unchanged_lines = lines.difference(gone.index.union(changed.index))
        unchanged = pd.DataFrame("", index=unchanged_lines, columns=self._no_rows().columns)
        parts = ((gone, DROPPED), (changed, CHANGED), (unchanged, IMPORTED))
        rows = pd.concat([part.assign(fate=fate) for part, fate in parts])
        rows = rows.rename_axis("line").sort_index(kind="stable").reset_index()
        number = numbers.reindex(rows["line"], fill_value=-1).to_numpy()
        return rows.assign(log=log, number=number)[list(DTYPES)].astype(DTYPES)
