import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort, stopChild, stopWithParent } from '../../../scripts/postgres.ts'
import { eventually } from '../jobs-child.ts'
import { startBalancer } from '../rolling/balancer.ts'
import type { Release } from './checkout.ts'

/** HAProxy notices within 1 s, or 3 s on a busy machine. */
const DRAIN_SECONDS = 4
const START_MAX_MS = 100_000
const LINE_MAX = 400

export type Place = 'api1' | 'api2' | 'jobs'
type Settings = Record<string, string>

interface Running {
  child: ChildProcess
  release: Release
}

/** Two API processes behind HAProxy and a jobs process; each can run any release. */
export async function openFleet(settings: Settings) {
  const ports = {
    api1: { port: await freePort(), opsPort: await freePort() },
    api2: { port: await freePort(), opsPort: await freePort() },
    jobs: { port: await freePort(), opsPort: await freePort() },
  }
  const balancer = await startBalancer([ports.api1, ports.api2])
  const running: Partial<Record<Place, Running>> = {}
  /** Everything that a process logged as an error. */
  const errors: string[] = []

  async function start(place: Place, release: Release): Promise<void> {
    const { port, opsPort } = ports[place]
    const role = place === 'jobs' ? 'jobs' : 'api'
    const child = spawn(process.execPath, ['server/src/main.ts', role], {
      cwd: release.folder,
      env: { ...settings, ...portSettings(port, opsPort), DRAIN_SECONDS: drainOf(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    stopWithParent(child)
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        if (line !== '') errors.push(`${place} of ${release.name}: ${line.slice(0, LINE_MAX)}`)
      })
    running[place] = { child, release }
    await eventually(`${place} of ${release.name} serves`, START_MAX_MS, async () => {
      assert.equal(child.exitCode, null, errors.join('\n'))
      const isUp = role === 'jobs' || (await balancer.states())[place === 'api1' ? 0 : 1] === 'UP'
      return isUp && (await isReady(opsPort)) ? true : undefined
    })
  }

  async function stop(place: Place): Promise<void> {
    const { child } = running[place]!
    const exited = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    const [code] = await exited
    assert.equal(code, 0, `${place} exited cleanly`)
  }

  return {
    base: balancer.base,
    baseOf: (place: Place) => `http://127.0.0.1:${ports[place].port}/api/v1`,
    errors,
    start,
    stop,
    /** As in a deployment: drain and stop one process, then start the other release in its place. */
    async replace(place: Place, release: Release): Promise<void> {
      await stop(place)
      await start(place, release)
    },
    async stopAll(): Promise<void> {
      await Promise.all((Object.keys(running) as Place[]).map(stop))
    },
    /** Runs `migrate` of a release, as a deployment does. */
    async migrate(release: Release): Promise<void> {
      await promisify(execFile)(process.execPath, ['server/src/main.ts', 'migrate'], {
        cwd: release.folder,
        env: settings,
      })
    },
    async close(): Promise<void> {
      for (const one of Object.values(running)) await stopChild(one.child, 'SIGKILL')
      await balancer.stop()
    },
  }
}

export type Fleet = Awaited<ReturnType<typeof openFleet>>

const portSettings = (port: number, opsPort: number) => ({
  PORT: String(port),
  OPS_PORT: String(opsPort),
})

/** Nobody sends requests to a jobs process, so it needs no drain. */
const drainOf = (place: Place) => (place === 'jobs' ? '0' : String(DRAIN_SECONDS))

const isReady = (opsPort: number) =>
  fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
