"""The asynchronous client does the same; its code is the source of the other's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from pathlib import Path

import anyio
import pytest
from legwork import AsyncLegwork, WaitTimeout

pytestmark = pytest.mark.anyio


@pytest.fixture
async def client(base_url: str, api_key: str) -> AsyncIterator[AsyncLegwork]:
    async with AsyncLegwork(api_key=api_key, base_url=base_url) as legwork:
        yield legwork


async def test_ask_save_and_approve(
    client: AsyncLegwork, api_key: str, hurry: Callable[[str], AbstractContextManager[None]], tmp_path: Path
) -> None:
    with hurry(api_key):
        done = await client.ask("Is the bakery open?", location="Moorweg 12, Wedel", proof="photo")
    saved = await client.tasks.save_proofs(done.id, tmp_path)
    result = await client.tasks.approve(done.id)

    assert saved[0].read_bytes()[:3].hex() == "ffd8ff"
    assert result.task.status == "completed"


async def test_several_questions_at_once(client: AsyncLegwork) -> None:
    sim = {"persona": "happy", "accept_after_s": 0.1, "proof_after_s": 0.1}
    answers: list[object] = []

    async def ask(number: int) -> None:
        done = await client.ask(f"Is shop {number} open?", context={"sim": sim}, timeout="1m")
        answers.append(done.proofs[0].answer)

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(ask, number)

    assert answers == [True] * 5


async def test_wait_raises_with_the_task(client: AsyncLegwork) -> None:
    task = await client.verify(question="Is it open?", context={"sim": "nobody"})

    with pytest.raises(WaitTimeout) as caught:
        await client.tasks.wait(task.id, timeout=1)

    assert caught.value.task.id == task.id


async def test_pages_and_events(client: AsyncLegwork) -> None:
    for i in range(3):
        await client.tasks.create(description=str(i), budget_cents=10)
    await client.test.advance_clock("3s")

    sizes = [len(page) async for page in client.tasks.pages(limit=2)]
    types: list[str] = []
    async for event in client.events.follow(after=None):
        types.append(event.type)
        if len(types) == 3:
            break

    assert sizes == [2, 1]
    assert types == ["task.accepted"] * 3
    assert len([entry async for page in client.wallet.pages() for entry in page]) > 0


async def test_a_test_agent_is_created_without_a_key(base_url: str) -> None:
    made = await AsyncLegwork.create_test_agent(base_url=base_url, name="Py")

    assert made.agent.test_api_key.startswith("lw_test_")
