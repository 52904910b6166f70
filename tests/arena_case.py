"""A small arena: labels of its logs, and each scheduler's metrics as a factor of EASY's."""

LABELS = {"a": "Log A", "b": "Log <B>"}
#: EASY++ does not run on the second log
FACTORS = {
    "fcfs": 1.0,
    "saf": 0.5,
    "spf": 0.6,
    "f1": 0.97,
    "easy_pp": 0.4,
    "lpf": 2.0,
    "f1_2d": 0.9,
    "mine": 0.95,
}
SCHEDULES = {"Log A": "schedules/a.html", "Log <B>": "schedules/b.html"}
SHOWN = {"Log A": ["EASY", "SAF"], "Log <B>": ["EASY", "SPF"]}
