"""Policies as expressions over r, n, s and w; parsing executes no code."""

import ast
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from schedlab.kernels.common.expression import MAX_STACK, OPERATIONS, evaluate
from schedlab.policies.user_files import is_place

VARIABLES = {
    "r": "run time or estimate in seconds",
    "n": "processors",
    "s": "submit time in seconds",
    "w": "waiting time in seconds",
}
FUNCTIONS = {
    name: OPERATIONS.index(name)
    for name in ("abs", "sqrt", "cbrt", "exp", "log", "log2", "log10", "min", "max")
}
_BINARY = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
_TWO_ARGUMENTS = {"min", "max"}
MAX_LENGTH = 1000
#: jobs that are scored in one step, so that their columns as floats take little memory
BLOCK = 1 << 20


class ExpressionError(ValueError):
    """The text is not a valid expression; the message shows where and why."""


class ScoreError(ValueError):
    """A score without an order; the message names the policy and the job."""


@dataclass(frozen=True, eq=False)
class Program:
    """Expression as postfix code for the kernels."""

    text: str
    op: np.ndarray  # int32, codes of `schedlab.kernels.common.expression.OPERATIONS`
    constant: np.ndarray  # float64, the number that a ``constant`` instruction pushes

    @property
    def moves(self) -> bool:
        """Whether scores change while jobs wait."""
        return OPERATIONS.index("w") in self.op

    def scores(
        self, r: np.ndarray, n: np.ndarray, s: np.ndarray, w: float | np.ndarray = 0.0
    ) -> np.ndarray:
        """Return the score of each job, float64; `w` is one number for all jobs or an array."""
        return self.checked(r, n, s, w)[0]

    def checked(
        self, r: np.ndarray, n: np.ndarray, s: np.ndarray, w: float | np.ndarray = 0.0
    ) -> tuple[np.ndarray, int]:
        """Return the scores, and the place of the first score without an order, or -1.

        Such a score is not a number (0 / 0, the logarithm or root of a negative number), or
        infinite (a division by 0, an overflow), which ties jobs that it should order. An infinite
        score is valid at a pole: it is finite for a job with one more second of run time,
        processor, second of submission and second of waiting. Examples are log10(s) of the first
        job and 1 / log2(n) of a serial one. A job at a pole comes before or after all others.
        """
        columns = np.broadcast_arrays(*map(np.atleast_1d, (r, n, s, w)))
        score, faulty = np.empty(len(columns[0])), -1
        floats = np.empty((len(columns), min(BLOCK, len(score))))
        for begin in range(0, len(score), BLOCK):
            part = slice(begin, min(begin + BLOCK, len(score)))
            block = floats[:, : part.stop - begin]
            for row, column in zip(block, columns, strict=True):
                row[:] = column[part]
            score[part], place = evaluate(self.op, self.constant, *block)
            if place >= 0 and faulty < 0:
                faulty = begin + place
        return score, faulty


def orders_nothing(
    policy: str, expression: str, job: int, score: float, r: float, n: int, s: float, w: float
) -> ScoreError:
    """Return the error for a score without an order, see `Program.checked`."""
    return ScoreError(
        f"policy '{policy}': the score of job {job} is {score} (r = {r}, n = {n}, s = {s}, "
        f"w = {w:g}), which orders nothing: look for divisions by 0, logarithms and roots of "
        f"negative numbers and overflows in '{expression}'"
    )


@lru_cache(maxsize=256)
def compile_expression(text: str) -> Program:
    """Compile an expression such as ``"-(w/r)**3 * n"``.

    Parameters
    ----------
    text : str
        Arithmetic (``+ - * / **``) and the functions abs, sqrt, cbrt, exp, log, log2, log10, min
        and max over numbers and the variables r (run time or estimate), n (processors), s (submit
        time) and w (waiting time).

    Raises
    ------
    ExpressionError
        The text contains anything else, or more than 1,000 characters. It is never executed as
        Python.

    Examples
    --------
    >>> compile_expression("r * n").moves
    False
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"policy expression '{text[:40]}...': longer than {MAX_LENGTH} characters"
        )
    if is_place(text):
        raise ExpressionError(
            f"policy expression '{text}': a policy in a file has no expression, which is needed "
            "here"
        )
    code: list[tuple[str, float]] = []
    try:
        _emit(ast.parse(text.strip(), mode="eval").body, text, code)
    except SyntaxError as error:
        raise ExpressionError(f"policy expression '{text}': {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        raise ExpressionError(f"policy expression '{text}': nested too deeply") from error
    depth = deepest = 0
    for name, _ in code:
        pushes = OPERATIONS.index(name) <= OPERATIONS.index("w")
        pops_two = name in _TWO_ARGUMENTS or name in _BINARY.values()
        depth += 1 if pushes else -1 if pops_two else 0
        deepest = max(deepest, depth)
    if deepest > MAX_STACK:
        raise ExpressionError(f"policy expression '{text}': nested deeper than {MAX_STACK}")
    return Program(
        text,
        np.array([OPERATIONS.index(name) for name, _ in code], dtype=np.int32),
        np.array([value for _, value in code]),
    )


def _emit(node: ast.expr, text: str, code: list[tuple[str, float]]) -> None:
    """Append the postfix code of `node`."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            code.append(("constant", _finite(value, text)))
        case ast.Name(id=name) if name in VARIABLES:
            code.append((name, 0.0))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _emit(operand, text, code)
            code.append(("neg", 0.0))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            _emit(operand, text, code)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _emit(left, text, code)
            _emit(right, text, code)
            code.append((_BINARY[type(op)], 0.0))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            count = 2 if name in _TWO_ARGUMENTS else 1
            if len(args) != count:
                raise ExpressionError(
                    f"policy expression '{text}': {name} takes {count} argument(s), has {len(args)}"
                )
            for argument in args:
                _emit(argument, text, code)
            code.append((name, 0.0))
        case _:
            part = ast.get_source_segment(text.strip(), node) or text
            raise ExpressionError(
                f"policy expression '{text}': cannot use '{part}'; variables are "
                f"{', '.join(VARIABLES)}, functions {', '.join(FUNCTIONS)}"
            )


def _finite(value: float, text: str) -> float:
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond the largest float
        number = math.inf
    if not math.isfinite(number):
        raise ExpressionError(f"policy expression '{text}': {number} is not a finite number")
    return number
