"""What is shown of legrand2018."""
