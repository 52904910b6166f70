"""The value of a policy's expression, by Python's own evaluation with its own floats."""

from __future__ import annotations

import ast
import functools
import math
from types import CodeType


def _divide(left: float, right: float) -> float:
    if right == 0:
        return math.nan if left == 0 else math.copysign(math.inf, left)
    return left / right


def _logarithm(function):
    return lambda number: -math.inf if number == 0 else function(number)


_NAMES = {
    "__builtins__": {},
    "abs": abs,
    "sqrt": math.sqrt,
    "cbrt": math.cbrt,
    "exp": math.exp,
    "log": _logarithm(math.log),
    "log2": _logarithm(math.log2),
    "log10": _logarithm(math.log10),
    "min": min,
    "max": max,
    "_divide": _divide,
    "_power": math.pow,
}


def value(expression: str, r: float, n: float, s: float, w: float) -> float:
    """Value of an expression for one job; 1 / 0 and log(0) are infinite, as in IEEE arithmetic."""
    try:
        job = {"r": float(r), "n": float(n), "s": float(s), "w": float(w)}
        return eval(_code(expression), _NAMES, job)
    except ValueError:  # the logarithm or root of a negative number
        return math.nan


class _WithFunctions(ast.NodeTransformer):
    """Every constant as a float, and functions for the operators that Python has otherwise."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(float(node.value))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        function = {ast.Div: "_divide", ast.Pow: "_power"}.get(type(node.op))
        if function is None:
            return node
        return ast.Call(ast.Name(function, ast.Load()), [node.left, node.right], [])


@functools.cache
def _code(expression: str) -> CodeType:
    """Compile an expression, once."""
    tree = _WithFunctions().visit(ast.parse(expression, mode="eval"))
    return compile(ast.fix_missing_locations(tree), expression, "eval")
