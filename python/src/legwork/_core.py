"""
What a call sends, what its response means and when it is retried. There is no I/O here: the synchronous and the
asynchronous client share all of it.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode, urljoin, urlsplit

from pydantic import BaseModel, ValidationError

from ._version import VERSION
from .error_classes import ERROR_CLASSES
from .errors import LegworkError, MissingKeyError, UnreadableAnswerError, is_passing

DEFAULT_URL = "https://legwork.example/api/v1"
TIMEOUT_S = 30.0
RETRIES_MAX = 3
PAUSE_S = 0.5
PAUSE_MAX_S = 8.0
RETRY_AFTER_MAX_S = 60
"""A longer `Retry-After` is reported to the caller instead of waited for."""

_log = logging.getLogger("legwork")

AnyModel = TypeVar("AnyModel", bound=BaseModel)


@dataclass(frozen=True)
class Call:
    """One HTTP request, the same for every attempt."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    limit_s: float


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Core:
    """The options of a client, and the decisions that follow from them."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT_S,
        max_retries: int = RETRIES_MAX,
        user_agent: str | None = None,
        needs_key: bool = True,
    ) -> None:
        self.base_url = (base_url or os.environ.get("LEGWORK_URL") or DEFAULT_URL).rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._user_agent = f"legwork-python/{VERSION}{'' if user_agent is None else f' {user_agent}'}"
        self._needs_key = needs_key

    def build(
        self,
        route: str,
        *,
        id: str | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        hold_s: float = 0,
    ) -> Call:
        """`hold_s` are the seconds for which the server may hold the response."""
        method, path = route.split(" ")
        headers = {"accept": "application/json", "user-agent": self._user_agent}
        if route not in _OPEN:
            key = self._api_key or os.environ.get("LEGWORK_API_KEY") or None
            if key is not None:
                headers["authorization"] = f"Bearer {_sendable(key)}"
            elif self._needs_key:
                raise MissingKeyError()
        if body is not None:
            headers["content-type"] = "application/json"
        if method == "POST":
            # Created once, before the first attempt, so that retries reuse it.
            headers["idempotency-key"] = idempotency_key or secrets.token_hex(16)
        url = self.base_url + path.replace("{id}", quote(id or "", safe="!'()*")) + _search(query)
        return Call(method, url, headers, _encode(body), self._limit(timeout) + hold_s)

    def build_download(self, url: str, *, timeout: float | None = None) -> Call:
        # The link is signed, so don't send the key to a file store. Files of the API server itself are requested
        # through this client's base URL, which may differ from the public one.
        link = urlsplit(urljoin(self.base_url, url))
        base = urlsplit(self.base_url)
        if link.path.startswith(f"{base.path}/files/"):
            link = link._replace(scheme=base.scheme, netloc=base.netloc)
        return Call("GET", link.geturl(), {"user-agent": self._user_agent}, None, self._limit(timeout))

    def delay_after(self, error: LegworkError, tries: int) -> float | None:
        """Seconds until the next attempt, or None to give up."""
        if tries >= self._max_retries or not is_passing(error):
            return None
        if error.retry_after is not None and error.retry_after > RETRY_AFTER_MAX_S:
            return None
        return pause_after(tries, error.retry_after)

    def _limit(self, timeout: float | None) -> float:
        return self._timeout if timeout is None else timeout


_OPEN = {"POST /agents/register", "POST /test/agents"}
"""Routes that need no key."""


def pause_after(tries: int, retry_after: float | None = None) -> float:
    """Exponential backoff with jitter, at least as long as `Retry-After`."""
    if retry_after:
        return retry_after + random.random() * PAUSE_S
    return min(PAUSE_S * 2**tries, PAUSE_MAX_S) * (0.5 + random.random() / 2)


def check(reply: Reply, url: str) -> None:
    """Raises unless the status is 2xx."""
    if 200 <= reply.status < 300:
        return
    body = _read_object(reply.body) or {}
    retry_after = _read_retry_after(reply.headers, body.get("retry_after_seconds"))
    code, error = body.pop("code", None), body.pop("error", None)
    message = error if isinstance(error, str) else f"{bare(url)} answered {reply.status}"
    if not isinstance(code, str):
        raise UnreadableAnswerError(message, status=reply.status, retry_after=retry_after)
    raise ERROR_CLASSES.get(code, LegworkError)(
        message,
        status=reply.status,
        code=code,
        request_id=_text(body.pop("request_id", None)) or reply.headers.get("x-request-id"),
        hint=_text(body.pop("hint", None)),
        doc_url=_text(body.pop("doc_url", None)),
        retry_after=retry_after,
        is_replay=reply.headers.get("idempotency-replayed") == "true",
        fields=body,
    )


def read(reply: Reply, model: type[AnyModel], *, route: str, url: str) -> AnyModel:
    """The model of a successful response."""
    answer = _read_object(reply.body)
    if answer is None:
        message = f"{bare(url)} answered with what is not JSON; is it the address of the API?"
        raise UnreadableAnswerError(message, status=reply.status)
    try:
        result = model.model_validate(answer)
    except ValidationError as error:
        message = f"{bare(url)} answered with other fields than {model.__name__} has; is there a newer legwork?"
        raise UnreadableAnswerError(message, status=reply.status) from error
    warnings = answer.get("warnings")
    for warning in cast("list[dict[str, Any]]", warnings) if isinstance(warnings, list) else []:
        said = warning.get("message") or f"takes no field {warning.get('path')}; it had no effect"
        _log.warning("%s: %s", route, said)
    return result


def bare(url: str) -> str:
    """The URL without its query, which may contain a signature."""
    return url.split("?")[0]


def _sendable(key: str) -> str:
    """Rejects a key that a header can't carry. The key stays secret."""
    if re.fullmatch(r"[!-~]*", key):
        return key
    raise ValueError("The API key contains a space, a line break or another invalid character")


def _search(query: Mapping[str, Any] | None) -> str:
    pairs = [(_name(name), _in_query(value)) for name, value in (query or {}).items() if value is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def _in_query(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _iso(value) if isinstance(value, datetime) else str(value)


def _encode(body: Mapping[str, Any] | None) -> bytes | None:
    if body is None:
        return None
    named = {_name(name): value for name, value in body.items()}
    text = json.dumps(named, default=_in_json, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _in_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return _iso(value)
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    raise TypeError(f"{type(value).__name__} can't be sent as JSON")


def _name(name: str) -> str:
    """`from_` and `while_` are `from` and `while`, which are keywords of Python."""
    return name[:-1] if name.endswith("_") else name


def _iso(value: datetime) -> str:
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _read_retry_after(headers: Mapping[str, str], in_body: Any) -> float | None:
    header = headers.get("retry-after")
    if header is not None:
        if re.fullmatch(r"[0-9]+", header.strip()):
            return float(header)
        try:
            at = parsedate_to_datetime(header)
        except ValueError:
            pass
        else:
            return max(0.0, at.timestamp() - datetime.now(timezone.utc).timestamp())
    return float(in_body) if isinstance(in_body, (int, float)) and not isinstance(in_body, bool) else None


def _read_object(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body.decode("utf-8-sig", "replace"))
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
