"""The vectors of Standard Webhooks, and what must be refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from datetime import datetime, timedelta, timezone
from http.client import HTTPMessage
from pathlib import Path
from typing import Any

import pytest
from legwork import Legwork, WebhookVerificationError, verify_webhook
from legwork.models import WebhookPingEvent
from legwork.webhooks import verify_signature

VECTORS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("webhook-vectors.json").read_text("utf-8"))
SECRET = f"whsec_{base64.b64encode(bytes([7]) * 32).decode()}"
OTHER = f"whsec_{base64.b64encode(bytes([8]) * 32).decode()}"
BODY = json.dumps(
    {
        "id": "evt_1",
        "type": "webhook.ping",
        "created_at": "2026-01-02T03:04:05.678Z",
        "api_version": "v1",
        "sequence": None,
        "data": {"says": "Grüße"},
    },
    ensure_ascii=False,
)
NOW = datetime.now(timezone.utc).replace(microsecond=0)


def sign(body: str = BODY, *, secret: str = SECRET, at: datetime = NOW) -> dict[str, str]:
    sent_at = str(int(at.timestamp()))
    key = base64.b64decode(secret[6:])
    mac = hmac.new(key, f"evt_1.{sent_at}.{body}".encode(), hashlib.sha256).digest()
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": sent_at,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_vectors_of_standard_webhooks(vector: dict[str, Any]) -> None:
    sent_at = datetime.fromtimestamp(vector["timestamp"], timezone.utc)
    headers = {
        "webhook-id": vector["id"],
        "webhook-timestamp": str(vector["timestamp"]),
        "webhook-signature": vector["signature"],
    }

    def verify() -> None:
        verify_signature(vector["payload"], headers, vector["secret"], now=sent_at)

    if vector["valid"]:
        verify()
    else:
        with pytest.raises(WebhookVerificationError):
            verify()


def test_every_kind_of_body_and_headers_is_accepted() -> None:
    headers = sign()
    message = HTTPMessage()
    for name, value in headers.items():
        message[name.title()] = value

    events = [
        verify_webhook(BODY, headers, SECRET),
        verify_webhook(BODY.encode(), message, SECRET),
        verify_webhook(BODY.encode(), headers, [OTHER, SECRET]),
        Legwork(api_key="x", webhook_secret=SECRET).webhooks.verify(BODY, headers),
    ]

    for event in events:
        assert isinstance(event, WebhookPingEvent)
        assert event.data.model_dump(exclude_unset=True) == {"says": "Grüße"}


def test_another_body_secret_id_or_signature_is_refused() -> None:
    headers = sign()

    for body, changed, secret in [
        (f"{BODY} ", headers, SECRET),
        (BODY, headers, OTHER),
        (BODY, {**headers, "webhook-id": "evt_2"}, SECRET),
        *(
            (BODY, {**headers, "webhook-signature": signature}, SECRET)
            for signature in ["v1,", "v1,%%%", "v1,ü", headers["webhook-signature"][3:], "v2,AAAA"]
        ),
    ]:
        with pytest.raises(WebhookVerificationError, match="signature"):
            verify_webhook(body, changed, secret)


def test_only_the_first_ten_signatures_are_checked() -> None:
    headers = sign()

    def behind(count: int) -> dict[str, str]:
        return {**headers, "webhook-signature": f"{'v1,AAAA ' * count}{headers['webhook-signature']}"}

    verify_webhook(BODY, behind(9), SECRET)
    with pytest.raises(WebhookVerificationError, match="signature"):
        verify_webhook(BODY, behind(10), SECRET)


def test_timestamps_more_than_five_minutes_away_are_refused() -> None:
    def after(seconds: int) -> None:
        verify_webhook(BODY, sign(), SECRET, now=NOW + timedelta(seconds=seconds))

    after(299)
    after(-298)
    with pytest.raises(WebhookVerificationError, match="302 s old"):
        after(302)
    with pytest.raises(WebhookVerificationError, match="302 s early"):
        after(-302)
    with pytest.raises(WebhookVerificationError, match="number"):
        verify_webhook(BODY, {**sign(), "webhook-timestamp": "now"}, SECRET)


def test_a_missing_header_and_a_malformed_secret_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEGWORK_WEBHOOK_SECRET", raising=False)
    headers = sign()

    for name in list(headers):
        with pytest.raises(WebhookVerificationError, match=name):
            verify_webhook(BODY, {key: value for key, value in headers.items() if key != name}, SECRET)
    for secret in ["whsec_", "whsec_%%%"]:
        with pytest.raises(ValueError, match="Invalid webhook secret"):
            verify_webhook(BODY, headers, secret)
    with pytest.raises(ValueError, match="LEGWORK_WEBHOOK_SECRET"):
        Legwork(api_key="x").webhooks.verify(BODY, headers)
