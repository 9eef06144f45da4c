# Generated from _async/wallet.py by npm run generate.

from __future__ import annotations

from collections.abc import Iterator

from typing_extensions import Unpack

from ..inputs import CreateDepositInput, GetSpendQuery, GetWalletQuery
from ..models import CreateDepositResult, SpendReport, Stats, Transaction, Wallet
from .pages import pages_of
from .requests import Requests


class WalletClient:
    """Balance, transactions and deposits."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, *, timeout: float | None = None, **query: Unpack[GetWalletQuery]) -> Wallet:
        """Returns the balance and the latest transactions."""
        return self._requests.send("GET /wallet", Wallet, query=query, timeout=timeout)

    def pages(
        self, *, timeout: float | None = None, **query: Unpack[GetWalletQuery]
    ) -> Iterator[list[Transaction]]:
        """Iterates over the pages of your transactions."""

        def read(cursor: int | None) -> tuple[list[Transaction], int | None]:
            asked: GetWalletQuery = {"limit": 100, **query}
            if cursor is not None:
                asked["cursor"] = cursor
            page = self.get(timeout=timeout, **asked)
            # The response has the cursor as text; the query takes a number.
            return page.transactions, None if page.next_cursor is None else int(page.next_cursor)

        return pages_of(query.get("cursor"), read)

    def deposit(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        **body: Unpack[CreateDepositInput],
    ) -> CreateDepositResult:
        """Creates a payment page for a deposit. The wallet is credited when the payment processor confirms it."""
        return self._requests.send(
            "POST /wallet/deposit",
            CreateDepositResult,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )


class StatsClient:
    """Statistics and spend."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, *, timeout: float | None = None) -> Stats:
        """Counts, costs, times, quality and top workers of your tasks."""
        return self._requests.send("GET /stats", Stats, timeout=timeout)

    def spend(self, *, timeout: float | None = None, **query: Unpack[GetSpendQuery]) -> SpendReport:
        """Spend by day and type, and how long the balance lasts at this rate."""
        return self._requests.send("GET /stats/spend", SpendReport, query=query, timeout=timeout)
