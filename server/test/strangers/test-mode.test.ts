import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../harness.ts'
import { startApi } from '../races/processes.ts'
import { type Honest, testModeAttack } from './test-mode.ts'

/** `npm run test:strangers -- test-agents` does the same with a thousand agents, and compares times. */
const AGENTS = 15
const HONEST = 4

const market = await marketplace()

test('honest agents and workers are served while a crowd of test agents is refused', async (t) => {
  const api = await startApi(market, {
    role: 'all',
    settings: {
      RATE_LIMITS: 'on',
      TEST_DATABASE_PERCENT: '10',
      CHECK_ANSWERS: 'off',
      KEY_CACHE_SECONDS: '5',
      REDIS_URL: process.env.TEST_REDIS_URL!,
    },
  })
  t.after(() => api.stop())
  const honest: Honest[] = []
  for (let i = 0; i < HONEST; i += 1) {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    honest.push({ agentKey: agent.api_key, workerToken: worker.token })
  }

  const crowd = { agents: AGENTS, phaseMs: 800, rounds: 1, honest }
  const suffered = await testModeAttack({ baseUrls: [api.base], ...crowd })

  t.diagnostic(JSON.stringify(suffered))
  assert.equal(suffered.honestFailures, 0)
  const refused = ['409', '429', '503'].reduce((sum, s) => sum + (suffered.statuses[s] ?? 0), 0)
  assert(refused > 0, JSON.stringify(suffered.statuses))
  assert.equal(suffered.statuses['500'], undefined)
})
