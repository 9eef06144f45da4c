# Generated from _async/tools.py by npm run generate.

"""The tools of tools.py."""

import json
import logging
from collections.abc import Mapping
from typing import Any, Callable, ClassVar, Union

from pydantic import ValidationError

from .._outcome import console_url_of, show_approval, show_dispute, show_task
from .._refusals import DEFECT, explain, explain_arguments
from .._tool_inputs import (
    Arguments,
    AskHuman,
    BudgetCents,
    Deadline,
    People,
    PhoneNumber,
    ProofWanted,
    Question,
    RequestKey,
    ReviewHumanWork,
    Scale,
    TaskId,
    Type,
    WaitForHuman,
    WaitSeconds,
    Where,
    sha256,
)
from ..errors import LegworkError, WaitTimeout
from ..models import Task
from .client import Legwork

OPEN = ("pending", "in_progress", "proof_submitted")
REFUSALS_MAX = 20
"""How many times a request_key can be refused for lack of money before the caller has to use a different key."""


class Tool:
    """A tool for a model: its name, its description and the JSON Schema of its arguments, and `run`."""

    arguments: ClassVar[type[Arguments]]

    def __init__(self, client: Legwork, *, can_review: bool, sim: Union[str, None]) -> None:
        self.name = self.arguments.tool_name
        self.description = self.arguments.says
        self.parameters = self.arguments.schema_of()
        self._client = client
        self._can_review = can_review
        self._sim = sim
        self._console_url = console_url_of(client.base_url)

    def run(self, arguments: Union[Mapping[str, Any], str], call_id: Union[str, None] = None) -> str:
        """
        Runs the tool and returns what the model reads, also for refused calls: a refusal says why and what to do.
        `arguments` is a mapping or JSON, `call_id` the framework's id of the call: a repeated call is one task.
        """
        try:
            given = json.loads(arguments) if isinstance(arguments, str) else dict(arguments)
        except ValueError:
            return "Invalid arguments. They must be a JSON object. Nothing was changed."
        try:
            checked = self.arguments.model_validate(given)
        except ValidationError as error:
            return explain_arguments(error)
        try:
            return self._run(checked, call_id)
        except LegworkError as error:
            return explain(error, console_url=self._console_url, task_id=getattr(checked, "task_id", None))
        except Exception:
            # An error may quote anything, so a model never sees one that isn't ours.
            logging.getLogger("legwork").exception("%s failed", self.name)
            return DEFECT

    def _run(self, given: Any, call_id: Union[str, None]) -> str:
        raise NotImplementedError

    def as_openai(self) -> dict[str, Any]:
        """The tool in OpenAI's chat completions and everything that is compatible with them."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": {**function, "strict": False}}

    def as_openai_response(self) -> dict[str, Any]:
        """The tool in OpenAI's Responses API, which OpenAI Agents use."""
        return {"type": "function", **self.as_openai()["function"]}

    def as_anthropic(self) -> dict[str, Any]:
        """The tool in Anthropic's Messages API."""
        return {"name": self.name, "description": self.description, "input_schema": self.parameters}

    def _wait(self, task_id: str, seconds: int) -> str:
        if seconds == 0:
            task = self._client.tasks.get(task_id, media="url")
        else:
            try:
                task = self._client.tasks.wait(task_id, timeout=seconds)
            except WaitTimeout as error:
                task = error.task
        return show_task(task, console_url=self._console_url, can_review=self._can_review)


class AskHumanTool(Tool):
    arguments = AskHuman

    def _run(self, given: AskHuman, call_id: Union[str, None]) -> str:
        if given.type == "voice_proxy" and given.phone_number is None:
            return "phone_number is required for a call. Nothing was spent."
        body = given.body(self._sim)
        if given.request_key is not None:
            task = self._create_named(given.type, body, given.request_key)
        else:
            # Models may number their calls from one in every conversation, so the key also names the question.
            key = None if call_id is None else f"call-{sha256(call_id + given.mark())}"
            same = self._find_open(given.mark())
            if same is not None:
                return (
                    f"You already asked exactly this, and the task is still open: {same.id} is {same.status}. Nothing "
                    f"was spent. Call wait_for_human with task_id {same.id} to see it. To ask again anyway, pass a new "
                    "request_key."
                )
            task = self._create(given.type, body, key)
        return self._wait(task.id, given.wait_seconds)

    def _create_named(self, type: str, body: dict[str, Any], request_key: str) -> Task:
        # Refusals are stored under their idempotency key. To let a later deposit count, a stored refusal leads on to
        # the next derived key; a task that was created is found in the same way.
        number = 1
        while True:
            try:
                return self._create(type, body, f"tool-{sha256(request_key)}-{number}")
            except LegworkError as error:
                if not error.is_replay or error.status not in (402, 403) or number == REFUSALS_MAX:
                    raise
            number += 1

    def _create(self, type: str, body: dict[str, Any], key: Union[str, None]) -> Task:
        client = self._client
        if type == "verification":
            return client.verify(**body, idempotency_key=key)
        if type == "voice_proxy":
            return client.call(**body, idempotency_key=key)
        if type == "gut_check":
            return client.gut_check(**body, idempotency_key=key)
        if type == "field_mission":
            return client.field(**body, idempotency_key=key)
        if type == "empathy_escalation":
            return client.escalate(**body, idempotency_key=key)
        if type == "vibe_reader":
            return client.vibe(**body, idempotency_key=key)
        return client.tasks.create(**body, type="custom", idempotency_key=key)

    def _find_open(self, mark: str) -> Union[Task, None]:
        page = self._client.tasks.list(limit=100)
        for task in page.tasks:
            if task.status in OPEN and (task.metadata or {}).get("tool") == mark:
                return task
        return None


class WaitForHumanTool(Tool):
    arguments = WaitForHuman

    def _run(self, given: WaitForHuman, call_id: Union[str, None]) -> str:
        return self._wait(given.task_id, given.wait_seconds)


class ReviewHumanWorkTool(Tool):
    arguments = ReviewHumanWork

    def _run(self, given: ReviewHumanWork, call_id: Union[str, None]) -> str:
        tasks = self._client.tasks
        if given.verdict == "dispute":
            if not given.reason:
                return "reason: is required for a dispute; the person sees it. Nothing was changed."
            return show_dispute((tasks.dispute(given.task_id, reason=given.reason)).refunded_cents)
        if given.override_result is None:
            return show_approval(tasks.approve(given.task_id))
        return show_approval(tasks.approve(given.task_id, override_result=given.override_result))


def human_tools(
    client: Legwork, *, can_review: bool = False, sim: Union[str, None] = None
) -> list[Tool]:
    """
    `ask_human` and `wait_for_human`. Only `can_review` adds `review_human_work`, which pays people or refunds you;
    without it your program decides. `sim` chooses the scripted worker of test mode.
    """
    kinds = [AskHumanTool, WaitForHumanTool] + ([ReviewHumanWorkTool] if can_review else [])
    return [kind(client, can_review=can_review, sim=sim) for kind in kinds]


def ask_human_function(client: Legwork, *, sim: Union[str, None] = None) -> Callable[..., str]:
    """`ask_human` as a function whose signature and docstring are the tool, for frameworks that read those."""
    tool = AskHumanTool(client, can_review=False, sim=sim)

    def ask_human(
        question: Question,
        type: Type = "custom",
        where: Where = None,
        proof: ProofWanted = None,
        budget_cents: BudgetCents = None,
        people: People = 1,
        deadline: Deadline = None,
        scale: Scale = None,
        phone_number: PhoneNumber = None,
        request_key: RequestKey = None,
        wait_seconds: WaitSeconds = 45,
    ) -> str:
        return tool.run(
            {
                "question": question,
                "type": type,
                "where": where,
                "proof": proof,
                "budget_cents": budget_cents,
                "people": people,
                "deadline": deadline,
                "scale": scale,
                "phone_number": phone_number,
                "request_key": request_key,
                "wait_seconds": wait_seconds,
            }
        )

    ask_human.__doc__ = tool.description
    return ask_human


def wait_for_human_function(client: Legwork) -> Callable[..., str]:
    """`wait_for_human` as a function whose signature and docstring are the tool."""
    tool = WaitForHumanTool(client, can_review=False, sim=None)

    def wait_for_human(task_id: TaskId, wait_seconds: WaitSeconds = 45) -> str:
        return tool.run({"task_id": task_id, "wait_seconds": wait_seconds})

    wait_for_human.__doc__ = tool.description
    return wait_for_human
