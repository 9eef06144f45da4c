/**
 * Starts the marketplace of the demo: a temporary database, an inbox, the sandbox processor, and the server with every
 * role. It is built with a clock that starts three months ago and is moved forward; then the server is started again
 * with the usual clock and settings, on the same data.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config.ts'
import type { Background } from '../../server/src/kit/job.ts'
import { openLog } from '../../server/src/kit/log.ts'
import { migrate } from '../../server/src/migrate.ts'
import { startServer } from '../../server/src/start.ts'
import { ADMIN_EMAIL, linkToDesk } from '../desk-admin.ts'
import { startInbox } from '../inbox.ts'
import { drawCity } from '../make-city.ts'
import { startPostgres } from '../postgres.ts'
import { startProcessor } from '../sandbox.ts'

/** The operator's own money, from which free tasks are paid. */
const OPERATOR_CENTS = 200_000
const SETTLE_MAX_MS = 120_000

export type Ports = Record<
  'PORT' | 'OPS_PORT' | 'DESK_PORT' | 'INBOX_PORT' | 'SANDBOX_PORT',
  string
>
export type Demo = Awaited<ReturnType<typeof openDemo>>
export type Market = Awaited<ReturnType<Demo['startBuilding']>>

/** Stands still, and moves only forward when told to; `follow` lets it show the real time again. */
function movedClock(start: number) {
  let at: number | undefined = start
  return {
    now: () => new Date(at ?? Date.now()),
    moveTo(time: number) {
      if (at !== undefined) at = Math.max(at, time)
    },
    follow() {
      at = undefined
    },
  }
}

/** Settings for building a world in seconds: nobody is limited, and nothing polls for what can't be there. */
const BUILDING = {
  RATE_LIMITS: 'off',
  AGENT_CAPS: 'off',
  // The demo has no operator who would read doubtful tasks.
  SCREENING: 'off',
  // To the moved clock, work of seconds looks stuck for days, and the log would be full of warnings about it.
  LOG_LEVEL: 'silent',
  // Every actor has an address of their own. With one for all, we would hold payouts for suspected self-dealing.
  TRUST_PROXY: '127.0.0.1',
  // The people stay logged in for three months.
  WORKER_TOKEN_DAYS: '120',
  ELIGIBLE_WARNING: 'off',
  RELAY_INTERVAL_MS: '100',
  // play.ts runs the timers by its own clock, and no agent has a webhook.
  SWEEP_INTERVAL_MS: '600000',
  WEBHOOK_INTERVAL_MS: '600000',
}

export async function openDemo({ ports, start }: { ports: Ports; start: number }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-demo-'))
  // PostgreSQL may run as another user, who needs access.
  chmodSync(folder, 0o755)
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  const opened = async <T extends { stop(): unknown }>(part: Promise<T>): Promise<T> => {
    const started = await part
    closers.push(() => started.stop())
    return started
  }

  try {
    const dataDir = path.join(folder, 'postgres')
    const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
    const postgres = await opened(startPostgres({ dataDir, temporary: true, settings }))
    await migrate(postgres.url, { log: openLog('error') })
    const inbox = await opened(startInbox({ port: Number(ports.INBOX_PORT) }))
    const clock = movedClock(start)
    const sandbox = { key: 'demo', port: Number(ports.SANDBOX_PORT), now: clock.now }
    const processor = await opened(startProcessor(sandbox))
    const env = {
      ...processor.settings,
      DATABASE_URL: postgres.url,
      PORT: ports.PORT,
      OPS_PORT: ports.OPS_PORT,
      DESK_PORT: ports.DESK_PORT,
      FILES_DIR: path.join(folder, 'files'),
      FILES_LINK_KEY: randomBytes(32).toString('base64'),
      WORKER_TOKEN_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      SMTP_URL: inbox.smtpUrl,
      MAP_TILES_FILE: process.env.MAP_TILES_FILE || cityIn(folder),
      LOG_LEVEL: 'error',
    }
    const serve = async (more: Record<string, string>, withClock: boolean) => {
      const config = readConfig({ ...env, ...more })
      const log = openLog(config.LOG_LEVEL)
      const roles = ['api', 'jobs', 'desk'] as const
      const server = await startServer({ config, roles, log, ...(withClock ? { clock } : {}) })
      const { db, metrics } = server
      const background: Background = { db, clock: server.clock, config, log, metrics }
      const link = () => linkToDesk(db, { config, now: server.clock.now() })
      return { api: server.addresses.api!, background, link, stop: () => server.stop() }
    }

    return {
      inbox,
      processor,
      settingsFile: keepSettings(path.join(folder, 'demo.env'), {
        ...env,
        OPERATOR: ADMIN_EMAIL,
      }),
      async startBuilding() {
        const server = await opened(serve(BUILDING, true))
        await processor.tell(server.api)
        await processor.fundOnce(OPERATOR_CENTS)
        const settle = () => settled(server.background)
        return { ...server, clock, processor, mails: inbox.mails, settle }
      },
      /** The same marketplace at the present time. */
      async startServing() {
        clock.follow()
        const server = await opened(serve({}, false))
        return { api: server.api, desk: await server.link() }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const LEFT = `
  select (select count(*) from outbox)
       + (select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts)
       + (select count(*) from processor_events where status = 'pending') as left`

/** Waits until the background has done everything that is due. */
async function settled({ db }: Background): Promise<void> {
  const end = performance.now() + SETTLE_MAX_MS
  for (let idle = 0; idle < 2; ) {
    const [row] = await db.call<{ left: number }>('demo_left', LEFT, [])
    idle = row!.left === 0 ? idle + 1 : 0
    if (performance.now() > end) throw new Error('the background work did not finish')
    await sleep(60)
  }
}

function cityIn(folder: string): string {
  const file = path.join(folder, 'streets.pmtiles')
  writeFileSync(file, drawCity())
  return file
}

/** Saves the settings, so that operator commands use the same database and processor. */
function keepSettings(file: string, settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  return file
}
