"""The local page: a server for this machine's own browser (``satlife serve``).

``desk`` runs searches, ``ledger`` keeps their answers, ``routes`` handles HTTP, ``guard`` controls
access, and ``client/`` holds the browser's files.  A search belongs to the desk, not to a
connection: it survives closed tabs and reloads.
"""
