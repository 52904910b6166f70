"""Queue policies as schedulers of whole nodes, ordered by an expression."""

import numpy as np

from schedlab.cosched.schedulers import CoScheduler, Order, Waiting, register_order
from schedlab.policies.expression import compile_expression, orders_nothing


def order_of(name: str, expression: str) -> Order:
    """Return the order of a policy's expression: its smallest score has the largest key.

    Examples
    --------
    >>> import numpy as np
    >>> from schedlab.cosched.schedulers import Waiting
    >>> none, times = np.zeros(2), np.array([60.5, 60.25])
    >>> order_of("spt", "r")(Waiting(none, none, times, times, none, none, 0, 0.0)).tolist()
    [-60.5, -60.25]
    """
    program = compile_expression(expression)

    def keys(waiting: Waiting) -> np.ndarray:
        columns = waiting.time, waiting.procs, waiting.submit, waiting.now - waiting.submit
        score, faulty = program.checked(*columns)
        if faulty >= 0:
            seen = (column[faulty] for column in columns)
            raise orders_nothing(name, expression, waiting.place[faulty], score[faulty], *seen)
        return -score

    return keys


def of_policy(name: str, expression: str) -> CoScheduler:
    """Return the scheduler of a policy, with whole nodes and no backfilling, like SJF."""
    order = f"policy {name}"
    register_order(order, order_of(name, expression))
    return CoScheduler(name, name, order)
