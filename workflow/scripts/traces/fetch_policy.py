"""Fetch a published neural policy from the local archive, or write an empty file."""

import json
import logging
import sys
from collections.abc import Mapping
from pathlib import Path

from schedlab.core.markers import AVAILABLE, NOT_AVAILABLE
from schedlab.files.io import whole
from schedlab.flow.scripts import run_script
from schedlab.policies.neural import write_npz
from schedlab.policies.published import find_published
from schedlab.traces.archive import archive_folders


def fetch_policy(name: str, attempt: Mapping, network: str, record: str) -> None:
    """Write the network as .npz, and the report with the `attempt`; without weights an empty file.

    Weights that are not found, or are others, are no error.
    """
    try:
        policy = find_published(name, archive_folders(attempt["folders"]))
        status, message = AVAILABLE, f"verified: both files have the registered sha256 of {name}"
        write_npz(network, policy.layers, policy.features, policy.window)
        logging.info(message)
    except ValueError as error:
        status, message = NOT_AVAILABLE, str(error)
        Path(network).write_bytes(b"")
        logging.warning(message)
        print(message, file=sys.stderr)
    with whole(record) as draft:
        found = {"policy": name, "status": status, "message": message, "attempt": attempt}
        draft.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    run_script(fetch_policy, snakemake)  # noqa: F821
