"""Write the crate of a run, and the page for artifact evaluation."""

import json
import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from schedlab.files.io import write_text
from schedlab.flow.scripts import run_script
from schedlab.report.artifact import artifact_page, minutes_by_stage, scope_of
from schedlab.report.committed import read_committed
from schedlab.report.crate import WORKFLOW, Copy, write_crate
from schedlab.report.minutes import JobRecords, minutes_of, steps_to
from schedlab.report.scoreboard import read_board


def write_all(
    files: dict[str, list[str]],
    inputs: dict[str, str],
    papers: dict[str, dict],
    scored: dict[str, str],
    expected: str,
    scoreboard: str,
    facts: str,
    snakefile: str,
    template: str,
    fetched: list[str],
    addresses: Mapping[str, list[str]],
    scale: str,
    records: JobRecords,
    logs: str,
    benchmarks: str,
    metadata: str,
    artifact: str,
) -> None:
    """Write both, from the tables of the papers (`files`) and what they are compared with.

    `inputs` are the places in the crate of committed files, by path.
    """
    about = json.loads(Path(facts).read_text(encoding="utf-8"))
    about |= {"scale": scale, "results": str(Path(artifact).parents[1])}
    board = read_board(scoreboard)

    def record_of(path: str):
        return records.read(path, logs, benchmarks)

    every = [path for of_paper in files.values() for path in of_paper]
    minutes = minutes_of(every, record_of)
    copies = [
        Copy(
            path,
            f"tables/{paper}/{Path(path).name}",
            f"{paper}: {Path(path).stem.replace('_', ' ')}",
            tuple(dict.fromkeys(rule for rule, _ in steps_to(path, record_of))),
            minutes.get(path, math.nan),
        )
        for paper, of_paper in files.items()
        for path in of_paper
    ]
    written = [datetime.fromtimestamp(os.path.getmtime(copy.source), UTC) for copy in copies]
    copies += [
        Copy(scoreboard, "scoreboard.csv", "All published numbers", ("make_scoreboard",)),
        Copy(snakefile, WORKFLOW, "The workflow"),
        *(Copy(path, place, place.replace("/", ", ")) for path, place in inputs.items()),
    ]
    reports = [json.loads(Path(path).read_text(encoding="utf-8")) for path in fetched]
    write_crate(
        Path(metadata).parent,
        copies,
        [report | {"urls": addresses[report["log"]]} for report in reports],
        about,
        board,
        (min(written), max(written)),
    )
    page = artifact_page(
        template,
        {key: paper | {"scope": scope_of(paper["page"])} for key, paper in papers.items()},
        board,
        read_committed(expected, scored),
        {paper: minutes_by_stage(of_paper, record_of) for paper, of_paper in files.items()},
        about,
    )
    write_text(page, artifact)


if __name__ == "__main__":
    run_script(write_all, snakemake)  # noqa: F821
