"""The introsort kernel's twin: GNU libstdc++'s std::sort, written to be read."""

from __future__ import annotations

from collections.abc import Callable


def introsort(values: list[int], before: Callable[[int, int], bool]) -> list[int]:
    """Sort in place, return `values`; NotImplementedError where std::sort takes heapsort."""
    _sort_roughly(values, 0, len(values), 2 * (len(values).bit_length() - 1), before)
    for i in range(1, len(values)):
        moved, at = values[i], i
        while at > 0 and before(moved, values[at - 1]):
            values[at] = values[at - 1]
            at -= 1
        values[at] = moved
    return values


def _sort_roughly(values, first: int, last: int, depth: int, before) -> None:
    """Partition down to parts of 16, right parts first."""
    while last - first > 16:
        if depth == 0:
            raise NotImplementedError("heapsort")
        depth -= 1
        cut = _partitioned(values, first, last, before)
        _sort_roughly(values, cut, last, depth, before)
        last = cut


def _partitioned(values, first: int, last: int, before) -> int:
    """Move the median of the second, middle and last value to the front, partition the others."""
    x, y, z = first + 1, first + (last - first) // 2, last - 1
    if before(values[x], values[y]):
        median = y if before(values[y], values[z]) else z if before(values[x], values[z]) else x
    else:
        median = x if before(values[x], values[z]) else z if before(values[y], values[z]) else y
    values[first], values[median] = values[median], values[first]
    left, right = first + 1, last
    while True:
        while before(values[left], values[first]):
            left += 1
        right -= 1
        while before(values[first], values[right]):
            right -= 1
        if left >= right:
            return left
        values[left], values[right] = values[right], values[left]
        left += 1
