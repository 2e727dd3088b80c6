"""What a hostile volunteer does to a campaign, again and again; a test and a benchmark use it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable

from satlife.campaign.messages import (
    AnyResult,
    FailedResult,
    FoundResult,
    ImpossibleResult,
    Task,
    UndecidedResult,
)
from satlife.cluster import protocol
from tests.campaign.strangers import Eve

Attack = Callable[[Eve], Awaitable[None]]


def saying(say: Callable[[Task, str], AnyResult]) -> Attack:
    """Take every task that is to be had, and say this of it."""

    async def attack(eve: Eve) -> None:
        for leased in (await eve.lease(50)).leases:
            await eve.answer(leased.lease, say(eve.task(leased), eve.worker))

    return attack


def say_impossible(task: Task, worker: str) -> AnyResult:
    return ImpossibleResult(task=task.name, worker=worker, round=task.round, reason="trust me")


def say_undecided(task: Task, worker: str) -> AnyResult:
    return UndecidedResult(task=task.name, worker=worker, round=task.round)


def say_failed(task: Task, worker: str) -> AnyResult:
    return FailedResult(task=task.name, worker=worker, round=task.round, log="no")


def say_found(task: Task, worker: str) -> AnyResult:
    return FoundResult(task=task.name, worker=worker, round=task.round, generations=(("oo", "o."),))


async def hoard(eve: Eve) -> None:
    """Ask for 5,000 tasks, and sit on them."""
    held = getattr(eve, "hoard", [])
    held += [leased.lease for leased in (await eve.lease(5000)).leases]
    eve.hoard = held  # type: ignore[attr-defined]
    await eve.keep(held)


async def return_all(eve: Eve) -> None:
    """Take tasks and give them back."""
    await eve.back(leased.lease for leased in (await eve.lease(50)).leases)


async def flood(eve: Eve) -> None:
    """Send rubbish, and as fast as it goes."""
    await asyncio.gather(*(eve.ask("answer", b"[" * 100) for _ in range(400)))


async def fill_the_store(eve: Eve) -> None:
    """Upload for every lease, and never answer."""
    for leased in (await eve.lease(50)).leases:
        for number in range(4):
            if (await eve.upload(leased.lease, number, secrets.token_bytes(100_000))).refused:
                break


async def be_old(eve: Eve) -> None:
    """Speak as an earlier version did, or a later one will."""
    await eve.lease(50, version=0)
    await eve.lease(50, version=protocol.PROTOCOL + 1)
    await eve.ask("pull", b'{"batch": 50}')


ATTACKS: dict[str, Attack] = {
    "false impossible": saying(say_impossible),
    "undecided": saying(say_undecided),
    "failed": saying(say_failed),
    "false finds": saying(say_found),
    "hoarding": hoard,
    "pull and return": return_all,
    "flood": flood,
    "fill the store": fill_the_store,
    "old version": be_old,
}


async def attack_on(eve: Eve, name: str, seconds: float = 0.1) -> None:
    """Attack until cancelled."""
    while True:
        with contextlib.suppress(OSError):
            await ATTACKS[name](eve)
        await asyncio.sleep(seconds)
