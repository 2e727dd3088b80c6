"""The commands of ``satlife``, a file each; those of the kinds are in ``cli.search``."""
