"""Calls to a real server, and to one that fails."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anyio
import pytest
from legwork import (
    AsyncLegwork,
    ConnectionFailedError,
    InsufficientFundsError,
    InvalidApiKeyError,
    InvalidRequestError,
    InvalidStateError,
    Legwork,
    TaskNotFoundError,
    TimeLimitError,
)

TOO_MUCH = 99_999_999


def test_an_error_of_the_server_has_the_class_of_its_code(legwork: Legwork, base_url: str) -> None:
    with pytest.raises(InsufficientFundsError) as funds:
        legwork.tasks.create(description="Look", budget_cents=TOO_MUCH)
    with pytest.raises(InvalidRequestError) as invalid:
        legwork.tasks.create(description="Look", budget_cents=-1)
    task = legwork.tasks.create(description="Look", budget_cents=100)

    assert (funds.value.status, funds.value.required_cents) == (402, TOO_MUCH)
    assert (funds.value.request_id or "").startswith("req_")
    assert invalid.value.details[0].get("path") == "budget_cents"
    with pytest.raises(InvalidStateError):
        legwork.tasks.approve(task.id)
    with pytest.raises(TaskNotFoundError):
        legwork.tasks.get("task_00000000000000000000000000")
    with Legwork(api_key="lw_live_no", base_url=base_url) as stranger, pytest.raises(InvalidApiKeyError):
        stranger.wallet.get()


def test_an_idempotency_key_has_one_effect_and_a_replayed_error_is_marked(legwork: Legwork) -> None:
    first = legwork.tasks.create(description="Look", budget_cents=100, idempotency_key="order-17")
    again = legwork.tasks.create(description="Look", budget_cents=100, idempotency_key="order-17")
    replays: list[bool] = []
    for _ in range(2):
        with pytest.raises(InsufficientFundsError) as caught:
            legwork.tasks.create(description="Look", budget_cents=TOO_MUCH, idempotency_key="too-much")
        replays.append(caught.value.is_replay)

    assert first.id == again.id
    assert legwork.tasks.list().total == 1
    assert replays == [False, True]


def test_a_field_without_effect_is_logged(legwork: Legwork, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "legwork"):
        legwork.tasks.create(description="Look", budget_cents=100, **{"budgt_cents": 1})  # type: ignore[arg-type]

    assert "POST /tasks: takes no field budgt_cents" in caplog.text


def test_a_server_that_can_not_be_reached_is_named_without_the_query() -> None:
    with Legwork(api_key="x", base_url="http://127.0.0.1:9", max_retries=0) as client:
        with pytest.raises(ConnectionFailedError, match=r"http://127\.0\.0\.1:9/wallet;"):
            client.wallet.get(limit=1)


@contextmanager
def serving(answer: Callable[[BaseHTTPRequestHandler], None]) -> Generator[str, None, None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_time_limit_includes_a_body_that_arrives_byte_by_byte() -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "application/json")
        request.send_header("content-length", "40")
        request.end_headers()
        try:
            for _ in range(40):
                request.wfile.write(b" ")
                time.sleep(0.25)
        except OSError:
            pass

    with serving(drip) as url, Legwork(api_key="x", base_url=url, max_retries=0) as client:
        began = time.monotonic()
        with pytest.raises(TimeLimitError, match=r"did not respond within 0\.3 s"):
            client.wallet.get(timeout=0.3)

    assert time.monotonic() - began < 5


@pytest.mark.anyio
async def test_a_cancelled_task_stops_between_two_attempts() -> None:
    asked: list[str] = []

    def busy(request: BaseHTTPRequestHandler) -> None:
        asked.append(request.path)
        request.send_response(503)
        request.send_header("retry-after", "30")
        request.end_headers()

    with serving(busy) as url:
        async with AsyncLegwork(api_key="x", base_url=url) as client:
            with anyio.move_on_after(3) as scope:
                await client.wallet.get()

    assert scope.cancelled_caught
    assert asked == ["/wallet"]
