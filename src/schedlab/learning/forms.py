"""The 576 functions of the regression: three base functions and two operators.

A form is ``((c1 alpha(r)) op1 (c2 beta(n))) op2 (c3 gamma(s))``. The paper leaves the order of the
operators open. Its artefact evaluates them from left to right, so an `op1` of ``+`` comes before
an `op2` of ``*`` or ``/``; schedlab does the same.

References
----------
carastan2017, section 3.3 and Table 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

# Prevents logarithms, inverses and divisors of zero, as in the artefact.
EPSILON = 1e-10

BASE_FUNCTIONS = {
    "id": lambda x: x,
    "log": lambda x: np.log10(x + EPSILON),
    "sqrt": np.sqrt,
    "inv": lambda x: 1.0 / (x + EPSILON),
}
# Notation in texts and in policy expressions.
_TEXTS = {"id": "{}", "log": "log10({})", "sqrt": "sqrt({})", "inv": "(1 / {})"}
_LATEX = {"id": "{}", "log": r"\log_{{10}}({})", "sqrt": r"\sqrt{{{}}}", "inv": r"\frac{{1}}{{{}}}"}
_LATEX_OPERATORS = {"+": "{} + {}", "*": r"{} \cdot {}", "/": r"\frac{{{}}}{{{}}}"}
OPERATORS = {"+": np.add, "*": np.multiply, "/": np.divide}


def base_value(name: str, x: np.ndarray, op: str = "*") -> np.ndarray:
    """Return the value of a base function at `x`, on the right of operator `op`."""
    return BASE_FUNCTIONS[name](x + EPSILON if op == "/" else x)


def combine(op1: str, op2: str, *terms: np.ndarray) -> np.ndarray:
    """Return ``(terms[0] op1 terms[1]) op2 terms[2]``."""
    return OPERATORS[op2](OPERATORS[op1](terms[0], terms[1]), terms[2])


def products(op1: str, op2: str, a: np.ndarray, b: np.ndarray, g: np.ndarray) -> list[np.ndarray]:
    """Return the terms that a form is linear in, one per coefficient that data can determine.

    There are one to three terms, such as a*b and g for ``(c1 a * c2 b) + c3 g``, where data
    determine only c1*c2 and c3.
    """
    second, last = OPERATORS[op1], OPERATORS[op2]
    sizes = [a, b] if op1 == "+" else [second(a, b)]
    return [*sizes, g] if op2 == "+" else [last(size, g) for size in sizes]


def scientific(value: float) -> str:
    """Format a number with three digits and a power of ten, such as ``8.71e2``."""
    digits, power = f"{value:.2e}".split("e")
    return f"{digits}e{int(power)}"


def _power_of_ten(value: float) -> str:
    """Format a number as `scientific` does, in LaTeX."""
    digits, power = scientific(value).split("e")
    return rf"{digits} \cdot 10^{{{power}}}" if int(power) else digits


@dataclass(frozen=True)
class Form:
    """One of the functions.

    Base functions alpha, beta and gamma ("id", "log", "sqrt", "inv") are of run time, processors
    and submit time. The operators between them ("+", "*", "/") apply from left to right.
    """

    alpha: str
    beta: str
    gamma: str
    op1: str
    op2: str

    @property
    def name(self) -> str:
        """The form without coefficients."""
        return self._join(["", "", ""])

    @property
    def is_simplest(self) -> bool:
        """Whether no simpler form is the same function, by division or multiplication by 1 / x."""
        return not any(
            name == "inv" and op != "+"
            for op, name in ((self.op1, self.beta), (self.op2, self.gamma))
        )

    def values(self, r: np.ndarray, n: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the values of the three base functions, as floats."""
        r, n, s = (np.asarray(x, dtype=float) for x in (r, n, s))
        return (
            base_value(self.alpha, r),
            base_value(self.beta, n, self.op1),
            base_value(self.gamma, s, self.op2),
        )

    def predict(
        self, coefficients: np.ndarray, r: np.ndarray, n: np.ndarray, s: np.ndarray
    ) -> np.ndarray:
        """Return the score of tasks under the coefficients (c1, c2, c3)."""
        terms = (c * x for c, x in zip(coefficients, self.values(r, n, s), strict=True))
        return combine(self.op1, self.op2, *terms)

    def merged(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the coefficients of the `products`, from (c1, c2, c3)."""
        return np.array(products(self.op1, self.op2, *(np.float64(c) for c in coefficients)))

    def unmerged(self, merged: np.ndarray) -> tuple[float, float, float]:
        """Return (c1, c2, c3) from the coefficients of the `products`; 1 if undetermined."""
        factors = [float(value) for value in merged]
        c1 = factors.pop(0)
        c2 = factors.pop(0) if self.op1 == "+" else 1.0
        return c1, c2, factors.pop(0) if self.op2 == "+" else 1.0

    def constant(self, coefficients: np.ndarray) -> float:
        """Return K = c3 / (c1 op1 c2), the factor of gamma(s), or nan if it is undefined."""
        if self.op1 == "+" or self.op2 != "+":
            return np.nan
        size, submit = self.merged(coefficients)
        return float(submit / size) if size else np.nan

    def formula(self, coefficients: np.ndarray) -> str:
        """Return the function in the paper's simplified form, with three digits per coefficient."""
        return self._simplified(coefficients, scientific, guarded=False)

    def policy(self, coefficients: np.ndarray) -> str:
        """Return an expression for `schedlab.policies.get` with the order of the form.

        It is divided by the absolute value of the first coefficient, as in Table 3. Divisors keep
        `EPSILON`; a single log10(s) has none, so that a task with submit time 0 comes first. The
        text is empty if the coefficients are not finite or the first one is zero.
        """
        return self._simplified(coefficients, "{:.10g}".format, guarded=True)

    def latex(self, coefficients: np.ndarray) -> str:
        r"""Return the `formula` as LaTeX for a formula environment."""
        factors = self._factors(coefficients, _power_of_ten, r" \cdot ") or ["", "", ""]
        a, b, g = (
            factor + _LATEX[name].format(x)
            for factor, name, x in zip(
                factors, (self.alpha, self.beta, self.gamma), "rns", strict=True
            )
        )
        first_two = _LATEX_OPERATORS[self.op1].format(a, b)
        if self.op1 == "+" and self.op2 == "*":
            first_two = rf"\left({first_two}\right)"
        return _LATEX_OPERATORS[self.op2].format(first_two, g).replace("+ -", "- ")

    def _simplified(
        self, coefficients: np.ndarray, number: Callable[[float], str], guarded: bool
    ) -> str:
        factors = self._factors(coefficients, number, " * ")
        if not factors:
            return "" if guarded else self.name
        return self._join(factors, guarded)

    def _factors(
        self, coefficients: np.ndarray, number: Callable[[float], str], times: str
    ) -> list[str]:
        """Return the factors of the base functions relative to the first; empty if undefined."""
        merged = self.merged(coefficients)
        if not np.isfinite(merged).all() or not merged[0]:
            return []
        ratios = self.unmerged(merged / abs(merged[0]))
        texts = ["" if ratio == 1 else f"{number(ratio)}{times}" for ratio in ratios[1:]]
        return ["" if merged[0] > 0 else "-", *texts]

    def _join(self, factors: list[str], guarded: bool = False) -> str:
        names, ops = (self.alpha, self.beta, self.gamma), ("", self.op1, self.op2)
        texts = []
        for name, op, x in zip(names, ops, "rns", strict=True):
            # as in `base_value`; a logarithm needs no epsilon if zero has a valid order
            within = name == "inv" or (name == "log" and (op == "/" or (x == "s" and op == "*")))
            epsilon = EPSILON * (within + (op == "/"))
            inside = f"({x} + {epsilon:g})" if guarded and epsilon else x
            # a logarithm has its own parentheses
            inside = inside if name not in ("log", "sqrt") else inside.strip("()")
            texts.append(_TEXTS[name].format(inside))
        a, b, g = (factor + text for factor, text in zip(factors, texts, strict=True))
        first_two = f"{a} {self.op1} {b}"
        if self.op1 == "+" and self.op2 != "+":
            first_two = f"({first_two})"
        return f"{first_two} {self.op2} {g}".replace("+ -", "- ")


FORMS = tuple(
    Form(alpha, beta, gamma, op1, op2)
    for op1, op2 in product(OPERATORS, repeat=2)
    for alpha, beta, gamma in product(BASE_FUNCTIONS, repeat=3)
)
