"""RLScheduler's simulator in plain Python, from its description and not from the kernel.

At each decision one waiting job is chosen. If it does not fit, the simulator commits to it: a
shadow
time is found once, from the estimated ends of running jobs. Until the chosen job can start, other
waiting jobs start first come, first served if they fit and end before the shadow time. Arrivals and
completions are taken in one by one, so that a decision may come before others of its instant.

`replay(jobs, processors, choose)` has jobs as (submit, run time, request, processors); `choose`
gets (time, places of waiting jobs, free processors) and returns one of the places.
"""

import math

import numpy as np

CAP = 1 - 1e-5
MAX_WAIT = 43_200


def replay(jobs, processors, choose):
    """Return the start of each job."""
    start = [None] * len(jobs)
    waiting, running, arrived, now, free = [], [], 0, 0, processors

    def begin(place):
        nonlocal free
        waiting.remove(place)
        running.append(place)
        start[place] = now
        free -= jobs[place][3]

    def advance():
        """Take in the next arrival or completion; of one instant, arrivals come first."""
        nonlocal now, free, arrived
        first = min(running, key=lambda place: start[place] + jobs[place][1], default=None)
        end = math.inf if first is None else start[first] + jobs[first][1]
        if arrived < len(jobs) and jobs[arrived][0] <= end:
            now = max(now, jobs[arrived][0])
            waiting.append(arrived)
            arrived += 1
        else:
            now = max(now, end)
            running.remove(first)
            free += jobs[first][3]

    while waiting or arrived < len(jobs):
        if not waiting:
            advance()
            continue
        chosen = choose(now, list(waiting), free)
        if jobs[chosen][3] > free:
            freed, shadow = free, now
            for place in sorted(running, key=lambda p: start[p] + jobs[p][2]):
                freed += jobs[place][3]
                shadow = start[place] + jobs[place][2]
                if freed >= jobs[chosen][3]:
                    break
            while jobs[chosen][3] > free:
                for place in list(waiting):  # in the order of submission
                    if place != chosen and jobs[place][3] <= free and now + jobs[place][2] < shadow:
                        begin(place)
                advance()
        begin(chosen)
    return start


def by_score(jobs, score):
    """Return the choice of the smallest score(job, wait); ties by submission."""
    return lambda now, waiting, free: min(
        waiting, key=lambda place: (score(jobs[place], now - jobs[place][0]), place)
    )


#: heuristics; the clock is that of the log, of which `zero` is the time of the first job
HEURISTICS = {
    "FCFS": lambda zero: lambda job, wait: job[0],
    "SJF": lambda zero: lambda job, wait: job[2],
    "F1": lambda zero: (
        lambda job, wait: math.log10(job[2]) * job[3] + 870 * math.log10(max(job[0] + zero, 1))
    ),
    "WFP3": lambda zero: lambda job, wait: -((wait / job[2]) ** 3) * job[3],
}


def by_network(jobs, owners, largest, layers, processors, window=128):
    """Return the choice of the largest logit among the `window` jobs of smallest request.

    `owners` has memory, user, group and executable of each job, -1 if unknown; `largest` the
    largest run time, memory, user, group and executable of the log.
    """

    def choose(now, waiting, free):
        seen = sorted(waiting, key=lambda place: (jobs[place][2], place))[:window]
        rows = []
        for place in seen:
            submit, _, request, procs = jobs[place]
            shares = [(now - submit) / MAX_WAIT, request / largest[0], procs / processors]
            row = [min(share, CAP) for share in shares]
            row += [
                1.0 if value < 0 else min(value / most, CAP)  # an unknown value is not capped
                for value, most in zip(owners[place], largest[1:], strict=True)
            ]
            rows.append([*row, CAP if procs <= free else 1e-5])
        values = np.array(rows, dtype=np.float32)
        for number, (kernel, bias) in enumerate(layers):
            # in the order of the inputs: equal jobs have equal scores, wherever they wait
            total = np.repeat(bias[None, :], len(values), axis=0)
            for place, weights in enumerate(kernel):
                total += values[:, place : place + 1] * weights
            values = total
            if number < len(layers) - 1:
                values = np.maximum(values, 0)
        return seen[int(np.argmax(values[:, 0]))]

    return choose


def slowdowns(jobs, start):
    """Return the bounded slowdown of each job, with a threshold of 10 s."""
    return [
        max(1.0, (begin - job[0] + job[1]) / max(job[1], 10))
        for job, begin in zip(jobs, start, strict=True)
    ]
