"""The local page: a server for this machine's own browser (``satlife serve``, the extra ``web``).

``desk`` runs searches, ``history`` keeps what they found, ``routes`` speaks HTTP, ``guard`` decides
who may speak with it, and ``client/`` is what the browser loads.  A search belongs to the desk, not
to a connection: it survives closed tabs and reloads.
"""
