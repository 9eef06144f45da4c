import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { countWorld } from './demo/count.ts'
import { NESTED_ENV } from './nested-env.ts'
import { stopChild, stopWithParent } from './postgres.ts'

const ROOT = path.join(import.meta.dirname, '..')
/** The goal is a minute on an idle machine. Tests share theirs with others, so this catches only what is far off. */
const SECONDS_MAX = 600

type Printed = Awaited<ReturnType<typeof countWorld>> & {
  seconds: number
  origin: string
  apiKey: string
}

describe('npm run demo', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-demo-test-'))
  // PostgreSQL may run as another user, who needs access.
  chmodSync(folder, 0o755)
  let child: ReturnType<typeof startDemo>
  let printed: Printed

  function startDemo() {
    return spawn('node', ['scripts/demo.ts', '--json'], {
      cwd: ROOT,
      env: {
        ...NESTED_ENV,
        TMPDIR: folder,
        PORT: '0',
        OPS_PORT: '0',
        DESK_PORT: '0',
        INBOX_PORT: '0',
        SANDBOX_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  before(
    async () => {
      child = startDemo()
      stopWithParent(child)
      for await (const line of createInterface(child.stdout)) {
        if (!line.startsWith('{')) continue
        printed = JSON.parse(line) as Printed
        return
      }
      assert.fail('the demo ended before it was ready')
    },
    { timeout: SECONDS_MAX * 1000 },
  )
  after(async () => {
    await stopChild(child, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  test('builds the whole world, and the ledger’s audit passes', (t) => {
    t.diagnostic(`took ${printed.seconds} seconds`)
    const { tasks, payouts } = printed
    assert.deepEqual(printed.agents, { live: 8, test: 8 })
    assert.deepEqual(printed.workers, { active: 25 })
    assert.equal(tasks.pending, 60)
    assert.equal(printed.titles.different, 60, 'no two open tasks look the same')
    assert.deepEqual(Object.keys(printed.open_types).sort(), [
      'custom',
      'empathy_escalation',
      'field_mission',
      'gut_check',
      'verification',
      'vibe_reader',
      'voice_proxy',
    ])
    assert.deepEqual(printed.disputes, {
      open: 2,
      appealed: 2,
      replied: 2,
      upheld: 2,
      // One of them by the agent's silence.
      overturned: 3,
      split: 1,
      withdrawn: 1,
    })
    for (const status of ['in_progress', 'proof_submitted', 'expired', 'cancelled'])
      assert(tasks[status]! > 0, `there are tasks that are ${status}`)
    assert(tasks.completed! > 100)
    assert(payouts.paid! > 100 && payouts.awaiting_account! > 0)
    assert(printed.feed >= 30, 'the feed of the printed login is full')
    assert(printed.earning_months >= 3)
    assert.equal(printed.leaderboard, 25)
    assert.deepEqual(printed.broken, [])
    assert(printed.seconds < SECONDS_MAX)
  })

  test('serves the world of which npm run pictures captures pictures', async () => {
    const pictures = path.join(folder, 'pictures')
    await promisify(execFile)('npm', ['run', 'pictures'], {
      cwd: ROOT,
      env: {
        ...NESTED_ENV,
        DEMO_ORIGIN: printed.origin,
        DEMO_KEY: printed.apiKey,
        PICTURES: 'find,console-overview,desk-queues',
        PICTURES_DIR: pictures,
      },
    })

    assert.deepEqual(readdirSync(pictures).sort(), [
      'console-overview.png',
      'desk-queues.png',
      'find.png',
    ])
  })

  test('Ctrl-C ends it with 0 and deletes its data', async () => {
    const left = () => readdirSync(folder).filter((name) => name.startsWith('legwork-demo-'))
    assert.equal(left().length, 1)

    const exited = once(child, 'exit')
    child.kill('SIGINT')

    assert.deepEqual(await exited, [0, null])
    assert.deepEqual(left(), [])
  })
})
