"""The kit: rules of scheduling in words, workloads, and their exact starts under each rule."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from schedlab.core.jobs import Jobs

#: the kit of this installation
FOLDER = Path(__file__).parent / "kit"
#: how a rule is run that is not one queue of equal processors
SIMULATORS = ("queue", "predicted", "marking", "nodes")
NODES = "nodes"


@dataclass(frozen=True)
class Rule:
    """What a simulator does, in words, and how it is run here.

    `run` has settings of `schedlab.queue.simulation.Run` as text; `simulator` is one of
    `SIMULATORS`.
    """

    name: str
    says: str
    run: Mapping[str, Any]
    simulator: str


@dataclass(frozen=True, eq=False)
class Workload:
    """Jobs on a machine of equal processors, or of nodes that jobs share.

    `table` has int64 columns: number, submit, runtime, estimate (seconds), processors, user; where
    `nodes` is not 0, app is the job's application, a row of `speeds`.
    """

    name: str
    about: str
    processors: int
    nodes: int
    table: pd.DataFrame

    @property
    def jobs(self) -> Jobs:
        """The jobs of a queue of equal processors."""
        names = ("number", "submit", "runtime", "estimate", "processors")
        return Jobs(*(self.table[name].to_numpy() for name in names))


@dataclass(frozen=True)
class Kit:
    """Rules and workloads by name; exact starts in seconds by job number, by rule and workload.

    `speeds` (float64, shape (2, 2)): speed of an application that shares nodes with another one.
    """

    rules: Mapping[str, Rule]
    workloads: Mapping[str, Workload]
    starts: Mapping[tuple[str, str], pd.Series]
    speeds: np.ndarray


def read_kit(folder: Path = FOLDER) -> Kit:
    """Return the kit of a folder; by default that of this installation."""
    described = yaml.safe_load((folder / "kit.yaml").read_text(encoding="utf-8"))
    rules = {
        name: Rule(
            name, " ".join(one["says"].split()), one.get("run", {}), one.get("simulator", "queue")
        )
        for name, one in described["rules"].items()
    }
    workloads = {
        name: Workload(
            *(name, one["about"], one.get("processors", 0) or one["nodes"] * one["cores"]),
            one.get("nodes", 0),
            pd.read_csv(folder / "workloads" / f"{name}.csv"),
        )
        for name, one in described["workloads"].items()
    }
    table = pd.read_csv(folder / "starts.csv")
    starts = {
        (str(rule), str(workload)): rows.set_index("number")["start"]
        for (rule, workload), rows in table.groupby(["rule", "workload"], sort=False)
    }
    return Kit(rules, workloads, starts, np.loadtxt(folder / "speeds.csv", delimiter=","))


def copy_kit(folder: Path) -> list[Path]:
    """Copy the kit to a new folder and return its files.

    Raises FileExistsError if the folder exists.
    """
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return sorted(path for path in folder.rglob("*") if path.is_file())
