"""What the workflow needs and no user: fingerprints of sources, targets, items, resources."""
