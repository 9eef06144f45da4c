# Generated from _async/keys.py by npm run generate.

from __future__ import annotations

from typing import List

from typing_extensions import Unpack

from ..inputs import CreateKeyInput, UpdateKeyInput
from ..models import (
    ApiKey,
    ApiKeyWithSecret,
    CreateKeyResult,
    DeleteKeyResult,
    ListKeysResult,
    RotateKeyResult,
    UpdateKeyResult,
)
from .requests import Requests


class Keys:
    """API keys: create, limit, rotate, revoke."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, timeout: float | None = None) -> List[ApiKey]:
        """Lists your keys. A limited key sees only the keys below it."""
        result = self._requests.send("GET /agents/keys", ListKeysResult, timeout=timeout)
        return result.keys

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateKeyInput],
    ) -> ApiKeyWithSecret:
        """Creates a key. A key created by a limited key is its child and can't exceed its limits."""
        result = self._requests.send(
            "POST /agents/keys",
            CreateKeyResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.key

    def update(self, id: str, *, timeout: float | None = None, **body: Unpack[UpdateKeyInput]) -> ApiKey:
        """Changes a key's name and caps."""
        result = self._requests.send(
            "PATCH /agents/keys/{id}",
            UpdateKeyResult,
            id=id,
            body=body,
            timeout=timeout,
        )
        return result.key

    def rotate(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RotateKeyResult:
        """Replaces a key with a new one. The old key stays valid until `old_expires_at`."""
        return self._requests.send(
            "POST /agents/keys/{id}/rotate",
            RotateKeyResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def delete(self, id: str, *, timeout: float | None = None) -> ApiKey:
        """Revokes a key and all keys below it, immediately."""
        result = self._requests.send("DELETE /agents/keys/{id}", DeleteKeyResult, id=id, timeout=timeout)
        return result.key
