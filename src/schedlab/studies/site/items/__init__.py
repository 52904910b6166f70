"""What is shown of a site."""
