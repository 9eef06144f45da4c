/**
 * Create a test-mode worker for a developer to play. It sees the agent's open test tasks without a scripted worker.
 *
 *   called by   an agent with a test key
 *   moves       nothing
 *   money       none; the worker's accounts in the test book are opened
 *   event       none
 */
import { testModeOnly } from '../agents/errors.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { publicUrl } from '../kit/public-url.ts'
import { makeTestWorker, testEmail } from '../workers/make-test-worker.ts'
import { tokensOf } from '../workers/tokens.ts'
import { tooManyTestWorkers } from './errors.ts'

/** Per 24 hours. A token is valid for seven days. */
const WORKERS_MAX = 100
const DAY_MS = 86_400_000

export const createWorker = endpoint({
  method: 'POST',
  path: '/test/workers',
  name: 'createTestWorker',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  access: { mode: 'test' },
  summary: 'Create a worker for your own test tasks',
  description:
    'Test mode only. With the token, or in the app at `app_url`, you see and do your open test ' +
    'tasks whose `context.sim` is `me` or `nobody`.',
  body: z.object({ name: z.string().trim().min(1).max(100).optional() }),
  success: {
    status: 201,
    body: z.object({
      worker: z.object({ id: z.string(), name: z.string() }),
      token: z.string().describe('For the worker endpoints'),
      expires_at: z.iso.datetime(),
      app_url: z.string(),
    }),
  },
  errors: [testModeOnly, tooManyTestWorkers],
  isSecret: true,

  async handler({ tx, agent, body, config, now }) {
    return createTestWorker(tx, { agentId: agent.id, name: body.name ?? 'You', config, now })
  },
})

async function createTestWorker(
  tx: Tx,
  { agentId, name, config, now }: { agentId: string; name: string; config: Config; now: Date },
) {
  if ((await countOfDay(tx, { agentId, now })) >= WORKERS_MAX)
    throw tooManyTestWorkers({ limit: WORKERS_MAX })
  const email = testEmail(`me-${randomUUID()}`, agentId)
  const worker = await makeTestWorker(tx, { agentId, name, email, now })
  assert(worker, 'nobody else has this e-mail')
  const session = { workerId: worker.id, version: worker.session_version }
  const { token, expiresAt } = await tokensOf(config).sign(session, now)
  return {
    worker: { id: worker.id, name: worker.name },
    token,
    expires_at: expiresAt.toISOString(),
    app_url: `${publicUrl(config)}/play#token=${token}`,
  }
}

async function countOfDay(
  tx: Tx,
  { agentId, now }: { agentId: string; now: Date },
): Promise<number> {
  const { count } = await tx
    .selectFrom('workers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .where('email', 'like', 'me-%')
    .executeTakeFirstOrThrow()
  return count
}
