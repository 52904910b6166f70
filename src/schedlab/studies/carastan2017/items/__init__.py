"""What is shown of carastan2017."""
