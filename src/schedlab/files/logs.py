"""Log file of a job."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def logged(path: str | Path) -> Iterator[None]:
    """Send log messages of the block, and an exception that leaves it, to a new file `path`."""
    logging.basicConfig(
        filename=path,
        filemode="w",
        level=logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        force=True,
    )
    # it reports every glyph of a figure's fonts
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    try:
        yield
    except BaseException:
        logging.exception("the job failed")
        raise
