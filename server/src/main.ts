/** Usage: `server [api | jobs | desk] | migrate | ops …`. Without a role, `server` runs all roles in one process. */
import os from 'node:os'
import closeWithGrace from 'close-with-grace'
import { readConfig } from './config.ts'
import { databaseClock } from './kit/clock.ts'
import { databasesOf, ownedDatabasesOf } from './kit/databases.ts'
import { openProbe } from './kit/db.ts'
import { ApiError } from './kit/errors.ts'
import type { HomeSchema } from './kit/layout.ts'
import { openLog } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { openShards } from './kit/shards.ts'
import { migrate, migrateElsewhere } from './migrate.ts'
import { Misunderstood } from './ops/command.ts'
import { COMMANDS, findCommand } from './ops/commands.ts'
import { findShellOperator } from './operators/find-shell-operator.ts'
import { perform } from './ops/perform.ts'
import { readLayout } from './shards/recorded-layout.ts'
import { type Role, startServer } from './start.ts'

const WIDTH = 48
/** An operator's command waits for a busy database, and for a name server that drops a query or two (5 s each). */
const CONNECT_MAX_MS = 30_000
const HELP = `Usage: server [command]

  (none)        run the API and the jobs in this process, and the desk if DESK_PORT is set
  api           run only the API
  jobs          run only the relay, the timers and the background jobs
  desk          run only the operators' desk; needs DESK_PORT
  migrate       apply pending migrations

Operator commands, on behalf of the operator whose email is in OPERATOR, or follows --as: ops --as EMAIL COMMAND. Every
action is recorded. Until the first operator exists, they run under the name of the system user:

${COMMANDS.map(({ name, takes, does }) => `  ${`ops ${name} ${takes}`.padEnd(WIDTH)} ${does}`).join('\n')}

Settings come from the environment; docs/settings.md lists them.`

const [command = 'all', ...words] = process.argv.slice(2)

async function main(): Promise<void> {
  switch (command) {
    case 'all':
      return serve(['api', 'jobs', 'desk'])
    case 'api':
      return serve(['api'])
    case 'jobs':
      return serve(['jobs'])
    case 'desk':
      return serve(['desk'])
    case 'migrate': {
      const config = readConfig(process.env)
      const [{ url }, ...databases] = ownedDatabasesOf(config)
      return migrate(url, {
        log: openLog(config.LOG_LEVEL),
        databases,
        shards: config.SHARDS,
        forcesGenericPlans: config.FORCE_GENERIC_PLANS === 'on',
      })
    }
    case 'ops':
      return operate(words)
    case 'help':
    case '--help':
      return console.log(HELP)
    default:
      return misunderstood()
  }
}

function misunderstood(): void {
  console.error(HELP)
  process.exitCode = 2
}

async function serve(roles: Role[]): Promise<void> {
  const config = readConfig(process.env)
  if (roles.length === 1 && roles.includes('desk') && config.DESK_PORT === undefined)
    throw new Error('DESK_PORT is not set: the desk needs a port of its own')
  const running = await startServer({ config, roles })
  const { log } = running
  const { uninstall } = closeWithGrace(
    {
      delay: config.STOP_GRACE_SECONDS * 1000,
      onSecondSignal: (signal) =>
        log.warn({ signal }, 'stopping at once: received a second stop signal'),
      onTimeout: () => log.error('stopping at once: STOP_GRACE_SECONDS have passed'),
    },
    async ({ err }) => {
      if (err) log.fatal({ error: err }, 'stopping after an unhandled error')
      // After an uncaught error the state of the process is unknown, so it stops accepting requests immediately.
      await running.stop(err ? 0 : undefined)
    },
  )
  void running.stopped.then(uninstall)
}

async function operate(given: string[]): Promise<void> {
  // `--as`, because `kubectl exec` sets no environment.
  const [name, words] =
    given[0] === '--as' ? [given[1], given.slice(2)] : [process.env.OPERATOR, given]
  const found = findCommand(words)
  if (found === undefined) return misunderstood()
  const { command, rest } = found
  const config = readConfig(process.env)
  // Output for people goes to stdout, so logs go to stderr.
  const log = openLog(config.LOG_LEVEL === 'info' ? 'error' : config.LOG_LEVEL, process.stderr)
  const probe = openProbe(config.DATABASE_URL, { timeoutMs: CONNECT_MAX_MS })
  const urls = databasesOf(config)
  const names = urls.map(({ name }) => name)
  const places = Object.fromEntries(urls.map((place) => [place.name, place]))
  const shards = openShards(places, await readLayout(probe, names), {
    connectionsMax: 4,
    connectMs: CONNECT_MAX_MS,
    readLayout: () => readLayout(probe, names),
    onError: () => {},
  })
  const db = shards.global
  try {
    await db.checkSession()
    const clock = databaseClock({ toleranceMs: config.CLOCK_TOLERANCE_MS })
    await clock.follow(async () => {
      const [row] = await db.call<{ now: Date }>('clock', 'select clock_timestamp() as now', [])
      return row!.now
    })
    const background = {
      db,
      clock,
      config,
      log,
      metrics: openMetrics(),
      addSchema: (url: string, schema: HomeSchema) =>
        migrateElsewhere(url, schema, {
          log,
          forcesGenericPlans: config.FORCE_GENERIC_PLANS === 'on',
        }),
    }
    const operator = await findShellOperator(db.reader, {
      name,
      systemUser: os.userInfo().username,
    })
    if ('refusal' in operator) {
      console.error(operator.refusal)
      process.exitCode = 1
      return
    }
    const { lines, isBad } = await perform(background, { command, words: rest, operator })
    console.log(lines.join('\n'))
    process.exitCode = isBad ? 1 : 0
  } catch (error) {
    if (!(error instanceof Misunderstood)) throw error
    console.error(`${error.message}: server ops ${command.name} ${command.takes}`)
    process.exitCode = 1
  } finally {
    await shards.close()
    await probe.close()
  }
}

/** Explains a startup error in plain words, because a stack trace doesn't help the person who starts the server. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isAway = error instanceof ApiError && error.code === 'unavailable'
  const reason = isAway && error.cause instanceof Error ? error.cause : error
  const { code, address, port } = reason as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `${address}:${port} is already in use: set PORT (the API), OPS_PORT or DESK_PORT to another port`
  if (/^(role|relation) "\w+" does not exist|^permission denied for database/.test(reason.message))
    return 'Tables are missing in the database: run `npm run db:migrate` first'
  if (code === 'ECONNREFUSED' || isAway)
    return `The database can't be reached (${reason.message}): check DATABASE_URL, see docs/settings.md`
  if (error instanceof ApiError) return [error.message, ...told(error)].join(', ')
  return error.message
}

/** The extra fields that an HTTP response with this error has besides its message. */
function told({ extra }: ApiError): string[] {
  return Object.entries(extra)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name}: ${String(value)}`)
}

await main().catch((error: unknown) => {
  console.error(explain(error))
  process.exitCode = 1
})
