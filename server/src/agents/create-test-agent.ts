/**
 * Create a test agent without an account, to try out the API with play money. It expires after a week, unless somebody
 * registers with its key.
 *
 *   called by   anyone
 *   moves       nothing
 *   money       play money into the test wallet
 *   event       none
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { named } from '../kit/named.ts'
import { openAccounts, postEntry } from '../ledger/journal.ts'
import { playMoney } from '../ledger/movements.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { registrationsOff } from '../kit/errors.ts'
import { mintId, randomShard } from '../kit/ids.ts'
import { publicUrl } from '../kit/public-url.ts'
import { keepSecret, mintWebhookSecret } from '../kit/secrets.ts'
import { issueKey } from './keys.ts'

const LIVES_MS = 7 * 86_400_000

export const createTestAgent = endpoint({
  method: 'POST',
  path: '/test/agents',
  name: 'createTestAgent',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['register_test_agent'],
  isTestMode: true,
  summary: 'Get a test key without an account',
  description:
    'The key and the webhook secret are shown only once and work for seven days. To keep ' +
    'everything, send the key with POST /agents/register: the test agent then becomes the test ' +
    'mode of your account.',
  body: z.object({ name: z.string().trim().min(1).max(100).optional() }),
  success: {
    status: 201,
    body: z.object({
      agent: named(
        'TestAgent',
        z.object({
          id: z.string(),
          name: z.string(),
          test_api_key: z.string(),
          webhook_secret: z.string(),
          balance_cents: z.int().describe('Play money'),
          free_tasks_remaining: z.int(),
        }),
      ),
      expires_at: z.iso.datetime(),
      claim_url: z.string().describe('The page where a person can turn it into an account'),
    }),
  },
  errors: [registrationsOff],
  isSecret: true,

  async handler({ body, shards, runAt, config, address, now, switches }) {
    if (await switches.isStopped('registrations')) throw registrationsOff()
    const shard = randomShard()
    const name = body.name ?? 'Test agent'
    return runAt(shards.of(shard), (tx) =>
      makeTestAgent(tx, { shard, name, config, address: address(), now }),
    )
  },
})

async function makeTestAgent(
  tx: Tx,
  {
    shard,
    name,
    config,
    address,
    now,
  }: { shard: number; name: string; config: Config; address: string | undefined; now: Date },
) {
  const id = mintId('agent', now, shard)
  const webhook_secret = mintWebhookSecret()
  const expiresAt = new Date(now.getTime() + LIVES_MS)
  await tx
    .insertInto('agents')
    .values({
      id,
      mode: 'test',
      // Reserved for the live agent that registration may pair it with.
      twin_id: mintId('agent', now, shard),
      name,
      webhook_secret: keepSecret(webhook_secret, { keys: config.WEBHOOK_SECRET_KEYS, owner: id }),
      registered_from: address ?? null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  await openAccounts(tx, { ownerId: id, mode: 'test', freeTasks: config.FREE_TASKS })
  const amountCents = config.PLAY_MONEY_CENTS
  await postEntry(tx, playMoney({ shard, agentId: id, amountCents }), { now })
  const { key } = await issueKey(tx, { agentId: id, mode: 'test', name: 'first test key', now })
  return {
    agent: {
      id,
      name,
      test_api_key: key,
      webhook_secret,
      balance_cents: amountCents,
      free_tasks_remaining: config.FREE_TASKS,
    },
    expires_at: expiresAt.toISOString(),
    claim_url: `${publicUrl(config)}/console/go-live`,
  }
}
