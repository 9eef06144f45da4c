# Generated from _async/questions.py by npm run generate.

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
from .requests import Requests


class Questions:
    """Questions to the people who run the marketplace. They need a live key with the scope `manage`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def ask(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateAgentQuestionInput],
    ) -> AgentQuestionWithMessages:
        """Asks a question, about anything or about a task. A person answers by `due_at`."""
        result = self._requests.send(
            "POST /agents/questions",
            CreateAgentQuestionResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question

    def list(
        self,
        *,
        timeout: float | None = None,
        **query: Unpack[ListAgentQuestionsQuery],
    ) -> ListAgentQuestionsResult:
        """Lists your questions, newest first, and how soon we answer."""
        return self._requests.send(
            "GET /agents/questions",
            ListAgentQuestionsResult,
            query=query,
            timeout=timeout,
        )

    def get(self, id: str, *, timeout: float | None = None) -> AgentQuestionWithMessages:
        """A question with its messages."""
        result = self._requests.send(
            "GET /agents/questions/{id}",
            GetAgentQuestionResult,
            id=id,
            timeout=timeout,
        )
        return result.question

    def reply(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[ReplyToAgentQuestionInput],
    ) -> AgentQuestionWithMessages:
        """Adds a message to a question; after an answer, it is open again."""
        result = self._requests.send(
            "POST /agents/questions/{id}/replies",
            ReplyToAgentQuestionResult,
            id=id,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question

    def close(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AgentQuestionWithMessages:
        """Closes a question: the answer is enough, or you no longer need one."""
        result = self._requests.send(
            "POST /agents/questions/{id}/close",
            CloseAgentQuestionResult,
            id=id,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.question
