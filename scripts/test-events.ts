/**
 * The reporter through which a test process sends its events to scripts/test.ts, one message per event. An error is
 * sent as text, because not every error can be serialized between processes.
 */
import { inspect } from 'node:util'
import type { TestEvent as NodeEvent } from 'node:test/reporters'

export interface Counts {
  tests: number
  passed: number
  failed: number
  cancelled: number
  skipped: number
  todo: number
}

export type TestEvent =
  | { type: 'start' | 'pass'; name: string; file: string; nesting: number; ms: number }
  | { type: 'fail'; name: string; file: string; nesting: number; ms: number; error: string }
  | { type: 'warning'; text: string }
  | { type: 'end'; counts: Counts }

/** node:test prints this for an error thrown after its test ended. It fails the run, but no particular test. */
const LATE = /after the test ended/

export default async function* report(events: AsyncIterable<NodeEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const message = messageOf(event)
    if (message) process.send?.(message)
  }
  yield ''
}

function messageOf(event: NodeEvent): TestEvent | undefined {
  switch (event.type) {
    case 'test:dequeue':
    case 'test:pass':
    case 'test:fail': {
      const { name, nesting, file = '' } = event.data
      const details = 'details' in event.data ? event.data.details : undefined
      const at = { name, file, nesting, ms: details?.duration_ms ?? 0 }
      if (event.type === 'test:dequeue') return { type: 'start', ...at }
      if (event.type === 'test:pass') return { type: 'pass', ...at }
      const { error } = event.data.details
      return { type: 'fail', ...at, error: inspect(error.cause ?? error) }
    }
    case 'test:diagnostic':
      return LATE.test(event.data.message)
        ? { type: 'warning', text: event.data.message }
        : undefined
    case 'test:summary':
      // With several files, there is also a summary for each file.
      return event.data.file === undefined
        ? { type: 'end', counts: countsOf(event.data.counts) }
        : undefined
    default:
      return undefined
  }
}

type Summary = Extract<NodeEvent, { type: 'test:summary' }>['data']['counts']

function countsOf({ tests, passed, cancelled, skipped, todo }: Summary): Counts {
  const failed = tests - passed - cancelled - skipped - todo
  return { tests, passed, failed, cancelled, skipped, todo }
}
