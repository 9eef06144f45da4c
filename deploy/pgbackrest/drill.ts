/**
 * Restores the newest backup to a scratch folder, starts PostgreSQL there on a private socket, and audits the ledger.
 * Writes the result as metrics for the node exporter's textfile collector. Exits with 1 if the drill failed.
 *
 * Environment: DRILL_FOLDER (scratch, as large as the database), DRILL_METRICS (the file of metrics),
 * DRILL_DATABASE (default legwork), DRILL_USER (default postgres), DRILL_RUN (words before every program, such as
 * `runuser -u postgres --`), and pgBackRest's own settings.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDb } from '../../server/src/kit/db.ts'
import type { Break } from '../../server/src/ledger/audit-checks.ts'
import { auditPatiently } from '../../server/src/ledger/audit-patiently.ts'

const STANZA = 'legwork'
const POSTGRES_BIN = process.env.DRILL_POSTGRES_BIN ?? '/usr/lib/postgresql/18/bin'
const DATABASE = process.env.DRILL_DATABASE ?? 'legwork'
const USER = process.env.DRILL_USER ?? 'postgres'
const PREFIX = (process.env.DRILL_RUN ?? '').split(' ').filter((word) => word !== '')
/** A large database takes hours to restore and to replay. */
const SLOWEST_SECONDS = 12 * 3600
const LOG = 'drill.log'
const LOOK_EVERY_MS = 200

interface Drilled {
  /** The durations of the restore, of PostgreSQL's recovery, and of the audit. */
  restoreSeconds: number
  recoverySeconds: number
  auditSeconds: number
  bytes: number
  /** The time of the newest commit that could be restored. */
  newestCommit: Date
}

async function main(): Promise<void> {
  const folder = required('DRILL_FOLDER')
  const metrics = required('DRILL_METRICS')
  const startedAt = new Date()
  try {
    const drilled = await drill(folder)
    await writeMetrics(metrics, { startedAt, drilled })
    const { restoreSeconds, recoverySeconds, auditSeconds, bytes, newestCommit } = drilled
    const lag = (startedAt.getTime() - newestCommit.getTime()) / 1000
    console.log(
      `restored ${(bytes / 1e9).toFixed(3)} GB in ${restoreSeconds.toFixed(1)} s, recovered in ` +
        `${recoverySeconds.toFixed(1)} s, audited in ${auditSeconds.toFixed(1)} s; the newest commit is from ` +
        `${newestCommit.toISOString()}, ${lag.toFixed(1)} s before the drill began`,
    )
  } catch (error) {
    await writeMetrics(metrics, { startedAt, drilled: undefined })
    console.error(`the drill failed: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

async function drill(folder: string): Promise<Drilled> {
  const data = path.join(folder, 'data')
  const socket = path.join(folder, 'socket')
  await empty(folder)
  await run('mkdir', ['-m', '0700', data, socket])
  // Into the folder itself: the server's own rules may ask for passwords.
  const rules = path.join(folder, 'pg_hba.conf')
  await writeFile(rules, 'local all all trust\n', { mode: 0o644 })
  try {
    const restoreSeconds = await timed(() =>
      run('pgbackrest', [
        `--stanza=${STANZA}`,
        `--pg1-path=${data}`,
        // Its lock must not stop a backup that begins meanwhile.
        `--lock-path=${path.join(folder, 'lock')}`,
        // The restored server must never write into the repository of the real one.
        '--archive-mode=off',
        '--log-level-console=warn',
        '--log-level-file=off',
        'restore',
      ]),
    )
    const url = `postgresql://${USER}@localhost/${DATABASE}?host=${encodeURIComponent(socket)}`
    let bytes = 0
    const recoverySeconds = await timed(async () => {
      await startServer({ data, socket, rules })
      bytes = await untilRecovered(url, data)
    })
    const newestCommit = await newestIn(path.join(data, LOG))
    let breaks: Break[] = []
    const auditSeconds = await timed(async () => {
      breaks = await auditPatiently(url)
    })
    if (breaks.length > 0) {
      const [{ invariant, subject }] = breaks as [(typeof breaks)[number]]
      throw new Error(
        `${breaks.length} ledger invariants are broken, such as: ${invariant}: ${subject}`,
      )
    }
    return { restoreSeconds, recoverySeconds, auditSeconds, bytes, newestCommit }
  } finally {
    await run(path.join(POSTGRES_BIN, 'pg_ctl'), [
      '-D',
      data,
      '-m',
      'immediate',
      '-w',
      'stop',
    ]).catch(() => {})
    await empty(folder)
  }
}

interface Server {
  data: string
  socket: string
  rules: string
}

/** Resolves when the recovery has begun. */
async function startServer({ data, socket, rules }: Server): Promise<void> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    port: '5432',
    hba_file: rules,
    archive_mode: 'off',
    // Settings that name files or programs of the real server.
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'warning',
    log_timezone: 'UTC',
    shared_preload_libraries: '',
    shared_buffers: '256MB',
    // No connection is needed during the recovery, and then it needs no settings of the primary.
    hot_standby: 'off',
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  const started = [
    '-D',
    data,
    '-l',
    path.join(data, LOG),
    '-w',
    '-t',
    String(SLOWEST_SECONDS),
    '-o',
    options.join(' '),
    'start',
  ]
  await run(path.join(POSTGRES_BIN, 'pg_ctl'), started)
}

/** Returns the size of the database. */
async function untilRecovered(url: string, data: string): Promise<number> {
  const db = openDb(url, { connectionsMax: 1, onError: () => {} })
  const deadline = performance.now() + SLOWEST_SECONDS * 1000
  try {
    for (;;) {
      // Until the recovery has ended, connections are refused.
      const size = 'select pg_database_size(current_database()) as bytes'
      const [row] = await db.call<{ bytes: number }>('drill', size, []).catch(() => [])
      if (row !== undefined) return row.bytes
      await run(path.join(POSTGRES_BIN, 'pg_ctl'), ['-D', data, 'status']).catch(async () => {
        throw new Error(`PostgreSQL ended: ${await readFile(path.join(data, LOG), 'utf8')}`)
      })
      if (performance.now() > deadline) throw new Error('the recovery takes too long')
      await sleep(LOOK_EVERY_MS)
    }
  } finally {
    await db.close()
  }
}

/** PostgreSQL logs the time of the last commit that it replayed. */
async function newestIn(log: string): Promise<Date> {
  const said = /last completed transaction was at log time (\S+) (\S+)\+00/.exec(
    await readFile(log, 'utf8'),
  )
  if (said === null) throw new Error('no commit was restored from the WAL: is it archived?')
  return new Date(`${said[1]}T${said[2]}Z`)
}

/** A failed drill keeps the time of the last good one. */
async function writeMetrics(
  file: string,
  { startedAt, drilled }: { startedAt: Date; drilled: Drilled | undefined },
): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '')
  const last = /^legwork_restore_drill_success_timestamp_seconds (\d+)/m.exec(before)?.[1] ?? '0'
  const success = drilled === undefined ? last : String(Math.floor(startedAt.getTime() / 1000))
  const gauges: [name: string, help: string, value: number | string][] = [
    ['success_timestamp_seconds', 'When the last good drill began', success],
    ['ok', 'Whether the last drill was good', drilled === undefined ? 0 : 1],
    ...(drilled === undefined
      ? []
      : ([
          ['restore_seconds', 'How long the restore took', drilled.restoreSeconds],
          ['recovery_seconds', 'How long PostgreSQL replayed WAL', drilled.recoverySeconds],
          ['audit_seconds', 'How long the audit of the ledger took', drilled.auditSeconds],
          ['bytes', 'The size of the restored database', drilled.bytes],
          [
            'lag_seconds',
            'The age of the newest restored commit when the drill began',
            (startedAt.getTime() - drilled.newestCommit.getTime()) / 1000,
          ],
        ] as [string, string, number][])),
  ]
  const lines = gauges.flatMap(([name, help, value]) => [
    `# HELP legwork_restore_drill_${name} ${help}`,
    `# TYPE legwork_restore_drill_${name} gauge`,
    `legwork_restore_drill_${name} ${value}`,
  ])
  // Renamed into place, because the exporter may read at any time.
  await writeFile(`${file}.new`, `${lines.join('\n')}\n`, { mode: 0o644 })
  await rename(`${file}.new`, file)
}

async function run(program: string, args: string[]): Promise<string> {
  const [command, ...rest] = [...PREFIX, program, ...args]
  const { stdout } = await promisify(execFile)(command!, rest, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

async function empty(folder: string): Promise<void> {
  for (const name of ['data', 'socket', 'lock', 'pg_hba.conf'])
    await rm(path.join(folder, name), { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`set ${name}`)
  return value
}

await main()
