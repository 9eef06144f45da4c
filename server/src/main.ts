/** `server [api | jobs] | migrate | ops audit`: every role in one process unless one is named. */
import closeWithGrace from 'close-with-grace'
import { readConfig } from './config.ts'
import { ApiError } from './kit/errors.ts'
import { openLog } from './kit/log.ts'
import { auditPatiently } from './ledger/audit.ts'
import { migrate } from './migrate.ts'
import { startServer } from './start.ts'

const HELP = `Usage: server [command]

  (nothing)     run every role in this process: the API and the jobs
  api           run the API alone
  jobs          run the relay, the timers and the background jobs alone
  migrate       bring the database up to date
  ops audit     prove that the ledger holds; exit 1 if it does not

Settings come from the environment; docs/settings.md lists them.`

const [command = 'all', argument] = process.argv.slice(2)

async function main(): Promise<void> {
  switch (command === 'ops' ? `ops ${argument}` : command) {
    case 'all':
      return serve(['api', 'jobs'])
    case 'api':
      return serve(['api'])
    case 'jobs':
      return serve(['jobs'])
    case 'migrate': {
      const config = readConfig(process.env)
      return migrate(config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL, {
        log: openLog(config.LOG_LEVEL),
      })
    }
    case 'ops audit':
      return audit()
    case 'help':
    case '--help':
      return console.log(HELP)
    default:
      console.error(HELP)
      process.exitCode = 2
  }
}

async function serve(roles: ('api' | 'jobs')[]): Promise<void> {
  const config = readConfig(process.env)
  const running = await startServer({ config, roles })
  const { uninstall } = closeWithGrace(
    { delay: config.STOP_GRACE_SECONDS * 1000 },
    async ({ err }) => {
      if (err) running.log.fatal({ error: err }, 'stopping after an error that nobody handled')
      await running.stop()
    },
  )
  void running.stopped.then(uninstall)
}

async function audit(): Promise<void> {
  const config = readConfig(process.env)
  const breaks = await auditPatiently(config.DATABASE_URL)
  for (const { invariant, subject } of breaks) console.log(`BROKEN  ${invariant}: ${subject}`)
  console.log(breaks.length === 0 ? 'The ledger holds.' : `${breaks.length} breaks.`)
  process.exitCode = breaks.length === 0 ? 0 : 1
}

/** In words for whoever starts the server; a stack of ours would not help them. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isAway = error instanceof ApiError && error.code === 'unavailable'
  const reason = isAway && error.cause instanceof Error ? error.cause : error
  const { code, address, port } = reason as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE')
    return `Another process listens on ${address}:${port}: set PORT (the API) or OPS_PORT to another one`
  if (/^(role|relation) "\w+" does not exist|^permission denied for database/.test(reason.message))
    return 'The database has no tables yet, or not all of them: run `npm run db:migrate` first'
  if (code === 'ECONNREFUSED' || isAway)
    return `The database can't be reached (${reason.message}): see DATABASE_URL in docs/settings.md`
  return error.message
}

await main().catch((error: unknown) => {
  console.error(explain(error))
  process.exitCode = 1
})
