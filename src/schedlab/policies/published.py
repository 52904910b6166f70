"""Neural policies that were published: names, checksums, and where their weights are found.

Weights are raw data like a log: `published.tsv` has the checksums, and the folders of
``SCHEDLAB_ARCHIVE`` the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.files.config import LOG_FOLDERS
from schedlab.policies.neural import NeuralPolicy, from_bundle, policy_in_file
from schedlab.policies.pure import PUBLISHED, Policy, get
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
    return {name: PolicyEntry(urls=(), git_blob=None, **row) for name, row in PUBLISHED.items()}


def find_published(name: str, folders: Sequence[Path] | None = None) -> NeuralPolicy:
    """Return a published policy from folders with raw data, by default of ``SCHEDLAB_ARCHIVE``.

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
        raise ValueError(
            f"{name}: {NOT_AVAILABLE}: put {entry.file} and {Path(entry.file).stem}.index into a "
            f"folder of {LOG_FOLDERS}"
        )
    policy = from_bundle(path, name)
    checksums = {path: entry.sha256, path.with_suffix(".index"): entry.index_sha256}
    for file, checksum in checksums.items():
        if (digest := sha256_of(file)) != checksum:
            raise ValueError(f"{file}: wrong checksum: sha256 {digest} instead of {checksum}")
    return replace(policy, label=entry.label)


def policy_named(text: str, label: str | None = None) -> Policy:
    """Return the policy of a name, an expression (which `label` names) or a file.

    Raises ValueError as `find_published`, `schedlab.policies.neural.policy_in_file` and
    `schedlab.policies.get` do.
    """
    if text.lower() in published():
        return find_published(text.lower())
    return policy_in_file(text) if is_place(text) else get(text, label)
