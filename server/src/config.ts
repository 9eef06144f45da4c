import { createECDH } from 'node:crypto'
import { Resolver } from 'node:dns'
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { MAIN } from './kit/layout.ts'
import { trustedProxies } from './kit/proxies.ts'

const flag = z.enum(['on', 'off'])
const count = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)
const percent = (fallback: number) => z.coerce.number().int().min(0).max(100).default(fallback)

const list = () =>
  z
    .string()
    .optional()
    .transform((text) =>
      (text ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )

/** Pairs such as `b=postgres://…`, separated by spaces. */
const databases = () =>
  z
    .string()
    .optional()
    .transform((text) => (text ?? '').split(/\s+/).filter((pair) => pair !== ''))
    .refine(
      (pairs) => pairs.every((pair) => DATABASE.test(pair) && !pair.startsWith(`${MAIN}=`)),
      'must be pairs such as b=postgres://…, separated by spaces; main is the name of DATABASE_URL',
    )
    .transform((pairs) =>
      pairs.map((pair) => {
        const { name, url } = DATABASE.exec(pair)!.groups as { name: string; url: string }
        return { name, url }
      }),
    )

const DATABASE = /^(?<name>[a-z][a-z0-9_]*)=(?<url>postgres(?:ql)?:\/\/.+)$/

function isRange(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return Number(prefix) <= bits && !address.includes('%')
}

function areProxies(setting: string): boolean {
  return trustedProxies(setting).every((range) => isIP(range) > 0 || isRange(range))
}

/** Whether the range is wider than any private network, so it must include public addresses. */
function isTooWide(range: string): boolean {
  const [address = '', prefix] = range.split('/')
  return prefix !== undefined && Number(prefix) < (isIP(address) === 4 ? 8 : 7)
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false
}

function areServers(addresses: string[]): boolean {
  try {
    new Resolver().setServers(addresses)
    return true
  } catch {
    return false
  }
}

const base64url = (text: string, bytes: number) =>
  /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes

/** All settings with type, default and description. A setting has the same name in the environment and in the code. */
const SETTINGS = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start with unsafe settings'),
  RELEASE: z
    .string()
    .default('unknown')
    .describe('The running release, such as a commit; `legwork_build_info` shows it'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where to send traces: the address of an OpenTelemetry collector, such as http://127.0.0.1:4318; ' +
        'spans go to /v1/traces there. Unset: no traces',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: list()
    .refine(
      (pairs) => pairs.every((pair) => /^[\w-]+=/.test(pair)),
      'must be pairs such as name=value, separated by commas',
    )
    .describe('Headers for the collector, such as a key: `name=value`, separated by commas'),
  OTEL_SERVICE_NAME: z.string().default('legwork').describe('`service.name` of the traces'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Share of requests, scheduled jobs and timers that are traced, from 0 to 1'),
  TRACES_OF_CALLERS_PER_SECOND: count(1).describe(
    'Further requests that each process traces per second because a caller with a credential sent ' +
      'a sampled `traceparent`; 0: none',
  ),
  DATABASE_URL: z
    .string()
    .default('postgres://postgres@127.0.0.1:5432/legwork')
    .describe('PostgreSQL 15 or later. The login must be a member of `legwork_app`'),
  DATABASES: databases().describe(
    'Further databases that hold schemas of shards: `name=url`, separated by spaces; DATABASE_URL is `main`. ' +
      'Needs SHARDS; docs/shards.md',
  ),
  MIGRATE_DATABASES: databases().describe(
    'The logins that own the tables there, for `server migrate` and `ops shards`; by default DATABASES',
  ),
  MIGRATE_DATABASE_URL: z
    .string()
    .optional()
    .describe('The login that owns the tables, for `server migrate`; by default DATABASE_URL'),
  FORCE_GENERIC_PLANS: flag
    .default('on')
    .describe(
      'Whether `server migrate` makes hot SQL functions plan their statements only once. `off` for ' +
        'Citus, which can’t run such plans',
    ),
  AUDIT_DATABASE_URL: z
    .string()
    .optional()
    .describe('A standby that the ledger’s audit reads instead of DATABASE_URL; not for DATABASES'),
  DATABASE_CONNECTIONS: count(16, 1).describe('Database connections of each process'),
  TEST_DATABASE_CONNECTIONS: count(2, 1).describe(
    'Additional connections of each process for test mode; requests with a test key use only these',
  ),
  TEST_DATABASE_PERCENT: z.coerce
    .number()
    .int()
    .min(0)
    .describe(
      'How much of one connection’s time test mode may use in each process in the long run, in ' +
        'percent; bursts of five seconds are free. 0: no limit. By default 10 in production, ' +
        'otherwise 0',
    ),
  TEST_ADVANCES_MAX: count(4, 1).describe(
    'Concurrent calls of POST /test/clock/advance, in all processes together',
  ),
  TEST_KEEP_HOURS: count(12).describe(
    'How long the data of an unregistered test agent is kept after it expires; then all of it is deleted',
  ),
  TEST_TASKS_PER_DAY: count(2000, 1).describe(
    'Tasks that one test agent may create in a day (UTC)',
  ),
  TEST_BYTES_PER_DAY: count(104_857_600, 1).describe(
    'Bytes of the tasks and files of one test agent in a day; files of scripted workers do not count',
  ),
  TEST_TASKS_PER_ADDRESS_DAY: count(20_000, 1).describe(
    'Tasks that all test agents may create from one IP address in a day',
  ),
  TEST_BYTES_PER_ADDRESS_DAY: count(1_073_741_824, 1).describe(
    'Bytes that all test agents may store from one IP address in a day',
  ),
  SHARDS: count(1, 1).describe(
    'Number of schemas for the logical shards of a new database, a power of two; cannot be changed later',
  ),
  SHARD_DATABASES: count(1, 1).describe(
    'Number of databases that hold the 4,096 logical shards; each batch and sweep uses one',
  ),
  REDIS_URL: z
    .string()
    .optional()
    .describe('Redis or Valkey for limits across processes; unset: each process counts alone'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: count(8080).describe('Port of the API; 0 chooses a free one'),
  OPS_PORT: count(9090).describe('Port of /healthz, /readyz and /metrics; must not be public'),
  DESK_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Port of the operators’ desk; 0 chooses a free one. Unset: nobody serves the desk. Only operators may reach it',
    ),
  DESK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where operators open the desk, by default http://localhost and DESK_PORT. Passkeys are bound to its host',
    ),
  DESK_SESSION_HOURS: count(8, 1).describe('After this long, an operator signs in again'),
  DESK_IDLE_MINUTES: count(30, 1).describe(
    'A session of the desk ends if it is not used for this long',
  ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'The company’s OpenID provider, with which operators can sign in. Its redirect address is DESK_URL and ' +
        '/desk/api/sign-in/oidc/return. Unset: operators sign in with passkeys only',
    ),
  OIDC_CLIENT_ID: z.string().optional().describe('The desk’s client at OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('The secret of OIDC_CLIENT_ID'),
  DECISION_HOURS: count(72, 1).describe(
    'After this long, a decision lapses that no second operator has agreed to',
  ),
  PUBLIC_URL: z
    .string()
    .optional()
    .describe('Public URL of the API; by default from HOST and PORT'),
  WEB_DIR: z
    .string()
    .optional()
    .describe('Folder of the built app; by default `web/dist`. Without it, only the API is served'),
  MAP_TILES_FILE: z
    .string()
    .refine(isFile, 'must be a file')
    .optional()
    .describe(
      'Street map of the app, a PMTiles file; docs/app.md says how to make one. Unset: no streets',
    ),
  TRUST_PROXY: z
    .string()
    .refine(
      areProxies,
      'must be `none`, or addresses and CIDR ranges such as 10.0.0.0/8, separated by commas',
    )
    .optional()
    .describe(
      'Addresses or CIDR ranges of our own proxies, separated by commas: X-Forwarded-For is read only from them. ' +
        '`none`: clients connect directly. Unset is `none`; production requires a value',
    ),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must begin with mailto: or https://')
    .default('mailto:security@localhost')
    .describe('Where people report vulnerabilities; published in /.well-known/security.txt'),
  SECURITY_POLICY_URL: z
    .string()
    .regex(/^https:\/\/\S+$/, 'must begin with https://')
    .optional()
    .describe('Page with our policy for vulnerability reports; also published there'),
  LEGAL_COMPANY: z
    .string()
    .optional()
    .describe(
      'Name of the company that runs this server, for /legal/imprint. Without it, LEGAL_ADDRESS and LEGAL_EMAIL, the ' +
        'page is marked as a template',
    ),
  LEGAL_ADDRESS: z.string().optional().describe('Its postal address, on one line'),
  LEGAL_EMAIL: z.email().optional().describe('Its email address'),
  LEGAL_PHONE: z.string().optional().describe('Its phone number, if the imprint needs one'),
  LEGAL_REPRESENTATIVES: z.string().optional().describe('The people who represent it'),
  LEGAL_REGISTER: z.string().optional().describe('Its register and number'),
  LEGAL_TAX_ID: z.string().optional().describe('Its tax or VAT ID'),
  LEGAL_TERMS_FILE: z
    .string()
    .refine(isFile, 'must be a file')
    .optional()
    .describe('Markdown file for /legal/terms. Unset: our template, marked as one'),
  LEGAL_PRIVACY_FILE: z
    .string()
    .refine(isFile, 'must be a file')
    .optional()
    .describe('Markdown file for /legal/privacy. Unset: our template, marked as one'),
  SUPPORT_EMAIL: z
    .email()
    .optional()
    .describe('Address for questions, on /contact and /help; by default LEGAL_EMAIL'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged'),
  CLOCK_TOLERANCE_MS: count(2_000, 100).describe(
    'A process whose clock differs from the database’s by more than this runs no timers and is not ready',
  ),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .describe(
      'How long a stopping process still serves requests while `/readyz` reports that it is ' +
        'not ready; must be longer than a load balancer needs to notice. By default 5 in ' +
        'production, otherwise 0',
    ),
  STOP_GRACE_SECONDS: count(25, 1).describe(
    'How long a stop may take, including DRAIN_SECONDS and work in progress; then the process ' +
      'exits. Process managers (systemd, Kubernetes) must wait longer',
  ),
  LARGE_BODIES: count(8, 1).describe(
    'Bodies of more than 512 kB that a process holds in memory at once; test mode may use half of them',
  ),
  LARGE_BODIES_PER_CALLER: count(2, 1).describe('How many of these one worker or agent may use'),
  EVENT_LOOP_DELAY_MAX_MS: z.coerce
    .number()
    .int()
    .min(0)
    .describe(
      'Mean event loop delay, in two consecutive half seconds, above which new requests are ' +
        'refused with 503; 0: not measured. By default 200 in production, otherwise 0',
    ),
  CHECK_ANSWERS: flag
    .default('off')
    .describe('Compare every response with its documented schema (on in development and tests)'),

  RATE_LIMITS: flag.default('on').describe('`off` only for load tests; refused in production'),
  LIMIT_GLOBAL_PER_MINUTE: count(100, 1).describe(
    'Requests of one agent or worker, or of one IP address without a key',
  ),
  LIMIT_ADDRESS_PER_MINUTE: count(1000, 1).describe(
    'Requests of one IP address over all identities',
  ),
  LIMIT_CREATE_PER_MINUTE: count(30, 1).describe('Tasks created with one API key'),
  LIMIT_REGISTER_PER_HOUR: count(20, 1).describe(
    'Registrations from one IP address; agents, workers, test agents and OAuth clients are counted separately',
  ),
  LIMIT_LOGIN_PER_15_MINUTES: count(10, 1).describe(
    'Logins from one IP address, and to one account; workers, the console and test workers are ' +
      'counted separately',
  ),
  LIMIT_RECOVER_PER_HOUR: count(10, 1).describe(
    'Requests to recover an agent’s keys from one IP address, and for one email',
  ),
  LIMIT_LOG_IN_LINKS_PER_HOUR: count(10, 1).describe(
    'Requests to email a link to log in to the console, from one IP address and for one email',
  ),
  LIMIT_EXPORT_PER_HOUR: count(5, 1).describe('Exports of one worker’s data'),
  LIMIT_NOTIFY_PER_MINUTE: count(6000, 1).describe(
    'Notifications of the payment processor from one IP address; no other limit applies to them',
  ),

  FREE_TASKS: count(3).describe('Free tasks at registration'),
  AGENT_CAPS: flag
    .default('on')
    .describe('Limits what an agent may have open, by its tier; `off` for load tests'),
  UNVERIFIED_OPEN_TASKS: count(100).describe(
    'Tasks that an agent with an unconfirmed email may have open; 0: no limit, as in the next five',
  ),
  UNVERIFIED_OPEN_CENTS: count(100_000).describe('The same in cents of their budgets'),
  VERIFIED_OPEN_TASKS: count(500).describe(
    'Tasks that an agent with a confirmed email may have open',
  ),
  VERIFIED_OPEN_CENTS: count(500_000).describe('The same in cents of their budgets'),
  PAID_OPEN_TASKS: count(2000).describe(
    'Tasks that an agent may have open that has also paid a deposit by card',
  ),
  PAID_OPEN_CENTS: count(5_000_000).describe('The same in cents of their budgets'),
  FREE_TASK_MAX_CENTS: count(2000).describe('Largest budget that a free task covers'),
  LEVEL_WORKERS_MIN: count(50).describe(
    'A level required by a high share applies once this many workers have it; until then, the ' +
      'next lower level that has enough workers',
  ),
  ELIGIBLE_WARNING: flag
    .default('on')
    .describe(
      'Warn at creation if fewer than five workers could take the task, or fewer than it needs',
    ),
  PLAY_MONEY_CENTS: count(100_000).describe('Initial balance of a new agent’s test wallet'),
  KEYS_MAX: count(10, 1).describe('Active keys without limits of one agent in one mode'),
  LIMITED_KEYS_MAX: count(100, 1).describe('Active keys with limits of one agent in one mode'),
  KEY_ROTATION_GRACE_HOURS: count(24).describe('How long a rotated key still works'),
  KEY_CACHE_SECONDS: count(5).describe(
    'How long a process may still accept a key that was revoked in another process',
  ),
  SWITCH_CACHE_MS: count(1000).describe(
    'After this time an API process reads the operators’ switches again, in milliseconds. A turned switch applies ' +
      'within twice the time',
  ),
  BOARD_CACHE_SECONDS: count(30).describe(
    'The desk shows figures of a board that are this old at most, and reads them in the background ' +
      'afterwards; longer if reading them is slow',
  ),
  REQUEST_LOG_PER_MINUTE: count(60).describe(
    'Refused and failed requests of one agent that each process keeps in the agent’s request log; 0: none',
  ),
  OAUTH_TOKEN_MINUTES: count(60, 1).describe(
    'How long an access token of a connected app works; the app renews it',
  ),
  CONSOLE_SESSION_HOURS: count(12, 1).describe('How long a browser stays logged in to the console'),

  WORKER_TOKEN_KEYS: z
    .string()
    .optional()
    .describe(
      'Ed25519 keys of the workers’ tokens, 32 bytes each in base64, comma-separated: the ' +
        'first signs, all verify. Unset: a new one at every start, so a restart logs everyone out',
    ),
  WORKER_TOKEN_DAYS: count(7, 1).describe('How long a worker stays logged in'),
  PASSWORD_BLOCKLIST: flag
    .default('off')
    .describe('Refuses the most common passwords; production does not start without it'),

  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional()
    .describe('Mail server, with user and password if it requires them. Unset: no email is sent'),
  MAIL_FROM: z.string().default('Legwork <no-reply@localhost>').describe('Sender of our emails'),
  LIMIT_MAILS_PER_HOUR: count(5, 1).describe('Emails of one kind to one worker or agent'),
  VERIFY_LINK_HOURS: count(24, 1).describe('How long the link that confirms an email works'),
  RECOVER_LINK_MINUTES: count(60, 1).describe(
    'How long the link that replaces an agent’s lost keys works',
  ),
  LOG_IN_LINK_MINUTES: count(15, 1).describe('How long the link to log in to the console works'),
  INVITATION_DAYS: count(7, 1).describe('How long an invitation to an agent’s console works'),
  UNVERIFIED_WORKER_DAYS: count(30, 2).describe(
    'Days after which a worker’s account with an unconfirmed email is deleted',
  ),
  EMAIL_UNDO_DAYS: count(14, 1).describe(
    'How long a worker’s old email can undo a change of the email, in days',
  ),
  ACCOUNT_CLOSING_DAYS: count(14, 1).describe(
    'How long a worker who asks to close their account can still keep it, in days',
  ),
  ACCOUNT_CLOSING_MAX_DAYS: count(365, 30).describe(
    'Days after which such an account is closed although its balance has no bank account to go ' +
      'to; the balance stays owed',
  ),
  RESET_LINK_MINUTES: count(30, 1).describe('How long the link to choose a new password works'),

  SUSPENSION_DAYS: count(30, 1).describe('Default length of a worker’s suspension, in days'),
  OBJECTION_REPLY_DAYS: count(14, 1).describe(
    'How long operators can reply to an objection, in days; without a reply, the worker is reinstated',
  ),
  OBJECTION_LINK_DAYS: count(183, 1).describe(
    'How long the emailed link to object works for a suspended or closed worker, in days',
  ),

  QUESTION_HOURS: count(72, 1).describe(
    'How long operators have to answer a worker’s question, in hours; then `ops waiting` raises an alarm',
  ),
  QUESTION_SAFETY_HOURS: count(24, 1).describe('The same for a question about safety, in hours'),
  QUESTION_CLOSE_DAYS: count(14, 1).describe(
    'How long a worker can write again after an answer, in days; then the question is closed',
  ),

  TERMS_VERSION: z
    .string()
    .min(1)
    .max(50)
    .default('2026-11')
    .describe(
      'The version of the terms of /legal/terms, recorded for each worker who joins; change it with the terms',
    ),
  RELEASE_FREE_MINUTES: count(5).describe(
    'How soon after accepting it a task can be released without affecting trust',
  ),
  NOT_POSSIBLE_PERCENT: percent(50).describe(
    'The part of the share that a worker gets for proving that a task can’t be done',
  ),
  UNSAFE_PAID_AT_ONCE_MAX: count(2).describe(
    'How often in 30 days a worker who leaves an unsafe place is paid without waiting for the agent',
  ),
  CHECK_IN_GRACE_MINUTES: count(15, 1).describe(
    'How long a worker has to answer a check-in before the desk sees it, in minutes',
  ),
  CANCEL_PERCENT: percent(30).describe(
    'The part of the share that a worker gets when a task is cancelled',
  ),
  DISPUTES_TOUCHING_TRUST: count(3).describe(
    'Disputes of one agent in 24 hours that affect workers’ trust',
  ),
  DISPUTES_BEFORE_REVIEW: count(5).describe(
    'From this many disputes in 24 hours on, an operator decides first if they are too large a part of the work',
  ),
  DISPUTE_PERCENT_MAX: percent(20).describe(
    'The part of the work reviewed in 24 hours that may be disputed before an operator decides first',
  ),
  DISPUTE_WITHDRAW_DAYS: count(30).describe('How long an agent can withdraw its dispute, in days'),
  SCREENING: flag
    .default('on')
    .describe('Reads tasks before workers see them; `off` for a demo, which has no operators'),
  SCREENING_WAIT_MINUTES: count(240, 1).describe(
    'How long an operator has to decide about a doubtful task, in minutes; after that, it is cancelled and refunded',
  ),
  HELD_DISPUTE_HOURS: count(72, 1).describe(
    'How long an operator has to decide a held dispute, in hours; after that, the worker is paid',
  ),
  APPEAL_HOURS: count(72).describe('How long a worker can appeal a dispute, in hours'),
  APPEAL_ANSWER_HOURS: count(48).describe(
    'How long the agent can reply to an appeal, in hours; without a reply, the worker wins',
  ),

  FILES_DIR: z
    .string()
    .optional()
    .describe(
      'Folder for proof files, shared by all processes of one machine. Unset, and without ' +
        'S3_BUCKET: a temporary one that is deleted when the process exits',
    ),
  FILES_LINK_KEY: list()
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      'must be secrets of at least 32 characters, comma-separated',
    )
    .describe(
      'Secrets that sign links to files in FILES_DIR, at least 32 characters each, comma-separated: the first ' +
        'signs, all verify. Unset: a new one at every start, so a restart invalidates all links',
    ),
  FILES_URL: z
    .string()
    .optional()
    .describe('Another origin of this server, for links to files; by default PUBLIC_URL'),
  FILE_LINK_MINUTES: count(15, 1).describe('How long a link to a file works'),
  S3_BUCKET: z
    .string()
    .optional()
    .describe('Stores proof files in this bucket instead of FILES_DIR'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ENDPOINT: z
    .string()
    .optional()
    .describe('URL of an S3-compatible server other than Amazon’s; uses path-style bucket names'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Unset: the credentials of the machine’s role'),
  S3_SILENCE_MAX_MS: count(10_000, 100).describe(
    'How long to wait for a bucket before a request to it fails and the caller gets 503',
  ),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Used with S3_ACCESS_KEY_ID'),
  PHOTO_MAX_BYTES: count(8_388_608, 1).describe('Largest photo'),
  VIDEO_MAX_BYTES: count(52_428_800, 1).describe('Largest video'),
  AUDIO_MAX_BYTES: count(20_971_520, 1).describe('Largest audio recording'),
  INLINE_PHOTO_MAX_BYTES: count(65_536).describe(
    'Largest photo that GET /tasks/:id returns as a data URL; larger ones are links only',
  ),
  INLINE_PHOTOS_MAX_BYTES: count(524_288).describe(
    'Total size of the photos that it returns as data URLs',
  ),
  FILES_PER_ASSIGNMENT: count(10, 1).describe('Uploads that a worker may start for one task'),
  FILES_PER_WORKER_DAY: count(200, 1).describe('Uploads that a worker may start in 24 hours'),
  FILE_KEEP_UNUSED_HOURS: count(24, 2).describe(
    'When a file that is not part of a proof is removed',
  ),
  PROOF_KEEP_DAYS: count(180, 60).describe(
    'How long photos and recordings of a proof are kept after its task has ended, in days. A ' +
      'chargeback can come 120 days after a payment',
  ),
  LOCATION_KEEP_DAYS: count(30, 1).describe(
    'When the exact location of a proof is replaced by its region, in days',
  ),
  TASK_TEXT_KEEP_DAYS: count(730, 180).describe(
    'How long the texts of a task and its proofs are kept after it has ended, in days',
  ),
  MEDIA_PROCESSES: count(2, 1).describe(
    'Child processes that open workers’ files, per server process; started when first needed',
  ),
  TEST_MEDIA_PROCESSES: count(1, 1).describe(
    'The same for files of workers in test mode, in addition to MEDIA_PROCESSES and with a low priority',
  ),
  MEDIA_TIMEOUT_MS: count(3000, 1).describe('A file that takes longer to check is rejected'),
  MEDIA_RSS_MAX_MB: count(300, 1).describe('A file that needs more memory to check is rejected'),

  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional()
    .describe(
      'Key of the payment processor; in production, use a restricted one. Unset: no deposits, no payouts',
    ),
  STRIPE_API_BASE: z
    .url()
    .optional()
    .describe('URL of a sandbox processor instead of the real one; refused with a live key'),
  STRIPE_TIMEOUT_MS: count(20_000, 1).describe('How long the processor may take to respond'),
  STRIPE_RETRIES: count(2).describe('How often a request is retried at once, with the same key'),
  STRIPE_SECRETS_ACCOUNT: list().describe(
    'Signing secrets of the processor’s notifications about our own account, comma-separated: ' +
      'any of them is accepted. Unset: its endpoint accepts none',
  ),
  STRIPE_SECRETS_CONNECT: list().describe('The same for notifications about workers’ accounts'),
  STRIPE_SECRETS_V2: list().describe('The same for thin notifications'),
  CONNECT_ACCOUNTS_API: z
    .enum(['v1', 'v2'])
    .default('v2')
    .describe('The processor’s API version for creating workers’ accounts'),
  CONNECT_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .default('US')
    .describe('Country of a worker’s account if the worker gives none'),
  PAYOUT_COUNTRIES: z
    .string()
    .regex(/^[A-Z]{2}(?: [A-Z]{2})*$/, 'must be two-letter codes, separated by spaces')
    .default(
      'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IT JP LI LT LU LV MT ' +
        'MX MY NL NO NZ PL PT RO SE SG SI SK TH US',
    )
    .describe(
      'The countries in which the processor opens accounts for workers; the app offers them',
    ),
  BANK_PAYOUT_MINIMUM_CENTS: count(0).describe(
    'The minimum that stays on a worker’s account at the weekly payout to the bank',
  ),
  DEPOSIT_MIN_CENTS: count(500, 1).describe('Smallest deposit'),
  DEPOSIT_MAX_CENTS: count(1_000_000, 1).describe('Largest deposit'),
  CHECKOUT_MINUTES: z.coerce
    .number()
    .int()
    .min(31)
    .max(1439)
    .default(60)
    .describe('How long the payment page of a deposit stays open'),
  AGENT_NEW_DAYS: count(30).describe('How long after its first deposit an agent counts as new'),
  HOLD_HOURS_NEW: count(168).describe(
    'How long after its latest deposit a new agent’s money can’t be paid out',
  ),
  HOLD_HOURS: count(48).describe('The same for an older agent’s money'),
  HOLD_HOURS_FREE: count(168).describe('How long earnings from free tasks are held'),
  TARGET_PHONE_DAY_MAX: count(5).describe(
    'Live tasks of all agents that may call one phone number in 24 hours; 0: no cap',
  ),
  TARGET_PHONE_MONTH_MAX: count(50).describe('The same in 30 days'),
  TARGET_PLACE_DAY_MAX: count(50).describe(
    'Live tasks of all agents that may go to one place, of about 30 m, in 24 hours; 0: no cap',
  ),
  TARGET_PLACE_MONTH_MAX: count(500).describe('The same in 30 days'),
  TARGET_PERSON_DAY_MAX: count(3).describe(
    'Live tasks of all agents that may concern one named person in 24 hours; 0: no cap',
  ),
  TARGET_PERSON_MONTH_MAX: count(10).describe('The same in 30 days'),
  PROMO_DAILY_CENTS: count(20_000).describe('The most that free tasks may pay out in a day'),
  PROMO_RING_DAILY_CENTS: count(5000).describe(
    'The most that free tasks may pay out in a day to all workers who seem to be one person',
  ),
  PAYOUT_REVIEW_SCORE: count(60, 1).describe(
    'A payout whose signs of fraud add up to this score waits for an operator',
  ),
  LOOK_UP_HOURS: count(20, 1).describe(
    'After this time, a request without a response is looked up at the processor instead of repeated',
  ),
  CRASH_AT: z
    .string()
    .optional()
    .describe('Tests only: the process kills itself at this step; refused in production'),

  WEBHOOK_SECRET_KEYS: list()
    .refine(
      (keys) => keys.every((key) => Buffer.from(key, 'base64').length === 32),
      'must be keys of 32 bytes in base64, comma-separated',
    )
    .describe(
      'Keys that encrypt agents’ webhook secrets, 32 bytes each in base64, comma-separated: ' +
        'the first encrypts, all decrypt. Unset: the secrets are stored unencrypted',
    ),
  WEBHOOK_SECRET_OVERLAP_HOURS: count(24).describe(
    'How long the previous secret still signs after a rotation',
  ),
  WEBHOOK_ALLOW_CIDRS: list()
    .refine(
      (ranges) => ranges.every(isRange),
      'must be CIDR ranges such as 127.0.0.0/8, comma-separated',
    )
    .describe(
      'Development only: non-public addresses that webhooks may reach, also by http and on any ' +
        'port, as comma-separated CIDR ranges; refused in production',
    ),
  WEBHOOK_DNS_SERVERS: list()
    .refine(areServers, 'must be addresses such as 127.0.0.1:53, comma-separated')
    .describe(
      'DNS servers that resolve the hosts of webhooks, as comma-separated address:port; by ' +
        'default the system’s servers',
    ),
  WEBHOOK_TIMEOUT_MS: count(10_000, 1).describe('How long a receiver may take to respond'),
  WEBHOOK_CONCURRENCY: count(4, 1).describe('Concurrent deliveries to one receiver of one agent'),
  WEBHOOK_HOST_CONCURRENCY: count(16, 1).describe(
    'Concurrent deliveries to one host, for all agents, per process',
  ),
  WEBHOOK_LANES: count(256, 1).describe('Receivers that one process serves at once'),
  TEST_WEBHOOK_LANES: count(32, 1).describe(
    'Receivers of test agents that one process serves at once, in addition to WEBHOOK_LANES',
  ),
  WEBHOOK_INTERVAL_MS: count(100, 10).describe('How often an idle process checks for deliveries'),

  CLASSIFIER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'A server with OpenAI’s chat completions, without /chat/completions: it decides about tasks that the screening ' +
        'rules leave in doubt. Unset: a person at the desk decides',
    ),
  CLASSIFIER_READS: z
    .enum(['doubtful', 'all'])
    .default('doubtful')
    .describe(
      'Which new tasks the classifier reads before workers see them: those that rules doubt, or all. Without ' +
        'CLASSIFIER_URL it has no effect',
    ),
  CLASSIFIER_KEY: z.string().optional().describe('The key that CLASSIFIER_URL requires'),
  CLASSIFIER_MODEL: z
    .string()
    .default('gpt-oss-safeguard-20b')
    .describe('The model that CLASSIFIER_URL runs'),
  CLASSIFIER_TIMEOUT_MS: count(10_000, 1).describe(
    'How long the classifier may take; after that, a person decides',
  ),
  PUSH_PUBLIC_KEY: z
    .string()
    .refine((key) => base64url(key, 65), 'must be a P-256 point of 65 bytes in base64url')
    .optional()
    .describe(
      'With PUSH_PRIVATE_KEY: identifies us to push services (VAPID); `npx web-push ' +
        'generate-vapid-keys` creates a pair. Unset: no push messages are sent, and workers rely on ' +
        'the app and email',
    ),
  PUSH_PRIVATE_KEY: z
    .string()
    .refine((key) => base64url(key, 32), 'must be a key of 32 bytes in base64url')
    .optional()
    .describe('The private key of PUSH_PUBLIC_KEY'),
  PUSH_OLD_PRIVATE_KEY: z
    .string()
    .refine((key) => base64url(key, 32), 'must be a key of 32 bytes in base64url')
    .optional()
    .describe(
      'The private key of the previous pair, for devices that subscribed with it; docs/secrets.md says when to ' +
        'remove it',
    ),
  PUSH_SUBJECT: z
    .string()
    .regex(/^(mailto:|https:\/\/)\S+$/, 'must begin with mailto: or https://')
    .default('mailto:no-reply@localhost')
    .describe('Contact address for push services'),

  CREATE_LANES: count(1, 1).describe(
    'Concurrent batches of task creations per process and database; each agent uses one',
  ),
  CREATE_BATCH_MAX: count(128, 1).describe('Largest number of creations in one batch'),
  RELAY_INTERVAL_MS: count(200, 10).describe('How often an idle relay checks the outbox'),
  SWEEP_INTERVAL_MS: count(1000, 10).describe(
    'How often timers are checked; with several schemas, up to four times as long while nothing is due',
  ),
  JOBS_CONCURRENCY: count(8, 1).describe('Concurrent jobs in one jobs process'),
  TEST_JOBS_CONCURRENCY: count(2, 1).describe(
    'Concurrent jobs of test mode in one jobs process, in addition to JOBS_CONCURRENCY',
  ),
  HEARTBEAT_SECONDS: count(2, 1).describe(
    'Heartbeat of a jobs process; after three missed heartbeats, its work is given to other processes',
  ),
}

const Config = z.object(SETTINGS)
export type Config = z.output<typeof Config>

export function readConfig(env: Record<string, string | undefined>): Config {
  // Treat an empty variable as unset.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  // In development and tests there is no load balancer that has to notice a stop.
  const DRAIN_SECONDS = given.NODE_ENV === 'production' ? 5 : 0
  // Load shedding is off there, too: a busy laptop must not reject its developer's requests.
  const EVENT_LOOP_DELAY_MAX_MS = given.NODE_ENV === 'production' ? 200 : 0
  // There are also no live requests that test mode could slow down.
  const TEST_DATABASE_PERCENT = given.NODE_ENV === 'production' ? 10 : 0
  const { data, error } = Config.safeParse({
    DRAIN_SECONDS,
    EVENT_LOOP_DELAY_MAX_MS,
    TEST_DATABASE_PERCENT,
    ...given,
  })
  if (error) {
    const lines = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new Error(`These settings can't be used:\n${lines.join('\n')}`)
  }
  // In every environment: the server at that address would receive a key that moves real money.
  if (data.STRIPE_API_BASE !== undefined && data.STRIPE_SECRET_KEY?.includes('_live_'))
    throw new Error(
      'Refusing to start: STRIPE_API_BASE is a sandbox, but STRIPE_SECRET_KEY is a live key',
    )
  if (!arePair(data))
    throw new Error(
      "These settings can't be used:\n  PUSH_PUBLIC_KEY: must be set together with its PUSH_PRIVATE_KEY",
    )
  const oidc = [data.OIDC_ISSUER, data.OIDC_CLIENT_ID, data.OIDC_CLIENT_SECRET]
  if (oidc.includes(undefined) && oidc.some((setting) => setting !== undefined))
    throw new Error(
      "These settings can't be used:\n  OIDC_ISSUER: must be set together with OIDC_CLIENT_ID and OIDC_CLIENT_SECRET",
    )
  if (data.STOP_GRACE_SECONDS <= data.DRAIN_SECONDS)
    throw new Error(
      "These settings can't be used:\n  STOP_GRACE_SECONDS: must be longer than DRAIN_SECONDS, " +
        'which it includes',
    )
  const problems = data.NODE_ENV === 'production' ? unsafe(data) : []
  if (problems.length > 0)
    throw new Error(`Refusing to start in production:\n${problems.map((p) => `  ${p}`).join('\n')}`)
  return data
}

/** Both keys must be set or neither. A push service rejects signatures if they aren't from the same key pair. */
function arePair({ PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY }: Config): boolean {
  if (PUSH_PUBLIC_KEY === undefined || PUSH_PRIVATE_KEY === undefined)
    return PUSH_PUBLIC_KEY === PUSH_PRIVATE_KEY
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(PUSH_PRIVATE_KEY, 'base64url')
  } catch {
    return false
  }
  return pair.getPublicKey('base64url') === PUSH_PUBLIC_KEY
}

const isSameOrigin = (one: string, other: string | undefined) =>
  URL.parse(one)?.origin === URL.parse(other ?? '')?.origin

function unsafe(config: Config): string[] {
  const problems: string[] = []
  if (config.REDIS_URL === undefined)
    problems.push('REDIS_URL: without it, each process counts limits alone')
  if (config.RATE_LIMITS === 'off') problems.push('RATE_LIMITS: off')
  if (config.AGENT_CAPS === 'off') problems.push('AGENT_CAPS: off')
  if (config.SCREENING === 'off') problems.push('SCREENING: off')
  if (config.PUBLIC_URL === undefined || !config.PUBLIC_URL.startsWith('https://'))
    problems.push('PUBLIC_URL: must be an https URL')
  if (config.DESK_PORT !== undefined && !config.DESK_URL?.startsWith('https://'))
    problems.push('DESK_URL: must be an https URL')
  if (config.DESK_URL !== undefined && isSameOrigin(config.DESK_URL, config.PUBLIC_URL))
    problems.push('DESK_URL: must have another origin than PUBLIC_URL')
  if (config.OIDC_ISSUER !== undefined && !config.OIDC_ISSUER.startsWith('https://'))
    problems.push('OIDC_ISSUER: must be an https URL')
  if (config.WORKER_TOKEN_KEYS === undefined)
    problems.push('WORKER_TOKEN_KEYS: without it, processes do not accept each other’s tokens')
  if (config.PASSWORD_BLOCKLIST === 'off')
    problems.push('PASSWORD_BLOCKLIST: off, so common passwords would be allowed')
  if (config.SMTP_URL === undefined)
    problems.push('SMTP_URL: without it, nobody can confirm an email or choose a new password')
  if (config.MAIL_FROM.includes('@localhost'))
    problems.push('MAIL_FROM: must be an address that can receive replies')
  if (config.FILES_DIR === undefined && config.S3_BUCKET === undefined)
    problems.push('FILES_DIR: without it or S3_BUCKET, proof files are lost at every restart')
  if (config.FILES_LINK_KEY.length === 0 && config.S3_BUCKET === undefined)
    problems.push('FILES_LINK_KEY: without it, processes do not accept each other’s links to files')
  if (config.STRIPE_SECRET_KEY === undefined)
    problems.push('STRIPE_SECRET_KEY: without it, there are no deposits and no payouts')
  if (config.STRIPE_SECRET_KEY?.includes('_sandbox') && config.STRIPE_API_BASE === undefined)
    problems.push(
      'STRIPE_SECRET_KEY: is a key of the sandbox, but STRIPE_API_BASE is not set to it',
    )
  for (const name of [
    'STRIPE_SECRETS_ACCOUNT',
    'STRIPE_SECRETS_CONNECT',
    'STRIPE_SECRETS_V2',
  ] as const)
    if (config[name].length === 0)
      problems.push(`${name}: without it, the processor’s notifications are rejected`)
  if (config.WEBHOOK_SECRET_KEYS.length === 0)
    problems.push('WEBHOOK_SECRET_KEYS: without it, agents’ webhook secrets are stored unencrypted')
  if (config.WEBHOOK_ALLOW_CIDRS.length > 0)
    problems.push('WEBHOOK_ALLOW_CIDRS: lets webhooks reach non-public addresses')
  if (config.PUSH_PUBLIC_KEY !== undefined && config.PUSH_SUBJECT.includes('@localhost'))
    problems.push('PUSH_SUBJECT: must be an address where push services can contact us')
  if (config.CRASH_AT !== undefined) problems.push('CRASH_AT: kills the process')
  if (config.TRUST_PROXY === undefined)
    problems.push(
      'TRUST_PROXY: set it to the addresses of your proxies, or to `none` if clients connect ' +
        'directly. Limits count client addresses: behind a proxy that is not listed, all clients ' +
        'would count as one',
    )
  if (trustedProxies(config.TRUST_PROXY).some(isTooWide))
    problems.push('TRUST_PROXY: the range is so wide that outsiders could forge their address')
  if (config.SECURITY_CONTACT.endsWith('@localhost'))
    problems.push('SECURITY_CONTACT: must be a contact for reporting vulnerabilities')
  return problems
}

/** Renders docs/settings.md. */
export function renderSettings(): string {
  const rows = Object.entries(SETTINGS).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'input' }) as {
      default?: string | number
      description?: string
    }
    const shown = json.default ? `\`${json.default}\`` : ''
    return `| \`${name}\` | ${shown} | ${json.description ?? ''} |`
  })
  return [
    '# Settings',
    '',
    'Environment variables of the server, generated from `server/src/config.ts` by `npm run generate`.',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
