"""Learn how long jobs wait in a queue, and submit the stages of a workflow in time."""
