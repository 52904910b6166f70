"""The kernel that reads logs."""
