import { z } from 'zod'
import { SCOPES } from '../kit/endpoint.ts'
import { defineError } from '../kit/errors.ts'

export const invalidApiKey = defineError(
  401,
  'invalid_api_key',
  'Missing or invalid API key',
  {},
  {
    who: 'agent',
    cause:
      'No key was sent, or one that is mistyped, deleted, rotated away more than a day ago, or ' +
      'of another server.',
    fix:
      'Send `Authorization: Bearer lw_…`. Make a key with `POST /agents/register`, or one for ' +
      'test mode with `npx @legwork/cli init`, without an account.',
    hint:
      'Send it as Authorization: Bearer <key>. No key yet? `npx @legwork/cli init` makes one for test mode, ' +
      'without an account. Lost it? POST /agents/recover mails a link to a new one',
  },
)
export const unknownApiKey = defineError(
  401,
  'unknown_api_key',
  'This is no valid API key; copy it again, or make a new one',
  {},
  {
    who: 'agent',
    cause: 'The key that you sign in to the console with is mistyped, deleted or expired.',
    fix:
      'Copy it once more, whole: it begins with `lw_live_` or `lw_test_`. A key is shown once; ' +
      'if it is lost, make another with one that you still have.',
  },
)
export const testModeOnly = defineError(
  403,
  'test_mode_only',
  'This works in test mode only; send a key that begins with lw_test_',
  {},
  {
    who: 'agent',
    cause: 'The clock and the workers of test mode were asked for with a live key.',
    fix: 'Use your `lw_test_` key. In live mode time passes by itself, and people do the work.',
  },
)
export const agentExists = defineError(
  409,
  'already_registered',
  'This e-mail is already registered; send your current key to get a new one',
  {},
  {
    who: 'agent',
    cause: 'An agent with this e-mail exists, and the request did not prove that it is yours.',
    fix:
      'Send your current live key in the header: then the same call gives you a new key. If the key is lost, ' +
      '`POST /agents/recover` mails a link to a new one. Else register with another e-mail.',
    hint: 'Lost the key? POST /agents/recover mails a link to a new one to this address',
  },
)
export const noEmail = defineError(
  409,
  'no_email',
  'This test agent has no e-mail; register it to give it one',
  {},
  {
    who: 'agent',
    cause: 'The key belongs to a test agent of `POST /test/agents`, which nobody has registered.',
    fix: 'Register it: `POST /agents/register` with this key in the header, a name and an e-mail.',
  },
)
export const keyNotFound = defineError(
  404,
  'key_not_found',
  'There is no such key',
  {},
  {
    who: 'agent',
    cause: 'No key of this agent has this id, or it has ended.',
    fix: '`GET /agents/keys` lists the keys that work. Each mode has its own.',
    hint: 'GET /agents/keys lists those that work',
  },
)
export const tooManyKeys = defineError(
  409,
  'too_many_keys',
  'You have as many keys as you may; delete one first',
  {},
  {
    who: 'agent',
    cause: 'An agent has at most ten keys in each mode.',
    fix: 'Delete one that is not used: `last_used_at` in `GET /agents/keys` tells which.',
  },
)
export const requestNotFound = defineError(
  404,
  'request_not_found',
  'There is no such request of yours; refused and failed ones are kept for 7 days, in the mode of their key',
  {},
  {
    who: 'agent',
    cause:
      'No refused or failed request of this agent has this id. Requests that went well, were ' +
      'not let in (401) or came too often (429) are not kept, and all others for seven days.',
    fix: 'Take the id from `request_id` of an error, and ask with a key of the same mode.',
  },
)
export const lastKey = defineError(
  409,
  'last_key',
  'This is your last key; make another one before you delete it',
  {},
  {
    who: 'agent',
    cause: 'Without this key nobody could act for the agent any more.',
    fix: 'Make another key first, then delete this one.',
  },
)
export const limitedKey = defineError(
  403,
  'limited_key',
  'A limited key can’t make an account of its test agent; use the key that the test agent came with',
  {},
  {
    who: 'agent',
    cause:
      'A test agent without an account was to be claimed with a key that may not do everything.',
    fix: 'Register with the key of `POST /test/agents`, or another one without limits.',
  },
)
export const keyTooDeep = defineError(
  409,
  'key_too_deep',
  'A key can have four keys above it at most; make this one with a key further up',
  {},
  {
    who: 'agent',
    cause: 'Keys stand at most five deep: one that is the agent’s own, and four below each other.',
    fix: 'Make the key with one further up, or with a key of the agent’s own.',
  },
)
export const keyScope = defineError(
  403,
  'key_scope',
  'This key may not do this; use one with the scope that is required',
  { required_scope: z.enum(SCOPES) },
  {
    who: 'agent',
    cause:
      'The key lacks the scope that this call needs: `create` to post tasks, `review` to judge them, `read` to ' +
      'look, `manage` to change the agent, its keys and its money.',
    fix:
      'Use a key that has `required_scope`. The scopes of a key are fixed when it is made; `GET /agents/keys` ' +
      'shows them.',
  },
)
export const keyType = defineError(
  403,
  'key_type',
  'This key may not create tasks of this type; use an allowed one, or another key',
  { type: z.string(), allowed_types: z.array(z.string()) },
  {
    who: 'agent',
    cause: 'The key may create tasks of some types only, and this is not one of them.',
    fix: 'Use one of `allowed_types`, or a key without this limit.',
  },
)
export const CAPS = ['task_max_cents', 'day_max_cents', 'month_max_cents', 'budget_cents'] as const
export const keyCap = defineError(
  402,
  'key_cap',
  'This would go over a cap of this key, or of one above it; spend less, or have the cap raised',
  {
    cap: z.enum(CAPS),
    limit_cents: z.int(),
    spent_cents: z.int(),
    required_cents: z.int(),
    balance_cents: z.int(),
    deposit_url: z.string(),
  },
  {
    who: 'agent',
    cause:
      'The task or the tip would go over a cap of this key, or of a key above it. `cap` says which, `limit_cents` ' +
      'how much it allows, `spent_cents` how much is used; `balance_cents` is in the wallet.',
    fix:
      'Spend less, wait until the day or the month is over (UTC), or have a key that may raise the cap: ' +
      '`PATCH /agents/keys/:id`. What comes back from cancelled and expired tasks comes back to the cap.',
  },
)
export const ownCaps = defineError(
  403,
  'own_caps',
  'A limited key can’t change its own caps; use the key that made it, or one without limits',
  {},
  {
    who: 'agent',
    cause: 'A limited key can’t raise its own caps, or they would be none.',
    fix: 'Use the key that made it, or one without limits.',
  },
)
export const tooManyTestTasks = defineError(
  409,
  'too_many_test_tasks',
  'You have as many unfinished test tasks as a test agent can have; cancel some, or let them end',
  { limit: z.int() },
  {
    who: 'agent',
    cause:
      'A test agent can have 500 unfinished tasks. The clock of test mode makes each of them older at every step.',
    fix: 'Cancel those that you do not need with `POST /tasks/:id/cancel`, withdraw disputes, then repeat the request.',
    hint: 'Cancel tasks with POST /tasks/:id/cancel, or get another test agent: POST /test/agents',
  },
)
export const testQuotaExceeded = defineError(
  429,
  'test_quota_exceeded',
  'Test mode has stored as much today as this test agent or this address may store',
  { limit: z.string(), limit_value: z.int(), retry_after_seconds: z.int() },
  {
    who: 'agent',
    cause:
      'Test mode stores a bounded number of tasks and bytes per day (UTC), for each test agent and for each address.',
    fix:
      'Use another test agent (`POST /test/agents`) where `limit` names the agent’s own quota, send less data, or ' +
      'wait for `retry_after_seconds`.',
    hint:
      'Counting starts again at midnight UTC. If `limit` does not name the address, another test agent helps: ' +
      'POST /test/agents',
  },
)
