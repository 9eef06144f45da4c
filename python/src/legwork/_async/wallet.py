from __future__ import annotations

from collections.abc import AsyncIterator

from typing_extensions import Unpack

from ..inputs import CreateDepositInput, GetSpendQuery, GetWalletQuery
from ..models import CreateDepositResult, SpendReport, Stats, Transaction, Wallet
from .pages import pages_of
from .requests import AsyncRequests


class AsyncWalletClient:
    """Balance, transactions and deposits."""

    def __init__(self, requests: AsyncRequests) -> None:
        self._requests = requests

    async def get(self, *, timeout: float | None = None, **query: Unpack[GetWalletQuery]) -> Wallet:
        """Returns the balance and the latest transactions."""
        return await self._requests.send("GET /wallet", Wallet, query=query, timeout=timeout)

    def pages(
        self, *, timeout: float | None = None, **query: Unpack[GetWalletQuery]
    ) -> AsyncIterator[list[Transaction]]:
        """Iterates over the pages of your transactions."""

        async def read(cursor: int | None) -> tuple[list[Transaction], int | None]:
            asked: GetWalletQuery = {"limit": 100, **query}
            if cursor is not None:
                asked["cursor"] = cursor
            page = await self.get(timeout=timeout, **asked)
            # The response has the cursor as text; the query takes a number.
            return page.transactions, None if page.next_cursor is None else int(page.next_cursor)

        return pages_of(query.get("cursor"), read)

    async def deposit(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateDepositInput],
    ) -> CreateDepositResult:
        """Creates a payment page for a deposit. The wallet is credited when the payment processor confirms it."""
        return await self._requests.send(
            "POST /wallet/deposit",
            CreateDepositResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class AsyncStatsClient:
    """Statistics and spend."""

    def __init__(self, requests: AsyncRequests) -> None:
        self._requests = requests

    async def get(self, *, timeout: float | None = None) -> Stats:
        """Counts, costs, times, quality and top workers of your tasks."""
        return await self._requests.send("GET /stats", Stats, timeout=timeout)

    async def spend(self, *, timeout: float | None = None, **query: Unpack[GetSpendQuery]) -> SpendReport:
        """Spend by day and type, and how long the balance lasts at this rate."""
        return await self._requests.send("GET /stats/spend", SpendReport, query=query, timeout=timeout)
