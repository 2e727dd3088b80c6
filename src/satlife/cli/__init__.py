"""The command line: ``satlife`` (``app``) and the drop-in ``scripts``.  Only this package prints.

Nothing is imported here, so that the drop-in scripts start without click.
"""
