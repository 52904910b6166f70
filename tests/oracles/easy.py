"""Naive EASY backfilling, written to be read: an oracle that shares nothing with the kernels.

A job is (submit time, run time, processors, estimate).
"""

KEY = {
    "fcfs": lambda j: j[0],
    "lcfs": lambda j: -j[0],
    "spf": lambda j: j[3],
    "lpf": lambda j: -j[3],
    "sqf": lambda j: j[2],
    "lqf": lambda j: -j[2],
    "saf": lambda j: j[2] * j[3],
    "laf": lambda j: -j[2] * j[3],
}


def simulate(J, procs, primary="fcfs", backfill="fcfs", first=False, lifo=False, strict=False):
    sign = -1 if lifo else 1

    def pk(i):
        return (KEY[primary](J[i]), sign * i)

    def bk(i):
        return (KEY[backfill](J[i]), sign * i)

    free, nxt, wait, running, start = procs, 0, [], {}, {}  # running: job -> (end, estimated end)
    while nxt < len(J) or running:
        T = min([e for e, _ in running.values()] + ([J[nxt][0]] if nxt < len(J) else []))
        for i in [i for i, (e, _) in running.items() if e == T]:
            del running[i]
            free += J[i][2]
        while nxt < len(J) and J[nxt][0] == T:
            wait.append(nxt)
            nxt += 1
        wait.sort(key=pk)

        def go(i, T):
            nonlocal free
            free -= J[i][2]
            start[i] = T
            running[i] = (T + J[i][1], T + J[i][3])
            wait.remove(i)

        while wait and J[wait[0]][2] <= free:
            go(wait[0], T)
        if not wait or strict:
            continue
        need, f, ends = J[wait[0]][2], free, sorted((x, J[i][2]) for i, (_, x) in running.items())
        k = 0
        while f < need:
            shadow = ends[k][0]
            f += ends[k][1]
            k += 1
        while not first and k < len(ends) and ends[k][0] == shadow:
            f += ends[k][1]
            k += 1
        extra = f - need
        for i in sorted(wait[1:], key=bk):
            n, e = J[i][2], J[i][3]
            if n <= free and (T + e <= shadow or n <= extra):
                if T + e > shadow:
                    extra -= n
                go(i, T)
    return start


def bsld(J, start):
    return sum(max(1.0, (start[i] - s + r) / max(r, 10)) for i, (s, r, n, e) in enumerate(J)) / len(
        J
    )
