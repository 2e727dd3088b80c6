"""What certificates claim, in words."""
