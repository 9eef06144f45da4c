/** Finds an object by its id: the prefix says what it is. */
import { findAgent } from './agent.ts'
import { findBreak } from './break.ts'
import { findDeposit } from './deposit.ts'
import { findAppeal, findDispute } from './dispute.ts'
import type { Finder, Found, Sought } from './object.ts'
import { findPayout } from './payout.ts'
import { findQuestion } from './question.ts'
import { findTask } from './task.ts'
import { findWorker } from './worker.ts'

const FINDERS: Readonly<Record<string, Finder>> = {
  task: findTask,
  worker: findWorker,
  agent: findAgent,
  dsp: findDispute,
  apl: findAppeal,
  po: findPayout,
  txn: findDeposit,
  wqn: findQuestion,
  break: findBreak,
}

export async function findObject(sought: Sought): Promise<Found | undefined> {
  const prefix = sought.id.slice(0, sought.id.indexOf('_'))
  return FINDERS[prefix]?.(sought)
}
