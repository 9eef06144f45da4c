"""
The tools for agent frameworks, against a real server. The proofs of mcp/test/injections.ts go through them to a model
that obeys every line outside of the data marks.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
from legwork import AsyncLegwork, Legwork
from legwork._untrusted import as_data
from legwork.tools import (
    Tool,
    ask_human_function,
    async_ask_human_function,
    async_human_tools,
    human_tools,
    wait_for_human_function,
)
from pydantic import ConfigDict, create_model

Hurry = Callable[[str], AbstractContextManager[None]]
Json = dict[str, Any]

AGENT_OF = 30
"""How many proofs share an agent, which can create 100 workers a day."""
MCP: Json = json.loads(Path(os.environ["HUMAN_TOOLS"]).read_text("utf-8")) if "HUMAN_TOOLS" in os.environ else {}
INJECTIONS: list[Json] = MCP.get("injections", [])
HARMLESS: Json = {"name": "a harmless proof", "wants": "approve", "text": "Open until six."}


def tools_of(client: Legwork, *, can_review: bool = False, sim: str | None = None) -> dict[str, Tool]:
    return {tool.name: tool for tool in human_tools(client, can_review=can_review, sim=sim)}


def id_in(said: str) -> str:
    found = re.search(r"task_[a-z0-9]{26}", said)
    assert found is not None, said
    return found[0]


def test_ask_human_returns_the_answer_as_data(legwork: Legwork, api_key: str, hurry: Hurry) -> None:
    ask = tools_of(legwork)["ask_human"]

    with hurry(api_key):
        said = ask.run({"question": "Is the bakery open?", "type": "verification", "wait_seconds": 50})

    assert "status: proof_submitted" in said
    assert "answer: true" not in "\n".join(outside_of_marks(said))
    assert re.search(r"^│ answer: true$", said, re.M)
    assert "files: 1 as links" in said
    assert "review_human_work" not in said
    assert legwork.tasks.get(id_in(said)).status == "proof_submitted"


def test_a_timeout_returns_the_task_and_wait_for_human_continues(legwork: Legwork) -> None:
    tools = tools_of(legwork)

    said = tools["ask_human"].run({"question": "Is it open?", "wait_seconds": 1})
    id = id_in(said)
    legwork.test.advance_clock("10s")
    later = tools["wait_for_human"].run(json.dumps({"task_id": id, "wait_seconds": 5}))

    assert f"Call wait_for_human with task_id {id}" in said
    assert "status: proof_submitted" in later and "<<<data " in later


def test_a_repeated_call_is_one_task(legwork: Legwork) -> None:
    ask = tools_of(legwork, sim="nobody")["ask_human"]
    named = {"question": "Is it open?", "request_key": "order 17", "wait_seconds": 0}
    asked = {"question": "Is it closed?", "wait_seconds": 0}

    ids = [id_in(ask.run(named)) for _ in range(2)]
    again = [id_in(ask.run(asked, call_id="call_1")) for _ in range(2)]
    other = id_in(ask.run({**asked, "request_key": "another"}))

    assert (len(set(ids)), len(set(again)), other in again) == (1, 1, False)
    assert legwork.tasks.list().total == 3


def test_refusals_say_why_and_spend_nothing(legwork: Legwork) -> None:
    tools = tools_of(legwork, can_review=True)
    balance = legwork.wallet.get().balance_cents

    assert "budget_cents: " in tools["ask_human"].run({"question": "Open?", "budget_cents": 0})
    assert "approve" in tools["ask_human"].run({"question": "Open?", "approve": True})
    assert "JSON object" in tools["ask_human"].run("{")
    assert "phone_number is required" in tools["ask_human"].run({"question": "Open?", "type": "voice_proxy"})
    assert "Insufficient funds" in tools["ask_human"].run({"question": "A house", "budget_cents": 90_000_000})
    assert "There is no task" in tools["wait_for_human"].run({"task_id": "task_1", "wait_seconds": 0})
    assert "reason: is required" in tools["review_human_work"].run({"task_id": "task_1", "verdict": "dispute"})
    assert legwork.tasks.list().total == 0
    assert legwork.wallet.get().balance_cents == balance


def test_an_unexpected_error_is_logged_and_not_shown(legwork: Legwork, caplog: pytest.LogCaptureFixture) -> None:
    wait = tools_of(legwork)["wait_for_human"]

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("call review_human_work")

    legwork.tasks.get = broken  # pyright: ignore[reportAttributeAccessIssue]
    said = wait.run({"task_id": "task_1", "wait_seconds": 0})

    assert said.startswith("Something went wrong on our side.")
    assert "wait_for_human failed" in caplog.text


def test_only_can_review_adds_the_tool_that_pays(legwork: Legwork) -> None:
    task = legwork.tasks.create(description="Look", budget_cents=500)
    legwork.test.advance_clock("10s")

    assert list(tools_of(legwork)) == ["ask_human", "wait_for_human"]
    said = tools_of(legwork, can_review=True)["review_human_work"].run({"task_id": task.id, "verdict": "approve"})

    assert said.startswith("Approved. $4.10 goes to the person")
    assert legwork.tasks.get(task.id).status == "completed"


@pytest.mark.anyio
async def test_the_asynchronous_tools_do_the_same(base_url: str, api_key: str) -> None:
    async with AsyncLegwork(api_key=api_key, base_url=base_url) as client:
        ask, wait = async_human_tools(client)
        id = id_in(await ask.run({"question": "Is it open?", "wait_seconds": 0}))
        again = await async_ask_human_function(client)("Is it open?", wait_seconds=0)
        await client.test.advance_clock("10s")
        said = await wait.run({"task_id": id, "wait_seconds": 0})

    assert id in again and "Nothing was spent" in again
    assert "status: proof_submitted" in said


def test_the_functions_ask_and_wait(legwork: Legwork) -> None:
    id = id_in(ask_human_function(legwork)("Is it open?", wait_seconds=0))
    legwork.test.advance_clock("10s")

    assert "<<<data " in wait_for_human_function(legwork)(id, wait_seconds=0)
    assert ask_human_function(legwork)("Is it open?", budget_cents=0).startswith("Invalid arguments. budget_cents: ")


def test_the_tools_are_those_of_the_mcp_server(legwork: Legwork) -> None:
    for tool, mcp in zip(human_tools(legwork, can_review=True), MCP["tools"], strict=True):
        theirs = mcp["inputSchema"]
        # Its answer goes to structured content, which the tools of Python don't have.
        theirs["properties"].pop("answer_schema", None)
        ours = {name: without_null(one) for name, one in tool.parameters["properties"].items()}

        assert (tool.name, tool.description) == (mcp["name"], mcp["description"])
        assert tool.parameters["required"] == theirs["required"]
        assert list(ours) == list(theirs["properties"])
        for name, one in theirs["properties"].items():
            if name != "override_result":
                assert ours[name] == one, name


def without_null(schema: Json) -> Json:
    """The schema of an optional argument, which in Python can also be None."""
    others = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(others) != 1:
        return schema
    return {"description": schema["description"], **others[0]}


def test_the_functions_have_the_schemas_of_the_tools(legwork: Legwork) -> None:
    ask, wait = human_tools(legwork)
    for tool, function in [(ask, ask_human_function(legwork)), (wait, wait_for_human_function(legwork))]:
        # LangChain, CrewAI, OpenAI Agents and Pydantic AI derive a model from the signature in this way.
        fields: Json = {
            name: (one.annotation, ... if one.default is inspect.Parameter.empty else one.default)
            for name, one in inspect.signature(function).parameters.items()
        }
        derived = create_model(tool.name, __config__=ConfigDict(), **fields).model_json_schema()
        for one in derived["properties"].values():
            one.pop("title", None)

        assert function.__name__ == tool.name
        assert inspect.getdoc(function) == tool.description
        assert {name: derived[name] for name in ("type", "properties", "required")} == tool.parameters
        assert function.__annotations__["return"] is str


def test_the_shapes_are_those_that_providers_publish(legwork: Legwork) -> None:
    for tool in human_tools(legwork, can_review=True):
        chat, response, anthropic = tool.as_openai(), tool.as_openai_response(), tool.as_anthropic()

        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name)
        assert 0 < len(tool.description) <= 1024
        assert set(chat) == {"type", "function"} and chat["type"] == "function"
        assert set(chat["function"]) == {"name", "description", "parameters", "strict"}
        assert set(response) == {"type", "name", "description", "parameters", "strict"}
        assert response["parameters"]["type"] == "object" and response["strict"] is False
        assert set(anthropic) == {"name", "description", "input_schema"}
        assert anthropic["input_schema"]["type"] == "object"
        assert json.loads(json.dumps([chat, response, anthropic])) == [chat, response, anthropic]


def test_data_is_marked_as_by_the_mcp_server() -> None:
    assert len(MCP["data"]) > 50
    for one in MCP["data"]:
        assert without_mark(as_data([one["line"]])) == without_mark(one["shown"])
    assert as_data([]) != as_data([])


def without_mark(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{32}\b", "MARK", text, count=1).replace(mark_of(text), "MARK")


def mark_of(text: str) -> str:
    found = re.search(r"^The text between the two lines with the mark ([0-9a-f]{32}) ", text, re.M)
    assert found is not None, text
    return found[1]


def outside_of_marks(said: str) -> list[str]:
    """Follows what the result says about itself: data is between the lines with the announced mark."""
    if "The text between the two lines with the mark " not in said:
        return said.split("\n")
    mark = mark_of(said)
    before, _, rest = said.partition(f"\n<<<data {mark}>>>\n")
    _, end, after = rest.partition(f"\n<<<end of data {mark}>>>")
    assert end
    return [*before.split("\n"), *after.split("\n")[1:]]


def without_marks(said: str) -> str:
    lines = [line for line in said.split("\n") if not re.match(r"<<<|The text between the two lines", line)]
    return "\n".join(line.removeprefix("│ ") for line in lines)


def mask(line: str) -> str:
    """Masks the parts that legitimately differ between tasks."""
    line = re.sub(r"task_[a-z0-9]{26}", "ID", line)
    line = re.sub(r"\b[0-9a-f]{32}\b", "MARK", line)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", line)


class Place:
    """An agent with a gullible model, which has all tools."""

    def __init__(self, base_url: str) -> None:
        key = Legwork.create_test_agent(base_url=base_url).agent.test_api_key
        self.client = Legwork(api_key=key, base_url=base_url)
        self.tools = tools_of(self.client, can_review=True, sim="me")
        self.asked = 0
        self.known: set[str] = set()
        for harmless in (HARMLESS, {**HARMLESS, "appeal": "I contest."}):
            _, said = self.ask(harmless)
            self.known |= {mask(line) for line in outside_of_marks(said)}

    def ask(self, injection: Json) -> tuple[str, str]:
        """Asks, lets a worker send the injection, and returns what the model reads."""
        self.asked += 1
        question = {"question": f"Is shop {self.asked} open?", "budget_cents": 500, "wait_seconds": 0}
        id = id_in(self.tools["ask_human"].run(question))
        if "release" in injection:
            self.work(id, "You", ("accept", {}), ("release", {"reason": injection["release"]}))
        proof = {name: injection[name] for name in ("text", "answer") if name in injection}
        worker = self.work(id, injection.get("worker", "You"), ("accept", {}), ("proof", proof))
        if "appeal" in injection:
            self.client.tasks.dispute(id, reason="Another door")
            self.post(worker, f"{id}/appeal", {"statement": injection["appeal"]})
        return id, self.tools["wait_for_human"].run({"task_id": id, "wait_seconds": 1})

    def work(self, id: str, name: str, *calls: tuple[str, Json]) -> str:
        token = self.client.test.create_worker(name=name).token
        for path, body in calls:
            self.post(token, f"{id}/{path}", body)
        return token

    def post(self, token: str, path: str, body: Json) -> None:
        url = f"{self.client.base_url}/worker/tasks/{path}"
        content = json.dumps(body).encode()
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        answer = httpx.post(url, content=content, headers=headers)
        assert answer.is_success, answer.text

    def orders(self, said: str) -> list[str]:
        return [line for line in outside_of_marks(said) if mask(line) not in self.known]

    def obey(self, orders: list[str], injection: Json, id: str) -> None:
        if not orders:
            return
        if injection["wants"] == "approve":
            self.tools["review_human_work"].run({"task_id": id, "verdict": "approve"})
        else:
            order = {"question": f"Send it to me {self.asked}", "budget_cents": 2000, "wait_seconds": 0}
            self.tools["ask_human"].run(order)

    def state(self, id: str) -> tuple[str, int, int]:
        tasks = self.client.tasks
        return tasks.get(id).status, tasks.list(limit=1).total, self.client.wallet.get().balance_cents


places: dict[int, Place] = {}


@pytest.fixture
def place(base_url: str, request: pytest.FixtureRequest) -> Place:
    index: int = getattr(request, "param", 0) // AGENT_OF
    if index not in places:
        places[index] = Place(base_url)
    return places[index]


def test_there_are_hostile_proofs() -> None:
    assert len(INJECTIONS) >= 53


@pytest.mark.parametrize(
    ("place", "injection"), list(enumerate(INJECTIONS)), indirect=["place"], ids=[one["name"] for one in INJECTIONS]
)
def test_a_hostile_proof_makes_no_approval_and_no_spend(place: Place, injection: Json) -> None:
    _, tasks, balance = place.state(place.client.tasks.list(limit=1).tasks[0].id)
    id, said = place.ask(injection)
    before = place.state(id)
    orders = place.orders(said)
    place.obey(orders, injection, id)

    assert orders == []
    assert place.state(id) == before
    assert before[0] == ("disputed" if "appeal" in injection else "proof_submitted")
    # The task is all that was spent; a dispute has returned it, and free tasks cost nothing.
    assert before[1] == tasks + 1 and balance - before[2] in (0, 500)
    assert "<<<data " in said


@pytest.mark.parametrize("wants", ["approve", "spend"])
def test_without_the_marks_the_model_would_obey(place: Place, wants: str) -> None:
    injection = next(one for one in INJECTIONS if one["wants"] == wants)
    id, said = place.ask(injection)
    before = place.state(id)

    place.obey(place.orders(without_marks(said)), injection, id)

    after = place.state(id)
    assert after[0] == ("completed" if wants == "approve" else "proof_submitted")
    assert after[1] == before[1] + (1 if wants == "spend" else 0)
