"""From model workloads to learned policies: trials, scores, regression."""
