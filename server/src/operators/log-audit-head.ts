/**
 * Check the audit log every night, and write the head of its chain to the server's log, which is kept elsewhere: rows
 * that are deleted at the end leave no gap in the table, but the logged head shows them.
 *
 *   called by   the clock, every night
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'
import { checkChain } from './audit-chain.ts'

export const logAuditHead = job({
  name: 'operators.log-audit-head',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '53 2 * * *',
  isGlobal: true,

  async run({ db, clock, log }) {
    const { rows, head, first_wrong } = await checkChain(db.shards.global, { now: clock.now() })
    if (first_wrong === null)
      log.info(
        { rows, seq: head?.seq ?? 0, hash: head?.hash ?? '' },
        'audit log: the chain is whole',
      )
    else
      log.error(
        { rows, seq: first_wrong.seq, problem: first_wrong.problem },
        'audit log: the chain is broken',
      )
  },
})
