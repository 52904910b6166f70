"""Lists of host names as Slurm writes them: ``n[001-087,090],gn1,x[1-2]y[3-4]``."""

import re
from collections.abc import Iterable, Iterator
from itertools import product

#: more names than any machine has: a wrong range would fill the memory
MOST = 1_000_000
_SPLIT = re.compile(r",(?![^\[]*\])")
_PART = re.compile(r"\[([^\[\]]*)\]|([^\[\],\s]+)")
_TRAILING = re.compile(r"(.*?)(\d{0,18})", re.ASCII)
_RANGE = re.compile(r"(\d{1,18})(?:-(\d{1,18}))?", re.ASCII)


def expand(text: str) -> list[str]:
    """Return the names of a list in its order; leading zeros are as in the list.

    Raises ValueError if a bracket or a range has no meaning.

    >>> expand("n[08-10],x[1-2]y[3-4]")
    ['n08', 'n09', 'n10', 'x1y3', 'x1y4', 'x2y3', 'x2y4']
    """
    names: list[str] = []
    for item in _SPLIT.split(text.strip()):
        names += _names(item.strip(), text)
        if len(names) > MOST:
            raise ValueError(f"host list '{text}' has more than {MOST:,} names")
    return names


def folded(names: Iterable[str]) -> str:
    """Return names as a list with ranges, in their order; `expand` reads it.

    >>> folded(["n08", "n09", "n10", "x1", "login"])
    'n[08-10],x1,login'
    """
    parts: list[list[tuple[str, str]]] = []
    for name in names:
        prefix, digits = _TRAILING.fullmatch(name).groups()  # type: ignore[union-attr]
        last = parts[-1][-1] if parts else ("", "")
        follows = digits and last[1] and int(digits) == int(last[1]) + 1
        if follows and prefix == last[0] and len(digits) == len(last[1]):
            parts[-1].append((prefix, digits))
        else:
            parts.append([(prefix, digits)])
    return ",".join(
        f"{part[0][0]}[{part[0][1]}-{part[-1][1]}]" if len(part) > 1 else "".join(part[0])
        for part in parts
    )


def _names(item: str, text: str) -> Iterator[str]:
    """Return the names of a list's item."""
    parts = list(_PART.finditer(item))
    if not item or "".join(part[0] for part in parts) != item:
        raise ValueError(f"host list '{text}': '{item}' is no name; write lists like n[01-08],gn1")
    choices = [[part[2]] if part[2] else _numbers(part[1], text) for part in parts]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > MOST:
        raise ValueError(f"host list '{text}' has more than {MOST:,} names")
    return map("".join, product(*choices))


def _numbers(ranges: str, text: str) -> list[str]:
    """Return the numbers of a bracket, as wide as its first ones."""
    numbers: list[str] = []
    for each in ranges.split(","):
        match = _RANGE.fullmatch(each.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not match or not first <= last < first + MOST:
            raise ValueError(f"host list '{text}': '{each}' is no range; write ranges like 01-08")
        numbers += [f"{number:0{len(match[1])}d}" for number in range(first, last + 1)]
    return numbers
