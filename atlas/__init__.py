"""Programs that make published data; README.md lists them, and ``python -m atlas`` runs them.

A *table* of the atlas has a page in ``docs/atlas`` and certificates. ``python -m atlas NAME`` runs
what is left of its plan, certifies, records and writes the page; ``python -m atlas pages`` writes
the pages from what is recorded, and ``python -m atlas check`` checks certificates.

A table is one file in ``atlas/tables`` with one value, and one line in its ``TABLES``::

    TABLE = Table(
        name="oscillators",            # docs/atlas/oscillators.md, atlas/data/oscillators
        title="Smallest oscillators",
        summary="For each period …",   # a line in docs/atlas/index.md
        body=write_body,               # Answers -> Markdown: the page without its certificates
        known=KNOWN,                   # a section of docs/atlas/known.md
        orders=list_orders,            # Answers -> what a plan cannot ask, if anything
    )

What is recorded is in ``atlas/data/NAME``:

``plan.toml``
    What is asked, for ``satlife campaign``; may be missing if all is in the table's orders.
``ledger.jsonl.xz``
    Its answers.
``certificates.json``
    A :class:`~atlas.table.Record` for each certificate and for each order.
``certificates.tar.xz``
    The small certificates, without the formulas, which follow from the problems.

An :class:`~atlas.table.Order` is a name and a command: ``satlife oscillator 3 --box 7x6
--minimize population`` gets ``--prove FOLDER``, and ``{folder}``, if a command has it, is the
folder.  It runs in ``atlas/data/NAME``, so it may name files there, and ends in a certificate
(of none, the best, all, a core), in a pattern, or undecided.

A body finds the plan's answers in ``answers.questions`` (by the words of
``satlife.campaign.results.describe_question``; a cell for each box) and ``answers.finds`` (by
question and box), and the certificates in ``answers.records`` (by name).
:mod:`atlas.page` has what bodies share: ``table``, ``player``, ``link`` to a certificate's
row and ``list_certificates`` of a question.  Times stay out of a body: the page of two runs is the
same but for the seconds and sizes of its certificates.

While a table is made, ``dist/atlas/NAME`` has its ledger, proofs and certificates.
"""
