"""Check the text of rendered pages: short sentences, and no banned phrase.

usage: PYTHONPATH=tests python tests/check_pages.py PAGE...
"""

import re
import sys
from pathlib import Path

from prose_case import sentences_of, too_long
from unit.test_language import BANNED


def faults_of(markup: str) -> list[str]:
    """Return what is wrong with the sentences of a page."""
    banned = [
        f"'{match[0]}', write {better}: {sentence}"
        for sentence in sentences_of(markup)
        for phrase, better in BANNED.items()
        for match in re.finditer(phrase, sentence, re.IGNORECASE)
    ]
    return too_long(markup) + banned


if __name__ == "__main__":
    faults = {page: faults_of(Path(page).read_text(encoding="utf-8")) for page in sys.argv[1:]}
    for page, lines in faults.items():
        for line in lines:
            print(f"{page}: {line}")
    if not faults:
        sys.exit("no page is given")
    sys.exit(any(faults.values()))
