/** Compares what agents' servers received with what was committed, by independent queries. */
import { mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Received } from '../receiver.ts'

export interface Receipt extends Received {
  agentId: string
  /** It got an error response and must be retried, so it does not count as received. */
  isRefused: boolean
}

export interface Verdict {
  /** Committed but never received. */
  lost: string[]
  /** Received but never committed. */
  invented: string[]
  /** A signature that the reference library rejects. */
  forged: string[]
  /** One event with two ids, or two bodies. */
  altered: string[]
  events: number
  /** Events that were received more than once. */
  repeated: number
}

/** A name for what happened that both sides can compute: a fact, or the n-th event of a task. */
export const nameOfFact = (agentId: string, fact: string) => `${agentId} fact ${fact}`
export const nameOfMove = (agentId: string, taskId: string, sequence: number) =>
  `${agentId} ${taskId} ${sequence}`

export const nameOf = ({ agentId, body }: Receipt): string =>
  body.data.fact === undefined
    ? nameOfMove(agentId, body.data.task.id as string, body.sequence as number)
    : nameOfFact(agentId, body.data.fact as string)

export function judge({
  committed,
  receipts,
  secrets,
}: {
  committed: ReadonlySet<string>
  receipts: readonly Receipt[]
  secrets: ReadonlyMap<string, string>
}): Verdict {
  const taken = receipts.filter(({ isRefused }) => !isRefused)
  const takenByName = Map.groupBy(taken, nameOf)
  const byName = Map.groupBy(receipts, nameOf)
  return {
    lost: [...committed].filter((name) => !takenByName.has(name)),
    invented: [...byName.keys()].filter((name) => !committed.has(name)),
    forged: receipts
      .filter((receipt) => !isSigned(receipt, secrets.get(receipt.agentId)!))
      .map(nameOf),
    altered: [...byName].filter(([, all]) => !areOne(all)).map(([name]) => name),
    events: takenByName.size,
    repeated: [...takenByName.values()].filter(({ length }) => length > 1).length,
  }
}

/** Verified at the time of receipt, because a signature is only valid for minutes. */
function isSigned({ text, headers, at }: Receipt, secret: string): boolean {
  mock.timers.enable({ apis: ['Date'], now: at })
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  } finally {
    mock.timers.reset()
  }
}

const areOne = ([first, ...others]: Receipt[]) =>
  first!.headers['webhook-id'] === first!.body.id &&
  others.every(
    ({ headers, text }) =>
      headers['webhook-id'] === first!.headers['webhook-id'] && text === first!.text,
  )

/** From the event to its first receipt, in milliseconds, shortest first. */
export function delaysOf(receipts: readonly Receipt[]): number[] {
  const firsts = [...Map.groupBy(receipts, nameOf).values()].map(([first]) => first!)
  return firsts
    .map(({ at, body }) => at.getTime() - Date.parse(body.created_at))
    .toSorted(ascending)
}

export const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const ascending = (one: number, other: number) => one - other
