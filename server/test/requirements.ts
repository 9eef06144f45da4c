/**
 * Every requirement of the interface, in our words (docs/interface.md has the same section numbers), each with the test
 * file that proves it or with what it waits for. A test that proves a requirement has its id in its name:
 * `test('[4.1-create-201] 201: …')`. requirements.test.ts checks that the two match.
 */
export interface Requirement {
  id: string
  section: string
  demand: string
  /** The file with the test that carries the id. */
  proof?: string
  /** What has to be built first. */
  waits?: string
}

const AUTH = 'server/src/agents/authenticate.test.ts'
const REGISTER = 'server/src/agents/register.test.ts'
const CREATE = 'server/src/tasks/create.test.ts'
const TYPED = 'server/src/tasks/create-typed.test.ts'
const LIST = 'server/src/tasks/list.test.ts'
const GET = 'server/src/tasks/get.test.ts'
const CANCEL = 'server/src/tasks/cancel.test.ts'
const EXPIRE = 'server/src/tasks/expire.test.ts'
const STATS = 'server/src/stats/get-stats.test.ts'
const WALLET = 'server/src/wallet/get.test.ts'
const LOG_IN = 'server/src/workers/log-in.test.ts'
const VERIFY_AGENT = 'server/src/agents/verify-email.test.ts'
const RECOVER = 'server/src/agents/recover.test.ts'
const CONFIRM_RECOVERY = 'server/src/agents/confirm-recovery.test.ts'
const TAKEOVER = 'server/test/attacks/takeover.test.ts'
const ADMIT = 'server/src/http/admit.test.ts'
const SUBMIT_PROOF = 'server/src/tasks/submit-proof.test.ts'
const APPROVE = 'server/src/tasks/approve.test.ts'
const DISPUTE = 'server/src/disputes/dispute.test.ts'
const HELD_DISPUTES = 'server/src/disputes/held-disputes.test.ts'
const HELD_LAPSE = 'server/src/disputes/lapse-held-disputes.test.ts'
const ACCEPT = 'server/src/tasks/accept.test.ts'
const REGISTER_WORKER = 'server/src/workers/register.test.ts'
const PROFILE = 'server/src/workers/get-profile.test.ts'
const PENDING = 'server/src/workers/settle-trust.test.ts'
const SESSIONS = 'server/src/workers/authenticate.test.ts'
const FEED = 'server/src/feed/get-feed.test.ts'
const INTERFACE = 'server/test/interface.test.ts'
const ORDINARY = 'server/test/ordinary-client.test.ts'
const DEPOSIT = 'server/src/wallet/deposit.test.ts'
const REQUEST_PAYOUT = 'server/src/payouts/request.test.ts'
const SEND_PAYOUT = 'server/src/payouts/send.test.ts'
const CONNECT = 'server/src/payouts/connect.test.ts'
const DASHBOARD = 'server/src/payouts/open-dashboard.test.ts'
const ACCOUNT_STATUS = 'server/src/payouts/get-status.test.ts'

const SHUT_OUT = 'server/src/workers/shut-out.test.ts'
const CONNECT_BY_LINK = 'server/src/payouts/connect-by-link.test.ts'
const APPEAL_BY_LINK = 'server/src/disputes/appeal-by-link.test.ts'
const FILE_OBJECTION = 'server/src/workers/file-objection.test.ts'
const END_DECISIONS = 'server/src/workers/end-decisions.test.ts'

const EVENTS = 'server/test/events.test.ts'

export const requirements: Requirement[] = [
  // 1. What the service does
  proven('1-json', 'Requests and answers are JSON', INTERFACE),
  proven('1-agent-registers', 'A software agent registers and gets an API key', INTERFACE),
  proven('1-agent-funds', 'An agent puts money into its wallet', DEPOSIT),
  proven('1-escrow', 'Creating a task takes its budget out of the wallet into escrow', CREATE),
  proven('1-worker-account', 'People register and log in as workers', LOG_IN),
  proven('1-worker-feed', 'A worker sees open tasks that suit skills and place', FEED),
  proven('1-worker-accepts', 'A worker accepts a task', ACCEPT),
  proven('1-worker-proves', 'A worker submits text, a photo or a video as proof', SUBMIT_PROOF),
  proven('1-audio', 'A task may ask for audio as its proof', CREATE),
  proven('1-approve', 'Approval pays the worker from escrow, less 18 % commission', APPROVE),
  proven('1-dispute', 'A dispute returns the money and lowers the worker’s trust', DISPUTE),
  proven('1-several-workers', 'A task can ask for the answers of several workers', CREATE),
  proven('1-override', 'The agent settles a conflict by approving with a result', APPROVE),
  proven('1-payout', 'Workers are paid through the external processor, task by task', SEND_PAYOUT),
  proven('1-checkout', 'Agents pay in on a page that the processor hosts', DEPOSIT),
  proven('1-webhooks', 'Agents are told of events by webhook', EVENTS),
  proven('1-free-tasks', 'A new agent has 3 free tasks', INTERFACE),
  proven('1-shorthands', 'Shorthands create typed tasks with budgets of their own', TYPED),
  proven('1-gap-nothing', 'Gap: null in an optional field means not given', ORDINARY),
  proven('1-gap-json', 'Gap: JSON without a content type is read as JSON', ORDINARY),

  // 2.1 Task
  proven('2.1-id', 'A task’s id is task_ and an identifier', INTERFACE),
  proven('2.1-agent-id', 'A task names its agent as agent_ and an identifier', INTERFACE),
  proven('2.1-type', 'A task shows its type', INTERFACE),
  proven('2.1-status', 'A task shows its status; a new one is pending', INTERFACE),
  proven('2.1-description', 'A task shows its description', INTERFACE),
  proven('2.1-budget', 'A task shows its budget in whole cents', INTERFACE),
  proven('2.1-urgency', 'A task shows its urgency', INTERFACE),
  proven('2.1-proof-required', 'A task shows the proof it asks for', INTERFACE),
  proven('2.1-created-at', 'A task shows its creation as an ISO 8601 time in UTC', INTERFACE),
  proven(
    '2.1-inputs',
    'Deadline, context, consensus count and callback address are taken',
    INTERFACE,
  ),
  proven('2.1-types', 'There are seven task types, and no others are taken', INTERFACE),
  proven('2.1-urgencies', 'There are five urgencies, and no others are taken', INTERFACE),
  proven('2.1-proofs', 'There are four kinds of proof, and no others are taken', INTERFACE),
  proven('2.1-detail-proofs', 'The detail of a task has its proofs', SUBMIT_PROOF),
  proven('2.1-detail-transactions', 'The detail of a task has its transactions', GET),
  proven('2.1-detail-consensus', 'The detail of a consensus task has the consensus', SUBMIT_PROOF),
  proven('2.1-detail-photos', 'The detail of a task shows small photos as data URLs', GET),
  proven('2.1-photo-data', 'Proof content can hold photos as data URLs', SUBMIT_PROOF),

  // 2.2 Agent
  proven('2.2-id', 'An agent’s id is agent_ and an identifier', INTERFACE),
  proven('2.2-name', 'An agent has its name', INTERFACE),
  proven('2.2-api-key', 'Registration shows the API key', INTERFACE),
  proven('2.2-balance', 'A new agent’s balance is 0', INTERFACE),
  proven('2.2-free-tasks', 'A new agent has 3 free tasks remaining', INTERFACE),

  // 2.3 Worker
  proven('2.3-login-worker', 'Login answers with a worker that has id and name', LOG_IN),
  proven('2.3-profile', 'A profile has skills, place, preferences, trust, badges, level', PROFILE),

  // 2.4 Wallet and transactions
  proven('2.4-balance', 'The wallet shows its balance in cents', INTERFACE),
  proven('2.4-formatted', 'The wallet shows its balance as an amount of money', INTERFACE),
  proven('2.4-transactions', 'The wallet shows its recent transactions', INTERFACE),
  proven('2.4-summary', 'The wallet adds them up by type: type, total_cents, count', WALLET),
  proven('2.4-deposit', 'Money that came in is a transaction of type deposit', INTERFACE),
  proven('2.4-escrow-lock', 'A locked budget is a transaction of type escrow_lock', INTERFACE),

  // 3. States and transitions
  proven('3-statuses', 'The list filters by each of the five statuses', LIST),
  proven('3-create', 'A valid, funded request makes a pending task, by either way in', CREATE),
  proven('3-create-lock', 'Creation locks the budget in escrow', CREATE),
  proven('3-approve-release', 'Approval releases the escrow less 18 %', APPROVE),
  proven('3-approve-event', 'Approval causes task.completed', APPROVE),
  proven('3-dispute-refund', 'A dispute refunds the agent', DISPUTE),
  proven('3-dispute-trust', 'A dispute affects the worker’s trust', DISPUTE),
  proven(
    '3-gap-dispute-pending',
    'Gap: a dispute costs no level while it can be appealed',
    PENDING,
  ),
  proven('3-dispute-event', 'A dispute causes task.disputed', DISPUTE),
  proven('3-proof-event', 'A proof causes task.proof_submitted', SUBMIT_PROOF),
  proven(
    '3-consensus-event',
    'A proof of a consensus task causes task.consensus_proof',
    SUBMIT_PROOF,
  ),
  proven('3-gap-cancel', 'Gap: a pending task can be cancelled, and is refunded whole', CANCEL),
  proven('3-gap-expire', 'Gap: a task past its deadline expires, and is refunded whole', EXPIRE),
  proven('3-gap-invalid', 'Gap: a move that the status forbids is 409 invalid_state', CANCEL),

  // 4.1 Tasks
  proven('4.1-create-201', 'Creating a task answers 201', CREATE),
  proven('4.1-create-body', 'Its body has the task under task', CREATE),
  proven('4.1-description-required', 'A task without a description is refused', CREATE),
  proven('4.1-description-max', 'A description of more than 5000 characters is refused', CREATE),
  proven('4.1-budget-required', 'A task without a budget is refused', CREATE),
  proven('4.1-budget-integer', 'The budget is a whole number of cents', CREATE),
  proven('4.1-type', 'The type may be given and may be left out', CREATE),
  proven('4.1-urgency', 'The urgency may be given and may be left out', CREATE),
  proven('4.1-proof-required', 'The kind of proof may be given and may be left out', CREATE),
  proven('4.1-deadline-iso', 'A deadline can be an ISO 8601 time', CREATE),
  proven('4.1-deadline-relative', 'A deadline can be minutes or hours from now: 30m, 2h', CREATE),
  proven('4.1-context', 'The context is an object of any content', CREATE),
  proven('4.1-consensus-count', 'The number of workers is 1 unless given', CREATE),
  proven('4.1-callback-url', 'A task can have a callback address of its own', CREATE),
  proven('4.1-list-200', 'The list answers 200 with tasks, total, limit, offset', LIST),
  proven('4.1-list-own', 'The list has the calling agent’s tasks and no others', LIST),
  proven('4.1-list-status', 'The list can be filtered by status', LIST),
  proven('4.1-list-type', 'The list can be filtered by type', LIST),
  proven('4.1-list-limit', 'A page has 50 tasks unless limit says otherwise', LIST),
  proven('4.1-list-offset', 'A page begins at 0 unless offset says otherwise', LIST),
  proven('4.1-get', 'A task can be read by its id, with its transactions', GET),
  proven('4.1-get-proofs', 'A task that is read has its proofs', SUBMIT_PROOF),
  proven('4.1-get-consensus', 'A consensus task that is read has the consensus', SUBMIT_PROOF),
  proven('4.1-proof', 'The proof of a task can be read by the task’s id', SUBMIT_PROOF),
  proven('4.1-proof-photos', 'Photos come with it as data URLs', SUBMIT_PROOF),
  proven('4.1-approve', 'The agent approves: escrow to the worker less 18 %', APPROVE),
  proven('4.1-approve-override', 'override_result settles a conflict', APPROVE),
  proven('4.1-dispute', 'The agent disputes a task', DISPUTE),
  proven('4.1-dispute-reason', 'The reason of a dispute is shown to the worker', DISPUTE),
  proven(
    '4.1-gap-dispute-held',
    'Gap: a held dispute shows status_reason dispute_held and decides_by, and moves no money',
    HELD_DISPUTES,
  ),
  proven(
    '4.1-gap-dispute-held-ends',
    'Gap: an operator upholds or rejects a held dispute, or the agent withdraws it or approves',
    HELD_DISPUTES,
  ),
  proven(
    '4.1-gap-dispute-held-lapses',
    'Gap: the worker is paid for a held dispute that nobody decides in 72 hours',
    HELD_LAPSE,
  ),
  proven('4.1-payout', 'A payout of a completed task can be started', REQUEST_PAYOUT),

  // 4.2 Shorthands
  proven('4.2-verify', 'POST /verify makes a verification for 500 cents', TYPED),
  proven('4.2-call', 'POST /call makes a voice_proxy for 1000 cents', TYPED),
  proven('4.2-gut-check', 'POST /gut-check makes a gut_check for 300 cents', TYPED),
  proven('4.2-field', 'POST /field makes a field_mission for 1500 cents', TYPED),
  proven('4.2-escalate', 'POST /escalate makes an empathy_escalation for 2000 cents', TYPED),
  proven('4.2-vibe', 'POST /vibe makes a vibe_reader for 800 cents', TYPED),
  proven('4.2-verify-fields', '/verify takes question, location, proof, budget_cents', INTERFACE),
  proven('4.2-call-fields', '/call takes description, number, script, budget_cents', INTERFACE),
  proven('4.2-gut-check-fields', '/gut-check takes content, question, scale, consensus', INTERFACE),
  proven('4.2-scale', 'A scale is written as the least and the greatest number', TYPED),

  // 4.3 Wallet and stats
  proven('4.3-wallet-200', 'The wallet answers 200 with balance, transactions, summary', WALLET),
  proven('4.3-deposit', 'A deposit leads to the hosted checkout', DEPOSIT),
  proven('4.3-deposit-min', 'A deposit of less than 500 cents is refused', DEPOSIT),
  proven('4.3-deposit-201', 'It answers 201: checkout_url, session_id, transaction_id', DEPOSIT),
  proven('4.3-stats-counts', 'Statistics have the counts of tasks', STATS),
  proven('4.3-stats-spend', 'Statistics have the spend by type', STATS),
  proven('4.3-stats-workers', 'Statistics name the top workers', STATS),
  proven('4.3-stats-partners', 'Statistics count the partners', STATS),

  // 4.4 Agent registration
  proven('4.4-register', 'Registration answers with a key and 3 free tasks', INTERFACE),
  proven('4.4-register-body', 'Its body has the agent with the five fields of 2.2', INTERFACE),
  proven('4.4-name', 'The name is required', REGISTER),
  proven('4.4-email', 'The e-mail is required', REGISTER),
  proven('4.4-webhook-url', 'A webhook address may be given', INTERFACE),
  proven('4.4-duplicate', 'An e-mail that is registered already is refused with 409', REGISTER),

  // 4.5 Workers
  proven('4.5-register', 'POST /worker/register takes name, e-mail, password', REGISTER_WORKER),
  proven('4.5-register-mail', 'Registration sends a verification mail', REGISTER_WORKER),
  proven('4.5-login', 'POST /worker/login takes e-mail and password', LOG_IN),
  proven('4.5-login-answer', 'Login answers with the worker and a JWT', LOG_IN),
  proven('4.5-feed', 'GET /worker/feed has open tasks that suit the worker', FEED),
  proven('4.5-accept', 'POST /worker/tasks/:id/accept accepts a task', ACCEPT),
  proven('4.5-proof', 'POST /worker/tasks/:id/proof takes text, photo, video', SUBMIT_PROOF),
  proven('4.5-profile', 'GET /worker/profile has profile, trust, badges, level', PROFILE),
  proven(
    '4.5-profile-update',
    'PUT /worker/profile changes skills, place, preferences',
    'server/src/workers/update-profile.test.ts',
  ),
  proven(
    '4.5-earnings',
    'GET /worker/earnings has the earnings by period',
    'server/src/workers/get-earnings.test.ts',
  ),
  proven(
    '4.5-leaderboard',
    'GET /worker/leaderboard has the rankings',
    'server/src/workers/get-leaderboard.test.ts',
  ),
  proven(
    '4.5-public',
    'GET /worker/:id/public shows a worker to anyone',
    'server/src/workers/get-public-profile.test.ts',
  ),

  // 4.6 The processor, for workers
  proven('4.6-connect', 'POST /worker/stripe/connect opens an account and its link', CONNECT),
  proven('4.6-dashboard', 'POST /worker/stripe/dashboard links to the dashboard', DASHBOARD),
  proven('4.6-status', 'GET /worker/stripe/status tells how far onboarding is', ACCOUNT_STATUS),

  // 4.7 Gaps within the endpoints
  proven('4.7-gap-shorthand', 'Gap: a shorthand answers 201 with the task', TYPED),
  proven('4.7-gap-detail', 'Gap: the detail is the task with what belongs to it', GET),
  proven('4.7-gap-stats', 'Gap: statistics have counts, spend, timing, quality, workers', STATS),
  proven('4.7-gap-verdicts', 'Gap: approve, dispute and payout answer with the task', APPROVE),
  proven('4.7-gap-override', 'Gap: override_result is any JSON, checked by the schema', APPROVE),
  proven(
    '4.7-gap-workers',
    'Gap: the bodies of the worker endpoints',
    'server/src/tasks/list-assignments.test.ts',
  ),
  proven('4.7-gap-processor', 'Gap: the bodies of the processor endpoints', ACCOUNT_STATUS),

  // 5. Authentication
  proven('5-bearer', 'A key in Authorization: Bearer is accepted', AUTH),
  proven('5-x-api-key', 'A key in x-api-key is accepted', AUTH),
  proven('5-missing', 'No key is 401 with the specified words', INTERFACE),
  proven('5-invalid', 'A key that is not one of ours is 401 with the specified words', INTERFACE),
  proven('5-rotation', 'Registering again yields a new key', REGISTER),
  proven('5-agent-auth', 'Tasks, shorthands, wallet and stats need a key', INTERFACE),
  proven(
    '5-worker-verify',
    'A worker is active once the mailed link was followed',
    'server/src/workers/verify-email.test.ts',
  ),
  proven('5-worker-login', 'Login answers with worker and token', LOG_IN),
  proven('5-worker-7-days', 'The token is good for 7 days, then one logs in again', LOG_IN),
  proven('5-worker-bearer', 'The token is sent as Authorization: Bearer', LOG_IN),
  proven('5-wrong-password', 'A wrong password is 401, Invalid password', LOG_IN),
  proven('5-not-verified', 'Login before verification is 403, Email not verified', LOG_IN),
  proven(
    '5-shut-out',
    'A suspended or closed worker is 403 at the login, with the reason',
    SHUT_OUT,
  ),
  proven(
    '5-shut-out-paid',
    'A suspended or closed worker is paid for work that was sent',
    SHUT_OUT,
  ),
  proven(
    '5-shut-out-account',
    'A suspended or closed worker adds a payout account without a session',
    CONNECT_BY_LINK,
  ),
  proven(
    '5-shut-out-appeal',
    'A suspended or closed worker appeals a dispute without a session',
    APPEAL_BY_LINK,
  ),
  proven('5-objection', 'A suspended or closed worker objects without a session', FILE_OBJECTION),
  proven('5-objection-reply', 'Without a reply in 14 days the worker is reinstated', END_DECISIONS),
  proven('5-worker-exists', 'A known e-mail is 409, Already registered', REGISTER_WORKER),
  proven('5-worker-auth', 'All but register, login and public profile need the token', SESSIONS),
  proven('5-https', 'Production is reached by HTTPS', INTERFACE),

  // 6. Events
  proven('6-webhook-url', 'The address for all events is taken at registration', INTERFACE),
  proven('6-callback-url', 'The address for one task’s events is taken with the task', CREATE),
  proven('6-post', 'Events are sent to the address by POST', EVENTS),
  proven('6-proof-submitted', 'task.proof_submitted is sent when a proof comes in', EVENTS),
  proven('6-completed', 'task.completed is sent when the agent approves', EVENTS),
  proven('6-disputed', 'task.disputed is sent when the agent disputes', EVENTS),
  proven('6-consensus-proof', 'task.consensus_proof is sent for a consensus proof', EVENTS),
  proven('6-gap-delivery', 'Gap: payload, signature, retries', EVENTS),

  // 7. Errors
  proven('7-400', 'Missing or invalid parameters are 400', INTERFACE),
  proven('7-401', 'A missing or wrong key is 401', INTERFACE),
  proven('7-401-worker', 'A missing or wrong JWT, or a wrong password, is 401', SESSIONS),
  proven('7-402', 'Too little money for a task is 402', CREATE),
  proven('7-403-verified', 'A worker without a verified e-mail is 403', LOG_IN),
  proven('7-403-level', 'A worker whose level is too low is 403', ACCEPT),
  proven('7-404-absent', 'What does not exist is 404', GET),
  proven('7-404-foreign', 'What belongs to someone else is the same 404', GET),
  proven('7-409', 'What exists already is 409', REGISTER),
  proven('7-429', 'Too many requests are 429', INTERFACE),
  proven('7-429-field', 'A 429 says retry_after_seconds', INTERFACE),
  proven('7-429-header', 'A 429 has a Retry-After header', INTERFACE),
  proven('7-500', 'A failure of ours is 500', INTERFACE),
  proven('7-shape', 'Every refusal has its words under error', INTERFACE),
  proven('7-402-balance', 'A 402 says balance_cents', CREATE),
  proven('7-402-deposit-url', 'A 402 says deposit_url, the path of the deposit endpoint', CREATE),

  // 4.4, beyond the specification: nobody is locked out
  proven('4.4-verify', 'Registering mails a link that confirms the address', VERIFY_AGENT),
  proven('4.4-recover-mail', 'A lost key: a link to a new one goes to the address', RECOVER),
  proven('4.4-recover-uniform', 'Nobody learns by it which addresses are known', RECOVER),
  proven('4.4-recover-key', 'The link gives a new live key and a new test key', CONFIRM_RECOVERY),
  proven('4.4-recover-ends', 'All keys and sessions before it end', CONFIRM_RECOVERY),
  proven('4.4-recover-told', 'The address is told of it', CONFIRM_RECOVERY),
  proven('4.4-takeover', 'None of 20 attacks takes over an agent', TAKEOVER),

  // 8. Limits
  proven('8-global', 'All routes together take 100 requests a minute', INTERFACE),
  proven('8-create', 'Task creation takes 30 requests a minute for one key', INTERFACE),
  proven('8-register', 'Registration takes 20 requests an hour', INTERFACE),
  proven(
    '8-register-counters',
    'Agents, workers and test agents are registered under counters of their own',
    ADMIT,
  ),
  proven('8-login', 'Login takes 10 requests in 15 minutes', LOG_IN),
  proven('8-description', 'A description of 5000 characters is taken', CREATE),
  proven('8-deposit-min', 'The least deposit is 500 cents', DEPOSIT),
  proven('8-commission', 'The commission on approval is 18 %', APPROVE),
  proven('8-free-tasks', 'Three tasks of a new agent cost nothing, the fourth does', CREATE),
  proven('8-jwt', 'A worker’s token lives 7 days', LOG_IN),
  proven('8-page', 'Lists begin with limit 50 and offset 0', LIST),
  proven('8-consensus', 'One worker is needed unless more are asked for', CREATE),
  proven('8-gap-global-key', 'Gap: the global limit counts per agent, else per address', INTERFACE),
  proven('8-gap-limit-max', 'Gap: a page has at most 100; more is taken as 100', LIST),
  proven('8-gap-budget-max', 'Gap: a budget is 1 to 1 000 000 cents', CREATE),
  proven('8-gap-consensus-max', 'Gap: at most 25 workers', CREATE),

  // 9. Versioning
  proven('9-prefix', 'Every endpoint stands under /api/v1', INTERFACE),
]

function proven(id: string, demand: string, proof: string): Requirement {
  return { id, section: sectionOf(id), demand, proof }
}

/** `4.1-create-201` is in section 4.1. */
function sectionOf(id: string): string {
  return id.slice(0, id.indexOf('-'))
}
