"""Workloads drawn from models."""
