/**
 * Play the scripted workers of test tasks: each step of a script runs through the same operations that people use.
 *
 *   called by   the clock, when `rehearse_at` has passed; an agent that moves its own clock
 *   moves       as in accept.ts, submit-proof.ts, release.ts, appeal.ts and screenings.ts
 *   money       as in those files
 *   event       as in those files
 */
import type { Config } from '../config.ts'
import { appealDispute } from '../disputes/appeal.ts'
import type { Db } from '../kit/db.ts'
import { ApiError } from '../kit/errors.ts'
import { endScreeningOf } from '../moderation/screenings.ts'
import { callingWorker } from '../workers/queries.ts'
import { sweep } from '../kit/job.ts'
import { acceptTask } from '../tasks/accept.ts'
import { appealsOf } from '../tasks/dispute-view.ts'
import type { Rehearsal } from '../tasks/personas.ts'
import { playLater } from '../tasks/play-later.ts'
import { assignmentsOf, lockWork, type Work } from '../tasks/queries.ts'
import { releaseTask } from '../tasks/release.ts'
import { prepareProof, submitTaskProof } from '../tasks/submit-proof.ts'
import { chooseWorker } from './cast.ts'
import { APPEAL, proofOf } from './proofs.ts'
import { nextStep, type Step } from './script.ts'

const DECISIONS = { cleared: 'cleared', not_allowed: 'refused', lapsed: 'lapsed' } as const
/** A task with 25 workers takes 50 steps. Remaining steps are due again at once. */
const STEPS_MAX = 60

export const play = sweep({
  name: 'rehearsal.play',
  isTest: true,

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('tasks')
      .select('id')
      .where('rehearse_at', 'is not', null)
      .where('rehearse_at', '<=', clock.now())
      .orderBy('rehearse_at')
      .limit(limit)
      .execute(),

  // Not in one transaction: the files of a proof are prepared before the proof's own transaction.
  async move({ db, clock, config }, rows) {
    const now = clock.now()
    for (const { id } of rows)
      for (let i = 0; i < STEPS_MAX; i += 1)
        if ((await playStep({ db, config }, { taskId: id, now })) === undefined) break
    return rows.length
  },
})

interface Stage {
  db: Db
  config: Config
}

/** Executes one due step and returns it. If none is due, returns undefined and reschedules the task. */
export async function playStep(
  { db, config }: Stage,
  { taskId, now }: { taskId: string; now: Date },
): Promise<Step['do'] | undefined> {
  const work = await readWork(db, taskId)
  if (work === undefined) return undefined
  const step = await findStep(db, work)
  if (step === undefined || step.at > now) {
    await playLater(db, work.task, step?.at ?? null)
    return undefined
  }
  try {
    return (await perform({ db, config }, work, step, now)) ? step.do : undefined
  } catch (error) {
    // Rejected as a person would be: too late, or somebody else was faster. The script waits for the next change.
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    await playLater(db, work.task, null)
    return undefined
  }
}

export async function readWork(db: Db, taskId: string): Promise<Work | undefined> {
  const task = await db.reader
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('mode', '=', 'test')
    .where('rehearsal', 'is not', null)
    .executeTakeFirst()
  return task && { task, assignments: await assignmentsOf(db.reader, [task]) }
}

export async function findStep(db: Db, work: Work): Promise<Step | undefined> {
  const isDisputed = work.assignments.some(({ status }) => status === 'disputed')
  const appeals = isDisputed ? await appealsOf(db.reader, work.task) : []
  return nextStep(
    work,
    work.task.rehearsal as Rehearsal,
    new Set(appeals.map(({ assignment_id }) => assignment_id)),
  )
}

/** Returns false if another process has just done it. */
async function perform({ db, config }: Stage, work: Work, step: Step, now: Date): Promise<boolean> {
  const { task } = work
  if (step.do === 'accept') {
    const { id } = await chooseWorker(db, work, now)
    const worker = { id, mode: task.mode, agentId: task.agent_id }
    const profile = await callingWorker(db.shards.at(id).reader, id)
    const { isNew } = await db.transaction((tx) =>
      acceptTask(tx, { taskId: task.id, worker, profile, now }),
    )
    return isNew
  }
  if (step.do === 'screen') {
    const { id: taskId, agent_id: agentId } = task
    return db.transaction(async (tx) => {
      const locked = await lockWork(tx, { taskId, agentId })
      return (await endScreeningOf(tx, locked, { decision: DECISIONS[step.as], now })) !== undefined
    })
  }
  const { assignment } = step
  const own = { taskId: task.id, workerId: assignment.worker_id }
  if (step.do === 'release') {
    const how = { reason: 'I can’t do it after all', freeMs: Number.POSITIVE_INFINITY, now }
    await db.transaction((tx) => releaseTask(tx, { ...own, ...how }))
  } else if (step.do === 'appeal') {
    await db.transaction((tx) => appealDispute(tx, { ...own, statement: APPEAL, config, now }))
  } else {
    const input = proofOf({
      task,
      assignment,
      index: work.assignments.filter(({ submitted_at }) => submitted_at !== null).length,
      rehearsal: task.rehearsal as Rehearsal,
      now,
    })
    const found = { task, assignment }
    const prepared = await prepareProof(db, found, { input, config, now, isScripted: true })
    await db.transaction((tx) => submitTaskProof(tx, { ...own, ...prepared, now }))
  }
  return true
}
