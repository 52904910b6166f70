"""Policies' expressions in the languages of Slurm's plugins and scripts: Lua and Python."""

import ast

from schedlab.policies.expression import compile_expression

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
#: functions for division, powers and roots without errors, as in C
_CALLS = {ast.Div: "divided", ast.Pow: "power"}
_LUA = {name: f"math.{name}" for name in ("abs", "sqrt", "exp", "log", "min", "max")}
_PLAIN = {"abs": "abs", "min": "min", "max": "max"}


def lua(expression: str) -> str:
    """Return an expression in Lua 5.1 to 5.4; cbrt, log2 and log10 are defined in the file."""
    return _lua(_parse(expression))


def python(expression: str) -> str:
    """Return an expression in Python; divided, power and logarithms are defined in the file."""
    return _python(_parse(expression))


def _parse(expression: str) -> ast.expr:
    compile_expression(expression)
    return ast.parse(expression.strip(), mode="eval").body


def _lua(node: ast.expr) -> str:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return f"({_lua(left)} {_SIGNS[type(op)]} {_lua(right)})"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{_LUA.get(name, name)}({', '.join(map(_lua, args))})"
    return _simple(node, _lua)


def _python(node: ast.expr) -> str:
    match node:
        case ast.BinOp(left=left, op=ast.Div() | ast.Pow() as op, right=right):
            return f"{_CALLS[type(op)]}({_python(left)}, {_python(right)})"
        case ast.BinOp(left=left, op=op, right=right):
            return f"({_python(left)} {_SIGNS[type(op)]} {_python(right)})"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{_PLAIN.get(name, f'safe_{name}')}({', '.join(map(_python, args))})"
    return _simple(node, _python)


def _simple(node: ast.expr, write) -> str:
    """Return the text of a node that is equal in both languages."""
    match node:
        case ast.Constant(value=value):
            return repr(float(value))
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"(-{write(operand)})"
        case ast.UnaryOp(operand=operand):
            return write(operand)
    raise AssertionError(ast.dump(node))  # compile_expression has refused everything else
