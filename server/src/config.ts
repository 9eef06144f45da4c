import { z } from 'zod'

const flag = z.enum(['on', 'off'])
const count = (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback)

/** Every setting: its type, its default, its meaning. A setting keeps its name from the environment to the code. */
const SETTINGS = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses to start with unsafe settings'),
  DATABASE_URL: z
    .string()
    .default('postgres://postgres@127.0.0.1:5432/legwork')
    .describe('PostgreSQL 15 or later. The login must be a member of `legwork_app`'),
  MIGRATE_DATABASE_URL: z
    .string()
    .optional()
    .describe('The login that owns the tables, for `server migrate`; by default DATABASE_URL'),
  DATABASE_CONNECTIONS: count(16, 1).describe('Connections of each process to the database'),
  SHARD_DATABASES: count(1, 1).describe(
    'Over how many databases the 4,096 logical shards are spread; batches and sweeps keep to one',
  ),
  REDIS_URL: z
    .string()
    .optional()
    .describe('Redis or Valkey for limits across processes; unset: counted in this process alone'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: count(8080).describe('Port of the API; 0 takes a free one'),
  OPS_PORT: count(9090).describe('Port of /healthz, /readyz and /metrics; never open to the world'),
  PUBLIC_URL: z
    .string()
    .optional()
    .describe('How the world reaches the API; by default from HOST and PORT'),
  TRUST_PROXY: z
    .string()
    .default('')
    .describe(
      'Addresses or CIDR ranges of our own proxies, by comma: only they may say X-Forwarded-For',
    ),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level written'),
  STOP_GRACE_SECONDS: count(20, 1).describe(
    'How long a stopping process may finish what it has begun',
  ),
  BODY_MAX_BYTES: count(1_048_576, 1).describe('Largest body of a request'),
  CHECK_ANSWERS: flag
    .default('off')
    .describe('Hold every answer against its documented schema (on in development and tests)'),

  RATE_LIMITS: flag.default('on').describe('`off` only for load tests; refused in production'),
  LIMIT_GLOBAL_PER_MINUTE: count(100, 1).describe(
    'Requests of one agent or worker, or of one address without a key',
  ),
  LIMIT_ADDRESS_PER_MINUTE: count(1000, 1).describe('Requests of one address over all identities'),
  LIMIT_CREATE_PER_MINUTE: count(30, 1).describe('Tasks created with one API key'),
  LIMIT_REGISTER_PER_HOUR: count(20, 1).describe('Registrations from one address'),
  LIMIT_LOGIN_PER_15_MINUTES: count(10, 1).describe('Logins from one address, and to one account'),

  FREE_TASKS: count(3).describe('Free tasks at registration'),
  FREE_TASK_MAX_CENTS: count(2000).describe('Largest budget that a free task pays for'),
  PLAY_MONEY_CENTS: count(100_000).describe('What the test wallet of a new agent holds'),
  KEYS_MAX: count(10, 1).describe('Valid keys of one agent in one mode'),
  KEY_ROTATION_GRACE_HOURS: count(24).describe('How long a rotated key still works'),
  KEY_CACHE_SECONDS: count(5).describe(
    'How long a process may still know a key that was revoked elsewhere',
  ),

  CREATE_LANES: count(1, 1).describe(
    'Batches of creations at the database at once, per process and database; an agent keeps to one',
  ),
  CREATE_BATCH_MAX: count(128, 1).describe('Most creations in one batch'),
  RELAY_INTERVAL_MS: count(200, 10).describe('How often an idle relay looks into the outbox'),
  SWEEP_INTERVAL_MS: count(1000, 10).describe('How often timers are looked at'),
  JOBS_CONCURRENCY: count(8, 1).describe('Jobs at once in one jobs process'),
  HEARTBEAT_SECONDS: count(2, 1).describe(
    'Heartbeat of a jobs process; after three missed beats its work is given to others',
  ),
}

const Config = z.object(SETTINGS)
export type Config = z.output<typeof Config>

export function readConfig(env: Record<string, string | undefined>): Config {
  // An empty variable is an unset one.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const { data, error } = Config.safeParse(given)
  if (error) {
    const lines = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new Error(`These settings can't be used:\n${lines.join('\n')}`)
  }
  const problems = data.NODE_ENV === 'production' ? unsafe(data) : []
  if (problems.length > 0)
    throw new Error(`Refusing to start in production:\n${problems.map((p) => `  ${p}`).join('\n')}`)
  return data
}

function unsafe(config: Config): string[] {
  const problems: string[] = []
  if (config.REDIS_URL === undefined)
    problems.push('REDIS_URL: without it, limits are counted in each process alone')
  if (config.RATE_LIMITS === 'off') problems.push('RATE_LIMITS: off')
  if (config.PUBLIC_URL === undefined || !config.PUBLIC_URL.startsWith('https://'))
    problems.push('PUBLIC_URL: must be an https address')
  if (config.TRUST_PROXY.split(',').some((range) => /\/0+$/.test(range.trim())))
    problems.push('TRUST_PROXY: trusts everybody, so that anyone could forge an address')
  return problems
}

/** docs/settings.md */
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
