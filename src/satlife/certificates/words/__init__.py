"""The claims of certificates in words."""
