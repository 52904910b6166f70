"""Hold a simulator to the kit: run its command on each workload, and compare the starts."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import printable
from schedlab.files.known_words import nearest
from schedlab.report.words import joined
from schedlab.traces.swf import FIELDS, Header, SwfError, read_swf, write_swf
from schedlab.workbench.conformance.kit import Kit, Rule, Workload

#: what a command may name, and what it is
PLACEHOLDERS = {
    "workload": "the jobs as CSV",
    "swf": "the same jobs as SWF",
    "out": "the file to write: CSV with the columns number and start, or SWF with waits",
    "processors": "processors of the machine",
    "nodes": "nodes that jobs share; 0 in most workloads",
    "rule": "name of the rule",
    "kit": "the folder of the kit, with speeds.csv",
}
#: a placeholder; other braces, as of JSON, are the simulator's
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
#: seconds by which equal starts may differ
NEAR = 0.001
EQUAL, DIFFERS, FAILED = "equal", "differs", "failed"
#: running jobs that an explanation lists
LISTED = 6


class SimulatorError(Exception):
    """What a simulator wrote cannot be read, or it ended with an error."""


@dataclass(frozen=True)
class Outcome:
    """How a simulator did in one case.

    `verdict` is `EQUAL`, `DIFFERS` or `FAILED`; `first` says where it first differs, or why it
    failed; `differing` is the number of jobs with other starts. Waits are means in seconds.
    """

    rule: str
    workload: str
    verdict: str
    jobs: int
    differing: int
    expected_wait: float
    wait: float
    first: str


def check_simulator(
    kit: Kit,
    command: str,
    rules: Sequence[str] = (),
    workloads: Sequence[str] = (),
    timeout: float = 60.0,
    advance: Callable[[], object] | None = None,
) -> list[Outcome]:
    """Run a simulator's command on the cases of rules and workloads; all of them by default.

    The command's words may have the placeholders of `PLACEHOLDERS` in braces; no shell reads it. It
    runs once per case in a folder of its own, for at most `timeout` seconds. `advance` is called
    after each case.

    Raises ValueError if a rule, workload or placeholder is unknown, no case has both, the command
    is not closed, or names no file to write.
    """
    for kind, names, known in (("rule", rules, kit.rules), ("workload", workloads, kit.workloads)):
        for name in names:
            if name not in known:
                raise ValueError(f"unknown {kind} '{name}'{nearest(name, known)}")
    words = words_of(command)
    if not (cases := cases_of(kit, rules, workloads)):
        raise ValueError("no case: these rules have no starts for these workloads; leave out one")
    outcomes = []
    for rule, workload in cases:
        outcomes.append(_check_case(kit, words, kit.rules[rule], kit.workloads[workload], timeout))
        if advance:
            advance()
    return outcomes


def cases_of(
    kit: Kit, rules: Iterable[str] = (), workloads: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """Return the pairs of rule and workload among the named ones, all by default."""
    wanted, among = set(rules), set(workloads)
    return [
        (rule, workload)
        for rule, workload in kit.starts
        if (not wanted or rule in wanted) and (not among or workload in among)
    ]


def words_of(command: str, placeholders: Mapping[str, str] = PLACEHOLDERS) -> list[str]:
    """Return the words of a command.

    Raises ValueError if a placeholder is unknown, a quotation is not closed, or {out} is missing.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"--command: {error}") from None
    for name in _PLACEHOLDER.findall(" ".join(words)):
        if name not in placeholders:
            raise ValueError(
                f"--command: unknown placeholder {{{name}}}{nearest(name, placeholders)}; one of "
                f"{', '.join(f'{{{one}}}' for one in placeholders)}"
            )
    if "{out}" not in command:
        raise ValueError("--command: {out} is missing, the file that the simulator writes")
    return words


def _check_case(
    kit: Kit, words: list[str], rule: Rule, workload: Workload, timeout: float
) -> Outcome:
    expected = kit.starts[rule.name, workload.name]
    submit = submits_of(workload.table)
    about = (rule.name, workload.name)
    waits = float((expected - submit).mean())
    try:
        simulated = _run(kit, words, rule, workload, timeout)
    except SimulatorError as error:
        return Outcome(*about, FAILED, len(expected), 0, waits, np.nan, str(error))
    apart = (simulated - expected).abs() > NEAR
    wait = float((simulated - submit).mean())
    if not apart.any():
        return Outcome(*about, EQUAL, len(expected), 0, waits, wait, "")
    first = first_difference(rule, workload, expected, simulated)
    return Outcome(*about, DIFFERS, len(expected), int(apart.sum()), waits, wait, first)


def _run(kit: Kit, words: list[str], rule: Rule, workload: Workload, timeout: float) -> pd.Series:
    """Return the starts that a simulator writes, by job number, in the order of the workload."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as name:
        folder = Path(name)
        workload.table.to_csv(folder / "workload.csv", index=False)
        if not workload.nodes:
            header = Header((f" MaxProcs: {workload.processors}",))
            write_swf(folder / "workload.swf", _fields(workload), header)
        np.savetxt(folder / "speeds.csv", kit.speeds, delimiter=",", fmt="%g")
        values = {
            "workload": folder / "workload.csv",
            "swf": folder / "workload.swf",
            "out": folder / "starts.csv",
            "processors": workload.processors,
            "nodes": workload.nodes,
            "rule": rule.name,
            "kit": folder,
        }
        run_command(words, values, timeout)
        return read_starts(folder / "starts.csv", submits_of(workload.table))


def run_command(words: list[str], values: Mapping[str, object], timeout: float) -> None:
    """Run a command with values in place of placeholders; SimulatorError says why it failed."""
    try:
        process = subprocess.Popen(
            [_PLACEHOLDER.sub(lambda match: str(values[match[1]]), word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise SimulatorError(f"cannot be run: {error}") from None
    with process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException as error:
            # what a script has started ends with it
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise SimulatorError(f"has not ended after {timeout:g} s") from None
            raise
    if process.returncode:
        messages = (err or out).strip().splitlines()
        raise SimulatorError(
            f"exit code {process.returncode}: {printable(messages[-1]) if messages else 'no text'}"
        )


def submits_of(table: pd.DataFrame) -> pd.Series:
    """Return submit times in seconds by job number."""
    return table.set_index("number")["submit"]


def _fields(workload: Workload) -> pd.DataFrame:
    """Return the jobs with the fields of the Standard Workload Format; waits are unknown."""
    table = workload.table
    known = {"procs": table["processors"], "requested_procs": table["processors"]}
    known |= {"requested_time": table["estimate"], "status": 1}
    return table.assign(**known).reindex(columns=FIELDS, fill_value=-1)


def read_starts(path: Path, submits: pd.Series, all_start: bool = True) -> pd.Series:
    """Return the starts that a simulator wrote, by job number: a CSV table, or a schedule as SWF.

    `submits` are from `submits_of`. Jobs without a row are unknown unless `all_start`.

    Raises SimulatorError, with row (from 1) and column, if a job is missing, unknown, repeated,
    without a number as its start, or starts before it is submitted.
    """
    try:
        table = _table_of(path)
    except FileNotFoundError:
        raise SimulatorError("it has not written {out}") from None
    except (OSError, ValueError, SwfError) as error:
        raise SimulatorError(f"its table of starts cannot be read: {str(error).strip()}") from None
    for column in ("number", "start"):
        if column not in table:
            raise SimulatorError(
                f"its table has no column '{column}' but {printable(', '.join(table))}"
            )
    values = {name: pd.to_numeric(table[name], errors="coerce") for name in ("number", "start")}
    for name, column in values.items():
        if (bad := np.flatnonzero(~np.isfinite(column))).size:
            text = table[name].iloc[bad[0]]
            raise SimulatorError(f"row {bad[0] + 1}: {name} is '{text}', no number")
    known = values["number"].isin(submits.index)
    if not known.all():
        row = int(np.flatnonzero(~known)[0])
        raise SimulatorError(f"row {row + 1}: there is no job {table['number'].iloc[row]}")
    if (twice := values["number"].duplicated()).any():
        row = int(np.flatnonzero(twice)[0])
        raise SimulatorError(f"row {row + 1}: job {table['number'].iloc[row]} appears again")
    starts = pd.Series(
        values["start"].to_numpy(float), index=values["number"].astype("int64"), name="start"
    ).reindex(submits.index)
    if all_start and starts.isna().any():
        raise SimulatorError(f"job {starts.index[starts.isna()][0]} has no start")
    early = starts < submits - NEAR
    if early.any():
        number = starts.index[early][0]
        raise SimulatorError(f"job {number} starts at {starts[number]:g} s, before its submission")
    return starts


def _table_of(path: Path) -> pd.DataFrame:
    """Return a table of starts as text; a schedule as SWF begins with its header."""
    if not path.read_bytes().lstrip().startswith(b";"):
        return pd.read_csv(path, dtype=str, skipinitialspace=True)
    jobs = read_swf(path).jobs
    return jobs.assign(start=jobs["submit"] + jobs["wait"])[["number", "start"]].astype(str)


def first_difference(
    rule: Rule, workload: Workload, expected: pd.Series, simulated: pd.Series
) -> str:
    """Return at which instant and job two schedules first differ, with the state and the rule.

    Until that instant both are equal, so the state is that of either.
    """
    instants = np.minimum(expected, simulated).where((expected - simulated).abs() > NEAR)
    now = float(instants.min())
    number = instants.index[np.flatnonzero(instants <= now + NEAR)[0]]
    what = (
        f"starts, expected at {expected[number]:g} s"
        if simulated[number] <= now + NEAR
        else f"is expected to start, starts at {simulated[number]:g} s"
    )
    return (
        f"at {now:g} s job {number} {what}. {_state(workload, expected, simulated, now)} "
        f"Rule {rule.name}: {rule.says}"
    )


def _state(workload: Workload, expected: pd.Series, simulated: pd.Series, now: float) -> str:
    """Return what is free, runs and waits at an instant, before the starts that differ."""
    jobs = workload.table.set_index("number")
    starts = np.minimum(expected, simulated)
    begun = starts < now - NEAR
    running = jobs[begun & (starts + jobs["runtime"] > now + NEAR)]
    waiting = jobs[~begun & (jobs["submit"] <= now + NEAR)]
    if workload.nodes:
        return f"Waiting: {_listed(waiting, lambda row: f'{row.processors} processes')}."
    free = workload.processors - int(running["processors"].sum())
    ends = (starts + jobs["estimate"])[running.index].sort_values()
    until = _listed(
        running.loc[ends.index],
        lambda row: f"{row.processors} until {ends[row.Index]:g} s by its estimate",
    )
    behind = _listed(waiting, lambda row: f"{row.processors} for {row.estimate} s")
    return (
        f"{free} of {workload.processors} processors are free. Running: {until}. Waiting: {behind}."
    )


def _listed(rows: pd.DataFrame, text: Callable) -> str:
    """Return jobs with a text each; the first ones of many."""
    texts = [f"job {row.Index} ({text(row)})" for row in rows.head(LISTED).itertuples()]
    more = len(rows) - LISTED
    return joined([*texts, f"{more} more"] if more > 0 else texts)
