"""What the commands that search share: options, the ways to search, progress and answers."""
