"""What an operator needs of a running campaign: metrics, health, logs, backups."""
