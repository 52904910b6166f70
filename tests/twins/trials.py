"""The trials kernel's twin: permutations of Q after S in strict order, written to be read."""

from __future__ import annotations

from twins.splitmix import Stream


def permutations(seed: int, trials: int, biased: bool, tasks: int = 32) -> list[list[int]]:
    stream, order, found, bits = Stream(seed), list(range(tasks)), [], 0
    for _ in range(trials):
        if biased:
            order = list(range(tasks))
            for k in range(tasks):
                bits = stream.draw() if k % 8 == 0 else bits >> 8
                other = bits % tasks
                order[k], order[other] = order[other], order[k]
        else:
            halves: list[int] = []
            for k in range(tasks - 1, 0, -1):
                if not halves:
                    word = stream.draw()
                    halves = [word & 0xFFFFFFFF, word >> 32]
                other = halves.pop(0) * (k + 1) >> 32
                order[k], order[other] = order[other], order[k]
        found.append(list(order))
    return found


def slowdown(runtime, procs, submit, processors: int, order: list[int], state: int = 16) -> float:
    """Average bounded slowdown of Q in this order; S runs before it in its own."""
    now, running, total = 0, [], 0.0
    for place, task in enumerate([*range(state), *(state + task for task in order)]):
        now = max(now, submit[task])
        while processors - sum(n for end, n in running if end > now) < procs[task]:
            now = min(end for end, _ in running if end > now)
        running.append((now + runtime[task], procs[task]))
        if place >= state:
            waited = now - submit[task] + runtime[task]
            total += max(waited * (1.0 / max(runtime[task], 10)), 1.0)
    return total / len(order)
