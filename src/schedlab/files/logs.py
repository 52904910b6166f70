"""Log file of a job."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def logged(path: str | Path) -> Iterator[None]:
    """Send log messages of the block to `path`, and also an exception that leaves it.

    The file is overwritten.

    Examples
    --------
    >>> with logged("results/logs/job.log"):  # doctest: +SKIP
    ...     logging.getLogger(__name__).info("24 runs")
    """
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
