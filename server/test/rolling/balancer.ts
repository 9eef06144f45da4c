import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, stopChild, stopWithParent } from '../../../scripts/postgres.ts'

const CONFIG = path.join(import.meta.dirname, '../../../deploy/haproxy.cfg')
const RETRIES = '\n  retries 2\n'

export interface Backend {
  port: number
  opsPort: number
}

/**
 * HAProxy with the shipped configuration, except that it never retries: a refused connection is a failed request here,
 * so retries can't hide a listener that closes too early.
 */
export async function startBalancer(backends: readonly [Backend, Backend]) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-haproxy-'))
  const socket = path.join(folder, 'admin.sock')
  const file = path.join(folder, 'haproxy.cfg')
  const delivered = await readFile(CONFIG, 'utf8')
  assert(delivered.includes(RETRIES))
  await writeFile(file, delivered.replace(RETRIES, '\n  retries 0\n'))
  const port = await freePort()
  const addresses = backends.flatMap((backend, i) => [
    [`LEGWORK_API_${i + 1}`, `127.0.0.1:${backend.port}`],
    [`LEGWORK_OPS_${i + 1}`, String(backend.opsPort)],
  ])
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: {
      ...process.env,
      ...Object.fromEntries(addresses),
      LEGWORK_BIND: `127.0.0.1:${port}`,
      LEGWORK_HAPROXY_SOCKET: socket,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await once(child, 'spawn')
  stopWithParent(child)

  async function say(command: string): Promise<string> {
    const admin = connect(socket)
    admin.end(`${command}\n`)
    return text(admin).catch(() => '')
  }

  /** Whether HAProxy sends requests to each server. */
  async function states(): Promise<string[]> {
    assert.equal(child.exitCode, null, `HAProxy has ended: ${said}`)
    const rows = (await say('show stat')).split('\n').map((line) => line.split(','))
    const column = rows[0]?.indexOf('status') ?? -1
    return rows
      .filter(([proxy, server]) => proxy === 'api' && server !== 'BACKEND')
      .map((row) => row[column]!)
  }

  return {
    base: `http://127.0.0.1:${port}/api/v1`,
    states,
    /** As an operator does it: a server in `drain` gets no more requests from this moment on. */
    async setState(i: number, state: 'drain' | 'ready'): Promise<void> {
      assert.equal((await say(`set server api/api${i + 1} state ${state}`)).trim(), '')
    },
    async stop() {
      await stopChild(child, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
