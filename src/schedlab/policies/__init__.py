"""Policies: which waiting job runs first."""

from schedlab.policies.expression import ExpressionError
from schedlab.policies.pure import REGISTRY, Policy, get

__all__ = ["REGISTRY", "ExpressionError", "Policy", "get"]
