# Generated from _async/tasks.py by npm run generate.

from __future__ import annotations

import time
from collections.abc import Iterator, Callable
from io import BytesIO
from pathlib import Path
from typing import List, Literal

from typing_extensions import Unpack

from .._core import pause_after
from .._duration import Duration, to_seconds
from .._files import Folder, plan_files, write_proof
from ..errors import LegworkError, WaitTimeout, is_passing
from ..inputs import (
    ApproveTaskInput,
    DisputeTaskInput,
    GetTaskProofQuery,
    GetTaskQuery,
    ListTasksQuery,
    ReplyToAppealInput,
    RequestRevisionInput,
    TaskInput,
    WithdrawDisputeInput,
)
from ..models import (
    ApproveTaskResult,
    CancelTaskResult,
    CreateTaskResult,
    Dispute,
    DisputeTaskResult,
    GetTaskProofResult,
    GetTaskResult,
    ListTasksResult,
    Payout,
    Proof,
    ReplyToAppealResult,
    RequestPayoutResult,
    RequestRevisionResult,
    Task,
    TaskDetail,
    WithdrawDisputeResult,
)
from .pages import pages_of
from .requests import Requests

HOLD_S = 50
"""The server holds a response for at most 55 seconds."""
SHORT_HOLD_S = 20
"""After a failure, poll for a shorter time: a proxy may cut off long silent requests."""
AT_ONCE_S = 1.0
"""Minimum time between polls, in case the server responds at once without a change."""
ENDED = ("completed", "disputed", "expired", "cancelled")


class Tasks:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def create(
        self, *, idempotency_key: str | None = None, timeout: float | None = None, **body: Unpack[TaskInput]
    ) -> Task:
        """Creates a task. Its budget goes into escrow, unless it is a free task."""
        result = self._requests.send(
            "POST /tasks", CreateTaskResult, body=body, idempotency_key=idempotency_key, timeout=timeout
        )
        return result.task

    def list(self, *, timeout: float | None = None, **query: Unpack[ListTasksQuery]) -> ListTasksResult:
        """A page of your tasks, newest first."""
        return self._requests.send("GET /tasks", ListTasksResult, query=query, timeout=timeout)

    def pages(self, *, timeout: float | None = None, **query: Unpack[ListTasksQuery]) -> Iterator[List[Task]]:
        """Your tasks, page by page: `for page in legwork.tasks.pages(status="disputed")`."""

        def read(cursor: str | None) -> tuple[List[Task], str | None]:
            asked: ListTasksQuery = {"limit": 100, **query}
            if cursor is not None:
                asked["cursor"] = cursor
            page = self.list(timeout=timeout, **asked)
            return page.tasks, page.next_cursor

        return pages_of(query.get("cursor"), read)

    def get(self, id: str, *, timeout: float | None = None, **query: Unpack[GetTaskQuery]) -> TaskDetail:
        """
        Returns a task with its proofs. With `wait`, the server responds when the task changes or after that many
        seconds (at most 55); with `while_`, at once if the status differs. Small photos are included as data URLs
        unless `media` is `url`; `proof` returns all photos.
        """
        result = self._requests.send(
            "GET /tasks/{id}", GetTaskResult, id=id, query=query, timeout=timeout, hold_s=query.get("wait", 0)
        )
        return result.task

    def proof(
        self, id: str, *, timeout: float | None = None, **query: Unpack[GetTaskProofQuery]
    ) -> List[Proof]:
        """Returns the proofs with their photos as data URLs, or with `media="url"` as short-lived links."""
        return (self._proofs(id, query, timeout)).proofs

    def save_proofs(
        self, id: str, folder: Folder, *, proof_id: str | None = None, timeout: float | None = None
    ) -> List[Path]:
        """
        Saves the files of a task's proofs to a folder, creating it if needed, and each proof's text and answer as JSON
        beside them. Returns the paths. Calling it again overwrites the same files. With `proof_id` it saves only that
        proof.
        """
        # Get new links, because those that came with the task may have expired.
        answer = self._proofs(id, {"media": "url"}, timeout)
        Path(folder).mkdir(parents=True, exist_ok=True)
        saved: List[Path] = []
        for path, content in plan_files(answer, folder, proof_id):
            if isinstance(content, str):
                self._save(content, path, timeout)
            else:
                write_proof(path, content)
            saved.append(path)
        return saved

    def download(self, url: str, *, timeout: float | None = None) -> bytes:
        """Downloads a file of a proof (`proof.media[0].url`). `save_proofs` writes large files to disk."""
        file = BytesIO()
        self._requests.download(url, file, timeout=timeout)
        return file.getvalue()

    def wait(
        self,
        id: str,
        *,
        timeout: Duration = "30m",
        until: Literal["proof", "end"] | Callable[[TaskDetail], bool] = "proof",
        media: Literal["inline", "url"] = "url",
        on_change: Callable[[TaskDetail], object] | None = None,
    ) -> TaskDetail:
        """
        Waits until all proofs are in or the task has ended, by long polling; temporary failures are retried. After
        `timeout` (30 minutes by default) it raises `WaitTimeout`. Call it again to keep waiting, in this process or
        another. `until` is `"proof"` (the default), `"end"` for the end of the task, or a function that returns true;
        the end of the task always stops the wait. `on_change` is called with the task at first and after every change.
        """
        started_at = time.monotonic()
        ends_at = started_at + to_seconds(timeout)

        def is_enough(task: TaskDetail) -> bool:
            if task.status in ENDED:
                return True
            if callable(until):
                return until(task)
            return until == "proof" and task.status == "proof_submitted"

        # Read the task first, so that an unknown id fails immediately.
        task = self.get(id, media=media)
        if on_change is not None:
            on_change(task)
        failures = 0
        while not is_enough(task):
            asked_at = time.monotonic()
            left_s = ends_at - asked_at
            if left_s <= 0:
                raise WaitTimeout(task, asked_at - started_at)
            hold_s = min(SHORT_HOLD_S if failures > 0 else HOLD_S, max(1, round(left_s)))
            try:
                # Compare with the status that was last seen, so that a change in between isn't missed.
                seen = self.get(id, wait=hold_s, while_=task.status, media=media)
            except LegworkError as error:
                if not is_passing(error):
                    raise
                failures += 1
                delay = min(pause_after(failures, error.retry_after), left_s)
            else:
                failures = 0
                is_changed = seen.updated_at != task.updated_at or seen.status != task.status
                is_at_once = time.monotonic() - asked_at < AT_ONCE_S
                delay = min(AT_ONCE_S, left_s) if is_at_once and not is_changed else 0
                if is_changed:
                    task = seen
                    if on_change is not None:
                        on_change(task)
            if delay > 0:
                self._requests.transport.sleep(delay)
        return task

    def approve(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ApproveTaskInput],
    ) -> ApproveTaskResult:
        """Approves the work and pays the workers, less the commission. `override_result` settles a conflict."""
        return self._requests.send(
            "POST /tasks/{id}/approve",
            ApproveTaskResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def dispute(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[DisputeTaskInput],
    ) -> DisputeTaskResult:
        """Disputes the work and refunds the budget. The worker sees the reason and can appeal."""
        return self._requests.send(
            "POST /tasks/{id}/dispute",
            DisputeTaskResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def withdraw_dispute(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[WithdrawDisputeInput],
    ) -> WithdrawDisputeResult:
        """Withdraws a dispute: the worker is paid."""
        return self._requests.send(
            "POST /tasks/{id}/dispute/withdraw",
            WithdrawDisputeResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def answer_appeal(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ReplyToAppealInput],
    ) -> Dispute:
        """
        Replies to a worker's appeal within 48 hours; an operator then decides. Without a reply the worker is paid.
        """
        result = self._requests.send(
            "POST /tasks/{id}/dispute/answer",
            ReplyToAppealResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.dispute

    def request_revision(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[RequestRevisionInput],
    ) -> Task:
        """Sends the work back to the same worker with a note, once per worker."""
        result = self._requests.send(
            "POST /tasks/{id}/request-revision",
            RequestRevisionResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def cancel(
        self, id: str, *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> CancelTaskResult:
        """Cancels a task without proof. Workers who have started get a part of the budget."""
        return self._requests.send(
            "POST /tasks/{id}/cancel",
            CancelTaskResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def payout(
        self, id: str, *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> List[Payout]:
        """Starts the payouts of a completed task, or returns their status."""
        result = self._requests.send(
            "POST /tasks/{id}/payout",
            RequestPayoutResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.payouts

    def _proofs(self, id: str, query: GetTaskProofQuery, timeout: float | None) -> GetTaskProofResult:
        return self._requests.send(
            "GET /tasks/{id}/proof", GetTaskProofResult, id=id, query=query, timeout=timeout
        )

    def _save(self, url: str, path: Path, timeout: float | None) -> None:
        """Writes to a temporary name first, so that no partial file has the final name."""
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                self._requests.download(url, file, timeout=timeout)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
