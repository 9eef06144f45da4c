# Generated from _async/connections.py by npm run generate.

from __future__ import annotations

from typing import List

from ..models import Connection, EndConnectionResult, ListConnectionsResult
from .requests import Requests


class Connections:
    """Apps that you connected with OAuth, each with a limited key."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def list(self, *, timeout: float | None = None) -> List[Connection]:
        """Lists the apps that have access. Their scopes, caps and spending are those of the key `key_id`."""
        result = self._requests.send("GET /agents/connections", ListConnectionsResult, timeout=timeout)
        return result.connections

    def end(self, id: str, *, timeout: float | None = None) -> None:
        """Takes an app's access away. Its key and its tokens stop working within seconds."""
        self._requests.send("DELETE /agents/connections/{id}", EndConnectionResult, id=id, timeout=timeout)
