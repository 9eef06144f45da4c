# Generated from _async/test_mode.py by npm run generate.

from __future__ import annotations

import math

from typing_extensions import Unpack

from .._duration import Duration, to_seconds
from ..inputs import CreateTestWorkerInput
from ..models import AdvanceTestClockResult, CreateTestWorkerResult, GetTestClockResult
from .requests import Requests


class TestMode:
    """Calls that only test keys can make."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def advance_clock(
        self, by: Duration, *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> AdvanceTestClockResult:
        """Moves your test clock forward and runs all that is due: `24h` triggers automatic approval."""
        return self._requests.send(
            "POST /test/clock/advance",
            AdvanceTestClockResult,
            body={"by": f"{math.ceil(to_seconds(by))}s"},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def clock(self, *, timeout: float | None = None) -> GetTestClockResult:
        """How far your test clock has been moved, and what happens next."""
        return self._requests.send("GET /test/clock", GetTestClockResult, timeout=timeout)

    def create_worker(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateTestWorkerInput],
    ) -> CreateTestWorkerResult:
        """Creates a worker for you to play. It sees tasks with persona `me` or `nobody`."""
        return self._requests.send(
            "POST /test/workers",
            CreateTestWorkerResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
