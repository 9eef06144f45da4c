# Generated from _async/pages.py by npm run generate.

from __future__ import annotations

from collections.abc import Iterator, Callable
from typing import TypeVar

Item = TypeVar("Item")
Cursor = TypeVar("Cursor")


def pages_of(
    cursor: Cursor | None, read: Callable[[Cursor | None], tuple[list[Item], Cursor | None]]
) -> Iterator[list[Item]]:
    """Iterates over the pages of a list."""
    while True:
        items, cursor = read(cursor)
        if items:
            yield items
        if cursor is None:
            return
