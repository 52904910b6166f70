"""Suggest the nearest target for a misspelled one, and explain a lock if its message is hidden."""

import sys
from pathlib import Path

from snakemake.settings.types import Quietness

from schedlab.flow.targets import without_stack
from schedlab.flow.targets import check_targets


def makes(path):
    """Return whether an output has this path, wildcards included."""
    # Snakemake compiles the pattern of an output when it is matched for the first time
    return any(
        output.match(path)
        for made in workflow.rules
        for output in made.output
        if path.startswith(output.constant_prefix())
        and path.endswith(output.constant_suffix())
    )


def constant_files():
    """Return the outputs and inputs without wildcards that some rule makes."""
    files = (path for made in workflow.rules for path in (*made.output, *made.input))
    constant = (path for path in files if isinstance(path, str) and "{" not in path)
    return [path for path in dict.fromkeys(map(str, constant)) if makes(path)]


if not {made.name for made in workflow.rules}.issuperset(
    requested := requested_targets()
):
    names = [made.name for made in workflow.rules if not made.has_wildcards()]
    with without_stack():
        check_targets(requested, names, constant_files, makes)


def warn_of_locks():
    """Print what to do about a lock if the command line hides Snakemake's message about it."""
    settings = workflow.output_settings
    is_hidden = settings is not None and Quietness.ALL in (settings.quiet or ())
    if not is_hidden or not workflow.is_main_process or "--unlock" in sys.argv:
        return
    folder = Path(".snakemake/locks")
    if folder.is_dir() and any(folder.iterdir()):
        print(
            f"{folder}: locks of another run of snakemake in this folder. If it still runs, wait "
            "for its end. If it was killed, remove its locks: snakemake --unlock",
            file=sys.stderr,
        )


warn_of_locks()
