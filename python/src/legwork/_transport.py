"""The I/O of the two clients: one attempt of a call, and waiting."""

from __future__ import annotations

import math
import time
import weakref
from io import BytesIO
from typing import BinaryIO

import anyio
import httpx

from ._core import Call, Reply, bare
from .errors import ConnectionFailedError, TimeLimitError

_FAILURES = (httpx.HTTPError, httpx.InvalidURL)


class Transport:
    def __init__(self, client: httpx.Client | None) -> None:
        self._client = client or httpx.Client(timeout=None)
        self._is_own = client is None
        if self._is_own:
            # A script may end without closing its client, and should not be warned of open sockets.
            weakref.finalize(self, self._client.close)

    def attempt(self, call: Call, file: BinaryIO | None = None) -> Reply:
        """A successful body is written to `file`, if given; the time limit then ends with the headers."""
        ends_at = time.monotonic() + call.limit_s
        try:
            with self._client.stream(
                call.method,
                call.url,
                headers=call.headers,
                content=call.content,
                timeout=call.limit_s,
                follow_redirects=True,
            ) as response:
                sink = BytesIO() if file is None or not response.is_success else _emptied(file)
                for chunk in response.iter_bytes():
                    # httpx limits each read, so a body that arrives byte by byte would have no limit. One that
                    # stalls shortly before the limit may still take twice as long.
                    if sink is not file and time.monotonic() > ends_at:
                        raise TimeLimitError(bare(call.url), call.limit_s)
                    sink.write(chunk)
                body = sink.getvalue() if isinstance(sink, BytesIO) else b""
                return Reply(response.status_code, response.headers, body)
        except httpx.TimeoutException as error:
            raise TimeLimitError(bare(call.url), call.limit_s) from error
        except _FAILURES as error:
            raise ConnectionFailedError(bare(call.url)) from error

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        if self._is_own:
            self._client.close()


class AsyncTransport:
    def __init__(self, client: httpx.AsyncClient | None) -> None:
        self._client = client or httpx.AsyncClient(timeout=None)
        self._is_own = client is None

    async def attempt(self, call: Call, file: BinaryIO | None = None) -> Reply:
        """A successful body is written to `file`, if given; the time limit then ends with the headers."""
        try:
            with anyio.fail_after(call.limit_s) as limit:
                async with self._client.stream(
                    call.method,
                    call.url,
                    headers=call.headers,
                    content=call.content,
                    timeout=call.limit_s,
                    follow_redirects=True,
                ) as response:
                    sink = BytesIO() if file is None or not response.is_success else _emptied(file)
                    if sink is file:
                        limit.deadline = math.inf
                    async for chunk in response.aiter_bytes():
                        sink.write(chunk)
                    body = sink.getvalue() if isinstance(sink, BytesIO) else b""
                    return Reply(response.status_code, response.headers, body)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise TimeLimitError(bare(call.url), call.limit_s) from error
        except _FAILURES as error:
            raise ConnectionFailedError(bare(call.url)) from error

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)

    async def aclose(self) -> None:
        if self._is_own:
            await self._client.aclose()


def _emptied(file: BinaryIO) -> BinaryIO:
    """An earlier attempt may have written a part of the body."""
    file.seek(0)
    file.truncate()
    return file
