"""Hold any simulator to workloads with exact starts."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schedlab.cli import options as o
from schedlab.cli.log import mistakes_in_one_line
from schedlab.cli.output import print_text, show_json, show_table
from schedlab.files.progress import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.workbench.conformance.checking import Outcome
    from schedlab.workbench.conformance.kit import Kit


def check_conformance(
    command: Annotated[
        str | None,
        typer.Option(
            "--command",
            help="What runs the simulator once: its words may have {workload} (CSV), {swf}, {out} "
            "(CSV with number and start, or SWF), {processors}, {nodes}, {rule} and {kit}.",
        ),
    ] = None,
    rule: Annotated[list[str] | None, typer.Option(help="Only this rule; may be repeated.")] = None,
    workload: Annotated[
        list[str] | None, typer.Option(help="Only this workload; may be repeated.")
    ] = None,
    recordings: Annotated[
        Path | None,
        typer.Option(
            help="In place of the kit, a folder of recordings of a real Slurm. The command's words "
            "may have {workload}, {site} (the folder of one recording) and {out}."
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that a run may take.", min=0.1)] = 60.0,
    export: Annotated[
        Path | None, typer.Option(help="Copy the kit to this new folder, and run nothing.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The outcome of each case as CSV.")] = None,
    json: o.AsJson = False,
) -> None:
    """Run a simulator on small workloads and compare each start with the exact one.

    Says for each rule at which job and instant the simulator first differs, and what that costs in
    mean wait. Exit code 1 if it differs or fails. Without a command, lists rules and workloads.

    Example: schedlab conformance --rule easy --command 'my-simulator {workload} {processors} {out}'
    """
    from schedlab.workbench.conformance.checking import (
        EQUAL,
        FAILED,
        cases_of,
        check_simulator,
    )
    from schedlab.workbench.conformance.kit import copy_kit, read_kit

    with mistakes_in_one_line():
        if recordings and (rule or workload or out):
            raise ValueError("--recordings has no --rule, --workload or --out; leave them out")
    if recordings:
        _measure(recordings, command, timeout, json)
        return
    with mistakes_in_one_line():
        if out and out.is_dir():
            raise ValueError(f"{out}: is a folder; --out is a file to write")
        if export:
            files = copy_kit(export)
            print_text(f"{export}: {len(files)} files")
            return
        kit = read_kit()
        if command is None:
            _list(kit, json)
            return
        cases = cases_of(kit, rule or (), workload or ())
        with counted("cases", len(cases)) as advance:
            outcomes = check_simulator(kit, command, rule or (), workload or (), timeout, advance)
        if out:
            _write(outcomes, out)
    if json:
        show_json({"command": command, "cases": [asdict(outcome) for outcome in outcomes]})
    else:
        _show(outcomes, EQUAL, FAILED)
    if any(outcome.verdict != EQUAL for outcome in outcomes):
        raise typer.Exit(1)


def _measure(folder: Path, command: str | None, timeout: float, json: bool) -> None:
    """Print how far a simulator is from real runs; exit code 1 if farther than they are apart."""
    from schedlab.workbench.conformance.recorded import FARTHEST, measure_recordings, recordings_in

    with mistakes_in_one_line():
        if command is None:
            raise ValueError("--recordings needs --command")
        with counted("recordings", len(recordings_in(folder))) as advance:
            distances = measure_recordings(folder, command, timeout, advance)
    if json:
        show_json({"command": command, "recordings": [asdict(one) for one in distances]})
    else:
        rows = [
            (
                *(one.recording, one.jobs, f"{one.real_apart:.0f}"),
                "–" if one.why else f"{one.apart:.0f}",
                "near" if one.is_near else "failed" if one.why else "far",
            )
            for one in distances
        ]
        columns = ["recording", "jobs", "real runs apart (s)", "simulator apart (s)", "verdict"]
        show_table(
            f"Mean difference of waits; near is at most {FARTHEST} times that of real runs",
            *(columns, rows),
        )
        for one in distances:
            if one.why:
                print_text(f"{one.recording}: {one.why}")
    if not all(one.is_near for one in distances):
        raise typer.Exit(1)


def _list(kit: Kit, json: bool) -> None:
    """Print the rules and workloads."""
    if json:
        rules = {name: rule.says for name, rule in kit.rules.items()}
        show_json({"rules": rules, "workloads": {n: w.about for n, w in kit.workloads.items()}})
        return
    rules = [(name, rule.says) for name, rule in kit.rules.items()]
    show_table("Rules", ["rule", "what a simulator does"], rows=rules, words=2)
    workloads = [
        (name, one.about, len(one.table), one.processors) for name, one in kit.workloads.items()
    ]
    show_table("Workloads", ["workload", "about", "jobs", "processors"], rows=workloads, words=2)


def _show(outcomes: Sequence[Outcome], equal: str, failed: str) -> None:
    """Print a row per rule, and where it first differs."""
    rows, notes = [], []
    for rule in dict.fromkeys(outcome.rule for outcome in outcomes):
        cases = [outcome for outcome in outcomes if outcome.rule == rule]
        ran = [outcome for outcome in cases if outcome.verdict != failed]
        expected = sum(outcome.expected_wait * outcome.jobs for outcome in ran)
        wait = sum(outcome.wait * outcome.jobs for outcome in ran)
        rows.append((
            *(rule, f"{sum(one.verdict == equal for one in cases)} of {len(cases)}"),
            f"{sum(one.differing for one in cases)} of {sum(one.jobs for one in ran)}",
            f"{wait / expected:.3f}" if expected else "–",
        ))  # fmt: skip
        wrong = next((one for one in cases if one.verdict != equal), None)
        if wrong:
            notes.append(f"{rule}, workload {wrong.workload}: {wrong.first}")
    columns = ["rule", "equal cases", "jobs that differ", "mean wait (of the exact one)"]
    show_table("Starts compared with the exact ones", columns, rows)
    for note in notes:
        print_text(note)


def _write(outcomes: Sequence[Outcome], path: Path) -> None:
    import pandas as pd

    from schedlab.files.io import write_text

    write_text(pd.DataFrame([asdict(one) for one in outcomes]).to_csv(index=False), path)
