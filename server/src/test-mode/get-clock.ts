/**
 * Show a test agent's clock: how far it was moved, and what is due next.
 *
 *   called by   an agent with a test key
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { testModeOnly } from '../agents/errors.ts'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { describe, nextMoments } from './moments.ts'

const SHOWN = 10

export const getClock = endpoint({
  method: 'GET',
  path: '/test/clock',
  name: 'getTestClock',
  auth: 'agent',
  scope: 'read',
  access: { mode: 'test' },
  summary: 'Show the time of your test tasks',
  description: 'Test mode only.',
  success: {
    status: 200,
    body: z.object({
      moved_s: z.number().describe('Total of all your calls'),
      next: z
        .array(
          z.object({
            in_s: z.number().describe('0 if it is due'),
            what: z.string(),
            task_id: z.string().nullable(),
          }),
        )
        .describe(`The next ${SHOWN} scheduled moments`),
    }),
  },
  errors: [testModeOnly],

  transaction: 'own',
  async handler({ db, agent, config, now }) {
    const clock = await showClock(db, {
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      config,
      now,
    })
    return { status: 200, body: JSON.stringify(clock), isReplay: false }
  },
})

async function showClock(
  db: Db,
  {
    agentId,
    visibleKeyId,
    config,
    now,
  }: {
    agentId: string
    visibleKeyId: string | null
    config: Pick<Config, 'APPEAL_HOURS'>
    now: Date
  },
) {
  const clock = await db.reader
    .selectFrom('test_clocks')
    .select('moved_ms')
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const found = await nextMoments(db.reader, { agentId, visibleKeyId, config, now, limit: SHOWN })
  const shown = await Promise.all(found.map((moment) => describe(db, moment)))
  return {
    moved_s: (clock?.moved_ms ?? 0) / 1000,
    next: shown
      .filter((moment) => moment !== undefined)
      .map(({ at, what, task_id }) => ({
        in_s: Math.max(0, at.getTime() - now.getTime()) / 1000,
        what,
        task_id,
      })),
  }
}
