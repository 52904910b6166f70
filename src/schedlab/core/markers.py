"""What records and tables say of a log: whether it is there.

It stands below every room, because fetching writes it in records, engine rooms in sentences and the
report in verdicts.
"""

AT_HAND = "at hand"
NOT_AT_HAND = "log not at hand"
DRAWN = "drawn from its seed"  # the file is not at hand, its every job is
