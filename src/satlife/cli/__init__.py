"""The command line: ``satlife`` (``app``) and the drop-in ``scripts``.  Only this room prints.

Nothing is imported here, so that the drop-in scripts start without click.
"""
