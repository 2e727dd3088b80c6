"""The dispatcher: leases tasks to volunteers, who never touch the queue itself."""
