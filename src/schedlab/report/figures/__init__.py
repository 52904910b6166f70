"""Figures: functions that take data and draw axes; they compute nothing."""
