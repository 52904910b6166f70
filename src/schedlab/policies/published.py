"""Neural policies that were published: names, checksums, and where their weights are found.

Weights are raw data like a log: `published.tsv` has the checksums, and the folders of
``SCHEDLAB_ARCHIVE`` the files.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.config import LOG_FOLDERS
from schedlab.policies.neural import NeuralPolicy, from_bundle, from_npz, policy_in_file
from schedlab.policies.pure import Policy, get
from schedlab.policies.user_files import is_place
from schedlab.traces.records import sha256_of
from schedlab.traces.registry import Entry


@dataclass(frozen=True)
class PolicyEntry(Entry):
    """Row of `published.tsv`: the ``.data`` file of a bundle, and the checksum of its ``.index``.

    `log` is the registered log that the policy was trained on.
    """

    label: str
    index_sha256: str
    log: str
    #: a policy has no jobs, and no model draws it
    jobs: ClassVar[None] = None
    model: ClassVar[None] = None


@cache
def published() -> dict[str, PolicyEntry]:
    """Return the published policies by name."""
    text = (files("schedlab.policies") / "published.tsv").read_text()
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row["name"]: PolicyEntry(urls=(), git_blob=None, **row) for row in rows}


def find_published(name: str, folders: Sequence[Path] | None = None) -> NeuralPolicy:
    """Return a published policy.

    Parameters
    ----------
    name : str
        A name of `published`.
    folders : sequence of Path, optional
        Folders with raw data; by default those of ``SCHEDLAB_ARCHIVE``.

    Raises
    ------
    ValueError
        No folder has the weights ("log not available"), or the files have another checksum.
    """
    # downloads need libraries of an extra, which the core does without
    from schedlab.traces.archive import archive_folders, find_local

    entry = published()[name]
    path = find_local(entry, archive_folders() if folders is None else folders)
    if path is None:
        index = Path(entry.file).with_suffix(".index")
        raise ValueError(
            f"{name}: {NOT_AVAILABLE}: put {entry.file} and {index} into a folder of {LOG_FOLDERS}"
        )
    policy = from_bundle(path, name)
    for file, checksum in (
        (path, entry.sha256),
        (path.with_suffix(".index"), entry.index_sha256),
    ):
        if (digest := sha256_of(file)) != checksum:
            raise ValueError(f"{file}: wrong checksum: sha256 {digest} instead of {checksum}")
    return replace(policy, label=entry.label)


def read_fetched(path: str | Path, name: str) -> NeuralPolicy | None:
    """Return a published policy from the file that the workflow fetched; None if it is empty."""
    if not Path(path).stat().st_size:
        return None
    return replace(from_npz(path, name), label=published()[name].label)


def policy_named(text: str, label: str | None = None) -> Policy:
    """Return the policy of a name, an expression or a file.

    Parameters
    ----------
    text : str
        A name of `published` or of the registry, an expression, ``file.py:function``, or a file
        with a network.
    label : str, optional
        Label of a policy given as an expression.

    Raises
    ------
    ValueError
        As for `find_published`, `schedlab.policies.neural.policy_in_file` and
        `schedlab.policies.get`.
    """
    if text in published():
        return find_published(text)
    return policy_in_file(text) if is_place(text) else get(text, label)
