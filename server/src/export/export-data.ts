/**
 * Export all data of a worker as one JSON document: the right of access and to data portability. It is read and sent
 * page by page, so neither memory nor a database connection is held for a slow reader.
 *
 *   called by   a worker, a few times an hour (the limit `export`)
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { filesOf } from '../files/files.ts'
import type { Db } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { LISTS, OBJECTS, readPage, type Row } from './sections.ts'

/** Long enough to fetch the files with a script. */
const LINK_MS = 86_400_000

const Fields = z.record(z.string(), z.unknown())

const DataExport = named(
  'WorkerDataExport',
  z.object({
    exported_at: z.iso.datetime(),
    account: Fields.describe('Your profile, preferences and trust'),
    payout_account: Fields.nullable().describe('Your account at the payment processor'),
    alert: Fields.nullable().describe('The new tasks that you want to hear of'),
    check_in: Fields.nullable().describe('When you want to be asked whether you are fine'),
    assignments: z
      .array(Fields)
      .describe(
        'The tasks that you accepted, with your proofs, files, disputes and appeals. A file has a ' +
          '`url` for a day, until it is deleted after its task has ended',
      ),
    statement: z.array(Fields).describe('Every movement of your balance'),
    payouts: z.array(Fields),
    trust_events: z.array(Fields).describe('What changed your trust score'),
    reports: z.array(Fields).describe('The tasks that you reported'),
    decisions: z
      .array(Fields)
      .describe('Suspensions and closings of your account, with your objections'),
    notices: z.array(Fields),
    questions: z.array(Fields).describe('What you asked us, with our answers'),
    sessions: z.array(Fields).describe('The devices that are logged in'),
    push_subscriptions: z.array(Fields).describe('The devices that get notifications'),
    email_changes: z.array(Fields),
  }),
)

export const exportData = endpoint({
  method: 'GET',
  path: '/worker/export',
  name: 'exportWorkerData',
  auth: 'worker',
  limits: ['export'],
  summary: 'Download all your data',
  description:
    'One JSON document with all that we store about you, as an attachment. Passwords, tokens and ' +
    'the keys of your devices are left out: we store them only in a form that is of no use to you.',
  success: { status: 200, body: DataExport },
  errors: [],

  transaction: 'own',
  async handler({ db, worker: { id: workerId }, config, now }) {
    return {
      status: 200,
      body: Readable.from(documentOf(db, { workerId, config, now })),
      headers: { 'content-disposition': 'attachment; filename="legwork-data.json"' },
      isReplay: false as const,
    }
  },
})

interface Exporting {
  workerId: string
  config: Config
  now: Date
}

/** The document, a value at a time. The whole is never in memory. */
async function* documentOf(db: Db, { workerId, config, now }: Exporting) {
  yield '{'
  yield fieldOf('exported_at', now)
  for (const { name, query } of OBJECTS) {
    const { rows } = await query(workerId).execute(db.reader)
    yield ',\n'
    yield fieldOf(name, rows[0] ?? null)
  }
  for (const list of LISTS) {
    yield `,\n${JSON.stringify(list.name)}:[`
    let separator = '\n'
    for await (const row of readPage(db, list, workerId)) {
      yield separator
      yield JSON.stringify(withLinks(row, { config, now }))
      separator = ',\n'
    }
    yield ']'
  }
  yield '}\n'
}

const fieldOf = (name: string, value: unknown) => `${JSON.stringify(name)}:${JSON.stringify(value)}`

/** A file can be downloaded until it is deleted. */
function withLinks(row: Row, { config, now }: Pick<Exporting, 'config' | 'now'>): Row {
  if (!Array.isArray(row.files)) return row
  const { links } = filesOf(config)
  const expiresAt = new Date(now.getTime() + LINK_MS)
  const files = (row.files as { id: string; status: string }[]).map((file) => ({
    ...file,
    url: file.status === 'ready' ? links.sign(file.id, expiresAt) : null,
  }))
  return { ...row, files }
}
