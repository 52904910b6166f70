"""The kernel of many mixed policies at once."""
