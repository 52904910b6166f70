"""Execution plans: where and when jobs run, kept up to date and improved by search."""
