/**
 * The client's own record of what the server acknowledged, as JSON lines. It is kept outside the database, because a
 * database that lost a write also lost every trace of it.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

export type Step = 'create' | 'accept' | 'proof' | 'approve' | 'dispute'

/** A life that was begun: its task's description is `life`, which no other task has. */
export interface Begun {
  kind: 'begun'
  life: string
  agent_id: string
  worker_id: string
  budget_cents: number
}

/** A final response to one request. A response that was lost and asked for again is logged only once. */
export interface Acknowledged {
  kind: 'acknowledged'
  /** Milliseconds since 1970. */
  at: number
  life: string
  step: Step
  /** Who sent it: an agent's or a worker's id. */
  by: string
  path: string
  body: unknown
  /** Null if the request had no key. */
  key: string | null
  status: number
  /** SHA-256 of the status and every byte of the body. */
  hash: string
  task_id: string | null
  task_status: string | null
  code: string | null
  isReplay: boolean
  /** Number of requests until this response. */
  attempts: number
  /** From the first attempt to this response. */
  ms: number
}

/** A response that breaks a promise, whether or not the request was repeated later. */
export interface Fault {
  kind: 'fault'
  at: number
  life: string
  step: Step
  what: '5xx' | 'mismatch'
  status: number
  text: string
}

export type Line = Begun | Acknowledged | Fault

export interface LivesLog {
  lines: Line[]
  add(line: Line): void
}

/** Also written to `file`, if given: a test that is killed leaves its evidence. */
export function openLog(file?: string): LivesLog {
  const lines: Line[] = []
  if (file !== undefined) writeFileSync(file, '')
  return {
    lines,
    add(line) {
      lines.push(line)
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
    },
  }
}

export function readLog(file: string): Line[] {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n')
  return texts.filter((text) => text !== '').map((text) => JSON.parse(text) as Line)
}
