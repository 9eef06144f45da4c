"""
Exception classes. Everything that a call raises is a `LegworkError`; the subclass of each error code is in
error_classes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .models import TaskDetail


class LegworkError(Exception):
    """The API rejected the call or could not be reached. Each `code` has its own subclass."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None = None,
        hint: str | None = None,
        doc_url: str | None = None,
        retry_after: float | None = None,
        is_replay: bool = False,
        fields: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """The HTTP status, or 0 if there was no response."""
        self.code = code
        """A stable code, such as `insufficient_funds`."""
        self.request_id = request_id
        """The id of the request, for support; `requests.get` returns the whole request."""
        self.hint = hint
        """What to do next, if the server has a suggestion."""
        self.doc_url = doc_url
        """The documentation page of this code."""
        self.retry_after = retry_after
        """Seconds to wait before retrying."""
        self.is_replay = is_replay
        """Whether this is the stored response of an earlier call with this idempotency key. Use a new key to retry."""
        self.fields: dict[str, Any] = fields or {}
        """The other fields of the error, as the API names them."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions with keyword arguments can't be unpickled by default, and process pools pickle them.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(cls: type[LegworkError], args: tuple[Any, ...], state: dict[str, Any]) -> LegworkError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class ConnectionFailedError(LegworkError):
    """There was no response: no network, unknown host, or a broken connection."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"Could not reach {url}; check the network and LEGWORK_URL",
            status=0,
            code="connection_failed",
        )


class TimeLimitError(LegworkError):
    """There was no response within the time limit."""

    def __init__(self, url: str, limit_s: float) -> None:
        super().__init__(
            f"{url} did not respond within {limit_s:g} s; increase timeout, or try again",
            status=0,
            code="time_limit",
        )


class UnreadableAnswerError(LegworkError):
    """The response is not from the API, for example the page of a proxy. Errors have its status."""

    def __init__(self, message: str, *, status: int, retry_after: float | None = None) -> None:
        super().__init__(message, status=status, code="unreadable_answer", retry_after=retry_after)


class MissingKeyError(LegworkError):
    """The call needs an API key, and the client has none."""

    def __init__(self) -> None:
        super().__init__(
            "No API key: set LEGWORK_API_KEY or pass api_key. "
            "`Legwork.create_test_agent()` creates a test key without an account",
            status=0,
            code="missing_key",
        )


class WaitTimeout(LegworkError):
    """`tasks.wait` timed out before the task was done. The task continues; call `tasks.wait` again."""

    def __init__(self, task: TaskDetail, waited_s: float) -> None:
        super().__init__(
            f"{task.id} is still {task.status} after {_describe(waited_s)}; call tasks.wait('{task.id}') "
            f"to keep waiting, or tasks.cancel('{task.id}') to cancel it",
            status=0,
            code="wait_timeout",
        )
        self.task = task
        """The task when it was last read."""


def is_passing(error: LegworkError) -> bool:
    """Whether a retry of the same call can succeed."""
    if isinstance(error, (ConnectionFailedError, TimeLimitError)) or error.retry_after is not None:
        return True
    # A 503 of the API without Retry-After means that the server isn't configured for this call: retrying can't help.
    if error.status == 503:
        return error.code == "unreadable_answer"
    return error.status in (408, 425, 429, 500, 502, 504)


def _describe(seconds: float) -> str:
    return f"{round(seconds)} s" if seconds < 60 else f"{round(seconds / 60)} min"
