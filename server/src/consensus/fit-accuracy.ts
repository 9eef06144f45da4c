/**
 * Estimate each worker's accuracy from their agreement with others on consensus tasks.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none; the weight of these workers' future votes changes
 */
import { urlOf } from '../kit/databases.ts'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { readShards } from '../kit/everywhere.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { withPatientReader } from '../kit/patient-reader.ts'
import { setAccuracies } from '../workers/set-accuracy.ts'
import { answerKind } from './answer.ts'
import { categoryOf, classesOf } from './consensus.ts'
import { fitAccuracies, type Judged } from './dawid-skene.ts'

const DAYS = 180
const VOTES_LEAST = 3
const TASKS_PER_PAGE = 500
const WORKERS_PER_TRANSACTION = 500
const SLOWEST_MS = 600_000

export const fitAccuracy = job({
  name: 'tasks.fit-accuracy',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '41 3 * * *',
  isGlobal: true,

  async run(background) {
    const { db, config, clock, log } = background
    // Uses a separate connection, because reading half a year of tasks takes longer than the request timeout allows.
    const since = new Date(clock.now().getTime() - DAYS * 86_400_000)
    const tasks: Judged[] = []
    for (const { schema } of db.shards.all)
      await withPatientReader(
        urlOf(config, schema),
        SLOWEST_MS,
        async (reader) => tasks.push(...(await readJudged([reader], since))),
        schema,
      )
    const changed = await writeAccuracies(background, tasks)
    log.info({ tasks: tasks.length, changed }, 'accuracies fitted')
  },
})

/**
 * Reads the votes of completed consensus tasks created since the given time, if their answers are categories. A worker
 * votes on tasks of all shards, so the accuracies are fitted to all of them together.
 */
export async function readJudged(shards: readonly Reader[], since: Date): Promise<Judged[]> {
  return (await readShards(shards, (shard) => judgedOfShard(shard, since))).flat()
}

async function judgedOfShard(reader: Reader, since: Date): Promise<Judged[]> {
  const judged: Judged[] = []
  // Ids are ordered by time, so the primary key finds the start.
  for (let after = mintId('task', since, 0); ; ) {
    const tasks = await reader
      .selectFrom('tasks')
      .select(['id', 'answer_schema'])
      .where('id', '>', after)
      .where((task) => task(task.fn.coalesce('consensus_max', 'consensus_count'), '>', 1))
      .where('status', '=', 'completed')
      .where('mode', '=', 'live')
      .orderBy('id')
      .limit(TASKS_PER_PAGE)
      .execute()
    if (tasks.length > 0) judged.push(...(await votesOn(reader, tasks)))
    if (tasks.length < TASKS_PER_PAGE) return judged
    after = tasks.at(-1)!.id
  }
}

async function votesOn(
  reader: Reader,
  tasks: { id: string; answer_schema: unknown }[],
): Promise<Judged[]> {
  const proofs = await reader
    .selectFrom('proofs')
    .innerJoin('assignments', 'assignments.id', 'proofs.assignment_id')
    .distinctOn('proofs.assignment_id')
    .select([
      'proofs.task_id',
      'proofs.worker_id',
      'proofs.answer',
      'proofs.text',
      'proofs.outcome',
    ])
    .where(
      'proofs.task_id',
      'in',
      tasks.map(({ id }) => id),
    )
    // Exclude disputed votes: they may be dishonest, and the dispute has already handled them.
    .where('assignments.status', '=', 'approved')
    // Exclude workers who left because the place wasn't safe: that says nothing about the answer.
    .where('assignments.reason', 'is distinct from', 'unsafe')
    .orderBy('proofs.assignment_id')
    .orderBy('proofs.id', 'desc')
    .execute()

  const byTask = Map.groupBy(proofs, ({ task_id }) => task_id)
  return tasks.flatMap((task) => {
    const kind = answerKind(task)
    const votes = (byTask.get(task.id) ?? []).flatMap((proof) => {
      const category = categoryOf(kind, proof)
      return category === undefined ? [] : [{ workerId: proof.worker_id, category }]
    })
    const categories = new Set(votes.map(({ category }) => category))
    return votes.length < 2 ? [] : [{ classes: classesOf(kind, categories), votes }]
  })
}

const databaseWith =
  ({ SHARD_DATABASES }: Background['config']) =>
  ({ workerId }: { workerId: string }) =>
    databaseOf(shardOf(workerId), SHARD_DATABASES)

async function writeAccuracies(
  { db, config }: Pick<Background, 'db' | 'config'>,
  tasks: Judged[],
): Promise<number> {
  const fitted = [...fitAccuracies(tasks)]
    .filter(([, { votes }]) => votes >= VOTES_LEAST)
    .map(([workerId, { accuracy }]) => ({ workerId, accuracy }))
    .sort((a, b) => (a.workerId < b.workerId ? -1 : 1))
  const byShard = Map.groupBy(fitted, ({ workerId }) => db.shards.at(workerId))
  let changed = 0
  for (const [shard, ofShard] of byShard)
    for (const group of Map.groupBy(ofShard, databaseWith(config)).values())
      for (let i = 0; i < group.length; i += WORKERS_PER_TRANSACTION) {
        const some = group.slice(i, i + WORKERS_PER_TRANSACTION)
        changed += await shard.transaction((tx) => setAccuracies(tx, some))
      }
  return changed
}
