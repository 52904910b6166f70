"""The arena: every scheduler once over the same logs, by six metrics and by its worst cases."""
