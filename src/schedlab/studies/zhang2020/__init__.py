"""RLScheduler (Zhang et al., SC'20): published neural policies on trial."""
