/** Finds records by what an operator types. Each way of finding one uses an index: no search reads a large table. */
import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { placesOf, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { isWellFormedApiKey, sha256 } from '../kit/secrets.ts'
import { DECISION_KINDS } from '../decisions/kinds.ts'
import { masked } from '../ops/look-up.ts'
import { findByReference } from './objects/by-reference.ts'
import { findObject } from './objects/find-object.ts'

const HITS_MAX = 50
const NAMES_MAX = 10

export interface Hit {
  id: string
  kind: string
  title: string
  why: string
}

interface Found {
  /** The kind of search, for the log. */
  kind: 'id' | 'email' | 'phone' | 'hash' | 'API key' | 'reference or name'
  /** For the log: the id, or nothing that could be personal. */
  subject: string
  hits: Hit[]
}

/** Why an id of a kind without a page finds nothing. */
const HINTS: Readonly<Record<string, string>> = {
  req: 'The id of a request is only in the logs of the server.',
  dlv: 'An attempt is on the page of its event: search for the id that begins with evt_.',
  whsec: 'Secrets of webhooks are not searched: search for the agent.',
}

/** Tells the operator what to try when nothing was found. */
export function hintFor(text: string): string | null {
  const [, prefix = ''] = /^([a-z]{2,6})_\w{10,}$/.exec(text) ?? []
  if (HINTS[prefix] !== undefined) return HINTS[prefix]
  if (OUR_ID.test(text))
    return 'No record has this id. It may have been deleted when its retention period ended.'
  return null
}

interface Sought {
  background: Background
  text: string
  now: Date
}

const OUR_ID = /^[a-z]{2,6}_[0-9a-hjkmnp-tv-z]{26}$/
const OF_OURS = /^(?:break|job|switch|notification|receiver|attempt|event|crossing)_/
const SHA256 = /^[0-9a-f]{64}$/i
const DHASH = /^[0-9a-f]{16}$/i
const PHONE = /^\+?[\d\s().-]{6,25}$/

export async function findHits(sought: Sought): Promise<Found> {
  const { text, background } = sought
  const { shards } = background.db
  if (OUR_ID.test(text) || OF_OURS.test(text)) {
    const hits = await findById(sought)
    if (hits.length > 0) return { kind: 'id', subject: text.replace(/\s+/g, ' '), hits }
  }
  if (text.includes('@')) return found('email', await findByEmail(shards, text.toLowerCase()))
  if (isWellFormedApiKey(text)) return found('API key', await findByKeyHash(shards, sha256(text)))
  if (SHA256.test(text) || DHASH.test(text)) {
    const hash = text.toLowerCase()
    // The desk's page sends the hash of a pasted key, so that no address in the browser's history has a key.
    const ofKey = SHA256.test(text) ? await findByKeyHash(shards, hash) : []
    return found('hash', [...ofKey, ...(await findByPhoto(shards, hash))])
  }
  if (PHONE.test(text)) return found('phone', await findByPhone(shards, text))
  const [byReference, byName] = await Promise.all([
    findByReference(shards, text),
    findByName(shards, text),
  ])
  return found('reference or name', [...byReference, ...byName])
}

const found = (kind: Found['kind'], hits: Hit[]): Found => ({
  kind,
  subject: 'search',
  hits: hits.slice(0, HITS_MAX),
})

/** Ids without a page of their own lead to that of what they belong to: their table, and the column that names it. */
const BELONGS_TO: Readonly<Record<string, readonly [table: string, owner: string]>> = {
  asg: ['assignments', 'task_id'],
  proof: ['proofs', 'task_id'],
  key: ['api_keys', 'agent_id'],
  wdn: ['worker_decisions', 'worker_id'],
  wec: ['worker_email_changes', 'worker_id'],
  wss: ['worker_sessions', 'worker_id'],
  psh: ['push_subscriptions', 'worker_id'],
  ntc: ['notices', 'worker_id'],
  wqm: ['question_messages', 'question_id'],
  nte: ['case_notes', 'subject'],
}

async function findById(sought: Sought): Promise<Hit[]> {
  const { background, text, now } = sought
  const { shards } = background.db
  const prefix = text.slice(0, text.indexOf('_'))
  if (prefix === 'opd') return findDecision(shards, text)
  const belongs = prefix === 'upl' ? 'photos' : BELONGS_TO[prefix]?.[0].replaceAll('_', ' ')
  const id = await pageOf(shards, text)
  const page = id === undefined ? undefined : await findObject({ background, id, now })
  const why = belongs === undefined ? 'id' : `id of its ${belongs}`
  return page === undefined ? [] : [{ id: page.id, kind: page.kind, title: page.title, why }]
}

/** The id of the page that an id leads to. */
async function pageOf(shards: Shards, id: string): Promise<string | undefined> {
  const prefix = id.slice(0, id.indexOf('_'))
  if (prefix === 'upl') return findUpload(shards, id)
  const above = BELONGS_TO[prefix]
  if (above === undefined) return id
  const { reader } = prefix === 'nte' ? shards.global : shards.at(id)
  return ownerOf(reader, id, above)
}

async function ownerOf(
  reader: Reader,
  id: string,
  [table, owner]: readonly [string, string],
): Promise<string | undefined> {
  const { rows } = await sql<{ owner: string }>`
    select ${sql.ref(owner)} as owner from ${sql.table(table)} where id = ${id}`.execute(reader)
  return rows[0]?.owner
}

/** Decisions are with their subjects, which can be anywhere. */
async function findDecision(shards: Shards, id: string): Promise<Hit[]> {
  const places = placesOf({ shards: shards.readers, global: shards.global.reader })
  const parts = await readShards(places, (reader) =>
    reader
      .selectFrom('operator_decisions')
      .select(['kind', 'state'])
      .where('id', '=', id)
      .execute(),
  )
  return parts.flat().map(({ kind, state }) => ({
    id,
    kind: 'decision',
    title: `${DECISION_KINDS.find((one) => one.kind === kind)?.title ?? kind}, ${state}`,
    why: 'id',
  }))
}

/** A photo of a proof, or of a question. */
async function findUpload(shards: Shards, id: string): Promise<string | undefined> {
  const { reader } = shards.at(id)
  const ofQuestion = await reader
    .selectFrom('question_photos')
    .select('question_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return ofQuestion?.question_id ?? ownerOf(reader, id, ['files', 'task_id'])
}

/** The agent of an API key, by the hash of the key: the key itself is neither stored nor logged. */
async function findByKeyHash({ readers }: Shards, hash: string): Promise<Hit[]> {
  const parts = await readShards(readers, async (reader) => {
    const { rows } = await sql<{ id: string; name: string }>`
      select a.id, a.name from agents a where a.id in (
        select agent_id from api_keys where key_hash = ${hash}
        union all
        select k.agent_id from rotated_keys r join api_keys k on k.id = r.key_id where r.key_hash = ${hash})`.execute(
      reader,
    )
    return rows
  })
  return parts.flat().map(({ id, name }) => ({ id, kind: 'agent', title: name, why: 'API key' }))
}

async function findByEmail({ global: { reader } }: Shards, email: string): Promise<Hit[]> {
  const workers = await reader
    .selectFrom('worker_emails')
    .select('worker_id as id')
    .where('email', '=', email)
    .execute()
  const agents = await reader
    .selectFrom('agent_emails')
    .select('agent_id as id')
    .where('email', '=', email)
    .execute()
  const why = 'email'
  return [
    ...workers.map(({ id }) => ({ id, kind: 'worker', title: masked(email), why })),
    ...agents.map(({ id }) => ({ id, kind: 'agent', title: masked(email), why })),
  ]
}

/** The number that a worker is to call. Spaces and signs don't matter, except for the plus. */
async function findByPhone({ readers }: Shards, text: string): Promise<Hit[]> {
  const number = text.replace(/[\s().-]/g, '')
  const numbers = [number, `+${number.replace(/^00/, '')}`]
  const parts = await readShards(readers, async (reader) => {
    const { rows } = await sql<{ id: string; status: string }>`
      select id, status::text from tasks
       where type = 'voice_proxy' and (context ->> 'number') = any(${numbers}::text[])
       order by id desc limit ${HITS_MAX}`.execute(reader)
    return rows
  })
  const title = `Call to … ${number.slice(-2)}`
  return parts.flat().map(({ id, status }) => ({
    id,
    kind: 'task',
    title: `${title}, ${status}`,
    why: 'phone',
  }))
}

async function findByPhoto({ global: { reader } }: Shards, hash: string): Promise<Hit[]> {
  const photo =
    hash.length === 64
      ? sql`sha256 = ${hash}`
      : sql`(dhash & 65535) = (v.hash & 65535) and dhash = v.hash`
  const { rows } = await sql<{ task_id: string; worker_id: string }>`
    select distinct task_id, worker_id
      from photo_hashes, (select ('x' || ${hash.slice(0, 16)}::text)::bit(64)::bigint as hash) v
     where ${photo} limit ${HITS_MAX}`.execute(reader)
  const why = 'photo hash'
  return rows.flatMap(({ task_id, worker_id }) => [
    { id: task_id, kind: 'task', title: 'Task with this photo', why },
    { id: worker_id, kind: 'worker', title: 'Worker who sent this photo', why },
  ])
}

/** The beginning of a name, in any case. */
async function findByName({ readers }: Shards, text: string): Promise<Hit[]> {
  const parts = await readShards(readers, async (reader) => {
    const key = sql`lower(name) collate "C"`
    const begins = sql`${key} >= lower(${text}) and ${key} < lower(${text}) || chr(1114111)`
    const { rows } = await sql<Hit>`
      (select id, 'worker' as kind, name as title, 'name' as why from workers where ${begins}
        order by lower(name) collate "C" limit ${NAMES_MAX})
      union all
      (select id, 'agent', name, 'name' from agents where ${begins}
        order by lower(name) collate "C" limit ${NAMES_MAX})`.execute(reader)
    return rows
  })
  return parts
    .flat()
    .sort((a, b) => (a.title < b.title ? -1 : Number(a.title > b.title)))
    .slice(0, HITS_MAX)
}
