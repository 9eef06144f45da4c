/**
 * `npm run dev`: all of Legwork on this machine, for trying it out and for development. Runs PostgreSQL and the sandbox
 * processor with their data in .data, every role of the server in this process, and human-readable logs.
 *
 *   DATABASE_URL        use your own PostgreSQL; give each database its own LEGWORK_DATA_DIR
 *   LEGWORK_DATA_DIR    use another folder than .data
 *   PORT, OPS_PORT      use other ports than 8080 and 9090
 *   DESK_PORT           port of the operators' desk, instead of 8070
 *   INBOX_PORT          port of the page that shows the emails the server sends, instead of 8025
 *   SMTP_URL            use your own mail server
 *   RECEIVER_PORT       port of the page that receives webhooks and shows them, instead of 8026
 *   SANDBOX_PORT        port of the sandbox processor, which hosts the payment pages, instead of 12111
 *   STRIPE_SECRET_KEY   use your own processor, with the other STRIPE_ settings
 *   MAP_TILES_FILE      use your own street map instead of the demo city's
 *
 * All other server settings work as well (docs/settings.md).
 */
import { createECDH, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { styleText } from 'node:util'
import pretty from 'pino-pretty'
import { type Config, readConfig } from '../server/src/config.ts'
import type { Db } from '../server/src/kit/db.ts'
import { openLog } from '../server/src/kit/log.ts'
import { readSecret } from '../server/src/kit/secrets.ts'
import { migrate } from '../server/src/migrate.ts'
import { startServer } from '../server/src/start.ts'
import { buildWeb } from '../web/build.ts'
import { ADMIN_EMAIL, linkToDesk } from './desk-admin.ts'
import { startInbox } from './inbox.ts'
import { drawCity } from './make-city.ts'
import { freePort, startPostgres } from './postgres.ts'
import { type ReceivedWebhook, startReceiver } from './receiver.ts'
import { startProcessor } from './sandbox.ts'

const ROOT = path.join(import.meta.dirname, '..')
const HOST = '127.0.0.1'
const PORTS = {
  PORT: 8080,
  OPS_PORT: 9090,
  DESK_PORT: 8070,
  INBOX_PORT: 8025,
  RECEIVER_PORT: 8026,
  SANDBOX_PORT: 12111,
}
/** Agents' servers run on this machine too, so webhooks to loopback are allowed. */
const LOOPBACK = '127.0.0.0/8,::1/128'
/** Pay out earnings immediately, so that developers don't have to wait out the hold. */
const NO_HOLDS = { HOLD_HOURS: '0', HOLD_HOURS_NEW: '0', HOLD_HOURS_FREE: '0' }
/** The operator's own money, so that free tasks are paid from it and not from agents' deposits. */
const FLOAT_CENTS = 100_000
/** npm forwards Ctrl-C, so one key press arrives twice; a signal this soon after the first is not a second press. */
const SAME_PRESS_MS = 300
const STOP_MAX_MS = 10_000
/** Log lines that this script replaces with its own output. */
const OWN_WORDS = /"msg":"(?:started|stopping|stopped)"\}\n$/

type Environment = Record<string, string | undefined>

/** Output target: the terminal, or a test. */
interface Output extends NodeJS.WritableStream {
  isTTY?: boolean
}

export interface Dev {
  api: string
  ops: string
  /** A link that opens the operators' desk once, as an administrator. */
  desk: string
  /** URL of the page with the emails; undefined with your own mail server. */
  inbox: string | undefined
  /** URL that receives webhooks, and the page that shows them. */
  receiver: string
  /** URL of the sandbox processor; undefined with your own processor. */
  sandbox: string | undefined
  /** Test key of the agent that is created on the first start. */
  testKey: string
  stop(): Promise<void>
}

export async function startDev(env: Environment, output: Output): Promise<Dev> {
  const { say, dim } = voice(output)
  const started: { stop(): Promise<unknown> }[] = []
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop()
  }

  try {
    const folder = path.resolve(ROOT, env.LEGWORK_DATA_DIR || '.data')
    const isOurs = !env.DATABASE_URL
    const isSandbox = !env.STRIPE_SECRET_KEY
    if (isOurs || isSandbox) started.push(lockFolder(folder))
    const ports = await choosePorts(env, say)
    let database: { url: string; dataDir?: string } = { url: env.DATABASE_URL ?? '' }
    if (isOurs) {
      const dataDir = path.join(folder, 'postgres')
      say(dim(existsSync(dataDir) ? 'Starting PostgreSQL…' : 'Creating a database…'))
      const postgres = await startPostgres({ dataDir })
      started.push(postgres)
      database = postgres
    }
    const { url, dataDir } = database

    const owner = isOurs ? url : env.MIGRATE_DATABASE_URL || url
    const applied = await bringUpToDate(owner, dataDir)
    if (applied > 0) say(dim(`Applied ${applied} ${applied === 1 ? 'migration' : 'migrations'}.`))

    say(dim('Building the app…'))
    await buildWeb({ isQuiet: true })

    const inbox = env.SMTP_URL ? undefined : await startInbox({ port: Number(ports.INBOX_PORT) })
    if (inbox) started.push(inbox)

    const processor = isSandbox
      ? await startProcessor({
          key: keptKey(folder, 'sandbox.key'),
          port: Number(ports.SANDBOX_PORT),
          file: path.join(folder, 'sandbox.sqlite'),
        })
      : undefined
    if (processor) started.push(processor)

    const config = readConfig({
      CHECK_ANSWERS: 'on',
      WEBHOOK_ALLOW_CIDRS: LOOPBACK,
      ...NO_HOLDS,
      ...env,
      ...processor?.settings,
      ...ports,
      SMTP_URL: inbox?.smtpUrl ?? env.SMTP_URL,
      ...keptSettings(env, folder),
      HOST: env.HOST || HOST,
      DATABASE_URL: url,
    })
    const log = openLog(config.LOG_LEVEL, prettyStream(output))
    // Started before the server, because the server immediately sends webhooks that were queued while it was stopped.
    const opened = Promise.withResolvers<Db>()
    const receiver = await startReceiver({
      port: Number(ports.RECEIVER_PORT),
      secretOf: async (eventId) => secretOf(await opened.promise, { eventId, config }),
      onWebhook: (webhook) => say(toldOf(webhook, output)),
    })
    started.push(receiver)
    const server = await startServer({ config, roles: ['api', 'jobs', 'desk'], log })
    started.push(server)
    opened.resolve(server.db)
    await processor?.tell(server.addresses.api!)
    await processor?.fundOnce(FLOAT_CENTS)

    const addresses = {
      api: server.addresses.api!,
      ops: server.addresses.ops!,
      desk: await linkToDesk(server.db, { config, now: server.clock.now() }),
      inbox: inbox?.address,
      receiver: receiver.address,
      sandbox: processor?.url,
    }
    const settings = path.join(folder, 'dev.env')
    if (processor)
      keepSettings(settings, {
        ...processor.settings,
        DATABASE_URL: url,
        DESK_PORT: ports.DESK_PORT!,
        OPERATOR: ADMIN_EMAIL,
      })
    const testKey = await keptTestKey(folder, addresses)
    greet(output, {
      ...addresses,
      testKey,
      dashboard: processor?.dashboard,
      settings: processor && settings,
      url,
      folder: isOurs ? folder : undefined,
    })
    return { ...addresses, testKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function voice(output: Output) {
  const style = (format: 'bold' | 'dim') => (text: string) =>
    output.isTTY ? styleText(format, text) : text
  return {
    say: (...lines: string[]) =>
      void output.write(lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')),
    bold: style('bold'),
    dim: style('dim'),
  }
}

/** Uses the requested ports, or else the first free ones starting at the defaults. */
export async function choosePorts(
  env: Environment,
  say: (line: string) => void,
  names = Object.keys(PORTS) as readonly (keyof typeof PORTS)[],
): Promise<Record<string, string>> {
  const chosen: Record<string, string> = {}
  for (const name of names) {
    const usual = PORTS[name]
    const asked = env[name]
    // The server gives out its address before it listens, so it has to know the port by then.
    if (asked === '0') {
      chosen[name] = String(await freePort())
      continue
    }
    let port = Number(asked || usual)
    if (asked && !(await isFree(port)))
      throw new Error(`Port ${port} is in use. Set ${name} to another port.`)
    while (!asked && !(await isFree(port))) port += 1
    if (!asked && port !== usual) say(`Port ${usual} is in use. Using ${port} instead.`)
    chosen[name] = asked || String(port)
  }
  return chosen
}

/** Returns how many migrations were applied. */
async function bringUpToDate(url: string, dataDir: string | undefined): Promise<number> {
  let applied = 0
  const info = (about: { migration?: unknown }) => {
    if (about.migration !== undefined) applied += 1
  }
  await migrate(url, { log: { info } }).catch((error: unknown) => {
    if (dataDir === undefined || !(error instanceof Error)) throw error
    const way = `To start with an empty database, delete ${shown(path.dirname(dataDir))}.`
    throw new Error(`${error.message}\n${way}`, { cause: error })
  })
  return applied
}

function greet(
  output: Output,
  {
    api,
    ops,
    desk,
    inbox,
    receiver,
    testKey,
    dashboard,
    settings,
    url,
    folder,
  }: Omit<Dev, 'sandbox' | 'stop'> & {
    dashboard: string | undefined
    settings: string | undefined
    url: string
    folder: string | undefined
  },
): void {
  const { say, bold, dim } = voice(output)
  say(
    '',
    bold('Legwork is running.'),
    '',
    `App        ${new URL(api).origin}  ${dim('for workers: join, then open the email in the inbox below')}`,
    `Console    ${new URL(api).origin}/console  ${dim('for developers: log in with the test key')}`,
    `Docs       ${new URL(api).origin}/docs`,
    `API        ${api}`,
    `Test key   ${testKey}  ${dim('for agents: play money, and scripted workers answer')}`,
    `Desk       ${desk}`,
    `           ${dim('for operators: this link signs in once, as an administrator; for another, restart')}`,
    `Monitoring ${ops}  ${dim('/healthz /readyz /metrics')}`,
    ...(inbox ? [`Inbox      ${inbox}  ${dim('every email that the server sends')}`] : []),
    `Webhooks   ${receiver}  ${dim('a webhook receiver: use it as webhook_url to see what is sent')}`,
    ...(dashboard ? [`Payments   ${dashboard}  ${dim('a sandbox: no real money')}`] : []),
    ...(settings
      ? [`Books      node --env-file=${shown(settings)} server/src/main.ts ops money`]
      : []),
    `Database   ${withoutPassword(url)}`,
    ...(folder ? [`Data       ${shown(folder)}  ${dim('delete it to start over')}`] : []),
    '',
    bold('Try it: paste this into another terminal.'),
    '',
    ...firstCalls({ api, testKey }),
    '',
    `A tour with curl is in docs/guide/on-your-machine.md. ${bold('Ctrl-C')} stops everything. Requests appear below.`,
    '',
  )
}

/**
 * Example calls: asks with the test key, then shows who accepted and what they sent. A scripted worker does both within
 * seconds.
 */
function firstCalls({ api, testKey }: { api: string; testKey: string }): string[] {
  return [
    `API=${api}`,
    `KEY=${testKey}`,
    `TASK=$(curl -sS $API/verify -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\`,
    `  -d '{"question":"Is the bakery at Main Street 5 open on Sundays?"}' \\`,
    String.raw`  | sed -n 's/.*"id":"\(task_[^"]*\)".*/\1/p')`,
    `for STATUS in pending in_progress; do`,
    `  curl -sS "$API/tasks/$TASK?wait=30&while=$STATUS" -H "authorization: Bearer $KEY" \\`,
    String.raw`    -w '\n\n'`,
    `done`,
  ]
}

/** Secret of the agent that the event belongs to, so that the receiver can verify without being configured. */
async function secretOf(
  db: Db,
  { eventId, config }: { eventId: string; config: Config },
): Promise<string | undefined> {
  const agent = await db.reader
    .selectFrom('events')
    .innerJoin('agents', 'agents.id', 'events.agent_id')
    .select(['agents.id', 'agents.webhook_secret'])
    .where('events.id', '=', eventId)
    .executeTakeFirst()
  return (
    agent && readSecret(agent.webhook_secret, { keys: config.WEBHOOK_SECRET_KEYS, owner: agent.id })
  )
}

/** Log line for a webhook, printed among the request lines. */
function toldOf({ event, problem, answered, receivedAt }: ReceivedWebhook, output: Output): string {
  const { dim } = voice(output)
  const verdict = problem === undefined ? '✓' : `✗ ${problem}:`
  const words = ['webhook', verdict, event?.type ?? 'not an event', 'responded', answered]
  return `${dim(receivedAt.toTimeString().slice(0, 8))}  ${words.join(' ')}`
}

/** One line per request: time, method, route, status, milliseconds. Other log lines are passed through unchanged. */
function prettyStream(output: Output): { write(line: string): void } {
  const color = (format: 'dim' | 'green' | 'yellow' | 'red', text: string) =>
    output.isTTY ? styleText(format, text) : text
  const stream = pretty({
    colorize: false,
    destination: output,
    sync: true,
    singleLine: true,
    errorLikeObjectKeys: ['error'],
    ignore: 'time,level,request_id,agent_id,worker_id,method,route,status,ms',
    messageFormat(line, messageKey) {
      const time = color('dim', new Date(String(line.time)).toTimeString().slice(0, 8))
      const level = String(line.level)
      const label = color(level === 'warn' ? 'yellow' : 'red', level.toUpperCase())
      if (level !== 'info') return `  ${time}  ${label} ${String(line[messageKey])}`
      if (line[messageKey] !== 'request') return `  ${time}  ${String(line[messageKey])}`

      const status = Number(line.status)
      const shade = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'
      const route = line.route === 'other' ? '(no such route)' : String(line.route)
      const words = [String(line.method), route, color(shade, String(status))]
      words.push(`${Number(line.ms)} ms`)
      // The request id is what developers search for after an error.
      if (status >= 400) words.push(color('dim', String(line.request_id)))
      return `  ${time}  ${words.join(' ')}`
    },
  })
  return {
    write(line) {
      if (!OWN_WORDS.test(line)) stream.write(line)
    },
  }
}

/** Two instances on one folder would stop each other's PostgreSQL. A lock left by a crash is ignored. */
function lockFolder(folder: string) {
  const file = path.join(folder, 'dev.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && isDev(pid))
    throw new Error(
      `Legwork is already running on ${shown(folder)} (process ${pid}).\n` +
        'Stop it first, or set LEGWORK_DATA_DIR to another folder to run a second one.',
    )
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${process.pid}\n`)
  return { stop: async () => rmSync(file, { force: true }) }
}

/** The first agent, registered on the first start; its test key is saved for later starts. */
async function keptTestKey(
  folder: string,
  { api, receiver }: { api: string; receiver: string },
): Promise<string> {
  const file = path.join(folder, 'test-agent.key')
  const send = (method: string, route: string, body: object, key?: string) =>
    fetch(api + route, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    })
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  // The receiver's port may have changed. If the key belongs to another database, the call fails and a new agent is
  // made.
  if (kept && (await send('PATCH', '/agents/me', { webhook_url: receiver }, kept)).ok) return kept
  const email = `dev-${Date.now()}@example.com`
  const answer = await send('POST', '/agents/register', {
    name: 'Dev',
    email,
    webhook_url: receiver,
  })
  const { agent } = (await answer.json()) as { agent: { test_api_key: string } }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${agent.test_api_key}\n`, { mode: 0o600 })
  return agent.test_api_key
}

/** Keys, files and the map are in the folder, unless the environment names others. */
const keptSettings = (env: Environment, folder: string) => ({
  WORKER_TOKEN_KEYS: env.WORKER_TOKEN_KEYS || keptKey(folder, 'worker-token.key'),
  WEBHOOK_SECRET_KEYS: env.WEBHOOK_SECRET_KEYS || keptKey(folder, 'webhook-secret.key'),
  ...(env.PUSH_PRIVATE_KEY ? {} : pushKeys(folder)),
  FILES_DIR: env.FILES_DIR || path.join(folder, 'files'),
  MAP_TILES_FILE: env.MAP_TILES_FILE || keptCity(folder),
})

/** Persisted, so that a restart doesn't log everyone out and signatures stay valid. */
function keptKey(folder: string, name: string): string {
  const file = path.join(folder, name)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** The street map of the demo city, drawn on the first start. */
function keptCity(folder: string): string {
  const file = path.join(folder, 'demo-city.pmtiles')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, drawCity())
  return file
}

/** VAPID keys are persisted, because push services and subscribed browsers identify us by them. */
function pushKeys(folder: string): Record<string, string> {
  const key = Buffer.from(keptKey(folder, 'push.key'), 'base64')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(key)
  return {
    PUSH_PRIVATE_KEY: key.toString('base64url'),
    PUSH_PUBLIC_KEY: pair.getPublicKey('base64url'),
  }
}

/** Saves the settings, so that operator commands use the same database and processor. */
function keepSettings(file: string, settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
}

function isDev(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // Without /proc, any live process with this pid is assumed to be ours.
    const command = `/proc/${pid}/cmdline`
    return !existsSync(command) || readFileSync(command, 'utf8').includes('dev.ts')
  } catch {
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

function shown(file: string): string {
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}

function withoutPassword(url: string): string {
  return url.replace(/(?<=\/\/[^/@]*):[^/@]*(?=@)/, '')
}

/** Stops on Ctrl-C and says so; a second Ctrl-C ends the process at once. */
export function stopOnSignal({
  stop,
  say,
  farewell,
}: {
  stop(): Promise<unknown>
  say(...lines: string[]): void
  farewell: string
}): void {
  let stoppingSince: number | undefined
  const onSignal = () => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now()
      say('', 'Stopping… (press Ctrl-C again to stop immediately)')
      setTimeout(() => process.exit(1), STOP_MAX_MS).unref()
      void stop().then(() => {
        say(farewell, '')
        process.exit(0)
      })
    } else if (performance.now() - stoppingSince > SAME_PRESS_MS) process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

if (import.meta.main) {
  const { say } = voice(process.stdout)
  const running = await startDev(process.env, process.stdout).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    say('', ...text.split('\n'), '')
    process.exit(1)
  })

  stopOnSignal({ stop: () => running.stop(), say, farewell: 'Stopped. Your data is saved.' })
}
