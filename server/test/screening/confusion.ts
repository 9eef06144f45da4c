/** What screening does with the labelled tasks of one half, by class. */
import { screen } from '../../src/screening/screen.ts'
import { CLASSES, type HALVES, LABELS, type LabelledTask, labelledTasks } from './labelled-tasks.ts'

export const FATES = ['refused', 'waiting', 'listed'] as const
export type Fate = (typeof FATES)[number]
export type Counts = Record<(typeof LABELS)[number], Record<Fate, number>>

/** The rules see all text of a request together; a shorthand's own fields are in the context of its task. */
export function fateOf({
  body: { title, description, location, criteria, ...rest },
}: LabelledTask): Fate {
  const { metadata: _, answer_schema, ...context } = rest
  const found = screen({
    title: (title as string | undefined) ?? null,
    description: (description as string | undefined) ?? '',
    location,
    criteria,
    answer_schema,
    context,
  })
  if (found.some(({ verdict }) => verdict === 'refused')) return 'refused'
  return found.length > 0 ? 'waiting' : 'listed'
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
