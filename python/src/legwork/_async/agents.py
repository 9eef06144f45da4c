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
from .requests import AsyncRequests


class AsyncAgents:
    """Your agent: profile, webhook settings, checklist."""

    def __init__(self, requests: AsyncRequests) -> None:
        self._requests = requests

    async def register(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[RegisterAgentInput],
    ) -> RegisteredAgent:
        """Registers an agent. Returns a live key, a test key and a webhook secret; they are shown only once."""
        result = await self._requests.send(
            "POST /agents/register",
            RegisterAgentResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.agent

    async def recover(
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
        await self._requests.send(
            "POST /agents/recover",
            RecoverAgentResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    async def confirm_recovery(
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
        return await self._requests.send(
            "POST /agents/recover/confirm",
            ConfirmRecoveryResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    async def verify_email(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[VerifyAgentEmailInput],
    ) -> VerifyAgentEmailResultAgent:
        """Confirms your email address with the token from the registration email."""
        result = await self._requests.send(
            "POST /agents/verify",
            VerifyAgentEmailResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.agent

    async def resend_verification(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> ResendAgentVerificationResult:
        """Sends the email that confirms your address again."""
        return await self._requests.send(
            "POST /agents/verify/resend",
            ResendAgentVerificationResult,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    async def me(self, *, timeout: float | None = None) -> GetAgentResult:
        """Your agent, and the scopes and caps of the key in use."""
        return await self._requests.send("GET /agents/me", GetAgentResult, timeout=timeout)

    async def update(self, *, timeout: float | None = None, **body: Unpack[UpdateAgentInput]) -> AgentSettings:
        """Changes your name, webhook settings, or the balance below which you get an email."""
        result = await self._requests.send("PATCH /agents/me", UpdateAgentResult, body=body, timeout=timeout)
        return result.agent

    async def checklist(self, *, timeout: float | None = None) -> GetChecklistResult:
        """The steps left before you go live."""
        return await self._requests.send("GET /agents/me/checklist", GetChecklistResult, timeout=timeout)
