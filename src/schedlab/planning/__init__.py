"""Execution plans: who is to run where and when, kept up to date and searched for better ones."""
