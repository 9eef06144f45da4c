# Generated from the OpenAPI document by npm run generate.

"""What calls take, as typed dictionaries: the keyword arguments of the methods."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from typing_extensions import Required, TypeAlias, TypedDict


class AdvanceTestClockInput(TypedDict, total=False):
    by: Required[str]
    """How far: 30s, 90m, 24h or 2d; at most 90d per call"""


class AnswerValueSchemaObject1(TypedDict, total=False):
    type: Required[Literal["boolean"]]
    description: str


AnswerValueSchemaObject2Type: TypeAlias = Literal[
    "string",
    "number",
    "integer",
]


class AnswerValueSchemaObject2(TypedDict, total=False):
    type: AnswerValueSchemaObject2Type
    enum: Required[list[str | float]]
    description: str


AnswerValueSchemaObject3Type: TypeAlias = Literal[
    "number",
    "integer",
]


class AnswerValueSchemaObject3(TypedDict, total=False):
    type: Required[AnswerValueSchemaObject3Type]
    minimum: float
    maximum: float
    description: str


class AnswerValueSchemaObject4(TypedDict, total=False):
    type: Required[Literal["string"]]
    minLength: int
    maxLength: int
    description: str


AnswerValueSchema: TypeAlias = (
    AnswerValueSchemaObject1
    | AnswerValueSchemaObject2
    | AnswerValueSchemaObject3
    | AnswerValueSchemaObject4
)


class AnswerSchemaObject(TypedDict, total=False):
    type: Required[Literal["object"]]
    properties: Required[dict[str, AnswerValueSchema]]
    required: list[str]
    description: str


AnswerSchema: TypeAlias = AnswerSchemaObject | AnswerValueSchema


class ApproveTaskInput(TypedDict, total=False):
    override_result: Any
    """The result that counts if the workers disagree"""
    tip_cents: int
    """Extra payment from your wallet"""


class ConfirmRecoveryInput(TypedDict, total=False):
    token: Required[str]
    """The part of the emailed link after #token="""


CreateAgentQuestionInputSubject: TypeAlias = Literal[
    "billing",
    "task",
    "dispute",
    "account",
    "webhook",
    "safety",
    "other",
]


class CreateAgentQuestionInput(TypedDict, total=False):
    subject: Required[CreateAgentQuestionInputSubject]
    text: Required[str]
    """Read by an operator"""
    task_id: str | None
    """One of your tasks"""
    photos: list[str] | None
    """Data URLs or base64: JPEG, PNG, WebP or GIF, 12 MB in total. Location, time and other
    metadata are removed
    """


ProofKind: TypeAlias = Literal[
    "text",
    "photo",
    "video",
    "audio",
]


class LocationObject(TypedDict, total=False):
    address: str
    lat: Required[float]
    lng: Required[float]
    radius_m: int


Location: TypeAlias = str | LocationObject


TaskOptionsBudgetBasis: TypeAlias = Literal[
    "total",
    "per_worker",
]
"""`per_worker` locks budget_cents for each of consensus_count workers"""


class TaskOptionsCriteriaItem(TypedDict, total=False):
    id: Required[str]
    text: Required[str]


Urgency: TypeAlias = Literal[
    "instant",
    "urgent",
    "standard",
    "flex",
    "scheduled",
]


class TaskOptions(TypedDict, total=False):
    urgency: Urgency
    proof_required: ProofKind
    deadline: str
    """An ISO 8601 time, or a duration from now: 30m, 2h, 3d"""
    context: dict[str, Any]
    """Free-form; a `location` in it is used as the task’s location"""
    consensus_count: int
    """Number of workers who must answer; default 1"""
    consensus_max: int
    """Ask up to this many workers until min_confidence is reached"""
    min_confidence: float
    callback_url: str
    """Receives this task’s events instead of webhook_url"""
    title: str
    skills: list[str]
    """Only workers whose profile lists all of them see the task and can accept it"""
    languages: list[str]
    """Language tags such as en or pt-br; only workers who speak all of them can accept"""
    location: Location
    answer_schema: AnswerSchema
    criteria: list[TaskOptionsCriteriaItem]
    """The criteria for judging the proof; fixed at creation"""
    min_worker_level: int
    auto_approve_after: int | str
    """Approve automatically this long after the last proof; can only be shorter than the
    default
    """
    budget_basis: TaskOptionsBudgetBasis
    scheduled_at: str
    """An ISO 8601 time"""
    window_minutes: int
    metadata: dict[str, Any]


class ShorthandOptions(TaskOptions, total=False):
    budget_cents: int
    """What the task pays, in cents; the workers get it minus 18 %"""
    description: str
    proof: ProofKind
    """Same as proof_required"""
    consensus: int
    """Same as consensus_count"""


class CreateCallInput(ShorthandOptions, total=False):
    number: str | int
    """Any number that a phone can dial. It is converted to E.164 if possible, using its
    country code, the country of location, or the US by default; otherwise it is kept as
    written, with a warning. Emergency numbers are refused
    """
    script: str


class CreateDepositInput(TypedDict, total=False):
    amount_cents: Required[int]
    """In cents, at least 500, at most 1,000,000. The server can change both limits"""


class CreateEscalationInputPerson(TypedDict, total=False):
    """Shown only to the worker who has accepted the task"""
    name: str
    contact: str
    channel: str


class CreateEscalationInput(ShorthandOptions, total=False):
    situation: str
    person: CreateEscalationInputPerson
    """Shown only to the worker who has accepted the task"""
    goal: str
    tone: str


class CreateFieldTaskInput(ShorthandOptions, total=False):
    mission: str
    checklist: list[str]


class CreateGutCheckInput(ShorthandOptions, total=False):
    content: str
    question: str
    scale: str
    """The answer is a number in this range: an integer, or a decimal if the scale has decimals"""


CreateKeyInputScope: TypeAlias = Literal[
    "create",
    "review",
    "read",
    "manage",
]


TaskType: TypeAlias = Literal[
    "verification",
    "voice_proxy",
    "gut_check",
    "field_mission",
    "empathy_escalation",
    "vibe_reader",
    "custom",
]


class CreateKeyInput(TypedDict, total=False):
    name: Required[str]
    scopes: list[CreateKeyInputScope]
    """What the key may do; by default the same as the key that creates it"""
    types: list[TaskType] | None
    """Types of tasks that the key may create; null: all"""
    task_max_cents: int | None
    """The most that one task or one tip may cost; null: no such cap"""
    day_max_cents: int | None
    """The most that may be spent in a day (UTC)"""
    month_max_cents: int | None
    """The most that may be spent in a calendar month (UTC)"""
    budget_cents: int | None
    """The most that may be spent over the lifetime of the key"""
    expires_at: str | datetime | None
    """When the key expires; null: never"""


class CreateTestAgentInput(TypedDict, total=False):
    name: str


class CreateTestWorkerInput(TypedDict, total=False):
    name: str


class CreateVerificationInput(ShorthandOptions, total=False):
    question: str


class CreateVibeCheckInput(ShorthandOptions, total=False):
    url: str
    content: str
    question: str
    scale: str
    """The answer is a number in this range: an integer, or a decimal if the scale has decimals"""


DisputeTaskInputCategory: TypeAlias = Literal[
    "not_done",
    "wrong_place",
    "unreadable",
    "spam",
    "fake",
    "other",
]


class DisputeTaskInput(TypedDict, total=False):
    reason: Required[str]
    """Shown to the worker"""
    category: DisputeTaskInputCategory
    criteria: list[str]
    """Ids of the task’s criteria that are not met"""
    assignment_ids: list[str]
    """Only these proofs of a consensus task; by default all"""


class GetFileQuery(TypedDict, total=False):
    expires: Required[int]
    """Seconds since 1970"""
    signature: Required[str]


class GetQuoteQuery(TypedDict, total=False):
    type: Required[TaskType]
    where: str
    """A place name, or `lat,lng`; without it, no workers are counted"""
    people: int


class GetSpendQuery(TypedDict, total=False):
    days: int
    """Number of days, including today"""


GetTaskProofQueryMedia: TypeAlias = Literal[
    "inline",
    "url",
]


class GetTaskProofQuery(TypedDict, total=False):
    media: GetTaskProofQueryMedia
    max_px: int
    """Scales photos in the response down so that no side is longer than this"""


GetTaskQueryMedia: TypeAlias = Literal[
    "inline",
    "url",
]
"""`url`: photos as links only"""


TaskStatus: TypeAlias = Literal[
    "pending",
    "in_progress",
    "proof_submitted",
    "completed",
    "disputed",
    "expired",
    "cancelled",
]


class GetTaskQuery(TypedDict, total=False):
    wait: float
    """Seconds to wait for a change of the task before responding, at most 55"""
    while_: TaskStatus
    """The last status you saw: if it has changed since, the response comes at once"""
    media: GetTaskQueryMedia


class GetWalletQuery(TypedDict, total=False):
    limit: int
    """Number of transactions, 1 to 100; larger values are treated as 100"""
    cursor: int
    """next_cursor of the previous page"""


class ListAgentQuestionsQuery(TypedDict, total=False):
    limit: int
    """1 to 100; larger values are treated as 100"""
    cursor: str
    """next_cursor of the previous page"""


ListDeliveriesQueryOutcome: TypeAlias = Literal[
    "delivered",
    "failed",
    "given_up",
    "disabled",
]


class ListDeliveriesQuery(TypedDict, total=False):
    event_id: str
    """Only attempts to send this event"""
    outcome: ListDeliveriesQueryOutcome
    before: str
    """next_before of the previous page"""
    limit: int
    """1 to 100; larger values are treated as 100"""


ListEventsQueryType: TypeAlias = Literal[
    "task.proof_submitted",
    "task.completed",
    "task.disputed",
    "task.consensus_proof",
    "task.accepted",
    "task.released",
    "task.expired",
    "task.cancelled",
    "task.revision_requested",
    "task.approval_due",
    "task.appealed",
    "task.dispute_held",
    "task.dispute_resolved",
    "payout.paid",
    "deposit.succeeded",
    "webhook.ping",
]
"""Only events of this type"""


class ListEventsQuery(TypedDict, total=False):
    after: str
    """The `next_after` of the previous response, or the id of any event of yours: returns
    later events. Without it, starts with the oldest available event. `latest`: only future
    events
    """
    before: str
    """Newest first: events before this one, the `next_before` of the previous response, or
    `latest`. Can’t be combined with `after` and `wait`
    """
    limit: int
    """1 to 100; larger values are treated as 100"""
    wait: float
    """Seconds to wait for an event before responding, at most 55"""
    type: ListEventsQueryType
    task_id: str
    """Only events of this task"""


class ListRequestsQuery(TypedDict, total=False):
    status: int
    """Only requests with this response status"""
    limit: int
    """1 to 100; larger values are treated as 100"""
    offset: int


class ListTasksQuery(TypedDict, total=False):
    status: TaskStatus
    type: TaskType
    limit: int
    """1 to 100; larger values are treated as 100"""
    offset: int
    cursor: str
    """next_cursor of the previous page"""


class PingWebhookInput(TypedDict, total=False):
    tampered: Literal[True]
    """Send a wrong signature to check that your receiver rejects it"""
    url: str
    """Instead of your webhook_url, for example the callback_url of a task"""


class RecoverAgentInput(TypedDict, total=False):
    email: Required[str]
    """The email that the agent was registered with"""


RegisterAgentInputEvent: TypeAlias = Literal[
    "task.proof_submitted",
    "task.completed",
    "task.disputed",
    "task.consensus_proof",
    "task.accepted",
    "task.released",
    "task.expired",
    "task.cancelled",
    "task.revision_requested",
    "task.approval_due",
    "task.appealed",
    "task.dispute_held",
    "task.dispute_resolved",
    "payout.paid",
    "deposit.succeeded",
]


class RegisterAgentInput(TypedDict, total=False):
    name: Required[str]
    email: Required[str]
    """The email of the people behind the agent"""
    webhook_url: str
    """The URL that receives the events of all tasks"""
    events: list[RegisterAgentInputEvent]
    """The events that we send; by default the first four"""


ReplayEventsInputOnly: TypeAlias = Literal[
    "missed",
    "all",
]
"""missed: events not yet delivered with a 2xx; all: also delivered ones"""


ReplayEventsInputType: TypeAlias = Literal[
    "task.proof_submitted",
    "task.completed",
    "task.disputed",
    "task.consensus_proof",
    "task.accepted",
    "task.released",
    "task.expired",
    "task.cancelled",
    "task.revision_requested",
    "task.approval_due",
    "task.appealed",
    "task.dispute_held",
    "task.dispute_resolved",
    "payout.paid",
    "deposit.succeeded",
]


class ReplayEventsInput(TypedDict, total=False):
    from_: str | datetime
    """Events since then"""
    after: str
    """Events after this one, as in GET /events; next_after of the previous response"""
    to: str | datetime
    """Events before then; by default all"""
    types: list[ReplayEventsInputType]
    """Only events of these types; by default those that you receive"""
    only: ReplayEventsInputOnly


class ReplyToAgentQuestionInput(TypedDict, total=False):
    text: Required[str]
    """Read by an operator"""
    photos: list[str] | None
    """Data URLs or base64: JPEG, PNG, WebP or GIF, 12 MB in total. Location, time and other
    metadata are removed
    """


class ReplyToAppealInput(TypedDict, total=False):
    statement: Required[str]
    """Shown to the worker"""
    appeal_id: str
    """If several workers have appealed: only this appeal; by default all open ones"""


class RequestRevisionInput(TypedDict, total=False):
    note: Required[str]
    """What is missing; shown to the worker"""
    assignment_id: str
    """Which proof, if there are several"""


class RotateWebhookSecretInput(TypedDict, total=False):
    overlap_hours: float
    """How long the old secret remains valid; 0 ends it at once, for example after a leak"""


class TaskInput(TaskOptions, total=False):
    budget_cents: Required[int]
    """What the task pays, in cents; the workers get it minus 18 %"""
    description: Required[str]
    """What the human should do"""
    type: TaskType


UpdateAgentInputEvent: TypeAlias = Literal[
    "task.proof_submitted",
    "task.completed",
    "task.disputed",
    "task.consensus_proof",
    "task.accepted",
    "task.released",
    "task.expired",
    "task.cancelled",
    "task.revision_requested",
    "task.approval_due",
    "task.appealed",
    "task.dispute_held",
    "task.dispute_resolved",
    "payout.paid",
    "deposit.succeeded",
]


class UpdateAgentInput(TypedDict, total=False):
    name: str
    webhook_url: str | None
    """The URL that receives the events of all tasks, including those still queued; null: none"""
    events: list[UpdateAgentInputEvent]
    """The events that we send; [] for the first four"""
    low_balance_cents: int | None
    """We email you when the balance falls below this, once until it has been above it again;
    null: never
    """


class UpdateKeyInput(TypedDict, total=False):
    task_max_cents: int | None
    """The most that one task or one tip may cost; null: no such cap"""
    day_max_cents: int | None
    """The most that may be spent in a day (UTC)"""
    month_max_cents: int | None
    """The most that may be spent in a calendar month (UTC)"""
    budget_cents: int | None
    """The most that may be spent over the lifetime of the key"""
    name: str


class VerifyAgentEmailInput(TypedDict, total=False):
    token: Required[str]
    """The part of the emailed link after #token="""


class WithdrawDisputeInput(TypedDict, total=False):
    dispute_id: str
    """If there were several; by default the last one"""
