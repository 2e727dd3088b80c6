"""Operation of a running campaign: metrics, health, logs, backups."""
