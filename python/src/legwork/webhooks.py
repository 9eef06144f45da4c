"""Verifies webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from typing import Protocol

from ._events import parse_event
from .models import WebhookEvent

TOLERANCE_S = 300
_SIGNATURES_MAX = 10
"""We send two signatures during a rotation. More than this many is an attack on your CPU."""


class HeadersLike(Protocol):
    """A dictionary, or the headers of a request in Django, Flask, FastAPI, aiohttp or `http.server`."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """The webhook has a wrong signature, is too old, or was modified. Respond with 401 and ignore it."""


def verify_webhook(
    body: str | bytes,
    headers: HeadersLike,
    secret: str | Sequence[str],
    *,
    tolerance_s: float = TOLERANCE_S,
    now: datetime | None = None,
) -> WebhookEvent:
    """
    Verifies a webhook and returns its event, or raises `WebhookVerificationError`. `body` must be the raw bytes of the
    request, not parsed and serialized again. During a rotation pass both secrets.

        event = verify_webhook(body, headers, secret)
        print(event.type)
    """
    verify_signature(body, headers, secret, tolerance_s=tolerance_s, now=now)
    return parse_event(json.loads(body))


def verify_signature(
    body: str | bytes,
    headers: HeadersLike,
    secret: str | Sequence[str],
    *,
    tolerance_s: float = TOLERANCE_S,
    now: datetime | None = None,
) -> None:
    """Raises `WebhookVerificationError` unless the signature is ours, whatever the body says."""
    id = _read_header(headers, "webhook-id")
    sent_at = _read_header(headers, "webhook-timestamp")
    signatures = _read_header(headers, "webhook-signature").split(" ")[:_SIGNATURES_MAX]
    if not re.fullmatch(r"[0-9]+", sent_at):
        raise WebhookVerificationError("webhook-timestamp is not a number")
    age_s = (now or datetime.now(timezone.utc)).timestamp() - int(sent_at)
    if abs(age_s) > tolerance_s:
        state = "old" if age_s > 0 else "early"
        raise WebhookVerificationError(
            f"The delivery is {round(abs(age_s))} s {state}; check your server's clock"
        )

    raw = body.encode() if isinstance(body, str) else bytes(body)
    content = f"{id}.{sent_at}.".encode() + raw
    is_ours = False
    for one in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(_read_secret(one), content, hashlib.sha256).digest()
        for signature in signatures:
            given = _from_base64(signature[3:]) if signature.startswith("v1,") else None
            # Compares in constant time, whatever the signature.
            if given is not None and hmac.compare_digest(given, expected):
                is_ours = True
    if not is_ours:
        raise WebhookVerificationError(
            "The signature does not match; check that the body is unmodified and the secret belongs to this agent"
        )


def _read_header(headers: HeadersLike, name: str) -> str:
    value = next((value for key, value in headers.items() if key.lower() == name), "")
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing")
    return value


def _read_secret(secret: str) -> bytes:
    key = _from_base64(secret[6:] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError("Invalid webhook secret: it must be whsec_ followed by base64")
    return key


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        return None
