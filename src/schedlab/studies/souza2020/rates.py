"""The rates that Algorithm 1 learns with: as configured, and the constant 1 of its proof.

The paper asks of them that they never increase and says no more. Falling ones leave a learner that
has seen few jobs nearly even over its alternatives where waits vary, so that what is said of it may
be of the rates alone: everything that it does is done with both.
"""

from __future__ import annotations

from schedlab.waits.foretold import ASA, FALLING, learners_of

__all__ = ["ASA", "FALLING", "learners_of"]
