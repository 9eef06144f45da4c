"""
Makes the calls of scripts/python-faults.test.ts with the synchronous and the asynchronous client, and prints what
became of each as JSON. Called with the base URL of the faulty server and a file with the cases.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

import anyio
from legwork import AsyncLegwork, Legwork, LegworkError
from legwork.models import Task, Wallet

Case = dict[str, Any]
Outcome = dict[str, Any]


def options_of(url: str, run: str, case: Case) -> dict[str, Any]:
    options = {"api_key": case["key"], "base_url": f"{url}/{run}/api/v1"}
    if "retriesMax" in case:
        options["max_retries"] = case["retriesMax"]
    if "timeoutMs" in case:
        options["timeout"] = case["timeoutMs"] / 1000
    return options


def task_of(run: str, case: Case) -> dict[str, Any]:
    named = {"idempotency_key": f"{run}-{case['idempotencyKey']}"} if "idempotencyKey" in case else {}
    return {"description": run, "budget_cents": case.get("budgetCents", 10), **named}


def success(result: Task | Wallet) -> Outcome:
    return {"result": result.status if isinstance(result, Task) else result.balance_cents}


def failure(error: LegworkError) -> Outcome:
    return {
        "code": error.code,
        "status": error.status,
        "retryAfter": None if error.retry_after is None else round(error.retry_after),
        "fields": sorted(error.fields),
        "isReplay": error.is_replay,
    }


def run_sync(url: str, index: int, case: Case) -> Outcome:
    run = f"python.{index}"
    with Legwork(**options_of(url, run, case)) as legwork:
        try:
            if case["call"] == "create":
                return success(legwork.tasks.create(**task_of(run, case)))
            return success(legwork.wallet.get())
        except LegworkError as error:
            return failure(error)


async def run_async(url: str, index: int, case: Case) -> Outcome:
    run = f"python-async.{index}"
    async with AsyncLegwork(**options_of(url, run, case)) as legwork:
        try:
            if case["call"] == "create":
                return success(await legwork.tasks.create(**task_of(run, case)))
            return success(await legwork.wallet.get())
        except LegworkError as error:
            return failure(error)


async def run_all_async(url: str, cases: list[Case]) -> list[Outcome]:
    outcomes: dict[int, Outcome] = {}

    async def one(index: int, case: Case) -> None:
        outcomes[index] = await run_async(url, index, case)

    async with anyio.create_task_group() as group:
        for index, case in enumerate(cases):
            group.start_soon(one, index, case)
    return [outcomes[index] for index in range(len(cases))]


def main(url: str, file: str) -> None:
    cases: list[Case] = json.loads(Path(file).read_text("utf-8"))
    with ThreadPoolExecutor(len(cases)) as pool:
        sync = list(pool.map(run_sync, repeat(url), range(len(cases)), cases))
    print(json.dumps({"python": sync, "python-async": anyio.run(run_all_async, url, cases)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
