"""The kernels' stream of random words, SplitMix64 (Steele, Lea and Flood 2014)."""

from __future__ import annotations

MASK = 2**64 - 1


def mix(word: int) -> int:
    """The finaliser: every bit of the word moves every other one."""
    word &= MASK
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


class Stream:
    """SplitMix64, one word at a time."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def draw(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mix(self.state)

    def below(self, most: int) -> int:
        return (self.draw() >> 32) * most >> 32
