/**
 * Register an agent, or rotate its key if the request has its current key. With the key of an unclaimed test agent,
 * that test agent becomes the test twin of the new agent.
 *
 *   called by   anyone; the agent itself, to rotate its key; the holder of an unclaimed test agent's key
 *   moves       nothing
 *   money       play money into the test wallet
 *   event       agent.mail_requested (ours, not sent to webhooks)
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { named } from '../kit/named.ts'
import { openAccounts, postEntry } from '../ledger/journal.ts'
import { playMoney } from '../ledger/movements.ts'
import { type Tx, violates } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { registrationsOff } from '../kit/errors.ts'
import { mintId, randomShard, shardOf } from '../kit/ids.ts'
import { keepSecret, mintWebhookSecret, readSecret } from '../kit/secrets.ts'
import { checkField, WebhookUrl } from '../webhooks/addresses.ts'
import { requestAgentMail } from '../webhooks/record-event.ts'
import { Email, EventNames } from './fields.ts'
import { agentExists, limitedKey, tooManyKeys } from './errors.ts'
import { isLasting, issueKey, type Key, lockKeys, lockOwnKeys } from './keys.ts'
import { rotateAgentKey } from './rotate-key.ts'

export const register = endpoint({
  method: 'POST',
  path: '/agents/register',
  name: 'registerAgent',
  auth: 'agent?',
  scope: 'manage',
  right: 'integration',
  isOfKeys: true,
  limits: ['register'],
  at: 'global',
  summary: 'Register an agent and get its API key',
  description:
    'The keys and the webhook secret are shown only once. We send an email to confirm the ' +
    'address; the keys work without it. If you send your current key in the header, you get a ' +
    'new key, and the old one works for another day. If you send a key from POST /test/agents, ' +
    'that test agent becomes the test mode of your account, with its tasks and keys.',
  body: z.object({
    name: z.string().trim().min(1).max(100),
    email: Email.describe('The email of the people behind the agent'),
    webhook_url: WebhookUrl.optional().describe('The URL that receives the events of all tasks'),
    events: EventNames.optional(),
  }),
  success: {
    status: 201,
    body: z.object({
      agent: named(
        'RegisteredAgent',
        z.object({
          id: z.string(),
          name: z.string(),
          api_key: z.string(),
          test_api_key: z.string().optional().describe('Test mode: play money, no people'),
          webhook_secret: z.string().optional(),
          balance_cents: z.int(),
          free_tasks_remaining: z.int(),
        }),
      ),
    }),
  },
  errors: [agentExists, limitedKey, tooManyKeys, registrationsOff],
  isSecret: true,

  check: ({ config, body }) => checkField(config, 'webhook_url', body.webhook_url),

  async handler({ tx, agent, body, shards, runAt, now, config, address, switches }) {
    const owner = await tx
      .selectFrom('agent_emails')
      .select('agent_id')
      .where('email', '=', body.email.toLowerCase())
      .executeTakeFirst()
    const details = {
      name: body.name,
      email: body.email,
      webhookUrl: body.webhook_url,
      events: body.events,
      secretKeys: config.WEBHOOK_SECRET_KEYS,
      freeTasks: config.FREE_TASKS,
      playMoneyCents: config.PLAY_MONEY_CENTS,
      address: address(),
      now,
      takeEmail: (agentId: string) => reserveEmail(tx, { email: body.email, agentId }),
    }
    if (owner === undefined) {
      if (await switches.isStopped('registrations')) throw registrationsOff()
      const claimed =
        agent && (await runAt(shards.at(agent.id), (own) => claimAgent(own, agent, details)))
      if (claimed) return claimed
      // The Idempotency-Key of a caller has the caller's shard.
      const shard = agent ? shardOf(agent.id) : randomShard()
      return runAt(shards.of(shard), (own) => registerAgent(own, { ...details, shard }))
    }

    // Only the live key proves ownership: test keys are often exposed in test suites.
    if (agent?.id !== owner.agent_id) throw agentExists()
    return runAt(shards.at(agent.id), (own) => renewKey(own, { agent, config, now }))
  },
})

interface RegisterAgent {
  name: string
  email: string
  webhookUrl: string | undefined
  events: string[] | undefined
  secretKeys: readonly string[]
  freeTasks: number
  playMoneyCents: number
  address: string | undefined
  now: Date
  /** Reserves the address in the directory of all agents. */
  takeEmail(agentId: string): Promise<void>
}

async function registerAgent(
  tx: Tx,
  {
    name,
    email,
    webhookUrl,
    events = [],
    secretKeys,
    freeTasks,
    playMoneyCents,
    address,
    shard,
    now,
    takeEmail,
  }: RegisterAgent & { shard: number },
) {
  const ids = { live: mintId('agent', now, shard), test: mintId('agent', now, shard) }
  const webhook_secret = mintWebhookSecret()

  await takeEmail(ids.live)
  for (const mode of ['live', 'test'] as const) {
    await tx
      .insertInto('agents')
      .values({
        id: ids[mode],
        mode,
        twin_id: mode === 'live' ? ids.test : ids.live,
        name,
        email,
        webhook_url: webhookUrl ?? null,
        webhook_secret: keepSecret(webhook_secret, { keys: secretKeys, owner: ids[mode] }),
        events,
        registered_from: address ?? null,
        created_at: now,
      })
      .execute()
    await openAccounts(tx, { ownerId: ids[mode], mode, freeTasks })
  }
  await postEntry(tx, playMoney({ shard, agentId: ids.test, amountCents: playMoneyCents }), { now })

  const live = await issueKey(tx, { agentId: ids.live, mode: 'live', name: 'first key', now })
  const test = await issueKey(tx, { agentId: ids.test, mode: 'test', name: 'first test key', now })
  await requestAgentMail(tx, { agentId: ids.live, template: 'verify', now })
  return {
    agent: {
      id: ids.live,
      name,
      api_key: live.key,
      test_api_key: test.key,
      webhook_secret,
      balance_cents: 0,
      free_tasks_remaining: freeTasks,
    },
  }
}

async function reserveEmail(
  tx: Tx,
  { email, agentId }: { email: string; agentId: string },
): Promise<void> {
  await tx
    .insertInto('agent_emails')
    .values({ email: email.toLowerCase(), agent_id: agentId })
    .execute()
    .catch((error: unknown) => {
      // A concurrent registration has taken the same email.
      throw violates(error, 'agent_emails_taken') ? agentExists() : error
    })
}

/**
 * Turns an unclaimed test agent into the test twin of a new live agent. Its tasks, play money and keys stay and no
 * longer expire. Returns undefined when the key belongs to no unclaimed test agent.
 */
async function claimAgent(
  tx: Tx,
  caller: AgentCaller,
  {
    name,
    email,
    webhookUrl,
    events,
    secretKeys,
    freeTasks,
    address,
    now,
    takeEmail,
  }: RegisterAgent,
) {
  // The agent of a person is registered.
  if (caller.mode !== 'test' || caller.person !== undefined) return undefined
  const { own } = await lockOwnKeys(tx, caller, now)
  const test = await tx
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', caller.id)
    .where('expires_at', '>', now)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (test === undefined) return undefined
  // A limited key would permanently gain access that its owner has not granted.
  if (own?.is_limited) throw limitedKey()

  // The id of the live twin was reserved when the test agent was created.
  const liveId = test.twin_id
  await takeEmail(liveId)
  const secret = readSecret(test.webhook_secret, { keys: secretKeys, owner: test.id })
  const told = {
    name,
    email,
    webhook_url: webhookUrl ?? test.webhook_url,
    events: events ?? test.events,
  }
  await tx
    .insertInto('agents')
    .values({
      ...told,
      id: liveId,
      mode: 'live',
      twin_id: test.id,
      webhook_secret: keepSecret(secret, { keys: secretKeys, owner: liveId }),
      registered_from: address ?? null,
      created_at: now,
    })
    .execute()
  await openAccounts(tx, { ownerId: liveId, mode: 'live', freeTasks })
  await tx
    .updateTable('agents')
    .set({ ...told, expires_at: null })
    .where('id', '=', test.id)
    .execute()
  await tx
    .updateTable('api_keys')
    .set({ expires_at: null })
    .where('agent_id', '=', test.id)
    // Keys with their own expiry keep it.
    .where('expires_at', '=', test.expires_at)
    .execute()

  const { key } = await issueKey(tx, { agentId: liveId, mode: 'live', name: 'first key', now })
  await requestAgentMail(tx, { agentId: liveId, template: 'verify', now })
  return {
    agent: {
      id: liveId,
      name,
      api_key: key,
      webhook_secret: secret,
      balance_cents: 0,
      free_tasks_remaining: freeTasks,
    },
  }
}

/** Replaces the calling key. The agent's other keys stay unchanged. */
async function renewKey(
  tx: Tx,
  {
    agent: caller,
    config,
    now,
  }: {
    agent: AgentCaller
    config: Pick<Config, 'KEY_ROTATION_GRACE_HOURS' | 'KEYS_MAX'>
    now: Date
  },
) {
  const { id: agentId, keyId } = caller
  const keys = await lockKeys(tx, agentId, now)
  const own = keys.find(({ id }) => id === keyId)
  // A deleted key may be cached for a few seconds, but no longer proves ownership.
  if (own === undefined) throw agentExists()
  // A limited key is rotated in place, to keep its limits.
  const key = own.is_limited
    ? (await rotateAgentKey(tx, { agent: caller, keyId, config, now })).key.api_key
    : await replaceKey(tx, { keys, own, agentId, config, now })

  const agent = await tx
    .selectFrom('agents')
    .innerJoin('ledger_agents', 'ledger_agents.agent_id', 'agents.id')
    .select(['agents.name', 'free_tasks_remaining', 'wallet_cents', 'receivable_cents'])
    .where('agents.id', '=', agentId)
    .executeTakeFirstOrThrow()
  return {
    agent: {
      id: agentId,
      name: agent.name,
      api_key: key,
      balance_cents: agent.wallet_cents - agent.receivable_cents,
      free_tasks_remaining: agent.free_tasks_remaining,
    },
  }
}

async function replaceKey(
  tx: Tx,
  {
    keys,
    own,
    agentId,
    config,
    now,
  }: {
    keys: Key[]
    own: Key
    agentId: string
    config: Pick<Config, 'KEY_ROTATION_GRACE_HOURS' | 'KEYS_MAX'>
    now: Date
  },
): Promise<string> {
  // A replaced key may retry during its grace period, because the response can get lost, but KEYS_MAX still applies.
  const lasting = keys.filter((key) => key.id !== own.id && isLasting(key))
  if (lasting.length >= config.KEYS_MAX) throw tooManyKeys()

  const end = new Date(now.getTime() + config.KEY_ROTATION_GRACE_HOURS * 3_600_000)
  await tx
    .updateTable('api_keys')
    .set({ expires_at: sql<Date>`least(coalesce(expires_at, ${end}), ${end})` })
    .where('id', '=', own.id)
    .execute()
  const { key } = await issueKey(tx, { agentId, mode: 'live', name: 'rotated key', now })
  return key
}
