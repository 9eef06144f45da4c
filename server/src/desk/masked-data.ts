/** Reads the personal data of a record that its page masks. Only `look.ts` shows it. */
import { z } from 'zod'
import { filesOf } from '../files/files.ts'
import { filesOfProofs, signedLink } from '../files/show.ts'
import type { Reader } from '../kit/db.ts'
import type { Background } from '../kit/job.ts'
import { attachmentsOf } from '../questions/thread.ts'
import { findNoContactRow } from '../targets/decide-no-contact.ts'
import { numberOf } from './objects/task.ts'
import type { LookWhat } from './views.ts'

/** The page loads the media at once; a copied link is of no use afterwards. */
const LINK_MINUTES = 5

const Media = z.object({
  n: z.int(),
  kind: z.string(),
  content_type: z.string(),
  url: z.string(),
  expires_at: z.iso.datetime(),
})
const Place = z.object({ address: z.string().nullable(), lat: z.number(), lng: z.number() })

export const LookValue = z.union([z.string(), Place, z.object({ media: z.array(Media) })])
type Value = z.input<typeof LookValue>

interface Asked {
  background: Background
  subject: string
  what: z.output<typeof LookWhat>
  now: Date
}

export async function readMasked(asked: Asked): Promise<Value | undefined> {
  const { background, subject, what } = asked
  if (subject.startsWith('dnc_')) {
    const row = await findNoContactRow(background.db.shards.global.reader, subject)
    return row?.value ?? undefined
  }
  const { reader } = background.db.shards.at(subject)
  switch (what) {
    case 'email':
      return readEmail(reader, subject)
    case 'phone':
      return numberOf(await readContext(reader, subject))
    case 'place':
      return readPlace(reader, subject)
    case 'proof':
      return readMedia(reader, asked)
    case 'contact':
      return readContact(reader, subject)
    case 'attachment':
      return readAttachments(asked)
  }
}

async function readEmail(reader: Reader, id: string): Promise<string | undefined> {
  const owner = reader.selectFrom(id.startsWith('agent_') ? 'agents' : 'workers')
  const found = await owner.select('email').where('id', '=', id).executeTakeFirst()
  return found?.email ?? undefined
}

/** Whom a worker named to be called if a check-in is missed. */
async function readContact(reader: Reader, id: string): Promise<string | undefined> {
  const found = await reader
    .selectFrom('check_ins')
    .select('contact')
    .where('worker_id', '=', id)
    .executeTakeFirst()
  return found?.contact ?? undefined
}

async function readContext(reader: Reader, id: string): Promise<unknown> {
  const found = await reader
    .selectFrom('tasks')
    .select('context')
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.context
}

const Located = z.object({ address: z.string().optional(), lat: z.number(), lng: z.number() })

/** Reads the place of a task, a worker or a proof. An agent may have written it as one line. */
async function readPlace(reader: Reader, id: string): Promise<Value | undefined> {
  const table = id.startsWith('task_') ? 'tasks' : id.startsWith('proof_') ? 'proofs' : 'workers'
  const found = await reader
    .selectFrom(table)
    .select('location')
    .where('id', '=', id)
    .executeTakeFirst()
  if (typeof found?.location === 'string') return found.location
  const { data } = Located.safeParse(found?.location)
  return data && { ...data, address: data.address ?? null }
}

const minutesOf = ({ FILE_LINK_MINUTES }: Background['config']) =>
  Math.min(LINK_MINUTES, FILE_LINK_MINUTES)

async function readMedia(
  reader: Reader,
  { background: { config }, subject, now }: Asked,
): Promise<Value | undefined> {
  const proof = await reader
    .selectFrom('proofs')
    .select(['id', 'worker_id', 'files_removed_at'])
    .where('id', '=', subject)
    .executeTakeFirst()
  if (proof === undefined) return undefined
  const files = await filesOfProofs(reader, [proof])
  if (files.length === 0) return undefined
  const minutes = minutesOf(config)
  const media = files.map(async (file, n) => ({
    n,
    kind: file.kind,
    content_type: file.content_type,
    ...(await signedLink(filesOf(config), file, { now, minutes })),
  }))
  return { media: await Promise.all(media) }
}

async function readAttachments({ background, subject, now }: Asked): Promise<Value | undefined> {
  const minutes = minutesOf(background.config)
  const media = await attachmentsOf(background, subject, { now, minutes })
  return media.length === 0 ? undefined : { media }
}
