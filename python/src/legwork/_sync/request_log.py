# Generated from _async/request_log.py by npm run generate.

from __future__ import annotations

from typing_extensions import Unpack

from ..inputs import ListRequestsQuery
from ..models import GetRequestResult, ListRequestsResult, LoggedRequestDetail
from .requests import Requests


class RequestLog:
    """Your rejected and failed requests, kept for seven days."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, timeout: float | None = None, **query: Unpack[ListRequestsQuery]) -> ListRequestsResult:
        """A page of rejected and failed requests, newest first."""
        return self._requests.send("GET /requests", ListRequestsResult, query=query, timeout=timeout)

    def get(self, id: str, *, timeout: float | None = None) -> LoggedRequestDetail:
        """One request by the `request_id` of its error, with both bodies."""
        result = self._requests.send("GET /requests/{id}", GetRequestResult, id=id, timeout=timeout)
        return result.request
