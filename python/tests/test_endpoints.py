"""Every endpoint for agents has a method in both clients, and no method asks for another."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from legwork import AsyncLegwork, Legwork, LegworkError

BASE = "http://127.0.0.1/api/v1"
ID = "the_id"
COMPOSED = {"wait", "pages", "follow", "download", "save_proofs", "send"}
"""Made of the others, or of no call at all."""
APART = {"Webhooks.verify", "Legwork.close", "Legwork.aclose", "Legwork.create_test_agent"}


def routes() -> set[str]:
    document = json.loads(Path(os.environ["OPENAPI_AGENTS"]).read_text("utf-8"))
    return {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}


def methods_of(client: object) -> Iterator[tuple[str, Any]]:
    parts: list[object] = [client, *vars(client).values()]
    for part in parts:
        if not type(part).__module__.startswith("legwork."):
            continue
        for name in dir(part):
            whole = f"{type(part).__name__.removeprefix('Async')}.{name}"
            if name.startswith("_") or name in COMPOSED or whole in APART:
                continue
            method = getattr(part, name)
            if inspect.ismethod(method):
                yield whole, method


def arguments_of(method: Any) -> list[str]:
    first = next(iter(inspect.signature(method).parameters.values()), None)
    if first is None or first.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
        return []
    return ["1h" if first.name == "by" else ID]


def answer(asked: set[str]) -> httpx.MockTransport:
    def handle(request: httpx.Request) -> httpx.Response:
        asked.add(f"{request.method} {request.url.path.removeprefix('/api/v1').replace(ID, '{id}')}")
        return httpx.Response(200, json={})

    return httpx.MockTransport(handle)


def missing_and_unknown(asked: set[str]) -> tuple[set[str], set[str]]:
    # This one takes a link instead of an id.
    return routes() - asked - {"GET /files/{id}"}, asked - routes()


def test_every_endpoint_has_a_method() -> None:
    asked: set[str] = set()
    with httpx.Client(transport=answer(asked)) as http:
        client = Legwork(api_key="lw_test_x", base_url=BASE, http_client=http)
        for _, method in methods_of(client):
            # The empty response may be an error; only the request matters here.
            with pytest.raises(LegworkError):
                method(*arguments_of(method))
        with pytest.raises(LegworkError):
            Legwork.create_test_agent(base_url=BASE, http_client=http)

    assert missing_and_unknown(asked) == (set(), set())


@pytest.mark.anyio
async def test_every_endpoint_has_an_asynchronous_method() -> None:
    asked: set[str] = set()
    async with httpx.AsyncClient(transport=answer(asked)) as http:
        client = AsyncLegwork(api_key="lw_test_x", base_url=BASE, http_client=http)
        for _, method in methods_of(client):
            with pytest.raises(LegworkError):
                await method(*arguments_of(method))
        with pytest.raises(LegworkError):
            await AsyncLegwork.create_test_agent(base_url=BASE, http_client=http)

    assert missing_and_unknown(asked) == (set(), set())


def test_both_clients_have_the_same_methods_with_the_same_arguments() -> None:
    def shape(client: object) -> dict[str, list[str]]:
        return {name: list(inspect.signature(method).parameters) for name, method in methods_of(client)}

    assert shape(Legwork(api_key="x")) == shape(AsyncLegwork(api_key="x"))
