"""The decisions that both clients share: what is sent, what a response means, when it is retried."""

from __future__ import annotations

import json
import pickle
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest
from legwork import (
    InsufficientFundsError,
    InvalidRequestError,
    LegworkError,
    MissingKeyError,
    RateLimitedError,
    UnreadableAnswerError,
    is_passing,
)
from legwork._core import Core, Reply, check, pause_after, read
from legwork._duration import Duration, to_seconds
from legwork.error_classes import ERROR_CLASSES
from legwork.models import Location, LocationObject, Wallet

URL = "http://127.0.0.1/api/v1/wallet?limit=1"


def core(api_key: str | None = "lw_test_x") -> Core:
    return Core(api_key=api_key, base_url="http://127.0.0.1/api/v1/")


def reply(status: int, body: object, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, httpx.Headers(named), json.dumps(body).encode())


def error_of(answer: Reply) -> LegworkError:
    with pytest.raises(LegworkError) as caught:
        check(answer, URL)
    return caught.value


def test_a_post_has_a_random_idempotency_key_and_a_get_has_none() -> None:
    keys = {core().build("POST /tasks", body={}).headers["idempotency-key"] for _ in range(3)}

    assert len(keys) == 3
    assert all(len(key) == 32 for key in keys)
    assert core().build("POST /tasks", body={}, idempotency_key="mine").headers["idempotency-key"] == "mine"
    assert "idempotency-key" not in core().build("GET /tasks").headers


def test_ids_and_queries_are_escaped_and_keywords_lose_their_underscore() -> None:
    call = core().build("GET /tasks/{id}", id="a/b ü", query={"while_": "pending", "wait": 5, "media": None})
    body = core().build("POST /events/replay", body={"from_": datetime(2026, 1, 2, tzinfo=timezone.utc)})

    assert call.url == "http://127.0.0.1/api/v1/tasks/a%2Fb%20%C3%BC?while=pending&wait=5"
    assert body.content == b'{"from":"2026-01-02T00:00:00Z"}'


def test_models_can_be_sent_and_other_objects_are_refused() -> None:
    place: Location = LocationObject(lat=52.5, lng=13.4)

    assert core().build("POST /verify", body={"location": place}).content == b'{"location":{"lat":52.5,"lng":13.4}}'
    with pytest.raises(TypeError, match="set can't be sent"):
        core().build("POST /verify", body={"location": {1}})


def test_only_open_routes_are_called_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEGWORK_API_KEY", raising=False)

    assert "authorization" not in core(None).build("POST /test/agents", body={}).headers
    with pytest.raises(MissingKeyError, match="LEGWORK_API_KEY.*create_test_agent"):
        core(None).build("GET /wallet")
    monkeypatch.setenv("LEGWORK_API_KEY", "lw_test_env")
    assert core(None).build("GET /wallet").headers["authorization"] == "Bearer lw_test_env"


def test_a_malformed_key_is_refused_without_printing_it() -> None:
    with pytest.raises(ValueError, match="The API key contains") as caught:
        core("lw_test_x\ny").build("GET /wallet")

    assert "lw_test_x" not in str(caught.value)


def test_a_link_to_a_file_is_asked_of_the_base_url_and_without_the_key() -> None:
    ours = core().build_download("https://legwork.example/api/v1/files/upl_1?expires=1&signature=s")
    other = core().build_download("https://bucket.example/upl_2?signature=s")

    assert ours.url == "http://127.0.0.1/api/v1/files/upl_1?expires=1&signature=s"
    assert other.url == "https://bucket.example/upl_2?signature=s"
    assert "authorization" not in {**ours.headers, **other.headers}


def test_an_error_has_the_class_of_its_code_and_its_details() -> None:
    body = {
        "error": "Not enough money",
        "code": "insufficient_funds",
        "request_id": "req_1",
        "hint": "Add money",
        "doc_url": "https://legwork.example/docs/errors/insufficient_funds",
        "balance_cents": 5,
        "required_cents": 900,
    }
    error = error_of(reply(402, body, idempotency_replayed="true"))

    assert isinstance(error, InsufficientFundsError)
    assert (error.balance_cents, error.required_cents) == (5, 900)
    assert (error.status, error.code, error.request_id) == (402, "insufficient_funds", "req_1")
    assert (error.hint, error.is_replay, str(error)) == ("Add money", True, "Not enough money")
    assert error.fields == {"balance_cents": 5, "required_cents": 900}


def test_an_unknown_code_is_a_legwork_error() -> None:
    error = error_of(reply(418, {"error": "New", "code": "brand_new"}, x_request_id="req_2"))

    assert type(error) is LegworkError
    assert (error.code, error.request_id) == ("brand_new", "req_2")


def test_every_code_has_a_class_of_its_own() -> None:
    assert len(set(ERROR_CLASSES.values())) == len(ERROR_CLASSES) > 60


def test_an_error_survives_pickling() -> None:
    details = [{"path": "budget_cents", "message": "is too small"}]
    error = error_of(reply(400, {"error": "No", "code": "invalid_request", "details": details}))

    copy = pickle.loads(pickle.dumps(error))

    assert isinstance(copy, InvalidRequestError)
    assert (copy.details, str(copy), copy.status) == (details, "No", 400)


def test_a_page_instead_of_an_answer_is_unreadable() -> None:
    with pytest.raises(UnreadableAnswerError, match="is it the address of the API"):
        read(Reply(200, httpx.Headers(), b"<html>"), Wallet, route="GET /wallet", url=URL)
    with pytest.raises(UnreadableAnswerError, match="other fields than Wallet"):
        read(reply(200, {"balance_cents": "many"}), Wallet, route="GET /wallet", url=URL)
    assert error_of(Reply(502, httpx.Headers(), b"<html>")).code == "unreadable_answer"


@pytest.mark.parametrize(
    ("status", "code", "retry_after", "expected"),
    [
        (500, "server_error", None, True),
        (502, None, None, True),
        (503, None, None, True),
        (503, "payments_unavailable", None, False),
        (503, "unavailable", "1", True),
        (429, "rate_limited", None, True),
        (409, "idempotency_in_progress", "1", True),
        (409, "invalid_state", None, False),
        (400, "invalid_request", None, False),
    ],
)
def test_temporary_failures_are_told_apart(
    status: int, code: str | None, retry_after: str | None, expected: bool
) -> None:
    headers = {} if retry_after is None else {"retry_after": retry_after}
    body = {} if code is None else {"code": code, "error": "No"}

    assert is_passing(error_of(reply(status, body, **headers))) is expected


def test_retry_after_is_seconds_or_a_date_or_in_the_body() -> None:
    def limited(body: object = None, **headers: str) -> float | None:
        error = error_of(reply(429, {"error": "Slow", "code": "rate_limited", "retry_after_seconds": body}, **headers))
        assert isinstance(error, RateLimitedError)
        return error.retry_after

    soon = datetime.now(timezone.utc) + timedelta(seconds=30)

    assert limited(7, retry_after="3") == 3
    assert limited(7) == 7
    assert 28 < (limited(retry_after=format_datetime(soon, usegmt=True)) or 0) <= 30
    assert limited(retry_after="Thu, 01 Jan 1970 00:00:00 GMT") == 0
    assert limited(retry_after="soon") is None


def test_pauses_grow_to_a_limit_and_are_never_shorter_than_retry_after() -> None:
    for tries, longest in [(0, 0.5), (1, 1), (2, 2), (9, 8)]:
        assert all(longest / 2 <= pause_after(tries) <= longest for _ in range(100))
    assert all(3 <= pause_after(0, 3) <= 3.5 for _ in range(100))


def test_a_call_is_given_up_after_the_last_retry_or_when_the_wait_is_too_long() -> None:
    busy = error_of(reply(503, {"error": "Busy", "code": "unavailable"}, retry_after="0"))
    later = error_of(reply(429, {"error": "Slow", "code": "rate_limited"}, retry_after="61"))

    assert core().delay_after(busy, 2) is not None
    assert core().delay_after(busy, 3) is None
    assert core().delay_after(later, 0) is None


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [("90s", 90), ("1.5m", 90), ("2h", 7200), ("1d", 86_400), (5, 5), (timedelta(minutes=1), 60)],
)
def test_durations(duration: Duration, seconds: float) -> None:
    assert to_seconds(duration) == seconds


def test_a_malformed_duration_is_refused() -> None:
    with pytest.raises(ValueError, match="write 90s, 30m, 2h or 1d"):
        to_seconds("half an hour")
