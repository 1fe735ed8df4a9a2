"""What texts refer to, read from their own words."""
