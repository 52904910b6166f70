"""Policies, which define the order of waiting jobs."""

from schedlab.policies.expression import ExpressionError, ScoreError
from schedlab.policies.pure import ALIASES, REGISTRY, Policy, get

__all__ = ["ALIASES", "REGISTRY", "ExpressionError", "Policy", "ScoreError", "get"]
