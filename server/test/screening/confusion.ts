/** What screening does with the labelled tasks of one half, by class. */
import { screen, type Screened } from '../../src/screening/screen.ts'
import { THRESHOLD } from '../../src/screening/wording.ts'
import { CLASSES, type HALVES, LABELS, type LabelledTask, labelledTasks } from './labelled-tasks.ts'

/** Fields of a request that no worker reads as text. */
const ORDER_FIELDS = new Set([
  'budget_cents',
  'urgency',
  'proof',
  'proof_required',
  'consensus',
  'consensus_count',
  'deadline',
  'scale',
  'type',
  'metadata',
])

export const FATES = ['refused', 'waiting', 'listed'] as const
export type Fate = (typeof FATES)[number]
export type Counts = Record<(typeof LABELS)[number], Record<Fate, number>>

/** Screening reads the text of a request. A shorthand's own fields are in the context of its task. */
export function screenedOf({ body }: Pick<LabelledTask, 'body'>): Screened {
  const { title, description, location, criteria, answer_schema, ...rest } = body
  const context = Object.entries(rest).filter(([field]) => !ORDER_FIELDS.has(field))
  return {
    title: (title as string | undefined) ?? null,
    description: (description as string | undefined) ?? '',
    location,
    criteria,
    answer_schema,
    context: Object.fromEntries(context),
  }
}

/** As for an agent of the lowest tiers. */
export function fateOf(task: LabelledTask): Fate {
  const { rules, wording } = screen(screenedOf(task))
  if (rules.some(({ verdict }) => verdict === 'refused')) return 'refused'
  return rules.length > 0 || wording > THRESHOLD ? 'waiting' : 'listed'
}

const none = (): Counts => ({
  abuse: { refused: 0, waiting: 0, listed: 0 },
  benign: { refused: 0, waiting: 0, listed: 0 },
})

export function confusionOf(
  half: (typeof HALVES)[number],
  fate: (task: LabelledTask) => Fate = fateOf,
) {
  const byClass = new Map(CLASSES.map((name) => [name as string, none()]))
  const all = none()
  for (const task of labelledTasks(half)) {
    const of = fate(task)
    byClass.get(task.class)![task.label][of] += 1
    all[task.label][of] += 1
  }
  return { byClass, all }
}

export const percentOf = (counts: Record<Fate, number>, ...fates: Fate[]) =>
  (100 * fates.reduce((sum, fate) => sum + counts[fate], 0)) /
  FATES.reduce((sum, fate) => sum + counts[fate], 0)

/** The table of docs/safety.md. */
export function renderConfusion({ byClass, all }: ReturnType<typeof confusionOf>): string {
  const cells = (counts: Counts) =>
    LABELS.flatMap((label) => FATES.map((fate) => counts[label][fate]))
  const row = (name: string, counts: Counts) => `| ${[name, ...cells(counts)].join(' | ')} |`
  return [
    '| class | abuse refused | abuse waiting | abuse listed | benign refused | benign waiting | benign listed |',
    '|---|---|---|---|---|---|---|',
    ...[...byClass].map(([name, counts]) => row(name.replaceAll('_', ' '), counts)),
    row('**all**', all),
  ].join('\n')
}
