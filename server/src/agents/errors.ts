import { z } from 'zod'
import { SCOPES } from '../kit/endpoint.ts'
import { defineError } from '../kit/errors.ts'
import { PERSON_RIGHTS, PERSON_ROLES } from '../kit/person-roles.ts'
import { TIERS } from './tier-names.ts'

export const invalidApiKey = defineError(
  401,
  'invalid_api_key',
  'Missing or invalid API key',
  {},
  {
    who: 'agent',
    cause:
      'No key was sent, or the key is mistyped, deleted, replaced more than a day ago, or from another server.',
    fix:
      'Send `Authorization: Bearer lw_…`. Get a key with `POST /agents/register`, or a test ' +
      'key without an account with `npx @legwork/cli init`.',
    hint:
      'Send it as Authorization: Bearer <key>. No key yet? `npx @legwork/cli init` creates a ' +
      'test key without an account. Lost it? POST /agents/recover emails you a link to a new ' +
      'one',
  },
)
export const unknownApiKey = defineError(
  401,
  'unknown_api_key',
  'This API key is not valid; copy it again, or create a new one',
  {},
  {
    who: 'agent',
    cause: 'The key that you used to log in to the console is mistyped, deleted or expired.',
    fix:
      'Copy the complete key again: it begins with `lw_live_` or `lw_test_`. A key is shown ' +
      'only once; if it is lost, create another with a key that you still have.',
  },
)
export const testModeOnly = defineError(
  403,
  'test_mode_only',
  'This works only in test mode; send a key that begins with lw_test_',
  {},
  {
    who: 'agent',
    cause: 'The clock or the workers of test mode were requested with a live key.',
    fix: 'Use your `lw_test_` key. In live mode, time passes normally and people do the work.',
  },
)
export const liveModeOnly = defineError(
  403,
  'live_mode_only',
  'This works only in live mode; send a key that begins with lw_live_',
  {},
  {
    who: 'agent',
    cause: 'A test key asked for a person; nobody answers in test mode.',
    fix: 'Use your `lw_live_` key, or write to the address on the contact page.',
  },
)
export const agentExists = defineError(
  409,
  'already_registered',
  'This email is already registered; send your current key to get a new one',
  {},
  {
    who: 'agent',
    cause: 'An agent with this email exists, and the request did not prove that it is yours.',
    fix:
      'Send your current live key in the header to get a new key with the same call. If the ' +
      'key is lost, `POST /agents/recover` emails you a link to a new one. Otherwise, register ' +
      'with another email.',
    hint: 'Lost the key? POST /agents/recover emails a link to a new one to this address',
  },
)
export const noEmail = defineError(
  409,
  'no_email',
  'This test agent has no email; register it to add one',
  {},
  {
    who: 'agent',
    cause: 'The key belongs to a test agent of `POST /test/agents` that has not been registered.',
    fix: 'Register it: call `POST /agents/register` with this key in the header, a name and an email.',
  },
)
export const keyOfApp = defineError(
  409,
  'key_of_app',
  'This is the key of a connected app, which renews its secret itself',
  {},
  {
    who: 'agent',
    cause: 'You tried to rotate the key of an app that you connected with OAuth.',
    fix: 'Change its caps, or end the connection with `DELETE /agents/connections/:id`.',
  },
)
export const keyNotFound = defineError(
  404,
  'key_not_found',
  'This key does not exist',
  {},
  {
    who: 'agent',
    cause: 'No key of this agent has this id, or the key has ended.',
    fix: '`GET /agents/keys` lists the active keys. Each mode has its own.',
    hint: 'GET /agents/keys lists your active keys',
  },
)
export const tooManyKeys = defineError(
  409,
  'too_many_keys',
  'You have reached the maximum number of keys; delete one first',
  {},
  {
    who: 'agent',
    cause: 'An agent can have at most ten keys in each mode.',
    fix: 'Delete a key that is not used: see `last_used_at` in `GET /agents/keys`.',
  },
)
export const requestNotFound = defineError(
  404,
  'request_not_found',
  'This request was not found; refused and failed requests are kept for 7 days, in the mode of their key',
  {},
  {
    who: 'agent',
    cause:
      'No refused or failed request of this agent has this id. Requests that succeeded, were ' +
      'not authenticated (401) or were rate limited (429) are not kept; all others are kept ' +
      'for seven days.',
    fix: 'Use the `request_id` of an error, and a key of the same mode.',
  },
)
export const lastKey = defineError(
  409,
  'last_key',
  'This is your last key; create another one before you delete it',
  {},
  {
    who: 'agent',
    cause: 'Without this key, nobody could act for the agent anymore.',
    fix: 'Create another key first, then delete this one.',
  },
)
export const limitedKey = defineError(
  403,
  'limited_key',
  'A limited key can’t turn its test agent into an account; use the key that the test agent came with',
  {},
  {
    who: 'agent',
    cause:
      'The request tried to claim a test agent without an account, with a key that has limits.',
    fix: 'Register with the key from `POST /test/agents`, or with another key without limits.',
  },
)
export const keyTooDeep = defineError(
  409,
  'key_too_deep',
  'A key can have at most four keys above it; create this one with a key further up',
  {},
  {
    who: 'agent',
    cause:
      'Keys can be nested at most five deep: a key of the agent itself, and four levels below it.',
    fix: 'Create the key with one further up, or with a key of the agent itself.',
  },
)
export const keyScope = defineError(
  403,
  'key_scope',
  'This key does not have the required scope; use a key that has it',
  { required_scope: z.enum(SCOPES) },
  {
    who: 'agent',
    cause:
      'The key lacks the scope that this call needs: `create` to post tasks, `review` to judge ' +
      'them, `read` to read, `manage` to change the agent, its keys and its money.',
    fix:
      'Use a key that has `required_scope`. The scopes of a key are fixed when it is created; ' +
      '`GET /agents/keys` shows them.',
  },
)
export const roleNotAllowed = defineError(
  403,
  'role_not_allowed',
  'Your role doesn’t allow this; ask an owner of the agent to do it, or to change your role',
  { role: z.enum(PERSON_ROLES), required_right: z.enum(PERSON_RIGHTS) },
  {
    who: 'agent',
    cause:
      'Someone who logged in to the console by email did something that their role does not allow. API keys ' +
      'have scopes instead and never get this error.',
    fix: 'Ask an owner of the agent. The page People of the console shows who they are and what each role may do.',
  },
)
export const personRequired = defineError(
  403,
  'person_required',
  'Only a person can do this; log in to the console with your email, not with an API key',
  {},
  {
    who: 'agent',
    cause:
      'The people of an agent are managed by its owners, who log in by email. No API key can do it.',
    fix: 'Open the console, log out, and log in with a link to your email address.',
  },
)
export const personNotFound = defineError(
  404,
  'person_not_found',
  'This person does not exist, or has left',
  {},
  {
    who: 'agent',
    cause: 'Nobody of this agent has this id, or the person has left.',
    fix: 'The page People of the console lists everyone.',
  },
)
export const personExists = defineError(
  409,
  'person_exists',
  'Someone with this email is already a member; change their role instead',
  {},
  {
    who: 'agent',
    cause: 'The invited email belongs to someone who has already joined.',
    fix: 'Change the role of that person, or invite another email.',
  },
)
export const lastOwner = defineError(
  409,
  'last_owner',
  'An agent needs an owner; make someone else an owner first',
  {},
  {
    who: 'agent',
    cause:
      'The only owner would leave, be removed or get another role. Nobody could manage the people anymore.',
    fix: 'Make someone else an owner, then repeat this.',
  },
)
export const tooManyPeople = defineError(
  409,
  'too_many_people',
  'This agent has reached its maximum number of people; remove someone first',
  { limit: z.int() },
  {
    who: 'agent',
    cause: 'An agent can have 100 people, with those who are invited.',
    fix: 'Remove someone who no longer needs access, then repeat the invitation.',
  },
)
export const chooseAgent = defineError(
  409,
  'choose_agent',
  'Your email belongs to several agents; choose one of them',
  { agents: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(PERSON_ROLES) })) },
  {
    who: 'agent',
    cause: 'Several agents have a person with this email, and the request named none of them.',
    fix: 'Repeat the request with the `agent_id` of one of `agents`. The link still works.',
  },
)
export const keyType = defineError(
  403,
  'key_type',
  'This key can’t create tasks of this type; use an allowed type, or another key',
  { type: z.string(), allowed_types: z.array(z.string()) },
  {
    who: 'agent',
    cause: 'The key may create only some types of tasks, and this is not one of them.',
    fix: 'Use one of `allowed_types`, or a key without this restriction.',
  },
)
export const CAPS = ['task_max_cents', 'day_max_cents', 'month_max_cents', 'budget_cents'] as const
export const keyCap = defineError(
  402,
  'key_cap',
  'This would exceed a cap of this key, or of a key above it; spend less, or ask for a higher cap',
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
      'The task or the tip would exceed a cap of this key, or of a key above it. `cap` names ' +
      'the cap, `limit_cents` is its amount, `spent_cents` is the amount used; `balance_cents` ' +
      'is in the wallet.',
    fix:
      'Spend less, wait until the day or the month ends (UTC), or raise the cap with a key ' +
      'that is allowed to: `PATCH /agents/keys/:id`. Money returned by cancelled and expired ' +
      'tasks no longer counts against the cap.',
  },
)
export const ownCaps = defineError(
  403,
  'own_caps',
  'A limited key can’t change its own caps; use the key that made it, or one without limits',
  {},
  {
    who: 'agent',
    cause: 'A limited key can’t raise its own caps; otherwise the caps would have no effect.',
    fix: 'Use the key that made it, or one without limits.',
  },
)
export const tooManyTestTasks = defineError(
  409,
  'too_many_test_tasks',
  'This test agent has reached its maximum of unfinished test tasks; cancel some, or let them end',
  { limit: z.int() },
  {
    who: 'agent',
    cause:
      'A test agent can have 500 unfinished tasks, because the clock of test mode updates each ' +
      'of them at every step.',
    fix:
      'Cancel tasks that you don’t need with `POST /tasks/:id/cancel`, withdraw disputes, then ' +
      'repeat the request.',
    hint: 'Cancel tasks with POST /tasks/:id/cancel, or create another test agent: POST /test/agents',
  },
)
export const testQuotaExceeded = defineError(
  429,
  'test_quota_exceeded',
  'This test agent or this IP address has reached its daily storage limit in test mode',
  { limit: z.string(), limit_value: z.int(), retry_after_seconds: z.int() },
  {
    who: 'agent',
    cause:
      'Test mode stores a limited number of tasks and bytes per day (UTC), for each test agent ' +
      'and for each IP address.',
    fix:
      'If `limit` names the agent’s own quota, use another test agent (`POST /test/agents`). ' +
      'Otherwise send less data, or wait for `retry_after_seconds`.',
    hint:
      'The quota resets at midnight UTC. If `limit` does not name the IP address, you can also ' +
      'create another test agent: POST /test/agents',
  },
)
export const tierCap = defineError(
  403,
  'tier_cap',
  'You have as much open as your tier allows; finish or cancel tasks, or raise your tier',
  {
    tier: z.enum(TIERS),
    cap: z.enum(['open_tasks', 'open_cents']),
    limit: z.int().describe('What may be open at once: tasks, or cents of their budgets'),
    open: z.int().describe('What is open now'),
    next_step: z.string().nullable().describe('What raises your tier'),
  },
  {
    who: 'agent',
    cause:
      'Each tier of agents has a limit of open tasks and of their budgets. Free tasks count as tasks, and their ' +
      'budgets don’t count. Test mode has no tiers.',
    fix:
      'Wait until tasks are completed, cancel tasks that you don’t need, or do what `next_step` says. ' +
      '`GET /agents/me` shows your tier and its limits.',
    hint: 'next_step says what raises your tier; GET /agents/me shows its limits',
  },
)
