# Generated from _async/events.py by npm run generate.

from __future__ import annotations

from collections.abc import Iterator, Callable

from typing_extensions import Unpack

from .._core import pause_after
from .._events import parse_event
from ..errors import LegworkError, is_passing
from ..inputs import ListEventsQuery, ListEventsQueryType, ReplayEventsInput
from ..models import (
    ListEventsResult,
    RedeliverEventResult,
    RedeliverEventResultDelivery,
    ReplayEventsResult,
    WebhookEvent,
)
from .requests import Requests

HOLD_S = 50
SHORT_HOLD_S = 20


class Events:
    """The event log: read, follow, redeliver."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, timeout: float | None = None, **query: Unpack[ListEventsQuery]) -> ListEventsResult:
        """A page of the last 30 days' events, oldest first."""
        return self._requests.send(
            "GET /events",
            ListEventsResult,
            query=query,
            timeout=timeout,
            hold_s=query.get("wait", 0),
        )

    def follow(
        self,
        *,
        after: str | None = "latest",
        type: ListEventsQueryType | None = None,
        task_id: str | None = None,
        on_failure: Callable[[LegworkError], object] | None = None,
        timeout: float | None = None,
    ) -> Iterator[WebhookEvent]:
        """
        Yields every event once and in order, without a public webhook address: `for event in
        legwork.events.follow()`. It starts with new events; to resume later, pass the last event's `id` as `after`, or
        None for the oldest event that is kept. It retries temporary failures, and ends when you leave the loop.
        """
        query: ListEventsQuery = {"limit": 100}
        if type is not None:
            query["type"] = type
        if task_id is not None:
            query["task_id"] = task_id
        place = after
        failures = 0
        while True:
            # Resolve `latest` to a cursor first, so that no event is missed.
            query["wait"] = 0 if place == "latest" else SHORT_HOLD_S if failures > 0 else HOLD_S
            if place is not None:
                query["after"] = place
            try:
                page = self.list(timeout=timeout, **query)
            except LegworkError as error:
                if not is_passing(error):
                    raise
                if on_failure is not None:
                    on_failure(error)
                delay = pause_after(failures, error.retry_after)
                failures += 1
                self._requests.transport.sleep(delay)
                continue
            failures = 0
            for event in page.events:
                yield parse_event(event.model_dump())
            place = page.next_after

    def redeliver(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RedeliverEventResultDelivery:
        """Redelivers an event to your webhook."""
        result = self._requests.send(
            "POST /events/{id}/redeliver",
            RedeliverEventResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.delivery

    def replay(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ReplayEventsInput],
    ) -> ReplayEventsResult:
        """Redelivers the events of a time span, or only those that failed."""
        return self._requests.send(
            "POST /events/replay",
            ReplayEventsResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
