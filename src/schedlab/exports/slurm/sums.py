"""Expressions as sums of products of powers, if they have that form."""

import ast

from schedlab.policies.expression import compile_expression

#: the variables in the order of the exponents
NAMES = ("r", "n", "s", "w")
Exponents = tuple[int, int, int, int]
ONE: Exponents = (0, 0, 0, 0)
MOST = 8  # larger powers are not expanded, because no weight expresses them


def terms(expression: str) -> dict[Exponents, float] | None:
    """Return the coefficients of a policy's terms by the exponents of r, n, s and w.

    None: it is no such sum; it contains a function, or a quotient by a sum.
    """
    compile_expression(expression)
    coefficients = _sum(ast.parse(expression.strip(), mode="eval").body)
    if coefficients is None:
        return None
    return {key: value for key, value in coefficients.items() if value}


def static_equivalent(expression: str) -> str | None:
    """Return a static expression with the same order of waiting jobs, or None.

    The waiting time is the present time minus the submit time, and the present time is equal for
    all jobs. So if the wait is only added, times a number, -s can replace it. None: the order is
    time-dependent.
    """
    if not compile_expression(expression).moves:
        return expression
    coefficients = terms(expression)
    if coefficients is None or any(key[3] for key in coefficients if key != (0, 0, 0, 1)):
        return None
    tree = _WaitAsSubmission().visit(ast.parse(expression.strip(), mode="eval"))
    return ast.unparse(ast.fix_missing_locations(tree))


class _WaitAsSubmission(ast.NodeTransformer):
    """Transformer that replaces w by -s."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace w and keep every other name."""
        if node.id != "w":
            return node
        return ast.UnaryOp(ast.USub(), ast.Name("s", ast.Load()))


def _sum(node: ast.expr) -> dict[Exponents, float] | None:
    match node:
        case ast.Constant(value=value):
            return {ONE: float(value)}
        case ast.Name(id=name):
            return {tuple(int(name == variable) for variable in NAMES): 1.0}
        case ast.UnaryOp(op=op, operand=operand):
            return _times(_sum(operand), {ONE: -1.0 if isinstance(op, ast.USub) else 1.0})
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = {ONE: -1.0 if isinstance(op, ast.Sub) else 1.0}
            return _plus(_sum(left), _times(_sum(right), sign))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _times(_sum(left), _sum(right))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _times(_sum(left), _inverse(_sum(right)))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=value)):
            return _power(_sum(left), value)
    return None


def _plus(left_terms: dict | None, right_terms: dict | None) -> dict | None:
    if left_terms is None or right_terms is None:
        return None
    return {
        key: left_terms.get(key, 0.0) + right_terms.get(key, 0.0)
        for key in left_terms | right_terms
    }


def _times(left_terms: dict | None, right_terms: dict | None) -> dict | None:
    if left_terms is None or right_terms is None:
        return None
    product: dict[Exponents, float] = {}
    for left, factor in left_terms.items():
        for right, second in right_terms.items():
            key = tuple(map(sum, zip(left, right, strict=True)))
            product[key] = product.get(key, 0.0) + factor * second
    return product


def _inverse(single_term: dict | None) -> dict | None:
    """Return the term of the reciprocal of a single term."""
    if single_term is None or len(single_term) != 1:
        return None
    ((key, value),) = single_term.items()
    return {tuple(-exponent for exponent in key): 1 / value} if value else None


def _power(base: dict | None, exponent: float) -> dict | None:
    """Return the terms of a non-negative integer power."""
    if exponent != int(exponent) or not 0 <= exponent <= MOST:
        return None
    product: dict | None = {ONE: 1.0}
    for _ in range(int(exponent)):
        product = _times(product, base)
    return product
