"""Tables of carastan2017."""
