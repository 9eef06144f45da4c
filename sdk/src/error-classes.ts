// Generated from openapi.json by npm run generate.

import { LegworkError } from './errors.ts'

/** `account_closed`: Your payout account is closed; contact support to be paid in another way */
export class AccountClosedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `account_closing`: Your account is being closed, so you can’t accept tasks */
export class AccountClosingError extends LegworkError {
  declare readonly fields: { closes_at: string; hint: string; doc_url: string }
}

/** `account_refused`: The payment processor can’t open an account with these details; check the country, or contact support */
export class AccountRefusedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `account_rejected`: The payment processor rejected your payout account; contact support to find out what you can do */
export class AccountRejectedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `agent_restricted`: This agent can’t create tasks; contact support to find out why */
export class AgentRestrictedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `already_registered`: This email is already registered; send your current key to get a new one */
export class AlreadyRegisteredError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `answer_too_late`: The deadline to reply to this appeal has passed */
export class AnswerTooLateError extends LegworkError {
  declare readonly fields: { agent_until: string; doc_url: string }
}

/** `app_unknown`: This app is not registered here, or its registration has expired */
export class AppUnknownError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `appeal_answered`: You have already replied to this appeal; an operator will decide */
export class AppealAnsweredError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `appeal_too_late`: The deadline to appeal this dispute has passed */
export class AppealTooLateError extends LegworkError {
  declare readonly fields: { appeal_until: string; doc_url: string }
}

/** `appeal_used`: You have already appealed this dispute; an appeal can’t be changed */
export class AppealUsedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `assignment_ended`: Your part in this task has ended */
export class AssignmentEndedError extends LegworkError {
  declare readonly fields: { status: string; doc_url: string }
}

/** `assignment_not_found`: You have not accepted this task; accept it first */
export class AssignmentNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `body_timeout`: The body did not arrive in time */
export class BodyTimeoutError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `body_too_large`: The body is too large */
export class BodyTooLargeError extends LegworkError {
  declare readonly fields: { limit_bytes: number; hint: string; doc_url: string }
}

/** `choose_agent`: Your email belongs to several agents; choose one of them */
export class ChooseAgentError extends LegworkError {
  declare readonly fields: { agents: ({ id: string; name: string; role: "owner" | "developer" | "reviewer" | "finance" })[]; doc_url: string }
}

/** `clock_moving`: Another call is advancing the clock of this test agent; only one call can do so at a time */
export class ClockMovingError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; hint: string; doc_url: string }
}

/** `connection_not_found`: This connection does not exist or has ended */
export class ConnectionNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `consensus_conflict`: The workers disagree; approve with override_result to set the result */
export class ConsensusConflictError extends LegworkError {
  declare readonly fields: { votes: (unknown)[]; doc_url: string }
}

/** `cursor_expired`: This event is older than the 30 days that we keep; leave out after to start with the oldest available event */
export class CursorExpiredError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `decision_ended`: This decision no longer applies; log in as usual */
export class DecisionEndedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `email_not_verified`: Email not verified */
export class EmailNotVerifiedError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `event_not_found`: This event does not exist; GET /events lists your events of the last 30 days */
export class EventNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `file_not_found`: This file does not exist */
export class FileNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `headers_too_large`: The request headers are too large */
export class HeadersTooLargeError extends LegworkError {}

/** `idempotency_in_progress`: A request with this Idempotency-Key is still running; try again in a moment */
export class IdempotencyInProgressError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; doc_url: string }
}

/** `idempotency_mismatch`: This Idempotency-Key was used for another request; use a new key */
export class IdempotencyMismatchError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `insufficient_funds`: Insufficient funds */
export class InsufficientFundsError extends LegworkError {
  declare readonly fields: { balance_cents: number; deposit_url: string; required_cents: number; free_tasks_remaining?: number; free_task_max_cents?: number; hint: string; doc_url: string }
}

/** `invalid_api_key`: Missing or invalid API key */
export class InvalidApiKeyError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `invalid_json`: The body is not valid JSON */
export class InvalidJsonError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `invalid_link`: This link has expired or was changed; request the proof again to get a new one */
export class InvalidLinkError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `invalid_mail_link`: This link is no longer valid; request a new one */
export class InvalidMailLinkError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `invalid_password`: Invalid password */
export class InvalidPasswordError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `invalid_request`: The request is not valid */
export class InvalidRequestError extends LegworkError {
  declare readonly fields: { details: ({ path: string; message: string })[]; hint: string; doc_url: string }
}

/** `invalid_state`: The task’s status does not allow this */
export class InvalidStateError extends LegworkError {
  declare readonly fields: { status: string; decides_by?: string; hint: string; doc_url: string }
}

/** `invalid_token`: Missing or invalid token; log in to get a new one */
export class InvalidTokenError extends LegworkError {
  declare readonly fields: { account_status?: "suspended" | "closed"; doc_url: string }
}

/** `key_cap`: This would exceed a cap of this key, or of a key above it; spend less, or ask for a higher cap */
export class KeyCapError extends LegworkError {
  declare readonly fields: { cap: "task_max_cents" | "day_max_cents" | "month_max_cents" | "budget_cents"; limit_cents: number; spent_cents: number; required_cents: number; balance_cents: number; deposit_url: string; doc_url: string }
}

/** `key_not_found`: This key does not exist */
export class KeyNotFoundError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `key_of_app`: This is the key of a connected app, which renews its secret itself */
export class KeyOfAppError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `key_scope`: This key does not have the required scope; use a key that has it */
export class KeyScopeError extends LegworkError {
  declare readonly fields: { required_scope: "create" | "review" | "read" | "manage"; doc_url: string }
}

/** `key_too_deep`: A key can have at most four keys above it; create this one with a key further up */
export class KeyTooDeepError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `key_type`: This key can’t create tasks of this type; use an allowed type, or another key */
export class KeyTypeError extends LegworkError {
  declare readonly fields: { type: string; allowed_types: (string)[]; doc_url: string }
}

/** `last_key`: This is your last key; create another one before you delete it */
export class LastKeyError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `last_owner`: An agent needs an owner; make someone else an owner first */
export class LastOwnerError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `level_too_low`: Worker level too low */
export class LevelTooLowError extends LegworkError {
  declare readonly fields: { required_level: number; current_level: number; hint: string; doc_url: string }
}

/** `limited_key`: A limited key can’t turn its test agent into an account; use the key that the test agent came with */
export class LimitedKeyError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `live_mode_only`: This works only in live mode; send a key that begins with lw_live_ */
export class LiveModeOnlyError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `malformed_request`: This is not a well-formed HTTP request */
export class MalformedRequestError extends LegworkError {}

/** `method_not_allowed`: This path does not support this method; see the Allow header */
export class MethodNotAllowedError extends LegworkError {}

/** `no_appeal`: This dispute has no appeal that needs your reply */
export class NoAppealError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `no_email`: This test agent has no email; register it to add one */
export class NoEmailError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `no_slot`: This task has no free slot; others were faster, or it has ended */
export class NoSlotError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `no_webhook_url`: There is no URL to send it to; set webhook_url with PATCH /agents/me first */
export class NoWebhookUrlError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `not_disputed`: There is no dispute of your work to appeal */
export class NotDisputedError extends LegworkError {
  declare readonly fields: { status: string; doc_url: string }
}

/** `notification_refused`: This notification was not signed by the processor within the last minutes */
export class NotificationRefusedError extends LegworkError {}

/** `notifications_off`: This server accepts no notifications here because it has no signing secret for them */
export class NotificationsOffError extends LegworkError {}

/** `objection_used`: You have already objected to this decision; we will reply by email */
export class ObjectionUsedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `onboarding_required`: Your payout account is not set up yet; open onboarding_url and complete the form */
export class OnboardingRequiredError extends LegworkError {
  declare readonly fields: { onboarding_url: string; doc_url: string }
}

/** `own_caps`: A limited key can’t change its own caps; use the key that made it, or one without limits */
export class OwnCapsError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `payments_unavailable`: Payments are not set up on this server */
export class PaymentsUnavailableError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `person_exists`: Someone with this email is already a member; change their role instead */
export class PersonExistsError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `person_not_found`: This person does not exist, or has left */
export class PersonNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `person_required`: Only a person can do this; log in to the console with your email, not with an API key */
export class PersonRequiredError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `processor_unavailable`: The payment processor can’t be reached; try again in a moment */
export class ProcessorUnavailableError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; doc_url: string }
}

/** `push_unavailable`: Push messages can’t be sent at the moment; your notices are in the app */
export class PushUnavailableError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `question_closed`: This question is closed; ask a new one */
export class QuestionClosedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `question_full`: This question has no room for another message; ask a new one */
export class QuestionFullError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `question_not_found`: This question does not exist */
export class QuestionNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `range_not_satisfiable`: The requested range is beyond the end of the file */
export class RangeNotSatisfiableError extends LegworkError {
  declare readonly fields: { bytes: number; doc_url: string }
}

/** `rate_limited`: Too many requests */
export class RateLimitedError extends LegworkError {
  declare readonly fields: { limit: string; retry_after_seconds: number; hint: string; doc_url: string }
}

/** `read_only`: The service is read-only at the moment: nothing can be changed; try again in a few minutes */
export class ReadOnlyError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; doc_url: string }
}

/** `registrations_off`: New accounts can’t be created at the moment; try again later */
export class RegistrationsOffError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `request_not_found`: This request was not found; refused and failed requests are kept for 7 days, in the mode of their key */
export class RequestNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `retake_too_soon`: Your time for this task ran out; you can accept it again later */
export class RetakeTooSoonError extends LegworkError {
  declare readonly fields: { retry_at: string; doc_url: string }
}

/** `revision_used`: You have already requested a revision; approve or dispute the proof */
export class RevisionUsedError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `role_not_allowed`: Your role doesn’t allow this; ask an owner of the agent to do it, or to change your role */
export class RoleNotAllowedError extends LegworkError {
  declare readonly fields: { role: "owner" | "developer" | "reviewer" | "finance"; required_right: "create" | "review" | "read" | "proofs" | "wallet" | "deposit" | "integration" | "support" | "people"; doc_url: string }
}

/** `route_not_found`: This endpoint does not exist */
export class RouteNotFoundError extends LegworkError {}

/** `server_error`: Server error */
export class ServerError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `session_not_found`: You have no such session */
export class SessionNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `skill_missing`: This task requires a skill or a language that your profile does not list */
export class SkillMissingError extends LegworkError {
  declare readonly fields: { missing_skills: (string)[]; missing_languages: (string)[]; hint: string; doc_url: string }
}

/** `subscription_not_found`: This subscription does not exist */
export class SubscriptionNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `target_protected`: Too many tasks have this phone number, place or person as their target */
export class TargetProtectedError extends LegworkError {
  declare readonly fields: { target: "phone" | "place" | "person"; reason: "cap" | "do_not_contact"; cap?: number; window_hours?: number; retry_after_seconds?: number; hint: string; doc_url: string }
}

/** `task_not_found`: This task does not exist */
export class TaskNotFoundError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `task_refused`: This task asks for something that people on this platform may not be asked to do */
export class TaskRefusedError extends LegworkError {
  declare readonly fields: { rule: string; section: "credentials-and-documents" | "pretending-to-be-someone" | "scouting-places" | "fake-opinions" | "getting-around-checks" | "referral-rewards" | "watching-people" | "children" | "one-time-codes" | "weapons-and-drugs" | "harassment" | "medical"; policy_version: string; policy_url: string; contest: string; hint: string; doc_url: string }
}

/** `task_type_off`: New tasks of this type can’t be created at the moment; try again later, or use another type */
export class TaskTypeOffError extends LegworkError {
  declare readonly fields: { type: string; hint: string; doc_url: string }
}

/** `tasks_in_progress`: You have tasks in progress; submit or release them before you close your account */
export class TasksInProgressError extends LegworkError {
  declare readonly fields: { task_ids: (string)[]; hint: string; doc_url: string }
}

/** `test_mode_only`: This works only in test mode; send a key that begins with lw_test_ */
export class TestModeOnlyError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `test_quota_exceeded`: This test agent or this IP address has reached its daily storage limit in test mode */
export class TestQuotaExceededError extends LegworkError {
  declare readonly fields: { limit: string; limit_value: number; retry_after_seconds: number; hint: string; doc_url: string }
}

/** `test_worker`: Workers in test mode earn play money; they have no password, inbox or payout account */
export class TestWorkerError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `tier_cap`: You have as much open as your tier allows; finish or cancel tasks, or raise your tier */
export class TierCapError extends LegworkError {
  declare readonly fields: { tier: "unverified" | "verified" | "paid" | "identified"; cap: "open_tasks" | "open_cents"; limit: number; open: number; next_step: string | null; hint: string; doc_url: string }
}

/** `too_many_email_changes`: You have asked for too many changes of your email; try again in an hour */
export class TooManyEmailChangesError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `too_many_files`: You have reached the upload limit for this task or for today */
export class TooManyFilesError extends LegworkError {
  declare readonly fields: { limit: number; per: "task" | "day"; doc_url: string }
}

/** `too_many_keys`: You have reached the maximum number of keys; delete one first */
export class TooManyKeysError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `too_many_open_questions`: You have 3 questions without an answer; add to one of them, or close one */
export class TooManyOpenQuestionsError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `too_many_people`: This agent has reached its maximum number of people; remove someone first */
export class TooManyPeopleError extends LegworkError {
  declare readonly fields: { limit: number; doc_url: string }
}

/** `too_many_questions`: You can ask 10 questions in 24 hours; try again later */
export class TooManyQuestionsError extends LegworkError {
  declare readonly fields: { retry_at: string; doc_url: string }
}

/** `too_many_test_tasks`: This test agent has reached its maximum of unfinished test tasks; cancel some, or let them end */
export class TooManyTestTasksError extends LegworkError {
  declare readonly fields: { limit: number; hint: string; doc_url: string }
}

/** `too_many_test_workers`: You have reached today’s limit of test workers; use one of those you have */
export class TooManyTestWorkersError extends LegworkError {
  declare readonly fields: { limit: number; doc_url: string }
}

/** `unavailable`: The service is busy or restarting; try again in a moment */
export class UnavailableError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; doc_url: string }
}

/** `unknown_api_key`: This API key is not valid; copy it again, or create a new one */
export class UnknownApiKeyError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `upload_busy`: Another request is sending this file; try again in a moment */
export class UploadBusyError extends LegworkError {
  declare readonly fields: { retry_after_seconds: number; doc_url: string }
}

/** `upload_not_found`: This upload does not exist; start a new one */
export class UploadNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `upload_too_long`: More bytes were sent than declared; the excess was discarded */
export class UploadTooLongError extends LegworkError {
  declare readonly fields: { limit_bytes: number; doc_url: string }
}

/** `webhook_disabled`: We no longer send to this URL; to enable it again, it must respond with 2xx to POST /webhooks/ping with this url */
export class WebhookDisabledError extends LegworkError {
  declare readonly fields: { url: string; doc_url: string }
}

/** `withdraw_too_late`: The deadline to withdraw this dispute has passed */
export class WithdrawTooLateError extends LegworkError {
  declare readonly fields: { withdraw_until: string; doc_url: string }
}

/** `worker_closed`: This account is closed */
export class WorkerClosedError extends LegworkError {
  declare readonly fields: { reason: string | null; since: string | null; objection_url: string | null; hint: string; doc_url: string }
}

/** `worker_exists`: Already registered */
export class WorkerExistsError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `worker_not_found`: This worker does not exist */
export class WorkerNotFoundError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `worker_suspended`: This account is suspended */
export class WorkerSuspendedError extends LegworkError {
  declare readonly fields: { reason: string | null; since: string | null; objection_url: string | null; until: string | null; hint: string; doc_url: string }
}

/** `wrong_content_type`: Send JSON with the header content-type: application/json */
export class WrongContentTypeError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `wrong_offset`: Continue the upload at upload_offset */
export class WrongOffsetError extends LegworkError {
  declare readonly fields: { upload_offset: number; doc_url: string }
}

/** `wrong_origin`: Pages of other sites can’t call this endpoint: send this server’s Origin with a cookie or to log in, and no Origin with a key */
export class WrongOriginError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `wrong_password`: This is not your current password */
export class WrongPasswordError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** `wrong_redirect`: The app wants to be answered at an address that it did not register */
export class WrongRedirectError extends LegworkError {
  declare readonly fields: { hint: string; doc_url: string }
}

/** `wrong_upload_type`: Send bytes with the header content-type: application/offset+octet-stream */
export class WrongUploadTypeError extends LegworkError {
  declare readonly fields: { doc_url: string }
}

/** The class of each code. */
export const ERROR_CLASSES: Record<string, typeof LegworkError> = {
  account_closed: AccountClosedError,
  account_closing: AccountClosingError,
  account_refused: AccountRefusedError,
  account_rejected: AccountRejectedError,
  agent_restricted: AgentRestrictedError,
  already_registered: AlreadyRegisteredError,
  answer_too_late: AnswerTooLateError,
  app_unknown: AppUnknownError,
  appeal_answered: AppealAnsweredError,
  appeal_too_late: AppealTooLateError,
  appeal_used: AppealUsedError,
  assignment_ended: AssignmentEndedError,
  assignment_not_found: AssignmentNotFoundError,
  body_timeout: BodyTimeoutError,
  body_too_large: BodyTooLargeError,
  choose_agent: ChooseAgentError,
  clock_moving: ClockMovingError,
  connection_not_found: ConnectionNotFoundError,
  consensus_conflict: ConsensusConflictError,
  cursor_expired: CursorExpiredError,
  decision_ended: DecisionEndedError,
  email_not_verified: EmailNotVerifiedError,
  event_not_found: EventNotFoundError,
  file_not_found: FileNotFoundError,
  headers_too_large: HeadersTooLargeError,
  idempotency_in_progress: IdempotencyInProgressError,
  idempotency_mismatch: IdempotencyMismatchError,
  insufficient_funds: InsufficientFundsError,
  invalid_api_key: InvalidApiKeyError,
  invalid_json: InvalidJsonError,
  invalid_link: InvalidLinkError,
  invalid_mail_link: InvalidMailLinkError,
  invalid_password: InvalidPasswordError,
  invalid_request: InvalidRequestError,
  invalid_state: InvalidStateError,
  invalid_token: InvalidTokenError,
  key_cap: KeyCapError,
  key_not_found: KeyNotFoundError,
  key_of_app: KeyOfAppError,
  key_scope: KeyScopeError,
  key_too_deep: KeyTooDeepError,
  key_type: KeyTypeError,
  last_key: LastKeyError,
  last_owner: LastOwnerError,
  level_too_low: LevelTooLowError,
  limited_key: LimitedKeyError,
  live_mode_only: LiveModeOnlyError,
  malformed_request: MalformedRequestError,
  method_not_allowed: MethodNotAllowedError,
  no_appeal: NoAppealError,
  no_email: NoEmailError,
  no_slot: NoSlotError,
  no_webhook_url: NoWebhookUrlError,
  not_disputed: NotDisputedError,
  notification_refused: NotificationRefusedError,
  notifications_off: NotificationsOffError,
  objection_used: ObjectionUsedError,
  onboarding_required: OnboardingRequiredError,
  own_caps: OwnCapsError,
  payments_unavailable: PaymentsUnavailableError,
  person_exists: PersonExistsError,
  person_not_found: PersonNotFoundError,
  person_required: PersonRequiredError,
  processor_unavailable: ProcessorUnavailableError,
  push_unavailable: PushUnavailableError,
  question_closed: QuestionClosedError,
  question_full: QuestionFullError,
  question_not_found: QuestionNotFoundError,
  range_not_satisfiable: RangeNotSatisfiableError,
  rate_limited: RateLimitedError,
  read_only: ReadOnlyError,
  registrations_off: RegistrationsOffError,
  request_not_found: RequestNotFoundError,
  retake_too_soon: RetakeTooSoonError,
  revision_used: RevisionUsedError,
  role_not_allowed: RoleNotAllowedError,
  route_not_found: RouteNotFoundError,
  server_error: ServerError,
  session_not_found: SessionNotFoundError,
  skill_missing: SkillMissingError,
  subscription_not_found: SubscriptionNotFoundError,
  target_protected: TargetProtectedError,
  task_not_found: TaskNotFoundError,
  task_refused: TaskRefusedError,
  task_type_off: TaskTypeOffError,
  tasks_in_progress: TasksInProgressError,
  test_mode_only: TestModeOnlyError,
  test_quota_exceeded: TestQuotaExceededError,
  test_worker: TestWorkerError,
  tier_cap: TierCapError,
  too_many_email_changes: TooManyEmailChangesError,
  too_many_files: TooManyFilesError,
  too_many_keys: TooManyKeysError,
  too_many_open_questions: TooManyOpenQuestionsError,
  too_many_people: TooManyPeopleError,
  too_many_questions: TooManyQuestionsError,
  too_many_test_tasks: TooManyTestTasksError,
  too_many_test_workers: TooManyTestWorkersError,
  unavailable: UnavailableError,
  unknown_api_key: UnknownApiKeyError,
  upload_busy: UploadBusyError,
  upload_not_found: UploadNotFoundError,
  upload_too_long: UploadTooLongError,
  webhook_disabled: WebhookDisabledError,
  withdraw_too_late: WithdrawTooLateError,
  worker_closed: WorkerClosedError,
  worker_exists: WorkerExistsError,
  worker_not_found: WorkerNotFoundError,
  worker_suspended: WorkerSuspendedError,
  wrong_content_type: WrongContentTypeError,
  wrong_offset: WrongOffsetError,
  wrong_origin: WrongOriginError,
  wrong_password: WrongPasswordError,
  wrong_redirect: WrongRedirectError,
  wrong_upload_type: WrongUploadTypeError,
}
