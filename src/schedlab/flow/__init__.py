"""Support of the workflow: fingerprints of sources, targets, items, resources."""
