"""Settings of Sphinx. `just docs` builds: warnings are errors, every reference is checked."""

import logging

from satlife._version import __version__

project = "satlife"
author = "The satlife developers"
copyright = f"2026, {author}"
release = __version__
version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
# The pages of a room come with the room: a glob in a toctree may match nothing yet. Sphinx gives
# that warning no type, so suppress_warnings cannot name it.
logging.getLogger("sphinx.sphinx.directives.other").addFilter(
    lambda record: getattr(record, "subtype", None) != "empty_glob"
)

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_typehints = "signature"
python_use_unqualified_type_names = True

nitpicky = True
# Types of other projects: the build must not need the network, so they are named without a link.
nitpick_ignore_regex = [
    (r"py:.*", r"(collections(\.abc)?|types|typing|pathlib|os|abc|enum|io|fractions)\..*"),
    (r"py:.*", r"functools\..*"),
    (r"py:.*", r"(numpy|np|npt|numpy\.typing)(\..*)?"),
    (r"py:.*", r"(click|rich|pysat|msgspec)(\..*)?"),
    (r"py:class", r"(bool|bytes|dict|float|frozenset|int|list|object|set|str|tuple|type)"),
    (r"py:(class|exc)", r"(Exception|ValueError|TypeError|KeyError|OSError|RuntimeError)"),
    # Ours, and not public: a signature may name them, the reference does not explain them.
    (r"py:mod", r"satlife\..*"),
    (r"py:class", r"satlife\.sat\.solvers\.scripted\.OpenScripted"),
    (r"py:class", r"satlife\.knuth\.program\.(Clauses|Refusal|Step)"),
    (r"py:class", r"(Cell|Cells|IntArray|NameArray)"),
    # What autodoc cannot resolve in a signature, because the module imports it for types only.
    (r"py:class", r"(Path|Iterable|Iterator|Sequence|Mapping|Callable|NDArray|optional)"),
]

html_theme = "furo"
html_title = "satlife"
# A block without a language is text.
highlight_language = "none"
