# Generated from the OpenAPI document by npm run generate.

"""One exception class per error code."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import Required, TypeAlias, TypedDict

from .errors import LegworkError

__all__ = [
    "AgentRestrictedError",
    "AlreadyRegisteredError",
    "AnswerTooLateError",
    "AppealAnsweredError",
    "BodyTimeoutError",
    "BodyTooLargeError",
    "ClockMovingError",
    "ConnectionNotFoundError",
    "ConsensusConflictError",
    "CursorExpiredError",
    "EventNotFoundError",
    "FileNotFoundError",
    "HeadersTooLargeError",
    "IdempotencyInProgressError",
    "IdempotencyMismatchError",
    "InsufficientFundsError",
    "InvalidApiKeyError",
    "InvalidJsonError",
    "InvalidLinkError",
    "InvalidMailLinkError",
    "InvalidRequestError",
    "InvalidStateError",
    "KeyCapError",
    "KeyNotFoundError",
    "KeyOfAppError",
    "KeyScopeError",
    "KeyTooDeepError",
    "KeyTypeError",
    "LastKeyError",
    "LimitedKeyError",
    "LiveModeOnlyError",
    "MalformedRequestError",
    "MethodNotAllowedError",
    "NoAppealError",
    "NoEmailError",
    "NoWebhookUrlError",
    "NotificationRefusedError",
    "NotificationsOffError",
    "OwnCapsError",
    "PaymentsUnavailableError",
    "ProcessorUnavailableError",
    "QuestionClosedError",
    "QuestionFullError",
    "QuestionNotFoundError",
    "RangeNotSatisfiableError",
    "RateLimitedError",
    "ReadOnlyError",
    "RegistrationsOffError",
    "RequestNotFoundError",
    "RevisionUsedError",
    "RoleNotAllowedError",
    "RouteNotFoundError",
    "ServerError",
    "TargetProtectedError",
    "TaskNotFoundError",
    "TaskRefusedError",
    "TaskTypeOffError",
    "TestModeOnlyError",
    "TestQuotaExceededError",
    "TierCapError",
    "TooManyFilesError",
    "TooManyKeysError",
    "TooManyOpenQuestionsError",
    "TooManyQuestionsError",
    "TooManyTestTasksError",
    "TooManyTestWorkersError",
    "UnavailableError",
    "WebhookDisabledError",
    "WithdrawTooLateError",
    "WrongContentTypeError",
    "WrongOriginError",
]


class InvalidRequestErrorDetail(TypedDict, total=False):
    path: Required[str]
    message: Required[str]


KeyCapErrorCap: TypeAlias = Literal[
    "task_max_cents",
    "day_max_cents",
    "month_max_cents",
    "budget_cents",
]


KeyScopeErrorRequiredScope: TypeAlias = Literal[
    "create",
    "review",
    "read",
    "manage",
]


RoleNotAllowedErrorRequiredRight: TypeAlias = Literal[
    "create",
    "review",
    "read",
    "proofs",
    "wallet",
    "deposit",
    "integration",
    "support",
    "people",
]


RoleNotAllowedErrorRole: TypeAlias = Literal[
    "owner",
    "developer",
    "reviewer",
    "finance",
]


TargetProtectedErrorReason: TypeAlias = Literal[
    "cap",
    "do_not_contact",
]
"""`do_not_contact`: a person asked us not to send workers there"""


TargetProtectedErrorTarget: TypeAlias = Literal[
    "phone",
    "place",
    "person",
]
"""What is protected"""


TaskRefusedErrorSection: TypeAlias = Literal[
    "credentials-and-documents",
    "pretending-to-be-someone",
    "scouting-places",
    "fake-opinions",
    "getting-around-checks",
    "referral-rewards",
    "watching-people",
    "children",
    "one-time-codes",
    "weapons-and-drugs",
    "harassment",
    "medical",
]
"""The section of the policy"""


TierCapErrorCap: TypeAlias = Literal[
    "open_tasks",
    "open_cents",
]


TierCapErrorTier: TypeAlias = Literal[
    "unverified",
    "verified",
    "paid",
    "identified",
]


TooManyFilesErrorPer: TypeAlias = Literal[
    "task",
    "day",
]


class AgentRestrictedError(LegworkError):
    """`agent_restricted`: This agent can’t create tasks; contact support to find out why"""


class AlreadyRegisteredError(LegworkError):
    """`already_registered`: This email is already registered; send your current key to get a
    new one
    """


class AnswerTooLateError(LegworkError):
    """`answer_too_late`: The deadline to reply to this appeal has passed"""

    @property
    def agent_until(self) -> str:
        return self.fields["agent_until"]


class AppealAnsweredError(LegworkError):
    """`appeal_answered`: You have already replied to this appeal; an operator will decide"""


class BodyTimeoutError(LegworkError):
    """`body_timeout`: The body did not arrive in time"""


class BodyTooLargeError(LegworkError):
    """`body_too_large`: The body is too large"""

    @property
    def limit_bytes(self) -> int:
        return self.fields["limit_bytes"]


class ClockMovingError(LegworkError):
    """`clock_moving`: Another call is advancing the clock of this test agent; only one call
    can do so at a time
    """

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class ConnectionNotFoundError(LegworkError):
    """`connection_not_found`: This connection does not exist or has ended"""


class ConsensusConflictError(LegworkError):
    """`consensus_conflict`: The workers disagree; approve with override_result to set the
    result
    """

    @property
    def votes(self) -> list[Any]:
        return self.fields["votes"]


class CursorExpiredError(LegworkError):
    """`cursor_expired`: This event is older than the 30 days that we keep; leave out after to
    start with the oldest available event
    """


class EventNotFoundError(LegworkError):
    """`event_not_found`: This event does not exist; GET /events lists your events of the last
    30 days
    """


class FileNotFoundError(LegworkError):
    """`file_not_found`: This file does not exist"""


class HeadersTooLargeError(LegworkError):
    """`headers_too_large`: The request headers are too large"""


class IdempotencyInProgressError(LegworkError):
    """`idempotency_in_progress`: A request with this Idempotency-Key is still running; try
    again in a moment
    """

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class IdempotencyMismatchError(LegworkError):
    """`idempotency_mismatch`: This Idempotency-Key was used for another request; use a new key"""


class InsufficientFundsError(LegworkError):
    """`insufficient_funds`: Insufficient funds"""

    @property
    def balance_cents(self) -> int:
        return self.fields["balance_cents"]

    @property
    def deposit_url(self) -> str:
        return self.fields["deposit_url"]

    @property
    def required_cents(self) -> int:
        return self.fields["required_cents"]

    @property
    def free_tasks_remaining(self) -> int | None:
        return self.fields.get("free_tasks_remaining")

    @property
    def free_task_max_cents(self) -> int | None:
        return self.fields.get("free_task_max_cents")


class InvalidApiKeyError(LegworkError):
    """`invalid_api_key`: Missing or invalid API key"""


class InvalidJsonError(LegworkError):
    """`invalid_json`: The body is not valid JSON"""


class InvalidLinkError(LegworkError):
    """`invalid_link`: This link has expired or was changed; request the proof again to get a
    new one
    """


class InvalidMailLinkError(LegworkError):
    """`invalid_mail_link`: This link is no longer valid; request a new one"""


class InvalidRequestError(LegworkError):
    """`invalid_request`: The request is not valid"""

    @property
    def details(self) -> list[InvalidRequestErrorDetail]:
        return self.fields["details"]


class InvalidStateError(LegworkError):
    """`invalid_state`: The task’s status does not allow this"""

    @property
    def decides_by(self) -> str | None:
        return self.fields.get("decides_by")


class KeyCapError(LegworkError):
    """`key_cap`: This would exceed a cap of this key, or of a key above it; spend less, or ask
    for a higher cap
    """

    @property
    def cap(self) -> KeyCapErrorCap:
        return self.fields["cap"]

    @property
    def limit_cents(self) -> int:
        return self.fields["limit_cents"]

    @property
    def spent_cents(self) -> int:
        return self.fields["spent_cents"]

    @property
    def required_cents(self) -> int:
        return self.fields["required_cents"]

    @property
    def balance_cents(self) -> int:
        return self.fields["balance_cents"]

    @property
    def deposit_url(self) -> str:
        return self.fields["deposit_url"]


class KeyNotFoundError(LegworkError):
    """`key_not_found`: This key does not exist"""


class KeyOfAppError(LegworkError):
    """`key_of_app`: This is the key of a connected app, which renews its secret itself"""


class KeyScopeError(LegworkError):
    """`key_scope`: This key does not have the required scope; use a key that has it"""

    @property
    def required_scope(self) -> KeyScopeErrorRequiredScope:
        return self.fields["required_scope"]


class KeyTooDeepError(LegworkError):
    """`key_too_deep`: A key can have at most four keys above it; create this one with a key
    further up
    """


class KeyTypeError(LegworkError):
    """`key_type`: This key can’t create tasks of this type; use an allowed type, or another
    key
    """

    @property
    def type(self) -> str:
        return self.fields["type"]

    @property
    def allowed_types(self) -> list[str]:
        return self.fields["allowed_types"]


class LastKeyError(LegworkError):
    """`last_key`: This is your last key; create another one before you delete it"""


class LimitedKeyError(LegworkError):
    """`limited_key`: A limited key can’t turn its test agent into an account; use the key that
    the test agent came with
    """


class LiveModeOnlyError(LegworkError):
    """`live_mode_only`: This works only in live mode; send a key that begins with lw_live_"""


class MalformedRequestError(LegworkError):
    """`malformed_request`: This is not a well-formed HTTP request"""


class MethodNotAllowedError(LegworkError):
    """`method_not_allowed`: This path does not support this method; see the Allow header"""


class NoAppealError(LegworkError):
    """`no_appeal`: This dispute has no appeal that needs your reply"""


class NoEmailError(LegworkError):
    """`no_email`: This test agent has no email; register it to add one"""


class NoWebhookUrlError(LegworkError):
    """`no_webhook_url`: There is no URL to send it to; set webhook_url with PATCH /agents/me
    first
    """


class NotificationRefusedError(LegworkError):
    """`notification_refused`: This notification was not signed by the processor within the
    last minutes
    """


class NotificationsOffError(LegworkError):
    """`notifications_off`: This server accepts no notifications here because it has no signing
    secret for them
    """


class OwnCapsError(LegworkError):
    """`own_caps`: A limited key can’t change its own caps; use the key that made it, or one
    without limits
    """


class PaymentsUnavailableError(LegworkError):
    """`payments_unavailable`: Payments are not set up on this server"""


class ProcessorUnavailableError(LegworkError):
    """`processor_unavailable`: The payment processor can’t be reached; try again in a moment"""

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class QuestionClosedError(LegworkError):
    """`question_closed`: This question is closed; ask a new one"""


class QuestionFullError(LegworkError):
    """`question_full`: This question has no room for another message; ask a new one"""


class QuestionNotFoundError(LegworkError):
    """`question_not_found`: This question does not exist"""


class RangeNotSatisfiableError(LegworkError):
    """`range_not_satisfiable`: The requested range is beyond the end of the file"""

    @property
    def bytes(self) -> int:
        return self.fields["bytes"]


class RateLimitedError(LegworkError):
    """`rate_limited`: Too many requests"""

    @property
    def limit(self) -> str:
        return self.fields["limit"]

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class ReadOnlyError(LegworkError):
    """`read_only`: The service is read-only at the moment: nothing can be changed; try again
    in a few minutes
    """

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class RegistrationsOffError(LegworkError):
    """`registrations_off`: New accounts can’t be created at the moment; try again later"""


class RequestNotFoundError(LegworkError):
    """`request_not_found`: This request was not found; refused and failed requests are kept
    for 7 days, in the mode of their key
    """


class RevisionUsedError(LegworkError):
    """`revision_used`: You have already requested a revision; approve or dispute the proof"""


class RoleNotAllowedError(LegworkError):
    """`role_not_allowed`: Your role doesn’t allow this; ask an owner of the agent to do it, or
    to change your role
    """

    @property
    def role(self) -> RoleNotAllowedErrorRole:
        return self.fields["role"]

    @property
    def required_right(self) -> RoleNotAllowedErrorRequiredRight:
        return self.fields["required_right"]


class RouteNotFoundError(LegworkError):
    """`route_not_found`: This endpoint does not exist"""


class ServerError(LegworkError):
    """`server_error`: Server error"""


class TargetProtectedError(LegworkError):
    """`target_protected`: Too many tasks have this phone number, place or person as their
    target
    """

    @property
    def target(self) -> TargetProtectedErrorTarget:
        return self.fields["target"]

    @property
    def reason(self) -> TargetProtectedErrorReason:
        return self.fields["reason"]

    @property
    def cap(self) -> int | None:
        return self.fields.get("cap")

    @property
    def window_hours(self) -> int | None:
        return self.fields.get("window_hours")

    @property
    def retry_after_seconds(self) -> int | None:
        return self.fields.get("retry_after_seconds")


class TaskNotFoundError(LegworkError):
    """`task_not_found`: This task does not exist"""


class TaskRefusedError(LegworkError):
    """`task_refused`: This task asks for something that people on this platform may not be
    asked to do
    """

    @property
    def rule(self) -> str:
        return self.fields["rule"]

    @property
    def section(self) -> TaskRefusedErrorSection:
        return self.fields["section"]

    @property
    def policy_version(self) -> str:
        return self.fields["policy_version"]

    @property
    def policy_url(self) -> str:
        return self.fields["policy_url"]

    @property
    def contest(self) -> str:
        return self.fields["contest"]


class TaskTypeOffError(LegworkError):
    """`task_type_off`: New tasks of this type can’t be created at the moment; try again later,
    or use another type
    """

    @property
    def type(self) -> str:
        return self.fields["type"]


class TestModeOnlyError(LegworkError):
    """`test_mode_only`: This works only in test mode; send a key that begins with lw_test_"""


class TestQuotaExceededError(LegworkError):
    """`test_quota_exceeded`: This test agent or this IP address has reached its daily storage
    limit in test mode
    """

    @property
    def limit(self) -> str:
        return self.fields["limit"]

    @property
    def limit_value(self) -> int:
        return self.fields["limit_value"]

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class TierCapError(LegworkError):
    """`tier_cap`: You have as much open as your tier allows; finish or cancel tasks, or raise
    your tier
    """

    @property
    def tier(self) -> TierCapErrorTier:
        return self.fields["tier"]

    @property
    def cap(self) -> TierCapErrorCap:
        return self.fields["cap"]

    @property
    def limit(self) -> int:
        return self.fields["limit"]

    @property
    def open(self) -> int:
        return self.fields["open"]

    @property
    def next_step(self) -> str | None:
        return self.fields["next_step"]


class TooManyFilesError(LegworkError):
    """`too_many_files`: You have reached the upload limit for this task or for today"""

    @property
    def limit(self) -> int:
        return self.fields["limit"]

    @property
    def per(self) -> TooManyFilesErrorPer:
        return self.fields["per"]


class TooManyKeysError(LegworkError):
    """`too_many_keys`: You have reached the maximum number of keys; delete one first"""


class TooManyOpenQuestionsError(LegworkError):
    """`too_many_open_questions`: You have 3 questions without an answer; add to one of them,
    or close one
    """


class TooManyQuestionsError(LegworkError):
    """`too_many_questions`: You can ask 10 questions in 24 hours; try again later"""

    @property
    def retry_at(self) -> str:
        return self.fields["retry_at"]


class TooManyTestTasksError(LegworkError):
    """`too_many_test_tasks`: This test agent has reached its maximum of unfinished test tasks;
    cancel some, or let them end
    """

    @property
    def limit(self) -> int:
        return self.fields["limit"]


class TooManyTestWorkersError(LegworkError):
    """`too_many_test_workers`: You have reached today’s limit of test workers; use one of
    those you have
    """

    @property
    def limit(self) -> int:
        return self.fields["limit"]


class UnavailableError(LegworkError):
    """`unavailable`: The service is busy or restarting; try again in a moment"""

    @property
    def retry_after_seconds(self) -> int:
        return self.fields["retry_after_seconds"]


class WebhookDisabledError(LegworkError):
    """`webhook_disabled`: We no longer send to this URL; to enable it again, it must respond
    with 2xx to POST /webhooks/ping with this url
    """

    @property
    def url(self) -> str:
        return self.fields["url"]


class WithdrawTooLateError(LegworkError):
    """`withdraw_too_late`: The deadline to withdraw this dispute has passed"""

    @property
    def withdraw_until(self) -> str:
        return self.fields["withdraw_until"]


class WrongContentTypeError(LegworkError):
    """`wrong_content_type`: Send JSON with the header content-type: application/json"""


class WrongOriginError(LegworkError):
    """`wrong_origin`: Pages of other sites can’t call this endpoint: send this server’s Origin
    with a cookie or to log in, and no Origin with a key
    """


ERROR_CLASSES: dict[str, type[LegworkError]] = {
    "agent_restricted": AgentRestrictedError,
    "already_registered": AlreadyRegisteredError,
    "answer_too_late": AnswerTooLateError,
    "appeal_answered": AppealAnsweredError,
    "body_timeout": BodyTimeoutError,
    "body_too_large": BodyTooLargeError,
    "clock_moving": ClockMovingError,
    "connection_not_found": ConnectionNotFoundError,
    "consensus_conflict": ConsensusConflictError,
    "cursor_expired": CursorExpiredError,
    "event_not_found": EventNotFoundError,
    "file_not_found": FileNotFoundError,
    "headers_too_large": HeadersTooLargeError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "idempotency_mismatch": IdempotencyMismatchError,
    "insufficient_funds": InsufficientFundsError,
    "invalid_api_key": InvalidApiKeyError,
    "invalid_json": InvalidJsonError,
    "invalid_link": InvalidLinkError,
    "invalid_mail_link": InvalidMailLinkError,
    "invalid_request": InvalidRequestError,
    "invalid_state": InvalidStateError,
    "key_cap": KeyCapError,
    "key_not_found": KeyNotFoundError,
    "key_of_app": KeyOfAppError,
    "key_scope": KeyScopeError,
    "key_too_deep": KeyTooDeepError,
    "key_type": KeyTypeError,
    "last_key": LastKeyError,
    "limited_key": LimitedKeyError,
    "live_mode_only": LiveModeOnlyError,
    "malformed_request": MalformedRequestError,
    "method_not_allowed": MethodNotAllowedError,
    "no_appeal": NoAppealError,
    "no_email": NoEmailError,
    "no_webhook_url": NoWebhookUrlError,
    "notification_refused": NotificationRefusedError,
    "notifications_off": NotificationsOffError,
    "own_caps": OwnCapsError,
    "payments_unavailable": PaymentsUnavailableError,
    "processor_unavailable": ProcessorUnavailableError,
    "question_closed": QuestionClosedError,
    "question_full": QuestionFullError,
    "question_not_found": QuestionNotFoundError,
    "range_not_satisfiable": RangeNotSatisfiableError,
    "rate_limited": RateLimitedError,
    "read_only": ReadOnlyError,
    "registrations_off": RegistrationsOffError,
    "request_not_found": RequestNotFoundError,
    "revision_used": RevisionUsedError,
    "role_not_allowed": RoleNotAllowedError,
    "route_not_found": RouteNotFoundError,
    "server_error": ServerError,
    "target_protected": TargetProtectedError,
    "task_not_found": TaskNotFoundError,
    "task_refused": TaskRefusedError,
    "task_type_off": TaskTypeOffError,
    "test_mode_only": TestModeOnlyError,
    "test_quota_exceeded": TestQuotaExceededError,
    "tier_cap": TierCapError,
    "too_many_files": TooManyFilesError,
    "too_many_keys": TooManyKeysError,
    "too_many_open_questions": TooManyOpenQuestionsError,
    "too_many_questions": TooManyQuestionsError,
    "too_many_test_tasks": TooManyTestTasksError,
    "too_many_test_workers": TooManyTestWorkersError,
    "unavailable": UnavailableError,
    "webhook_disabled": WebhookDisabledError,
    "withdraw_too_late": WithdrawTooLateError,
    "wrong_content_type": WrongContentTypeError,
    "wrong_origin": WrongOriginError,
}
"""The class of each code."""
