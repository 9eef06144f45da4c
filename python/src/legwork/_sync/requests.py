# Generated from _async/requests.py by npm run generate.

"""Makes calls, with their retries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

from .._core import AnyModel, Call, Core, Reply, check, read
from .._transport import Transport
from ..errors import LegworkError


class Requests:
    def __init__(self, core: Core, transport: Transport) -> None:
        self.core = core
        self.transport = transport

    def send(
        self,
        route: str,
        model: type[AnyModel],
        *,
        id: str | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        hold_s: float = 0,
    ) -> AnyModel:
        call = self.core.build(
            route,
            id=id,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            hold_s=hold_s,
        )
        return read(self._run(call), model, route=route, url=call.url)

    def download(self, url: str, file: BinaryIO, *, timeout: float | None = None) -> None:
        self._run(self.core.build_download(url, timeout=timeout), file)

    def _run(self, call: Call, file: BinaryIO | None = None) -> Reply:
        tries = 0
        while True:
            try:
                reply = self.transport.attempt(call, file)
                check(reply, call.url)
                return reply
            except LegworkError as error:
                delay = self.core.delay_after(error, tries)
                if delay is None:
                    raise
            self.transport.sleep(delay)
            tries += 1
