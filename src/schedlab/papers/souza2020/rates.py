"""The rates that Algorithm 1 learns with: as configured, and the constant 1 of its proof.

The paper asks of them that they never increase and says no more. Falling ones leave a learner that
has seen few jobs nearly even over its alternatives where waits vary, so that what is said of it may
be of the rates alone: everything that it does is done with both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedlab.asa.settings import Settings

#: Algorithm 1 as configured, and with losses that count in full in every round
ASA, STEADY = "ASA", "ASA, rate 1"


def learners_of(learning: Settings) -> dict[str, Settings]:
    """Return the settings of Algorithm 1 with either rates, by name.

    Parameters
    ----------
    learning : Settings
        As configured.

    References
    ----------
    souza2020, Algorithm 1, and appendix A, equation 8: gamma of 1.
    """
    return {ASA: learning, STEADY: replace(learning, rate=1.0, power=0.0)}
