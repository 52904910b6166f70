"""Items of carastan2017."""
