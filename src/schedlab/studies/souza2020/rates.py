"""The two kinds of learning rates of Algorithm 1: as configured, and falling.

The paper only requires that rates never increase. With falling rates a learner that has seen few
jobs stays nearly uniform over its alternatives if waits vary, so a result may be due to the rates
alone. Every experiment therefore runs with both.
"""

from schedlab.waits.backtest_predictors import ASA, FALLING, learners_of

__all__ = ["ASA", "FALLING", "learners_of"]
