"""Follow a page of instructions in a copy of the project."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

from docs_case import blocks

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = (".venv/bin/snakemake", ".venv/bin/schedlab")


def follow(page: Path, folder: Path) -> list[list[str]]:
    """Write a page's files, run its shell lines; return the calls of schedlab's programs."""
    left = []
    for block in blocks(page):
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.kind == "sh":
            for line in block.text.splitlines():
                if line.startswith(PROGRAMS):
                    left.append(shlex.split(line))
                else:
                    subprocess.run(line, shell=True, cwd=folder, check=True)
        elif block.kind == "python":
            environment = os.environ | {"PYTHONPATH": str(folder / "src")}
            command = [sys.executable, "-c", block.text]
            subprocess.run(command, cwd=folder, env=environment, check=True)
    return left
