/**
 * Send the link to log in to the console, or an invitation. For an email that nobody has, nothing is sent and the
 * request is deleted.
 *
 *   called by   the event person.link_requested
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { agentInvitation, consoleLogIn } from '../email/agent-templates.ts'
import { MAIL_ATTEMPTS_MAX } from '../email/attempts.ts'
import type { Mail } from '../email/compose.ts'
import { sendMail } from '../email/send.ts'
import type { Db, Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { mintLinkToken, sha256 } from '../kit/secrets.ts'
import { Work } from '../webhooks/record-event.ts'
import { linkTo } from './mail-links.ts'
import { membershipsOf } from './person-links.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The link is in the global schema, not in a shard. */
const NO_SHARD = 0

export const mailPersonLink = job({
  name: 'agents.mail-person-link',
  payload: Work,
  attemptsMax: MAIL_ATTEMPTS_MAX,
  events: ['person.link_requested'],

  async run({ db, clock, config, log, payload: { data } }) {
    if (config.SMTP_URL === undefined) {
      log.warn({ link_id: data.id }, 'an email was not sent: SMTP_URL is not set')
      return
    }
    const letter = await writeLetter({ db, config, now: clock.now(), id: data.id })
    if (letter !== undefined) await sendMail(config, letter.to, letter.mail)
  },
})

type Config = Background['config']
interface Link {
  id: string
  email: string
  person_id: string | null
}

/** A retry writes the letter again, with another token. */
async function writeLetter({
  db,
  config,
  now,
  id,
}: {
  db: Db
  config: Config
  now: Date
  id: string
}): Promise<{ to: string; mail: Mail } | undefined> {
  const { global } = db.shards
  const link = await global.reader
    .selectFrom('agent_person_links')
    .select(['id', 'email', 'person_id'])
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (link === undefined) return undefined
  const isKnown =
    link.person_id !== null || (await membershipsOf(db.shards, { email: link.email })).length > 0
  if (!isKnown || (await isTooMany(global, { link, config, now }))) {
    await global.transaction((tx) =>
      tx.deleteFrom('agent_person_links').where('id', '=', id).execute(),
    )
    return undefined
  }
  const token = mintLinkToken(NO_SHARD)
  const livesMs =
    link.person_id === null ? config.LOG_IN_LINK_MINUTES * 60_000 : config.INVITATION_DAYS * DAY_MS
  const invitation =
    link.person_id === null ? undefined : await readInvitation(db, { personId: link.person_id })
  await global.transaction((tx) => setToken(tx, { id, token, livesMs, now }))
  const url = linkTo(config, 'enter', token)
  if (link.person_id === null)
    return {
      to: link.email,
      mail: consoleLogIn({ link: url, minutes: config.LOG_IN_LINK_MINUTES }),
    }
  return (
    invitation && {
      to: link.email,
      mail: agentInvitation({ link: url, days: config.INVITATION_DAYS, ...invitation }),
    }
  )
}

/** Counts the emails of the last hour to this address, so that nobody's mailbox can be flooded. */
async function isTooMany(
  { reader }: Db,
  { link, config, now }: { link: Link; config: Config; now: Date },
): Promise<boolean> {
  const { count } = await reader
    .selectFrom('agent_person_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('email', '=', link.email)
    .where('id', '<>', link.id)
    .where('token_hash', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  return count >= config.LIMIT_MAILS_PER_HOUR
}

/** Undefined if the person has joined or was removed meanwhile. */
async function readInvitation({ shards }: Db, { personId }: { personId: string }) {
  const person = await shards.global.reader
    .selectFrom('agent_people as person')
    .leftJoin('agent_people as inviter', (join) =>
      join
        .onRef('inviter.id', '=', 'person.invited_by')
        .onRef('inviter.agent_id', '=', 'person.agent_id'),
    )
    .select(['person.agent_id', 'person.role', 'inviter.name as inviter'])
    .where('person.id', '=', personId)
    .where('person.accepted_at', 'is', null)
    .where('person.left_at', 'is', null)
    .executeTakeFirst()
  if (person === undefined) return undefined
  const { agent_id: agentId, role, inviter } = person
  const { name } = await shards
    .at(agentId)
    .reader.selectFrom('agents')
    .select('name')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  return { agentName: name, role, inviter: inviter ?? 'An owner' }
}

async function setToken(
  tx: Tx,
  { id, token, livesMs, now }: { id: string; token: string; livesMs: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('agent_person_links')
    .set({ token_hash: sha256(token), expires_at: new Date(now.getTime() + livesMs) })
    .where('id', '=', id)
    .execute()
}
