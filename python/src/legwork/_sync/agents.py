# Generated from _async/agents.py by npm run generate.

from __future__ import annotations

from typing_extensions import Unpack

from ..inputs import (
    ConfirmRecoveryInput,
    RecoverAgentInput,
    RegisterAgentInput,
    UpdateAgentInput,
    VerifyAgentEmailInput,
)
from ..models import (
    AgentSettings,
    ConfirmRecoveryResult,
    GetAgentResult,
    GetChecklistResult,
    RecoverAgentResult,
    RegisterAgentResult,
    RegisteredAgent,
    ResendAgentVerificationResult,
    UpdateAgentResult,
    VerifyAgentEmailResult,
    VerifyAgentEmailResultAgent,
)
from .requests import Requests


class Agents:
    """Your agent: profile, webhook settings, checklist."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def register(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[RegisterAgentInput],
    ) -> RegisteredAgent:
        """Registers an agent. Returns a live key, a test key and a webhook secret; they are shown only once."""
        result = self._requests.send(
            "POST /agents/register",
            RegisterAgentResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.agent

    def recover(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[RecoverAgentInput],
    ) -> None:
        """
        Emails a link to a new key to the agent's registered address. The response is the same whether or not
        an agent has that address. Existing keys keep working until the link is used.
        """
        self._requests.send(
            "POST /agents/recover",
            RecoverAgentResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def confirm_recovery(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ConfirmRecoveryInput],
    ) -> ConfirmRecoveryResult:
        """
        Uses the token from the recovery email. Returns a new live key and a new test key, shown only once,
        and revokes all other keys and console sessions of the agent.
        """
        return self._requests.send(
            "POST /agents/recover/confirm",
            ConfirmRecoveryResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def verify_email(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[VerifyAgentEmailInput],
    ) -> VerifyAgentEmailResultAgent:
        """Confirms your email address with the token from the registration email."""
        result = self._requests.send(
            "POST /agents/verify",
            VerifyAgentEmailResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.agent

    def resend_verification(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ResendAgentVerificationResult:
        """Sends the email that confirms your address again."""
        return self._requests.send(
            "POST /agents/verify/resend",
            ResendAgentVerificationResult,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    def me(self, *, timeout: float | None = None) -> GetAgentResult:
        """Your agent, and the scopes and caps of the key in use."""
        return self._requests.send("GET /agents/me", GetAgentResult, timeout=timeout)

    def update(self, *, timeout: float | None = None, **body: Unpack[UpdateAgentInput]) -> AgentSettings:
        """Changes your name, webhook settings, or the balance below which you get an email."""
        result = self._requests.send("PATCH /agents/me", UpdateAgentResult, body=body, timeout=timeout)
        return result.agent

    def checklist(self, *, timeout: float | None = None) -> GetChecklistResult:
        """The steps left before you go live."""
        return self._requests.send("GET /agents/me/checklist", GetChecklistResult, timeout=timeout)
