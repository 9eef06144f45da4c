/**
 * Email the people behind an agent when its webhook receiver has failed for days, or was disabled.
 *
 *   called by   the events webhook.failing and webhook.disabled, with the id of a lane
 *   moves       nothing
 *   money       none
 *   event       none
 *
 * The email address is whatever the agent entered and may belong to a stranger. So the mail names the host without a
 * path, describes the failure in our own words and never the receiver's, and is rate-limited: once a day for a
 * receiver, a few times a day for an agent.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { type Receiver, receiverDisabled, receiverFailing } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail } from '../email/send.ts'
import type { Reader } from '../kit/db.ts'
import { job } from '../kit/job.ts'
import { publicUrl } from '../kit/public-url.ts'
import { counted } from '../kit/words.ts'
import { isLaneOf } from '../webhooks/lane-id.ts'
import { noteMail } from '../webhooks/note-mail.ts'
import { ping } from '../webhooks/ping.ts'
import { waitingFor } from '../webhooks/receivers.ts'
import { replay } from '../webhooks/replay.ts'
import { update } from './update.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DISABLED_AFTER_MS = 5 * DAY_MS
const MAILS_A_DAY = 3
const COUNTED_MAX = 10_000
const ATTEMPTS_LOOKED_AT = 100

export const mailAboutWebhook = job({
  name: 'agents.mail-about-webhook',
  payload: z.object({
    type: z.enum(['webhook.failing', 'webhook.disabled']),
    data: z.object({ id: z.string() }),
  }),
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['webhook.failing', 'webhook.disabled'],

  async run({ db, clock, config, log, payload }) {
    const laneId = payload.data.id
    const now = clock.now()
    const letter = await writeLetter(db.reader, { type: payload.type, laneId, config, now })
    if (letter === undefined) return
    if (config.SMTP_URL === undefined) {
      log.warn({ agent_id: letter.agentId }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    await sendMail(config, letter.to, letter.mail)
    // Recorded after sending: a crash in between sends the mail twice, which is better than not at all.
    await db.transaction((tx) => noteMail(tx, { laneId, now }))
  },
})

interface WriteLetter {
  type: 'webhook.failing' | 'webhook.disabled'
  laneId: string
  config: Config
  now: Date
}

/** Returns undefined when the problem is resolved or the mail limit is reached. */
export async function writeLetter(
  db: Reader,
  { type, laneId, config, now }: WriteLetter,
): Promise<{ to: string; agentId: string; mail: Mail } | undefined> {
  const lane = await findLane(db, laneId)
  // A test agent that nobody registered has no people behind it.
  const to = lane?.email ?? undefined
  if (lane === undefined || to === undefined || (await wasWrittenTo(db, lane, now)))
    return undefined
  const host = hostOf(lane)
  if (host === undefined) return undefined
  const receiver: Receiver = {
    host,
    agentId: lane.agent_id,
    mode: lane.mode,
    error: await lastError(db, { agentId: lane.agent_id, host }),
    commands: commandsFor(lane, { host, config }),
  }
  const { failing_since, disabled_at, disabled_for } = lane
  const letter = (mail: Mail) => ({ to, agentId: lane.agent_id, mail })
  if (type === 'webhook.failing') {
    if (failing_since === null || disabled_at !== null) return undefined
    const endsAt = new Date(failing_since.getTime() + DISABLED_AFTER_MS)
    const waiting = await countWaiting(db, laneId)
    return letter(receiverFailing({ ...receiver, since: failing_since, endsAt, waiting }))
  }
  if (disabled_at === null) return undefined
  const why = disabled_for === 'gone' ? 'gone' : 'failing'
  return letter(receiverDisabled({ ...receiver, why, at: disabled_at }))
}

type Lane = NonNullable<Awaited<ReturnType<typeof findLane>>>

const findLane = (db: Reader, laneId: string) =>
  db
    .selectFrom('webhook_lanes as lane')
    .innerJoin('agents as agent', 'agent.id', 'lane.agent_id')
    .select(['lane.id', 'lane.agent_id', 'failing_since', 'disabled_at', 'disabled_for'])
    .select(['agent.mode', 'agent.email', 'agent.webhook_url'])
    .where('lane.id', '=', laneId)
    .where('agent.status', '<>', 'closed')
    .executeTakeFirst()

/** Whether a mail about this receiver, or the agent's maximum for all receivers, went out within a day. */
async function wasWrittenTo(db: Reader, { id, agent_id }: Lane, now: Date): Promise<boolean> {
  const mailed = await db
    .selectFrom('webhook_lanes')
    .select('id')
    .where(isLaneOf(agent_id))
    .where('mailed_at', '>', new Date(now.getTime() - DAY_MS))
    .execute()
  return mailed.length >= MAILS_A_DAY || mailed.some((lane) => lane.id === id)
}

/** The host of the agent's current webhook URL or of a task's callback URL; undefined if the URL was removed. */
function hostOf({ id, agent_id, webhook_url }: Lane): string | undefined {
  if (id !== agent_id) return id.slice(agent_id.length + 1)
  return webhook_url === null ? undefined : new URL(webhook_url).host
}

/** The newest error, without any text that the receiver sent. */
async function lastError(
  db: Reader,
  { agentId, host }: { agentId: string; host: string },
): Promise<string | undefined> {
  const attempts = await db
    .selectFrom('delivery_attempts')
    .select(['url', 'status', 'error'])
    .where('agent_id', '=', agentId)
    .where('outcome', '<>', 'delivered')
    .orderBy('id', 'desc')
    .limit(ATTEMPTS_LOOKED_AT)
    .execute()
  const last = attempts.find(({ url }) => URL.parse(url)?.host === host)
  if (last === undefined) return undefined
  return last.status === null
    ? last.error?.split(':', 1)[0]
    : `it responded with status ${last.status}`
}

async function countWaiting(db: Reader, laneId: string): Promise<string> {
  const { rows } = await sql<{ count: number }>`
    select ${waitingFor(sql`${laneId}`, COUNTED_MAX)} as count`.execute(db)
  const { count } = rows[0]!
  return count === COUNTED_MAX ? `${COUNTED_MAX} events or more` : counted(count, 'events')
}

/** Commands for a developer to paste into a terminal. */
function commandsFor(
  { id, agent_id, mode, failing_since, disabled_at }: Lane,
  { host, config }: { host: string; config: Config },
): Receiver['commands'] {
  const curl = ({ method, path }: { method: string; path: string }, body?: unknown) =>
    [
      `curl -X ${method} ${publicUrl(config)}/api/v1${path}`,
      `-H 'Authorization: Bearer ${mode === 'live' ? 'YOUR_API_KEY' : 'YOUR_TEST_API_KEY'}'`,
      ...(body === undefined
        ? []
        : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
    ].join(' \\\n  ')
  const missedSince = failing_since ?? disabled_at
  // One hour earlier, to include deliveries that were pending when the failures began.
  const from = missedSince && new Date(missedSince.getTime() - HOUR_MS).toISOString()
  const missed = curl(replay, { from })
  return id === agent_id
    ? {
        ping: curl(ping),
        readdress: curl(update, { webhook_url: 'https://YOUR_ADDRESS' }),
        replay: missed,
      }
    : { ping: curl(ping, { url: `https://${host}/YOUR_PATH` }), replay: missed }
}
