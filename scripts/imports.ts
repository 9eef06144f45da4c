/**
 * The architecture as tables: which folder may import which, and which folder owns each package and each table. `npm
 * run check` fails on anything that is not listed. Test files are exempt, except from the last table.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Maps a folder of server/src to the folders it may import. None imports a folder listed below it, so there are no
 * cycles.
 */
const FOLDERS: Record<string, string[]> = {
  kit: [],
  shards: ['kit'],
  ledger: ['kit'],
  email: ['kit'],
  webhooks: ['kit'],
  operators: ['kit', 'email', 'webhooks'],
  agents: ['kit', 'ledger', 'webhooks', 'email'],
  oauth: ['kit', 'agents'],
  places: ['kit'],
  files: ['kit'],
  targets: ['kit', 'email', 'webhooks', 'places'],
  workers: ['kit', 'ledger', 'webhooks', 'email', 'places'],
  consensus: ['kit', 'workers'],
  counts: ['kit', 'ledger'],
  screening: ['kit'],
  tasks: [
    'kit',
    'screening',
    'ledger',
    'webhooks',
    'files',
    'places',
    'agents',
    'workers',
    'consensus',
    'counts',
    'targets',
  ],
  export: ['kit', 'files'],
  feed: ['kit', 'webhooks', 'agents', 'places', 'screening', 'workers', 'tasks'],
  disputes: ['kit', 'ledger', 'workers', 'tasks'],
  questions: ['kit', 'webhooks', 'agents', 'files', 'workers', 'tasks'],
  moderation: ['kit', 'webhooks', 'screening', 'tasks'],
  safety: ['kit', 'webhooks', 'tasks'],
  stats: ['kit', 'places', 'workers', 'counts', 'tasks'],
  'test-mode': [
    'kit',
    'ledger',
    'webhooks',
    'agents',
    'workers',
    'consensus',
    'tasks',
    'disputes',
    'moderation',
  ],
  notices: ['kit', 'email', 'webhooks', 'workers', 'tasks', 'feed'],
  processor: ['kit', 'webhooks'],
  wallet: ['kit', 'ledger', 'webhooks', 'processor', 'agents'],
  payouts: ['kit', 'ledger', 'webhooks', 'processor', 'agents', 'workers', 'tasks'],
  reconcile: ['kit', 'ledger', 'webhooks', 'processor', 'wallet', 'payouts'],
  decisions: [
    'kit',
    'ledger',
    'email',
    'webhooks',
    'operators',
    'agents',
    'files',
    'targets',
    'workers',
    'tasks',
    'disputes',
    'questions',
    'moderation',
    'safety',
    'processor',
    'wallet',
    'payouts',
    'reconcile',
  ],
  ops: [
    'kit',
    'shards',
    'ledger',
    'email',
    'webhooks',
    'operators',
    'agents',
    'places',
    'files',
    'targets',
    'workers',
    'consensus',
    'tasks',
    'feed',
    'disputes',
    'questions',
    'moderation',
    'safety',
    'stats',
    'test-mode',
    'notices',
    'processor',
    'wallet',
    'payouts',
    'reconcile',
    'decisions',
  ],
  desk: [
    'kit',
    'shards',
    'ledger',
    'email',
    'webhooks',
    'operators',
    'agents',
    'places',
    'files',
    'targets',
    'workers',
    'consensus',
    'tasks',
    'feed',
    'disputes',
    'questions',
    'moderation',
    'safety',
    'stats',
    'test-mode',
    'notices',
    'processor',
    'wallet',
    'payouts',
    'reconcile',
    'decisions',
    'ops',
  ],
  http: ['kit', 'operators', 'agents', 'oauth', 'workers', 'files', 'wallet'],
  runner: ['kit'],
}

/** The files next to the folders assemble the server: they import any folder, and no folder imports them. */
const ROOT_FILES = [
  'main.ts',
  'start.ts',
  'config.ts',
  'desk-openapi.ts',
  'desk-operations.ts',
  'endpoints.ts',
  'error-pages.ts',
  'events.ts',
  'openapi.ts',
  'jobs.ts',
  'migrate.ts',
]

/** The environment is read in one place and passed on as values; its type may be used anywhere. */
const CONFIG = { file: 'config.ts', importedBy: 'main.ts' }

/** Operator commands are turned into text in one place only; a web page renders the same data in its own way. */
const RENDERING = { folder: 'ops/render/', importedBy: 'ops/commands.ts' }

/** Maps a package to the only folders and files of server/src that may import it. */
const PACKAGES: Record<string, string[]> = {
  '@simplewebauthn/server': ['operators/passkeys.ts'],
  '@opentelemetry/api': ['kit/traces.ts', 'kit/export-traces.ts'],
  '@opentelemetry/exporter-trace-otlp-proto': ['kit/export-traces.ts'],
  '@opentelemetry/resources': ['kit/export-traces.ts'],
  '@opentelemetry/sdk-trace': ['kit/export-traces.ts'],
  '@aws-sdk/client-s3': ['files/'],
  '@aws-sdk/s3-presigned-post': ['files/'],
  '@aws-sdk/s3-request-presigner': ['files/'],
  exifr: ['files/'],
  fastify: ['http/'],
  'file-type': ['files/'],
  'graphile-worker': ['runner/', 'migrate.ts'],
  'city-timezones': ['places/'],
  'h3-js': ['places/'],
  ioredis: ['http/'],
  jose: ['workers/'],
  'libphonenumber-js': ['kit/phone-number.ts'],
  nodemailer: ['email/'],
  'openid-client': ['operators/oidc.ts'],
  pg: ['kit/db.ts', 'migrate.ts', 'shards/move-place.ts'],
  pino: ['kit/log.ts'],
  'prom-client': ['kit/metrics.ts'],
  sharp: ['files/'],
  stripe: ['processor/'],
  undici: ['webhooks/call.ts'],
  'web-push': ['notices/'],
}

/** Maps a table to the only folder that writes to it. Any folder may read any table. */
const TABLES: Record<string, string> = {
  shards: 'shards',
  crossings: 'shards',
  crossings_applied: 'shards',
  agents: 'agents',
  agent_emails: 'agents',
  api_keys: 'agents',
  key_limits: 'agents',
  rotated_keys: 'agents',
  agent_tokens: 'agents',
  console_sessions: 'agents',
  oauth_clients: 'oauth',
  oauth_grants: 'oauth',
  agent_people: 'agents',
  agent_person_links: 'agents',
  agent_actions: 'agents',
  refused_requests: 'agents',
  test_usage: 'agents',
  workers: 'workers',
  worker_emails: 'workers',
  worker_tokens: 'workers',
  worker_sessions: 'workers',
  worker_email_changes: 'workers',
  worker_email_links: 'workers',
  worker_closings: 'workers',
  worker_decisions: 'workers',
  objection_links: 'workers',
  trust_events: 'workers',
  tasks: 'tasks',
  assignments: 'tasks',
  proofs: 'tasks',
  away_agents: 'tasks',
  away_tasks: 'tasks',
  away_assignments: 'tasks',
  away_disputes: 'tasks',
  away_appeals: 'tasks',
  away_reports: 'tasks',
  away_commissions: 'tasks',
  counted_agents: 'counts',
  agent_counts: 'counts',
  agent_count_changes: 'counts',
  disputes: 'disputes',
  appeals: 'disputes',
  open_tasks: 'feed',
  open_cards: 'feed',
  open_agents: 'feed',
  questions: 'questions',
  question_messages: 'questions',
  question_photos: 'questions',
  question_times: 'questions',
  unsafe_exits: 'safety',
  check_ins: 'safety',
  task_reports: 'moderation',
  screenings: 'moderation',
  away_reporters: 'moderation',
  test_clocks: 'test-mode',
  test_advances: 'test-mode',
  notices: 'notices',
  push_subscriptions: 'notices',
  alerts: 'notices',
  files: 'files',
  photo_hashes: 'files',
  transfers: 'ledger',
  ledger_agents: 'ledger',
  ledger_workers: 'ledger',
  ledger_transits: 'ledger',
  ledger_audits: 'ledger',
  ledger_breaks: 'ledger',
  ledger_proofs: 'ledger',
  ledger_totals: 'ledger',
  ledger_checksums: 'ledger',
  ledger_sums: 'ledger',
  ledger_account_sums: 'ledger',
  outbox: 'webhooks',
  events: 'webhooks',
  event_counters: 'webhooks',
  webhook_lanes: 'webhooks',
  deliveries: 'webhooks',
  delivery_attempts: 'webhooks',
  gone_callbacks: 'webhooks',
  idempotency_keys: 'http',
  request_minutes: 'http',
  job_processes: 'runner',
  deposits: 'wallet',
  chargebacks: 'wallet',
  refunds: 'wallet',
  payout_accounts: 'payouts',
  payouts: 'payouts',
  payout_signals: 'payouts',
  promo_days: 'payouts',
  target_keys: 'targets',
  target_uses: 'targets',
  do_not_contact: 'targets',
  promo_workers: 'payouts',
  processor_attempts: 'processor',
  processor_events: 'processor',
  balance_transactions: 'reconcile',
  processor_matches: 'reconcile',
  money_breaks: 'reconcile',
  reconciliations: 'reconcile',
  platform_switches: 'reconcile',
  restores: 'reconcile',
  withdrawals: 'payouts',
  operator_actions: 'ops',
  operators: 'operators',
  operator_passkeys: 'operators',
  operator_sessions: 'operators',
  operator_links: 'operators',
  operator_challenges: 'operators',
  audit_log: 'operators',
  audit_words: 'operators',
  two_person_limits: 'decisions',
  operator_decisions: 'decisions',
  case_assignments: 'desk',
  case_notes: 'desk',
}

/** Stands for a table whose name is not in the text of the statement: `delete from %I`. */
const UNNAMED = '(unnamed)'

/** Files that write to another folder's tables, and why. */
const WRITE_EXCEPTIONS: Record<string, { tables: string[]; why: string }> = {
  'files/forget-worker.ts': {
    tables: ['proofs'],
    why: 'the exact locations of a closed account’s proofs end with the data inside its photos',
  },
  'files/remove-proof-files.ts': {
    tables: ['proofs'],
    why: 'a proof says that its files are gone before the first byte is removed; tasks/ is above files/',
  },
  'places/coarsen-locations.ts': {
    tables: ['proofs'],
    why: 'replaces exact locations of proofs by regions; nothing of a task’s life depends on it',
  },
  'workers/sessions.ts': {
    tables: ['push_subscriptions'],
    why: 'notifications on a device end in the transaction that logs it out; notices/ is above workers/',
  },
  'shards/moved-tables.ts': {
    tables: [UNNAMED],
    why: 'empties all tables of a schema that was just made, before their rows are copied',
  },
}

/**
 * Files that work for one worker: a file, or a folder with all its files. They read an agent's rows through a view,
 * because the agent may be on another shard: the view also has the copies on the worker's shard.
 */
const WORKER_SIDE = [
  'workers/',
  'export/',
  'tasks/list-assignments.ts',
  'payouts/list.ts',
  'feed/seeker.ts',
]
const VIEWS: Record<string, string> = {
  agents: 'worker_agents',
  tasks: 'worker_tasks',
  assignments: 'worker_assignments',
  disputes: 'worker_disputes',
  appeals: 'worker_appeals',
  task_reports: 'worker_reports',
}
const VIEW_EXCEPTIONS: Record<string, string> = {
  'workers/get-leaderboard.ts': 'ranks all workers, not one',
  'workers/make-test-worker.ts': 'locks the test agent, which has its workers on its own shard',
}

/**
 * Functions whose names do not say which folder owns them. A deployed function keeps its name, because servers of the
 * previous release call it during a deploy.
 */
const FUNCTION_OWNERS: Record<string, string> = {
  'idempotency_find.sql': 'http',
  'idempotency_store.sql': 'http',
  'open_tasks_feed.sql': 'feed',
  'rehearsal_erase_agent.sql': 'test-mode',
  'tasks_report_inbox.sql': 'moderation',
  'tasks_report_weight.sql': 'moderation',
  'tasks_reports_hide.sql': 'moderation',
  'tasks_reputations.sql': 'agents',
}

/**
 * Any other file in server/functions is named after its owner: `ledger_post` belongs to ledger, `create_tasks` to
 * tasks. This table lists the tables that a function writes although another folder owns them, and why.
 */
const FUNCTION_EXCEPTIONS: Record<string, { tables: string[]; why: string }> = {
  'create_tasks.sql': {
    tables: ['outbox', 'screenings'],
    why: 'a batch is one round trip of one set-based statement per table; money goes through ledger_post',
  },
  'move_tasks.sql': {
    tables: ['disputes', 'outbox'],
    why: 'a batch is one round trip, with all that a move brings at once',
  },
  'rehearsal_erase_agent.sql': {
    tables: [
      'counted_agents',
      'agent_count_changes',
      'transfers',
      'ledger_transits',
      'ledger_workers',
      'ledger_agents',
      'payouts',
      'payout_accounts',
      'deposits',
      'appeals',
      'disputes',
      'proofs',
      'assignments',
      'task_reports',
      'tasks',
      'test_usage',
      'events',
      'deliveries',
      'delivery_attempts',
      'webhook_lanes',
      'gone_callbacks',
      'event_counters',
      'refused_requests',
      'oauth_grants',
      'rotated_keys',
      'key_limits',
      'api_keys',
      'agents',
      'idempotency_keys',
      'notices',
      'alerts',
      'push_subscriptions',
      'trust_events',
      'worker_tokens',
      'workers',
    ],
    why: 'deletes all that an ended test agent has left, in one order; the application may not delete it itself',
  },
  'workers_close.sql': {
    tables: [
      'push_subscriptions',
      'alerts',
      'notices',
      'check_ins',
      'idempotency_keys',
      'payout_accounts',
      'questions',
      'question_messages',
      'question_photos',
      'operator_decisions',
    ],
    why: 'erases the person from every table in the transaction that closes the account',
  },
  'workers_forget_emails.sql': {
    tables: ['operator_actions'],
    why: 'erases the addresses of a closed account wherever they are global',
  },
  'tasks_age.sql': {
    tables: ['disputes', 'appeals'],
    why: 'one call moves everything of an agent’s test tasks into the past',
  },
  'tasks_forget_texts.sql': {
    tables: ['disputes', 'appeals', 'task_reports'],
    why: 'the texts of a task end together, in one transaction',
  },
  'runner_remove_expired.sql': {
    tables: [UNNAMED],
    why: 'one rule for the tables of many folders, which the comment on each table states',
  },
  'maintain_partitions.sql': {
    tables: [UNNAMED],
    why: 'one rule for the logs of two folders; it touches nothing but what is past its keep',
  },
}

/** Folders that know the server only by its HTTP interface. */
const OUTSIDE_THE_SERVER = ['web', 'sdk', 'cli', 'mcp', 'adapters', 'n8n', 'sandbox', 'load']

/** Folders in which no file imports itself, directly or through others. */
const WITHOUT_CYCLES = [
  'server',
  'web',
  'sdk',
  'cli',
  'mcp',
  'adapters',
  'n8n',
  'sandbox',
  'scripts',
  'load',
  'deploy',
]

/**
 * Maps a published package to those of ours that it may import. Its tests use a marketplace from the server's test
 * harness.
 */
const PUBLISHED: Record<string, string[]> = {
  sdk: [],
  cli: ['@legwork/sdk'],
  mcp: ['@legwork/sdk'],
  adapters: ['@legwork/sdk', '@legwork/mcp'],
  // Bundled into the package of the node.
  n8n: ['@legwork/mcp'],
}
/** Where the sources of a package are, if not in src/. */
const SOURCES: Record<string, string> = { n8n: 'n8n/nodes/' }
const PUBLISHED_TEST = /^(?:sdk|cli|mcp|adapters|n8n)\/(?:test\/|.*\.test\.ts$)/

/** Our own packages that the server uses, and the folder that imports each. */
const SERVED: Record<string, string> = { '@legwork/mcp': 'http' }

/**
 * Maps a folder of web/ to the others that it may import. A file belongs to the longest name that its path starts with.
 * Apps know shared/ but not each other; the design system and the wording know nothing of the API.
 */
const WEB_FOLDERS: Record<string, string[]> = {
  'shared/ui': [],
  'shared/build': [],
  shared: ['shared/ui'],
  'shared/desk': ['shared', 'shared/ui'],
  'worker/text': [],
  'worker/phone': ['worker', 'worker/text', 'shared'],
  worker: ['worker/text', 'worker/phone', 'shared', 'shared/ui', 'shared/build'],
  console: ['shared', 'shared/ui', 'shared/desk', 'shared/build'],
  operators: ['shared', 'shared/ui', 'shared/desk', 'shared/build'],
  docs: ['shared/build'],
  front: ['shared', 'shared/build'],
}

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/
const TEST = /\.test\.ts$/
const FROM =
  /\b(?:im|ex)port\b(\s+type\b)?(?:(?!\b(?:im|ex)port\b)[\w$*{},\s])*\bfrom\s*['"]([^'"]+)['"]/g
const BARE_OR_DYNAMIC = /\b(?:import|require)\s*\(?\s*['"`]([^'"`]+)['"`]/g
const READ = new RegExp(
  String.raw`(?:\b(?:from|join)\s+|\.(?:selectFrom|(?:inner|left)Join)\(\s*['"])(${Object.keys(VIEWS).join('|')})\b`,
  'gi',
)
const BUILT_WRITE = /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*([^\s,)]*)/g
// The lookbehind and the `set` distinguish a statement from `for update` and `on conflict … do update`.
const NAME = String.raw`(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?|\$\{[^}]*\}|%\w)`
const RAW_WRITE = new RegExp(
  String.raw`\b(?:(?:insert|merge)\s+into|delete\s+from|truncate(?:\s+table)?)\s+${NAME}` +
    String.raw`|(?<!\b(?:for|do|key)\s+)\bupdate\s+${NAME}(?:\s+(?:as\s+)?\w+)?\s+set\b`,
  'gi',
)

export function checkImports(root: string): string[] {
  return [
    ...filesUnder(root, 'server/src', CODE).flatMap((file) => checkSource(root, file)),
    ...filesUnder(root, 'server/functions', /\.sql$/).flatMap((file) => checkFunction(root, file)),
    ...filesUnder(root, 'server/migrations', /\.sql$/).flatMap((file) => checkOwned(root, file)),
    ...OUTSIDE_THE_SERVER.flatMap((folder) => filesUnder(root, folder, CODE)).flatMap((file) =>
      checkOutside(root, file),
    ),
    ...Object.keys(PUBLISHED)
      .flatMap((folder) => filesUnder(root, folder, CODE))
      .flatMap((file) => checkPublished(root, file)),
    ...filesUnder(root, 'web', CODE).flatMap((file) => checkWeb(root, file)),
    ...WITHOUT_CYCLES.flatMap((folder) => checkCycles(root, folder)),
  ]
}

/** Two files that import each other can't be read, tested or moved separately. Type imports count too. */
function checkCycles(root: string, folder: string): string[] {
  const files = filesUnder(root, folder, CODE)
  const imports = new Map(
    files.map((file) => {
      const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
      const targets = importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier))
      return [file, new Set(targets)] as const
    }),
  )
  const problems: string[] = []
  const done = new Set<string>()
  const follow = (file: string, way: string[]): void => {
    const at = way.indexOf(file)
    if (at >= 0) problems.push(`${file}: imports itself: ${[...way.slice(at), file].join(' → ')}`)
    if (at >= 0 || done.has(file)) return
    for (const target of imports.get(file) ?? []) follow(target, [...way, file])
    done.add(file)
  }
  for (const file of files) follow(file, [])
  return problems
}

function checkSource(root: string, file: string): string[] {
  if (TEST.test(file)) return []
  const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
  const inServer = file.slice('server/src/'.length)
  const folder = inServer.includes('/') ? inServer.split('/')[0]! : undefined
  const report = reporter(file, text)

  if (folder === undefined && !ROOT_FILES.includes(inServer))
    report(0, `${inServer} is not in the table of root files`)
  if (folder !== undefined && FOLDERS[folder] === undefined)
    report(0, `the folder ${folder}/ is not in the table of folders`)

  for (const { specifier, isType, at } of importsOf(text)) {
    if (specifier.startsWith('.')) {
      const target = path.posix.relative(
        'server/src',
        path.posix.join(path.posix.dirname(file), specifier),
      )
      const targetFolder = target.includes('/') ? target.split('/')[0]! : undefined
      if (
        target.startsWith(RENDERING.folder) &&
        !inServer.startsWith(RENDERING.folder) &&
        inServer !== RENDERING.importedBy
      )
        report(at, `only ${RENDERING.importedBy} imports ${RENDERING.folder}; return data`)
      if (target.startsWith('..')) report(at, `the server may not import ${target}`)
      else if (target === CONFIG.file) {
        if (!isType && inServer !== CONFIG.importedBy)
          report(at, `only ${CONFIG.importedBy} imports ${target}; take the value as an argument`)
      } else if (folder === undefined || targetFolder === folder) continue
      else if (targetFolder === undefined) report(at, `${folder}/ may not import ${target}`)
      else if (!FOLDERS[folder]?.includes(targetFolder))
        report(at, `${folder}/ may not import ${targetFolder}/`)
    } else {
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
      if (name.startsWith('@legwork/') && (folder === undefined || SERVED[name] !== folder))
        report(at, `the server may not import ${name}`)
      const owners = PACKAGES[name]
      if (owners && !owners.some((owner) => inServer === owner || inServer.startsWith(owner)))
        report(at, `only ${owners.join(' and ')} import ${name}`)
    }
  }

  if (isWorkerSide(inServer))
    for (const match of text.matchAll(READ))
      report(match.index, `read ${VIEWS[match[1]!.toLowerCase()]}, not ${match[1]}`)

  const mayWrite = (table: string) =>
    TABLES[table] === folder || WRITE_EXCEPTIONS[inServer]?.tables.includes(table)
  for (const match of text.matchAll(BUILT_WRITE)) {
    const table = /^['"`](?:public\.)?(\w+)/.exec(match[1]!)?.[1]
    if (table === undefined) report(match.index, 'name the written table as a plain string')
    else if (TABLES[table] === undefined) report(match.index, `the table ${table} has no owner`)
    else if (!mayWrite(table)) report(match.index, `only ${TABLES[table]}/ writes to ${table}`)
  }
  for (const { table, at } of rawWrites(text)) {
    // Prose also contains "delete from the list", so names that aren't our tables are ignored.
    if (WRITE_EXCEPTIONS[inServer]?.tables.includes(table)) continue
    if (table === UNNAMED) report(at, 'name the written table as a plain string')
    else if (TABLES[table] !== undefined && !mayWrite(table))
      report(at, `only ${TABLES[table]}/ writes to ${table}`)
  }
  return report.problems
}

const isWorkerSide = (inServer: string) =>
  WORKER_SIDE.some(
    (name) => inServer === name || (name.endsWith('/') && inServer.startsWith(name)),
  ) && VIEW_EXCEPTIONS[inServer] === undefined

/** A function belongs to the folder in `FUNCTION_OWNERS`, or to the first folder or table in its name. */
function checkFunction(root: string, file: string): string[] {
  const text = withoutSqlComments(readFileSync(path.join(root, file), 'utf8'))
  const name = path.posix.basename(file)
  const report = reporter(file, text)
  const words = name.replace(/\.sql$/, '').split('_')
  const owner =
    FUNCTION_OWNERS[name] ??
    words.map((word) => (FOLDERS[word] ? word : TABLES[word])).find((found) => found !== undefined)
  if (owner === undefined && FUNCTION_EXCEPTIONS[name] === undefined)
    report(0, 'the name of a function names the folder that owns it')

  for (const { table, at } of rawWrites(text)) {
    if (FUNCTION_EXCEPTIONS[name]?.tables.includes(table)) continue
    if (table === UNNAMED) report(at, 'name the written table as a plain string')
    else if (TABLES[table] === undefined) report(at, `the table ${table} has no owner`)
    else if (TABLES[table] !== owner) report(at, `only ${TABLES[table]}/ writes to ${table}`)
  }
  return report.problems
}

/** Every table has an owner; a partition has the owner of its table. */
function checkOwned(root: string, file: string): string[] {
  const text = withoutSqlComments(readFileSync(path.join(root, file), 'utf8'))
  const report = reporter(file, text)
  const created =
    /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?"?(\w+)"?(?!\w)(?!\s+partition\s+of)/gi
  for (const match of text.matchAll(created))
    if (TABLES[match[1]!] === undefined) report(match.index, `the table ${match[1]} has no owner`)
  return report.problems
}

function checkOutside(root: string, file: string): string[] {
  if (PUBLISHED_TEST.test(file)) return []
  const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
  const report = reporter(file, text)
  for (const { specifier, at } of importsOf(text)) {
    const target = path.posix.join(path.posix.dirname(file), specifier)
    if (
      (specifier.startsWith('.') && target.startsWith('server/')) ||
      /^@legwork\/server(?:\/|$)/.test(specifier)
    )
      report(at, `${file.split('/')[0]}/ may not import the server; use its HTTP interface`)
  }
  return report.problems
}

/** A published package is installed without the rest of the repository. */
function checkPublished(root: string, file: string): string[] {
  const folder = file.split('/')[0]!
  if (PUBLISHED_TEST.test(file) || file.startsWith(`${folder}/examples/`)) return []
  const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
  const report = reporter(file, text)
  for (const { specifier, at } of importsOf(text)) {
    const name = specifier.split('/', 2).join('/')
    const target = path.posix.join(path.posix.dirname(file), specifier)
    // Imports of the server are already reported by `checkOutside`.
    if (target.startsWith('server/') || name === '@legwork/server') continue
    const sources = SOURCES[folder] ?? `${folder}/src/`
    if (specifier.startsWith('.') && !target.startsWith(sources))
      report(at, `${folder}/ may not import ${target}; it is not in the package`)
    if (name.startsWith('@legwork/') && !PUBLISHED[folder]!.includes(name))
      report(at, `${folder}/ may not import ${name}`)
  }
  return report.problems
}

function checkWeb(root: string, file: string): string[] {
  const folder = webFolderOf(file)
  // The files next to the folders assemble all of them.
  if (TEST.test(file) || folder === '.') return []
  const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
  const report = reporter(file, text)
  if (WEB_FOLDERS[folder] === undefined)
    report(0, `the folder web/${folder}/ is not in the table of folders`)
  for (const { specifier, at } of importsOf(text)) {
    if (!specifier.startsWith('.')) continue
    const target = webFolderOf(path.posix.join(path.posix.dirname(file), specifier))
    if (target !== folder && !(WEB_FOLDERS[folder] ?? [target]).includes(target))
      report(at, `web/${folder}/ may not import ${specifier}`)
  }
  return report.problems
}

function webFolderOf(file: string): string {
  const inWeb = path.posix.relative('web', file)
  const [longest] = Object.keys(WEB_FOLDERS)
    .filter((folder) => inWeb.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)
  return longest ?? (inWeb.includes('/') ? inWeb.split('/')[0]! : '.')
}

function importsOf(text: string): { specifier: string; isType: boolean; at: number }[] {
  return [
    ...[...text.matchAll(FROM)].map((match) => ({
      specifier: match[2]!,
      isType: match[1] !== undefined,
      at: match.index,
    })),
    ...[...text.matchAll(BARE_OR_DYNAMIC)].map((match) => ({
      specifier: match[1]!,
      isType: false,
      at: match.index,
    })),
  ]
}

/** Ignores tables of other schemas (`graphile_worker.jobs`), which are not ours. */
function rawWrites(text: string): { table: string; at: number }[] {
  return [...text.matchAll(RAW_WRITE)]
    .map((match) => {
      const name = (match[1] ?? match[2]!).replaceAll('"', '').toLowerCase()
      const table = /^\w/.test(name) ? name.replace(/^public\./, '') : UNNAMED
      return { table, at: match.index }
    })
    .filter(({ table }) => !table.includes('.'))
}

/** Replaces comments with blanks, so that all other characters keep their positions. */
export function withoutComments(text: string): string {
  const stringOrComment =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`|\/\/.*|\/\*[^]*?\*\//g
  return text.replaceAll(stringOrComment, (found) => (found.startsWith('/') ? blank(found) : found))
}

function withoutSqlComments(text: string): string {
  return text.replaceAll(/--.*|\/\*[^]*?\*\//g, blank)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function reporter(file: string, text: string) {
  const problems: string[] = []
  const report = (at: number, problem: string) =>
    problems.push(`${file}:${text.slice(0, at).split('\n').length}: ${problem}`)
  return Object.assign(report, { problems })
}

/** Lists the files of a folder recursively, relative to the root, without installed or built files. */
export function filesUnder(root: string, folder: string, name: RegExp): string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name)
      if (entry.isFile()) return name.test(file) ? [file] : []
      const isOurs = entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)
      return isOurs ? filesUnder(root, file, name) : []
    })
    .sort()
}

if (import.meta.main) {
  const problems = checkImports(path.join(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
