"""The arena: every scheduler of the house on the same windows of the same logs, by six metrics."""
