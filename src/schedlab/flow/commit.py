"""The commit of a checkout, which results and benchmarks record."""

import subprocess
from pathlib import Path


def commit_of(folder: str | Path, mark: str = ", with changes") -> str:
    """Return a checkout's commit, with a mark if files were changed; empty outside a checkout."""
    ask = ["git", "-C", str(folder), "describe", "--always", f"--dirty={mark}", "--exclude=*"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
