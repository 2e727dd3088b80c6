"""How often a worker with bad memory is found out: ``python -m bench.bad_memory [--campaigns 50]``.

Campaigns of 500 tasks without proofs, by one worker, which answers "impossible" to one task in 50
at random.  Its false claims are those to which there is a find.  Printed are the false claims of
all campaigns, how many of them a find contradicts by the end, in how many of the campaigns with a
false claim at least one was noticed, and how many questions call a box impossible that is not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from satlife.campaign.bookkeeper import Bookkeeper
from satlife.campaign.core.events import ClaimedEvent, Event, FoundEvent
from satlife.campaign.core.trust import examine
from satlife.campaign.core.witnesses import Witnesses
from satlife.campaign.ledger import open_ledger
from satlife.campaign.local.task_solver import solve_task
from satlife.campaign.messages import Task
from satlife.campaign.plan import Plan
from satlife.campaign.results import InBox, collect

ONE_IN = 50
"""One of so many answers is "impossible", whatever is true."""
BIRTHS = ("3", "36", "38", "368", "34", "35", "37", "357", "3678", "348")
SURVIVALS = ("23", "12", "234", "238", "245", "236", "125", "1234", "34", "34678", "2", "13", "024")
RULES = [f"B{birth}/S{survival}" for birth in BIRTHS for survival in SURVIVALS][:125]
PLANS = {
    "125 rules": (
        f'[[search]]\nkind = "oscillator"\nperiods = 2\nboxes = "3x3..4x4"\nrules = {RULES}\n'
    ),
    "ranges of boxes": (
        '[[search]]\nkind = "oscillator"\nperiods = "2..3"\nboxes = "2x2..6x6"\n'
        f"rules = {RULES[:4]}\nsymmetries = ['C2', 'D2-', 'D4+']\n"
    ),
}
"""Plans of about 500 tasks."""


class World:
    """The true answers, each of which is searched for once."""

    def __init__(self) -> None:
        self._known: dict[str, Event] = {}

    def answer(self, task: Task) -> Event:
        """Return what an honest worker says."""
        if task.name not in self._known:
            self._known[task.name] = examine(task, solve_task(task, "honest", None))
        return self._known[task.name]


Answers = dict[str, Counter[InBox]]
"""The number of boxes with each answer, by question."""


def play(plan: Plan, world: World, random: Random | None) -> tuple[int, int, Answers]:
    """Play a campaign; return its false claims, those that were noticed, and its answers."""
    false = set()
    with open_ledger(":memory:") as ledger:
        books = Bookkeeper(plan, ledger)
        while not books.conductor.is_done:
            books.take(4)
            for name, (task, _) in [*books.conductor.out.items()]:
                if name not in books.conductor.out:
                    continue
                event = world.answer(task)
                if random is not None and random.randrange(ONE_IN) == 0:
                    false |= {name} if isinstance(event, FoundEvent) else set()
                    event = ClaimedEvent(name, "bad", task.round)
                books.push([event])
                books.drain()
        noticed = sum(row.state.contradicted for row in ledger.find(false))
        return len(false), noticed, {row.words: row.in_box for row in collect(ledger).questions}


def _try_nothing(witnesses: Witnesses, task: Task) -> Iterator[Event]:
    return iter(())


def main() -> None:
    """Play the campaigns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--campaigns", type=int, default=50)
    options = parser.parse_args()
    world = World()
    contradict = Witnesses.contradict
    say = "{:<16} {:>8} {:>8} {:>6} {:>12} {:>10} {:>16}\n"
    heads = ("plan", "finds", "recheck", "false", "contradicted", "campaigns", "wrong questions")
    sys.stdout.write(say.format(*heads))
    for name, text in PLANS.items():
        for tried, recheck in ((False, False), (True, False), (True, True)):
            plan = Plan.from_toml(f"recheck = {str(recheck).lower()}\n{text}")
            Witnesses.contradict = contradict if tried else _try_nothing  # type: ignore[method-assign]
            counts: Counter[str] = Counter()
            _, _, truth = play(plan, world, None)
            for seed in range(options.campaigns):
                false, noticed, answers = play(plan, world, Random(seed))
                wrong = sum(answers[words] != truth[words] for words in truth)
                counts += Counter(false=false, noticed=noticed, wrong=wrong)
                counts += Counter(with_false=bool(false), found_out=bool(noticed))
            how = "tried" if tried else "not tried", "yes" if recheck else "no"
            rate = f"{counts['found_out']} of {counts['with_false']}"
            figures = counts["false"], counts["noticed"], rate, counts["wrong"]
            sys.stdout.write(say.format(name, *how, *figures))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
