import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, stopWithParent } from '../../../scripts/postgres.ts'
import type { Marketplace } from '../harness.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

export interface ApiProcess {
  base: string
  stop(): Promise<void>
}

/** The API as in production, in a separate process on the marketplace's database; `all` runs the jobs too. */
export async function startApi(
  { url, server }: Marketplace,
  { role = 'api', settings = {} }: { role?: 'api' | 'all'; settings?: Record<string, string> } = {},
): Promise<ApiProcess> {
  const [port, opsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, ['server/src/main.ts', role], {
    cwd: ROOT,
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'test',
      DATABASE_URL: url,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      AGENT_CAPS: 'off',
      CHECK_ANSWERS: 'on',
      SHARD_DATABASES: '16',
      KEY_CACHE_SECONDS: '0',
      // Shared keys, so each process can verify the others' tokens.
      WORKER_TOKEN_KEYS: server.config.WORKER_TOKEN_KEYS,
      ...settings,
    },
    // Its stdout would mix with this process's output to the test runner.
    stdio: ['ignore', 2, 2],
  })
  stopWithParent(child)
  while (!(await isReady(opsPort))) {
    assert.equal(child.exitCode, null, 'the API process has started')
    await sleep(50)
  }
  return { base: `http://127.0.0.1:${port}/api/v1`, stop: () => kill(child) }
}

function isReady(opsPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
