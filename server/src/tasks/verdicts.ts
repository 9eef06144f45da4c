/**
 * Applies frequent verdicts with an optimistic lock: read, decide, and write if the task hasn't changed since;
 * otherwise retry. Reads and writes of concurrent requests are batched.
 */
import { keyCap } from '../agents/errors.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../kit/db.ts'
import {
  type AgentCaller,
  type Answer,
  answerWith,
  type Claim,
  type Warning,
} from '../kit/endpoint.ts'
import { ApiError, idempotencyMismatch, unavailable } from '../kit/errors.ts'
import { DEPOSIT_URL, insufficientFunds, taskNotFound } from './errors.ts'
import { type Move, moveInBatch } from './moves.ts'
import type { Work } from './queries.ts'
import { readWork } from './read-work.ts'

export interface Verdict {
  answer: Record<string, unknown>
  /** Added to the warnings about the request body. */
  warnings?: Warning[]
  /** Absent if the same verdict was already applied, so nothing changes. */
  move?: Move
}

interface Request {
  db: Db
  config: Config
  agent: AgentCaller
  now: Date
  claim: Claim | undefined
  warnings: Warning[]
  once(effect: (tx: Tx) => Promise<Answer>): Promise<Answer>
}

/** After this many version conflicts on one task, respond with 503. */
const LOOKS_MAX = 20

export async function answerVerdict(
  request: Request,
  taskId: string,
  decide: (work: Work) => Verdict,
): Promise<Answer> {
  const { db, config, agent, now, claim, warnings } = request
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const work = await readWork(db, { taskId, agentId: agent.id, visibleKeyId: agent.visibleKeyId })
    const verdict = decided(work, decide)
    // An error or a repeated verdict changes nothing; only the response is stored under the idempotency key.
    if (verdict instanceof ApiError || verdict.move === undefined)
      return request.once(async () => {
        if (verdict instanceof ApiError) throw verdict
        return answerWith(200, verdict.answer, [...warnings, ...(verdict.warnings ?? [])])
      })

    const answer = answerWith(200, verdict.answer, [...warnings, ...(verdict.warnings ?? [])])
    const move = { ...verdict.move, tipKeyId: verdict.move.tipCents ? agent.keyId : undefined }
    const result = await moveInBatch(db, { move, claim, response: answer.body }, { config, now })
    switch (result.outcome) {
      case 'moved':
        return answer
      case 'replayed':
        return { status: result.status!, body: result.answer!, isReplay: true }
      case 'mismatch':
        throw idempotencyMismatch()
      case 'insufficient':
        return request.once((tx) => refuseTip(tx, move))
      case 'key_cap':
        return request.once(async (tx) => {
          throw keyCap({
            cap: result.cap!,
            limit_cents: result.limit_cents!,
            spent_cents: result.spent_cents!,
            required_cents: move.tipCents!,
            ...(await fundsOf(tx, move)),
          })
        })
      case 'changed':
    }
  }
  throw unavailable({ retry_after_seconds: 1 })
}

function decided(work: Work | undefined, decide: (work: Work) => Verdict): Verdict | ApiError {
  try {
    if (work === undefined) throw taskNotFound()
    return decide(work)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

async function refuseTip(tx: Tx, move: Move): Promise<never> {
  throw insufficientFunds({ ...(await fundsOf(tx, move)), required_cents: move.tipCents ?? 0 })
}

async function fundsOf(tx: Tx, { task }: Move) {
  const { wallet_cents, receivable_cents } = await tx
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents'])
    .where('agent_id', '=', task.agent_id)
    .executeTakeFirstOrThrow()
  return { balance_cents: wallet_cents - receivable_cents, deposit_url: DEPOSIT_URL }
}
