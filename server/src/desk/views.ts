/** The data that the desk's pages show, shared by its operations. */
import { z } from 'zod'
import { ChoiceView } from '../decisions/views.ts'
import { named } from '../kit/named.ts'
import { RIGHTS, type Right } from '../kit/rights.ts'
import { GROUPS } from '../ops/queues.ts'
import { LINKS } from '../payouts/links.ts'

const RightName = z.enum(Object.keys(RIGHTS) as [Right, ...Right[]])
const Time = z.iso.datetime()

/** An operator as others see them. */
export const Colleague = named('Colleague', z.object({ id: z.string(), name: z.string() }))

export const QueueSummary = named(
  'QueueSummary',
  z.object({
    name: z.string(),
    title: z.string(),
    group: z.enum(GROUPS),
    right: RightName.describe('What a role needs to decide here'),
    count: z.int().describe('Exact up to 500'),
    is_more: z.boolean().describe('There are more than `count`'),
    overdue: z.int(),
    oldest_at: Time.nullable(),
    next_due_at: Time.nullable(),
    clock: z.string().describe('What happens when nobody decides'),
  }),
)

export const QueueRow = named(
  'QueueRow',
  z.object({
    id: z.string().describe('The subject: the id of its object page'),
    kind: z.string(),
    title: z.string(),
    amount_cents: z.int().nullable(),
    since: Time.nullable(),
    due_at: Time.nullable(),
    assigned: Colleague.nullable(),
    facts: z.array(z.string()),
  }),
)

export const LOOKS = ['email', 'phone', 'place', 'proof', 'attachment', 'contact'] as const
export const LookWhat = z.enum(LOOKS)

export const Note = named(
  'CaseNote',
  z.object({ id: z.string(), operator: Colleague, text: z.string(), at: Time }),
)

export const Assignment = named(
  'CaseAssignment',
  z.object({
    operator: Colleague,
    since: Time,
    handed_by: Colleague.nullable(),
    words: z.string().nullable().describe('What the previous operator wrote at the hand-over'),
  }),
)

export const OBJECT_KINDS = [
  'task',
  'worker',
  'agent',
  'payout',
  'deposit',
  'dispute',
  'appeal',
  'question',
  'decision',
  'refund',
  'break',
  'receiver',
  'job',
  'notification',
  'attempt',
  'switch',
  'chargeback',
  'withdrawal',
  'event',
  'crossing',
  'operator',
  'no_contact',
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

const Fact = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  as: z.enum(['text', 'money', 'time', 'id', 'masked']),
  look: LookWhat.optional().describe('What a look would show in full'),
})
export type Fact = z.input<typeof Fact>

const Related = z.object({ id: z.string(), kind: z.enum(OBJECT_KINDS), title: z.string() })
export type Related = z.input<typeof Related>

/** One record with everything that a decision about it needs. Texts by users are untrusted. */
export const ObjectPage = named(
  'ObjectPage',
  z.object({
    id: z.string(),
    kind: z.enum(OBJECT_KINDS),
    title: z.string(),
    status: z.string(),
    mode: z.enum(['live', 'test']).nullable(),
    at: Time,
    facts: z.array(Fact),
    waits: z.array(
      z.object({ what: z.string(), until: Time.nullable(), queue: z.string().nullable() }),
    ),
    text: z.array(
      z.object({
        label: z.string(),
        by: z.enum(['agent', 'worker', 'operator']),
        text: z.string(),
      }),
    ),
    proofs: z.array(
      z.object({
        id: z.string(),
        worker_id: z.string(),
        outcome: z.string(),
        submitted_at: Time,
        checks: z.array(
          z.object({ name: z.string(), result: z.string(), note: z.string().nullable() }),
        ),
        media: z.array(z.object({ n: z.int(), kind: z.string() })),
      }),
    ),
    timeline: z.array(
      z.object({
        at: Time,
        what: z.string(),
        who: z.string().nullable(),
        id: z.string().nullable(),
      }),
    ),
    money: z
      .array(
        z.object({
          at: Time,
          type: z.string(),
          key: z.string(),
          from: z.string(),
          to: z.string(),
          amount_cents: z.int(),
        }),
      )
      .describe('Ledger lines of this object, newest first'),
    trust: z.array(
      z.object({
        at: Time,
        cause: z.string(),
        delta: z.number(),
        task_id: z.string().nullable(),
      }),
    ),
    access: z.array(
      z.object({
        kind: z.enum(['key', 'session']),
        id: z.string(),
        name: z.string(),
        created_at: Time,
        last_used_at: Time.nullable(),
        ended_at: Time.nullable(),
      }),
    ),
    linked: z.array(
      z.object({
        how: z.enum(LINKS),
        id: z.string(),
        kind: z.enum(OBJECT_KINDS),
        name: z.string(),
      }),
    ),
    related: z.array(Related),
    thread: z
      .array(
        z.object({
          number: z.int(),
          author: z.enum(['worker', 'agent', 'operator']),
          name: z.string().nullable(),
          text: z.string(),
          at: Time,
          attachments: z.array(z.object({ n: z.int(), kind: z.string() })),
        }),
      )
      .nullable(),
    notes: z.array(Note),
    assignment: Assignment.nullable(),
    decisions: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        title: z.string(),
        state: z.string(),
        proposed_by: Colleague,
        second_by: Colleague.nullable(),
        reason: z.string(),
        at: Time,
        amount_cents: z.int().nullable(),
      }),
    ),
    choices: z.array(ChoiceView),
  }),
)
export type ObjectPage = z.input<typeof ObjectPage>
