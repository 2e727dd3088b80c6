"""Objects of Conway's Life that satlife has found or checked, with the command that did it.

>>> find_entry("glider").code, find_entry("xs7_178c").name
('xq4_153', 'eater 1')
>>> len(find_entries(kind="still life", population=(10, 10), how="enumerated"))
25

The entries are data, in objects.tsv; ``just atlas catalogue`` makes that file with searches, and
atlas/catalogue.py holds the counts that it must reach.
"""

from satlife.life.catalogue.entries import (
    HOWS,
    KINDS,
    OWN_COLUMNS,
    Entry,
    catalogue,
    famous_entries,
    find_entries,
    find_entry,
    read_table,
    suggest_name,
    write_table,
)
from satlife.life.catalogue.gliders import write_line, write_ranges
from satlife.life.catalogue.imports import Collection, read_collection
from satlife.life.catalogue.texts import (
    is_grid,
    is_known,
    list_several,
    name_any,
    name_partial,
    name_pattern,
)

__all__ = [
    "HOWS",
    "KINDS",
    "OWN_COLUMNS",
    "Collection",
    "Entry",
    "catalogue",
    "famous_entries",
    "find_entries",
    "find_entry",
    "is_grid",
    "is_known",
    "list_several",
    "name_any",
    "name_partial",
    "name_pattern",
    "read_collection",
    "read_table",
    "suggest_name",
    "write_line",
    "write_ranges",
    "write_table",
]
