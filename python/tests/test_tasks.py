"""The life of tasks in test mode, with scripted workers."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from legwork import Legwork, TaskNotFoundError, WaitTimeout
from legwork.models import TaskProofSubmittedEvent

Hurry = Callable[[str], AbstractContextManager[None]]


def test_ask_returns_the_proof_in_one_call(legwork: Legwork, api_key: str, hurry: Hurry) -> None:
    with hurry(api_key):
        done = legwork.ask("Is the bakery open?", location="Moorweg 12, Wedel", proof="photo")
    result = legwork.tasks.approve(done.id)

    assert done.status == "proof_submitted"
    assert done.proofs[0].answer is True
    assert done.proofs[0].untrusted is True
    assert result.settlement.workers[0].net_cents == 410


def test_wait_reports_every_change_and_raises_with_the_task(legwork: Legwork) -> None:
    seen: list[str] = []
    task = legwork.verify(question="Is it open?", context={"sim": "nobody"})

    with pytest.raises(WaitTimeout, match=r"is still pending after \d+ s") as caught:
        legwork.tasks.wait(task.id, timeout="1s", on_change=lambda task: seen.append(task.status))
    legwork.tasks.cancel(task.id)

    assert caught.value.task.id == task.id
    assert seen == ["pending"]
    assert legwork.tasks.wait(task.id, until="end", timeout=5).status == "cancelled"
    with pytest.raises(TaskNotFoundError):
        legwork.tasks.wait("task_00000000000000000000000000")


def test_wait_stops_when_the_function_says_so(legwork: Legwork) -> None:
    sim = {"persona": "happy", "accept_after_s": 0.1, "proof_after_s": 600}
    task = legwork.verify(question="Is it open?", context={"sim": sim})

    started = legwork.tasks.wait(task.id, timeout=20, until=lambda task: task.status == "in_progress")

    assert started.status == "in_progress"


def test_the_clock_moves_a_task_to_its_automatic_approval(legwork: Legwork) -> None:
    task = legwork.verify(question="Is it open?")

    assert legwork.test.advance_clock("10s").is_done
    assert legwork.tasks.get(task.id).status == "proof_submitted"
    legwork.test.advance_clock("1d")

    assert legwork.tasks.get(task.id).approved_by == "auto"


def test_a_dispute_can_be_appealed_and_withdrawn(legwork: Legwork) -> None:
    task = legwork.verify(question="Is it open?", context={"sim": "appeal"})
    legwork.test.advance_clock("10s")

    disputed = legwork.tasks.dispute(task.id, reason="Another door")
    legwork.test.advance_clock("10s")
    appealed = legwork.tasks.get(task.id).dispute
    legwork.tasks.withdraw_dispute(task.id)

    assert disputed.task.status == "disputed"
    assert appealed is not None and len(appealed.appeals) == 1
    assert legwork.tasks.get(task.id).status == "completed"


def test_several_workers_vote(legwork: Legwork) -> None:
    task = legwork.gut_check(content="Hello", question="Friendly?", scale="1-10", consensus=3)
    legwork.test.advance_clock("1m")

    consensus = legwork.tasks.get(task.id).consensus

    assert consensus is not None
    assert consensus.received == len(consensus.votes) == 3


def test_proofs_are_saved_with_their_photos(legwork: Legwork, tmp_path: Path) -> None:
    task = legwork.verify(question="Is it open?", proof="photo")
    legwork.test.advance_clock("10s")

    saved = legwork.tasks.save_proofs(task.id, tmp_path / "new")
    again = legwork.tasks.save_proofs(task.id, str(tmp_path / "new"), proof_id=legwork.tasks.proof(task.id)[0].id)

    assert [path.name for path in saved] == [f"{task.id}-1.jpg", f"{task.id}-proof-1.json"]
    assert saved[0].read_bytes()[:3].hex() == "ffd8ff"
    said = json.loads(saved[1].read_text("utf-8"))
    assert (said["answer"], said["untrusted"], "media" in said, "photos" in said) == (True, True, False, False)
    assert again == saved
    assert sorted((tmp_path / "new").iterdir()) == sorted(saved)
    photo = legwork.tasks.proof(task.id, media="url")[0].media[0]
    assert legwork.tasks.download(photo.url) == saved[0].read_bytes()


def test_lists_are_read_page_by_page(legwork: Legwork) -> None:
    made = [legwork.tasks.create(description=str(i), budget_cents=10).id for i in range(5)]

    pages = [[task.id for task in page] for page in legwork.tasks.pages(limit=2)]
    moved = [entry.amount_cents for page in legwork.wallet.pages(limit=1) for entry in page]

    assert [len(page) for page in pages] == [2, 2, 1]
    assert [id for page in pages for id in page] == made[::-1]
    assert moved == [entry.amount_cents for entry in legwork.wallet.get(limit=100).transactions]
    assert len(moved) > 2


def test_events_are_followed_once_and_in_order(legwork: Legwork) -> None:
    task = legwork.verify(question="Is it open?")
    legwork.test.advance_clock("10s")
    first = next(legwork.events.follow(after=None))

    types: list[str] = []
    for event in legwork.events.follow(after=first.id):
        types.append(event.type)
        if event.type == "task.proof_submitted":
            assert isinstance(event, TaskProofSubmittedEvent)
            assert event.data.task.id == task.id
            legwork.tasks.approve(task.id)
        if event.type == "task.completed":
            break

    assert first.type == "task.accepted"
    assert types == ["task.proof_submitted", "task.completed"]


def test_the_rest_of_the_calls_returns_its_models(legwork: Legwork) -> None:
    key = legwork.keys.create(name="child", scopes=["create", "read"], day_max_cents=1000)
    legwork.keys.update(key.id, name="renamed", day_max_cents=None)
    rotated = legwork.keys.rotate(key.id)

    assert key.api_key.startswith("lw_test_")
    assert "renamed" in [one.name for one in legwork.keys.list()]
    assert legwork.keys.delete(rotated.key.id).id == rotated.key.id
    assert legwork.agents.me().agent.mode == "test"
    assert legwork.agents.checklist().items
    assert legwork.stats.get().tasks.total == 0
    assert legwork.stats.spend(days=7).pace_cents_per_day == 0
    assert legwork.quote(type="verification", people=2).type == "verification"
    assert legwork.webhooks.deliveries(limit=5).deliveries == []
    assert legwork.test.clock().next == []
    assert legwork.test.create_worker(name="Me").token
    assert legwork.webhooks.rotate_secret().webhook_secret.startswith("whsec_")
    for logged in legwork.requests.list(limit=1).requests:
        assert legwork.requests.get(logged.id).id == logged.id
