/** What the desk's operations about decisions return. */
import { z } from 'zod'
import { named } from '../kit/named.ts'
import { type Right, RIGHTS } from '../kit/rights.ts'
import type { Effect } from './decision.ts'
import type { DecisionRow } from './queries.ts'

const RIGHT_NAMES = Object.keys(RIGHTS) as [Right, ...Right[]]

export const DECISION_STATES = [
  'waiting',
  'agreed',
  'done',
  'failed',
  'declined',
  'withdrawn',
  'lapsed',
] as const

export const EffectView = named(
  'DecisionEffect',
  z.object({
    amount_cents: z.int().nullable().describe('The money that it moves, in all; null if none'),
    lines: z.array(
      z.object({ from: z.string(), to: z.string(), amount_cents: z.int() }).describe('In words'),
    ),
    tells: z.array(
      z.object({ who: z.enum(['worker', 'agent']), id: z.string(), what: z.string() }),
    ),
    changes: z.array(z.string()),
    undo: z.string().nullable().describe('How it can be undone; null if it can’t'),
  }),
)

const OperatorName = z.object({ id: z.string(), name: z.string() })

export const DecisionView = named(
  'OperatorDecision',
  z.object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    right: z.enum(RIGHT_NAMES).describe('What a second operator needs'),
    subject: z.string(),
    amount_cents: z.int().nullable(),
    input: z.record(z.string(), z.unknown()),
    reason: z.string(),
    state: z.enum(DECISION_STATES),
    needs_second: z.boolean(),
    proposed_by: OperatorName,
    proposed_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    second_by: OperatorName.nullable().describe('Who agreed or declined'),
    second_at: z.iso.datetime().nullable(),
    ended_at: z.iso.datetime().nullable(),
    result: z.unknown().describe('What came of it, or `error`: why it failed'),
    can_undo: z.boolean(),
  }),
)

export const FieldView = named(
  'ChoiceField',
  z.object({
    name: z.string().describe('The field of `input`'),
    label: z.string(),
    type: z.enum(['text', 'cents', 'days', 'tasks', 'choice']),
    options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
    is_required: z.boolean(),
  }),
)

export const ChoiceView = named(
  'DecisionChoice',
  z.object({
    key: z.enum(['1', '2', '3', '4']).nullable().describe('The key that chooses it'),
    label: z.string(),
    kind: z.string(),
    subject: z.string().describe('What to decide about; may differ from the page’s object'),
    input: z.record(z.string(), z.unknown()).describe('Complete except for `fields`'),
    is_danger: z.boolean(),
    right: z.enum(RIGHT_NAMES),
    fields: z.array(FieldView),
    templates: z
      .array(
        z.object({ id: z.string(), title: z.string(), text: z.string(), language: z.string() }),
      )
      .describe('Reasons to start from, in the language of the person affected'),
    tells_person: z.boolean().describe('The reason is sent to the person affected'),
    undo: z.string().nullable(),
  }),
)
export type Choice = z.output<typeof ChoiceView>

export const MadeView = z.object({
  decision_id: z.string(),
  state: z
    .enum(['done', 'agreed', 'waiting'])
    .describe('`agreed`: it is being carried out, and finishes automatically'),
  expires_at: z.iso.datetime().nullable().describe('If it waits: until when somebody can agree'),
  result: z.unknown().describe('If it is done: what came of it'),
})

export const LimitView = named(
  'TwoPersonLimit',
  z.object({
    kind: z.string(),
    title: z.string(),
    over_cents: z.int().nullable().describe('0: always two operators; null: never'),
    changed_by: OperatorName.nullable(),
    changed_at: z.iso.datetime(),
  }),
)

/** The request of a preview and of a decision. */
export const AskedDecision = z.object({
  kind: z.string().max(50),
  subject: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()).default({}),
})

export const Reason = z.string().trim().min(3).max(500)

interface Shown {
  row: DecisionRow
  kind: { title: string; right: Right }
  /** Names of operators by id; a system user has none. */
  names: ReadonlyMap<string, string>
  canUndo: boolean
}

export function viewDecision({ row, kind, names, canUndo }: Shown): z.output<typeof DecisionView> {
  const nameOf = (id: string) => ({ id, name: names.get(id) ?? id })
  return {
    id: row.id,
    kind: row.kind,
    title: kind.title,
    right: kind.right,
    subject: row.subject,
    amount_cents: row.amount_cents,
    input: row.input as Record<string, unknown>,
    reason: row.reason,
    state: row.state as (typeof DECISION_STATES)[number],
    needs_second: row.needs_second,
    proposed_by: nameOf(row.proposed_by),
    proposed_at: row.proposed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    second_by: row.second_by === null ? null : nameOf(row.second_by),
    second_at: row.second_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    result: row.result ?? null,
    can_undo: canUndo,
  }
}

export const viewEffect = (effect: Effect): z.output<typeof EffectView> => effect
