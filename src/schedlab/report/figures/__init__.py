"""Drawing: data in, axes out; no computing."""
