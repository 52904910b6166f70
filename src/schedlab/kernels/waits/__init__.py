"""Kernels of predictors of waits."""
