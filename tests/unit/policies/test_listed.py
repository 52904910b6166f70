"""The order given by a list."""

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.policies.listed import policy_of_scores


def test_scores_are_those_of_the_list():
    """0 for who is not in it, and the first in order before all."""
    policy = policy_of_scores("site", {3: -7, 5: 2})
    jobs = Jobs([5, 3, 4], [0, 1, 2], [1] * 3, [1] * 3, [1] * 3)
    assert policy.scores(jobs).tolist() == [2, -7, 0]
    assert policy.scores(jobs, head=1).tolist() == [-np.inf, -7, 0]
    assert policy.order == "static"
    assert policy.label == "site"
