# Generated from _async/client.py by npm run generate.

"""The client."""

from __future__ import annotations

from types import TracebackType

import httpx
from typing_extensions import Self, Unpack

from .._core import RETRIES_MAX, TIMEOUT_S, Core
from .._duration import Duration
from .._transport import Transport
from ..inputs import (
    CreateCallInput,
    CreateEscalationInput,
    CreateFieldTaskInput,
    CreateGutCheckInput,
    CreateTestAgentInput,
    CreateVerificationInput,
    CreateVibeCheckInput,
    GetQuoteQuery,
    ShorthandOptions,
)
from ..models import (
    CreateCallResult,
    CreateEscalationResult,
    CreateFieldTaskResult,
    CreateGutCheckResult,
    CreateTestAgentResult,
    CreateVerificationResult,
    CreateVibeCheckResult,
    Quote,
    Task,
    TaskDetail,
)
from .agents import Agents
from .connections import Connections
from .deliveries import Webhooks
from .events import Events
from .keys import Keys
from .questions import Questions
from .request_log import RequestLog
from .requests import Requests
from .tasks import Tasks
from .test_mode import TestMode
from .wallet import StatsClient, WalletClient


class Legwork:
    """
    A client for agents. It reads LEGWORK_API_KEY, LEGWORK_URL and LEGWORK_WEBHOOK_SECRET from the environment. Use it
    as a context manager, or call `close` at the end.

        with Legwork() as legwork:
            task = legwork.verify(question="Is it open?", location="Moorweg 12, Wedel")
            done = legwork.tasks.wait(task.id, timeout="30m")
            legwork.tasks.approve(done.id)
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        webhook_secret: str | None = None,
        timeout: float = TIMEOUT_S,
        max_retries: int = RETRIES_MAX,
        user_agent: str | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        `timeout` is the time limit of each attempt in seconds; long polls get their waiting time on top. `user_agent`
        is sent beside this package's: `my-agent/1.2`. `http_client` is a client of your own, for example with a proxy;
        it is not closed by this one. Keys that begin with `lw_test_` use play money.
        """
        core = Core(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            user_agent=user_agent,
        )
        self.base_url = core.base_url
        """The base URL of the API."""
        requests = Requests(core, Transport(http_client))
        self._requests = requests
        self.tasks = Tasks(requests)
        """Create tasks, wait for proof, approve or dispute."""
        self.wallet = WalletClient(requests)
        """Balance, transactions and deposits."""
        self.stats = StatsClient(requests)
        """Statistics and spend."""
        self.agents = Agents(requests)
        """Your agent: profile, webhook settings, checklist."""
        self.keys = Keys(requests)
        """API keys: create, limit, rotate, revoke."""
        self.connections = Connections(requests)
        """Apps that you connected with OAuth, each with a limited key."""
        self.events = Events(requests)
        """The event log: read, follow, redeliver."""
        self.webhooks = Webhooks(requests, webhook_secret)
        """Webhook deliveries, pings, verification, secrets."""
        self.questions = Questions(requests)
        """Questions to the people who run the marketplace."""
        self.requests = RequestLog(requests)
        """Rejected and failed requests."""
        self.test = TestMode(requests)
        """Test mode: move the clock, play a worker."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._requests.transport.close()

    @staticmethod
    def create_test_agent(
        *,
        base_url: str | None = None,
        idempotency_key: str | None = None,
        timeout: float = TIMEOUT_S,
        max_retries: int = RETRIES_MAX,
        http_client: httpx.Client | None = None,
        **body: Unpack[CreateTestAgentInput],
    ) -> CreateTestAgentResult:
        """Creates a test agent without an account, valid for seven days. `agent.test_api_key` is its key."""
        core = Core(base_url=base_url, timeout=timeout, max_retries=max_retries)
        transport = Transport(http_client)
        try:
            return Requests(core, transport).send(
                "POST /test/agents", CreateTestAgentResult, body=body, idempotency_key=idempotency_key
            )
        finally:
            transport.close()

    def ask(
        self,
        question: str,
        *,
        timeout: Duration = "30m",
        idempotency_key: str | None = None,
        **options: Unpack[ShorthandOptions],
    ) -> TaskDetail:
        """
        Asks a yes-or-no question and waits for the answer: `verify` and `tasks.wait` in one call. If nobody answers
        within `timeout`, it raises `WaitTimeout`; its `task` goes on, and `tasks.wait` waits for it again. Then approve
        or dispute the task.
        """
        task = self.verify(question=question, idempotency_key=idempotency_key, **options)
        return self.tasks.wait(task.id, timeout=timeout)

    def verify(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateVerificationInput],
    ) -> Task:
        """Asks a yes-or-no question about a place, with a photo. $5.00 by default."""
        result = self._requests.send(
            "POST /verify",
            CreateVerificationResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def call(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateCallInput],
    ) -> Task:
        """Has a person call a phone number and follow your script. $10.00 by default."""
        result = self._requests.send(
            "POST /call",
            CreateCallResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def gut_check(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateGutCheckInput],
    ) -> Task:
        """Asks one or more people for an opinion, on a scale. $3.00 by default."""
        result = self._requests.send(
            "POST /gut-check",
            CreateGutCheckResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def field(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateFieldTaskInput],
    ) -> Task:
        """Sends a person to a place with a checklist. $15.00 by default."""
        result = self._requests.send(
            "POST /field",
            CreateFieldTaskResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def escalate(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateEscalationInput],
    ) -> Task:
        """Hands a conversation over to a person who can help. $20.00 by default."""
        result = self._requests.send(
            "POST /escalate",
            CreateEscalationResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def vibe(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateVibeCheckInput],
    ) -> Task:
        """Asks how a place, a page or a text feels. $8.00 by default."""
        result = self._requests.send(
            "POST /vibe",
            CreateVibeCheckResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result.task

    def quote(self, *, timeout: float | None = None, **query: Unpack[GetQuoteQuery]) -> Quote:
        """Typical price and completion time of such a task, from recent tasks."""
        return self._requests.send("GET /quote", Quote, query=query, timeout=timeout)
