import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { countWorld } from './demo/count.ts'

/** The goal is a minute on an idle machine. Tests share theirs with others, so this catches only what is far off. */
const SECONDS_MAX = 600

type Counts = Awaited<ReturnType<typeof countWorld>> & { seconds: number }

test('npm run demo -- --once builds the whole world, and the ledger’s audit passes', async (t) => {
  const { stdout } = await promisify(execFile)('node', ['scripts/demo.ts', '--once'], {
    cwd: path.join(import.meta.dirname, '..'),
    timeout: 2 * SECONDS_MAX * 1000,
  })

  const counts = JSON.parse(stdout.trim().split('\n').at(-1)!) as Counts
  t.diagnostic(`took ${counts.seconds} seconds`)
  const { tasks, payouts } = counts
  assert.deepEqual(counts.agents, { live: 8, test: 8 })
  assert.deepEqual(counts.workers, { active: 25 })
  assert.equal(tasks.pending, 60)
  assert.equal(counts.titles.different, 60, 'no two open tasks look the same')
  assert.deepEqual(Object.keys(counts.open_types).sort(), [
    'custom',
    'empathy_escalation',
    'field_mission',
    'gut_check',
    'verification',
    'vibe_reader',
    'voice_proxy',
  ])
  assert.deepEqual(counts.disputes, {
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
  assert(counts.feed >= 30, 'the feed of the printed login is full')
  assert(counts.earning_months >= 3)
  assert.equal(counts.leaderboard, 25)
  assert.deepEqual(counts.broken, [])
  assert(counts.seconds < SECONDS_MAX)
})
