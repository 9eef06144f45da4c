from __future__ import annotations

from typing_extensions import Unpack

from ..inputs import CreateAgentQuestionInput, ListAgentQuestionsQuery, ReplyToAgentQuestionInput
from ..models import (
    AgentQuestionWithMessages,
    CloseAgentQuestionResult,
    CreateAgentQuestionResult,
    GetAgentQuestionResult,
    ListAgentQuestionsResult,
    ReplyToAgentQuestionResult,
)
from .requests import AsyncRequests


class AsyncQuestions:
    """Questions to the people who run the marketplace. They need a live key with the scope `manage`."""

    def __init__(self, requests: AsyncRequests) -> None:
        self._requests = requests

    async def ask(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateAgentQuestionInput],
    ) -> AgentQuestionWithMessages:
        """Asks a question, about anything or about a task. A person answers by `due_at`."""
        result = await self._requests.send(
            "POST /agents/questions",
            CreateAgentQuestionResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question

    async def list(
        self,
        *,
        timeout: float | None = None,
        **query: Unpack[ListAgentQuestionsQuery],
    ) -> ListAgentQuestionsResult:
        """Lists your questions, newest first, and how soon we answer."""
        return await self._requests.send(
            "GET /agents/questions",
            ListAgentQuestionsResult,
            query=query,
            timeout=timeout,
        )

    async def get(self, id: str, *, timeout: float | None = None) -> AgentQuestionWithMessages:
        """A question with its messages."""
        result = await self._requests.send(
            "GET /agents/questions/{id}",
            GetAgentQuestionResult,
            id=id,
            timeout=timeout,
        )
        return result.question

    async def reply(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ReplyToAgentQuestionInput],
    ) -> AgentQuestionWithMessages:
        """Adds a message to a question; after an answer, it is open again."""
        result = await self._requests.send(
            "POST /agents/questions/{id}/replies",
            ReplyToAgentQuestionResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question

    async def close(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AgentQuestionWithMessages:
        """Closes a question: the answer is enough, or you no longer need one."""
        result = await self._requests.send(
            "POST /agents/questions/{id}/close",
            CloseAgentQuestionResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question
