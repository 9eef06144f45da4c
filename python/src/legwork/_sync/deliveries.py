# Generated from _async/deliveries.py by npm run generate.

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from typing_extensions import Unpack

from ..inputs import ListDeliveriesQuery, PingWebhookInput, RotateWebhookSecretInput
from ..models import ListDeliveriesResult, PingWebhookResult, RotateWebhookSecretResult, WebhookEvent
from ..webhooks import TOLERANCE_S, HeadersLike, verify_webhook
from .requests import Requests


class Webhooks:
    """Webhook deliveries, pings, verification, secrets."""

    def __init__(self, requests: Requests, secret: str | None) -> None:
        self._requests = requests
        self._secret = secret

    def verify(
        self,
        body: str | bytes,
        headers: HeadersLike,
        secret: str | Sequence[str] | None = None,
        *,
        tolerance_s: float = TOLERANCE_S,
        now: datetime | None = None,
    ) -> WebhookEvent:
        """
        Verifies a webhook request and returns its event. The secret defaults to the client's `webhook_secret` or
        LEGWORK_WEBHOOK_SECRET. Without a client, use `verify_webhook`.
        """
        own = secret or self._secret or os.environ.get("LEGWORK_WEBHOOK_SECRET")
        if not own:
            raise ValueError("No webhook secret: set LEGWORK_WEBHOOK_SECRET or pass it")
        return verify_webhook(body, headers, own, tolerance_s=tolerance_s, now=now)

    def deliveries(
        self,
        *,
        timeout: float | None = None,
        **query: Unpack[ListDeliveriesQuery],
    ) -> ListDeliveriesResult:
        """Delivery attempts, newest first, and the health of your receivers."""
        return self._requests.send(
            "GET /webhooks/deliveries",
            ListDeliveriesResult,
            query=query,
            timeout=timeout,
        )

    def ping(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[PingWebhookInput],
    ) -> PingWebhookResult:
        """Sends a test event. With `tampered` its signature is wrong, and your receiver should reject it."""
        return self._requests.send(
            "POST /webhooks/ping",
            PingWebhookResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def rotate_secret(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[RotateWebhookSecretInput],
    ) -> RotateWebhookSecretResult:
        """
        Creates a new webhook secret, shown only once. Deliveries are signed with both secrets during the
        rotation.
        """
        return self._requests.send(
            "POST /webhooks/rotate-secret",
            RotateWebhookSecretResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
