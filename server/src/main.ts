/** `server [api | jobs] | migrate | ops audit`: every role in one process unless one is named. */
import closeWithGrace from 'close-with-grace'
import { readConfig } from './config.ts'
import { openDb } from './kit/db.ts'
import { openLog } from './kit/log.ts'
import { auditLedger } from './ledger/audit.ts'
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
  const db = openDb(config.DATABASE_URL, { connectionsMax: 1, onError: console.error })
  const breaks = await auditLedger(db.reader)
  await db.close()
  for (const { invariant, subject } of breaks) console.log(`BROKEN  ${invariant}: ${subject}`)
  console.log(breaks.length === 0 ? 'The ledger holds.' : `${breaks.length} breaks.`)
  process.exitCode = breaks.length === 0 ? 0 : 1
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
