"""The commands of ``satlife campaign``, and ``satlife worker``."""
