/**
 * `npm run demo`: a marketplace with a past, to look around in. A city, eight agents, 25 workers and three months of
 * work are made through the API and by operator commands, on a clock that starts three months ago and is moved to the
 * present; then it serves them until you press Ctrl-C. Every run makes the same world on a temporary database.
 *
 *   --once                     build it, print the counts as JSON, and exit
 *   --json                     print the counts, the address and an agent's key as JSON, and serve it
 *   PORT, OPS_PORT, DESK_PORT, INBOX_PORT, SANDBOX_PORT     use other ports than 8080, 9090, 8070, 8025 and 12111
 *   MAP_TILES_FILE             use another street map than the drawn one
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify, styleText } from 'node:util'
import { countWorld } from './demo/count.ts'
import { AGENTS, PASSWORD, WORKERS } from './demo/people.ts'
import { DAY, planWorld, START_DAYS } from './demo/plan.ts'
import { playWorld, type World } from './demo/play.ts'
import { type Demo, openDemo, type Ports } from './demo/stage.ts'
import { choosePorts, stopOnSignal } from './dev.ts'
import { stopWithParent } from './postgres.ts'

const ROOT = path.join(import.meta.dirname, '..')
const NAMES = ['PORT', 'OPS_PORT', 'DESK_PORT', 'INBOX_PORT', 'SANDBOX_PORT'] as const
const FREE: Ports = {
  PORT: '0',
  OPS_PORT: '0',
  DESK_PORT: '0',
  INBOX_PORT: '0',
  SANDBOX_PORT: '0',
}

const isOnce = process.argv.includes('--once')
const isJson = isOnce || process.argv.includes('--json')
const startedAt = performance.now()
const say = (...lines: string[]) =>
  console.log(lines.map((line) => `  ${line}`.trimEnd()).join('\n'))
const dim = (text: string) => styleText('dim', text)
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0)

await main()

async function main(): Promise<void> {
  const present = Date.now()
  const ports = await choosePorts(isOnce ? { ...process.env, ...FREE } : process.env, say, NAMES)
  say('', dim('Creating a database…'))
  const demo = await openDemo({ ports: ports as Ports, start: present - (START_DAYS + 1) * DAY })
  let isStopping = false
  const stop = () => {
    isStopping = true
    return demo.stop()
  }
  stopOnSignal({ stop, say, farewell: 'Stopped. The demo’s data is deleted.' })
  try {
    await show(demo, present)
  } catch (error) {
    // Ctrl-C during the build makes pending requests fail. That is expected.
    if (isStopping) return
    await demo.stop()
    throw error
  }
}

async function show(demo: Demo, present: number): Promise<void> {
  const web = isOnce ? undefined : buildWeb()
  const market = await demo.startBuilding()
  const plan = planWorld(present)
  const world = await playWorld(market, { plan, present, say: (line) => say(dim(line)) })
  const counts = isJson ? await countWorld(market, world) : undefined
  await market.stop()
  if (isOnce) {
    printJson({ ...counts })
    await demo.stop()
    return
  }
  await web
  const { api, desk } = await demo.startServing()
  if (isJson)
    printJson({ ...counts, origin: new URL(api).origin, apiKey: world.agents.wayfare.apiKey, desk })
  else greet(demo, world, { api, desk })
}

function printJson(about: object): void {
  console.log(JSON.stringify({ ...about, seconds: Number(seconds()) }))
}

/** In a process of its own, because the build would block the server. */
function buildWeb(): Promise<unknown> {
  const building = promisify(execFile)(process.execPath, ['web/build.ts'], { cwd: ROOT })
  stopWithParent(building.child)
  // A failure is thrown where the result is awaited; until then, it must not end the process.
  building.catch(() => {})
  return building
}

function greet(
  { settingsFile, inbox, processor }: Demo,
  { agents }: World,
  { api, desk }: { api: string; desk: string },
): void {
  const { origin } = new URL(api)
  const operator = `node --env-file=${settingsFile} server/src/main.ts ops`
  say(
    '',
    styleText('bold', `Hamburg is ready after ${seconds()} seconds.`),
    '',
    `Worker     ${origin}  ${dim('the app; open it on a phone or in a narrow window')}`,
    `           ${WORKERS[0]!.email}, password ${PASSWORD}  ${dim('the others have the same password')}`,
    `Agent      ${origin}/console  ${dim(`${AGENTS.wayfare.name}; log in with this key`)}`,
    `           ${agents.wayfare.apiKey}`,
    `Desk       ${desk}`,
    `           ${dim('for operators; this link signs in once, as an administrator')}`,
    `Operator   ${operator} waiting`,
    `           ${operator} appeals`,
    `           ${operator} money`,
    `Inbox      ${inbox.address}  ${dim('every email that the server sends')}`,
    `Payments   ${processor.dashboard}  ${dim('a sandbox: no real money')}`,
    '',
    `${styleText('bold', 'Ctrl-C')} stops everything and deletes the demo’s data.`,
    '',
  )
}
