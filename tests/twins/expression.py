"""The value of a policy's expression, by walking its tree with Python's own floats."""

from __future__ import annotations

import ast
import functools
import math
import operator

_FUNCTIONS = {
    "abs": abs,
    "sqrt": math.sqrt,
    "cbrt": math.cbrt,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "min": min,
    "max": max,
}
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: math.pow,
}


def value(expression: str, r: float, n: float, s: float, w: float) -> float:
    """Value of `expression` for one job.

    Division by zero and the logarithm of zero are infinite, as IEEE arithmetic has it.

    Examples
    --------
    >>> value("-(w / r)**3 * n", 10, 2, 0, 20)
    -16.0
    """
    names = {"r": float(r), "n": float(n), "s": float(s), "w": float(w)}

    def walk(node: ast.expr) -> float:
        if isinstance(node, ast.Constant):
            return float(node.value)
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.UnaryOp):
            return -walk(node.operand)
        if isinstance(node, ast.Call):
            arguments = [walk(argument) for argument in node.args]
            if node.func.id.startswith("log") and arguments[0] == 0:
                return -math.inf
            return _FUNCTIONS[node.func.id](*arguments)
        left, right = walk(node.left), walk(node.right)
        if isinstance(node.op, ast.Div):
            if right == 0:
                return math.nan if left == 0 else math.copysign(math.inf, left)
            return left / right
        return _OPERATORS[type(node.op)](left, right)

    try:
        return walk(_tree(expression))
    except ValueError:  # the logarithm or root of a negative number
        return math.nan


@functools.cache
def _tree(expression: str) -> ast.expr:
    """Tree of an expression, parsed once."""
    return ast.parse(expression, mode="eval").body
