/** Finds an object by its id: the prefix says what it is. */
import { findAgent } from './agent.ts'
import { findAttempt } from './attempt.ts'
import { findBreak } from './break.ts'
import { findChargeback } from './chargeback.ts'
import { findCrossing } from './crossing.ts'
import { findDeposit } from './deposit.ts'
import { findAppeal, findDispute } from './dispute.ts'
import { findEvent } from './event.ts'
import { findJob } from './job.ts'
import { findNoContact } from './no-contact.ts'
import { findNotification } from './notification.ts'
import type { Finder, Found, Sought } from './object.ts'
import { findOperator } from './operator.ts'
import { findPayout } from './payout.ts'
import { findQuestion } from './question.ts'
import { findReceiver } from './receiver.ts'
import { findRefund } from './refund.ts'
import { findSwitch } from './switch.ts'
import { findTask } from './task.ts'
import { findWithdrawal } from './withdrawal.ts'
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
  rfd: findRefund,
  wd: findWithdrawal,
  opr: findOperator,
  evt: findEvent,
  event: findEvent,
  crossing: findCrossing,
  attempt: findAttempt,
  receiver: findReceiver,
  notification: findNotification,
  job: findJob,
  switch: findSwitch,
  dnc: findNoContact,
}

export async function findObject(sought: Sought): Promise<Found | undefined> {
  const prefix = sought.id.slice(0, sought.id.indexOf('_'))
  // Only chargebacks have the processor's ids.
  return (FINDERS[prefix] ?? findChargeback)(sought)
}
