"""The Lublin-Feitelson model's C program, written to be read: the twin of kernel and façade.

Its constants are here a second time, so that each checks the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

# Type by type in the program's order, first the one that goes first on a tie.
# fmt: off
INTERACTIVE = {
    "serial_prob": .1541, "pow2_prob": .625, "ulow": 1, "umed": 3, "uhi": 5.5,
    "uprob": .705, "a1": 3.8351, "b1": .6605, "a2": 7.073, "b2": .6856, "pa": -.0118, "pb": .9156,
    "aarr": 6.5510, "barr": .6621, "anum": 8.9186, "bnum": 3.6680, "arar": .9797,
}
BATCH = {
    "serial_prob": .2927, "pow2_prob": .6686, "ulow": 1.2, "umed": 5, "uhi": 7,
    "uprob": .875, "a1": 6.57, "b1": .823, "a2": 639.1, "b2": .0156, "pa": -.003, "pb": .6986,
    "aarr": 6.0415, "barr": .8531, "anum": 6.1271, "bnum": 5.2740, "arar": 1.0519,
}
TYPELESS = {
    "serial_prob": .244, "pow2_prob": .576, "ulow": .8, "umed": 4.5, "uhi": 7,
    "uprob": .86, "a1": 4.2, "b1": .94, "a2": 312, "b2": .03, "pa": -.0054, "pb": .78,
    "aarr": 10.2303, "barr": .4871, "anum": 8.1737, "bnum": 3.9631, "arar": 1.0225,
}
# fmt: on


class Rand48:
    """srand48, drand48 and lrand48 of POSIX."""

    def __init__(self, seed: int) -> None:
        self.x = (seed & 0xFFFFFFFF) << 16 | 0x330E

    def bits(self) -> int:
        self.x = (self.x * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self.x

    def uniform(self) -> float:
        return self.bits() / 2**48

    def integer(self) -> int:
        return self.bits() >> 17


def gamma(stream: Rand48, shape: float, scale: float) -> float:
    whole = int(shape)
    logs = 0.0
    for _ in range(whole):
        logs += math.log(stream.uniform())
    total = -logs * scale
    rest = shape - whole
    if rest > 0:
        while True:
            x = stream.uniform() ** (1 / rest)
            y = stream.uniform() ** (1 / (1 - rest))
            if x + y <= 1:
                break
        total += scale * (x / (x + y)) * -math.log(stream.uniform())
    return total


def gamma_cdf(x: float, shape: float, scale: float) -> float:
    """Regularised lower incomplete gamma, by series or continued fraction, to 1e-10."""
    x /= scale
    front = math.exp(-x + shape * math.log(x) - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term >= total * 1e-10:
            step += 1
            term *= x / step
            total += term
        return total * front
    old, a0, a1, b0, b1, scale = 0.0, 1.0, x, 0.0, 1.0, 1.0
    for step in range(1, 1001):
        a = step - shape
        a0, b0 = (a1 + a0 * a) * scale, (b1 + b0 * a) * scale
        a1, b1 = x * a0 + step * scale * a1, x * b0 + step * scale * b1
        scale = 1 / a1
        new = b1 * scale
        if abs((new - old) / new) < 1e-10:
            return 1 - new * front
        old = new
    raise ArithmeticError("the continued fraction does not end")


class Arrivals:
    """Arrival times of one type."""

    def __init__(self, kind: dict[str, float]) -> None:
        self.shape, self.scale = kind["aarr"] * kind["arar"], kind["barr"]
        self.weights = [0.0] * 48
        for half in range(11, 59):
            later, sooner = (
                gamma_cdf(half + side, kind["anum"], kind["bnum"]) for side in (0.5, -0.5)
            )
            self.weights[(half - 1) % 48] = later - sooner
        mean = sum(self.weights) / 48
        self.weights = [weight / mean for weight in self.weights]
        self.points = self.remainder = 0.0
        self.bucket = self.time = 0

    def step(self, stream: Rand48) -> None:
        while True:
            drawn = gamma(stream, self.shape, self.scale)
            if drawn <= 13:
                break
        self.points += math.exp(drawn) / 1800
        gap = 0.0
        while self.points > self.weights[self.bucket]:
            self.points -= self.weights[self.bucket]
            self.bucket = (self.bucket + 1) % 48
            gap += 1800
        spent = self.points / self.weights[self.bucket]
        gap += 1800 * (spent - self.remainder)
        self.remainder = spent
        self.time = int(self.time + gap)


def on(kind: dict[str, float], processors: int) -> dict[str, float]:
    high = math.log2(processors)
    return kind | {"umed": max(high - 2.5, kind["ulow"]), "uhi": high}


def size_of(uniform: Callable[[], float], kind: dict[str, float]) -> int:
    share = uniform()
    if share <= kind["serial_prob"]:
        return 1
    ends = ("ulow", "umed") if uniform() <= kind["uprob"] else ("umed", "uhi")
    low, high = (kind[end] for end in ends)
    x = uniform() * (high - low) + low
    if share <= kind["serial_prob"] + kind["pow2_prob"]:
        x = int(x + 0.5)
    return int(2**x + 0.5)


def runtime_of(stream: Rand48, kind: dict[str, float], size: int) -> int:
    first = min(1, max(0, kind["pa"] * size + kind["pb"]))
    while True:
        number = 1 if stream.uniform() <= first else 2
        drawn = gamma(stream, kind[f"a{number}"], kind[f"b{number}"])
        if drawn <= 12:
            return int(math.exp(drawn))


def draw_jobs(
    kinds: list[dict[str, float]], seed: int, jobs: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield submit time, run time, processors and place of the type in `kinds`, one or two."""
    stream = Rand48(seed)
    ready = [Arrivals(kinds[0]), Arrivals(kinds[-1])]
    ready[1].step(stream)
    ready[0].step(stream)
    for _ in range(jobs):
        place = 1 if len(kinds) > 1 and ready[1].time < ready[0].time else 0
        submit = ready[place].time
        ready[place].step(stream)
        size = size_of(stream.uniform, kinds[place])
        yield submit, runtime_of(stream, kinds[place], size), size, place
