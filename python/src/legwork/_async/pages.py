from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

Item = TypeVar("Item")
Cursor = TypeVar("Cursor")


async def pages_of(
    cursor: Cursor | None, read: Callable[[Cursor | None], Awaitable[tuple[list[Item], Cursor | None]]]
) -> AsyncIterator[list[Item]]:
    """Iterates over the pages of a list."""
    while True:
        items, cursor = await read(cursor)
        if items:
            yield items
        if cursor is None:
            return
