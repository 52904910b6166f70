"""Obtaining Dynamic Scheduling Policies with Simulation and Machine Learning (SC'17)."""
