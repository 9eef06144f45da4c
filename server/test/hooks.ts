/**
 * Hooks of one file of tests.
 *
 * Several files share one process, which imports every one of them before the first test. So a hook that a file
 * registers outside of its suites belongs to all of them: `afterEach` would be called after each test of every other file,
 * and `after` when all of them are over, until which what the file has started would go on working. Were `after` to
 * throw, the runner would count no failure, end with 0, and leave out the hooks behind it.
 */
import { after, afterEach, beforeEach } from 'node:test'

interface End {
  /** Unknown of what is shared between files: that ends with the process. */
  file: string | undefined
  run(): Promise<void>
}

const STACK_DEPTH = 50
let ends: End[] = []
let current: string | undefined

/** When the tests of this file are over. */
export function atEnd(run: End['run']): void {
  ends.push({ file: callingFile(), run })
}

/** After each test of this file. */
export function afterEachHere(run: () => Promise<unknown>): void {
  const here = callingFile()
  afterEach(async (test) => {
    if (fileOf(test) === here) await run()
  })
}

beforeEach(async (test) => {
  const file = fileOf(test)
  if (file === current) return
  const ended = current
  current = file
  if (ended !== undefined) await end((one) => one.file === ended)
})

after(() => end(() => true))

async function end(isOver: (end: End) => boolean): Promise<void> {
  const { over = [], later = [] } = Object.groupBy(ends, (one) => (isOver(one) ? 'over' : 'later'))
  ends = later
  // What was started last may need what was there before.
  for (const { run } of over.toReversed()) {
    try {
      await run()
    } catch (error) {
      process.exitCode = 1
      console.error(error)
    }
  }
}

/** The types of the runner do not know yet that a test knows its file. */
const fileOf = (test: object) => (test as { filePath?: string }).filePath

function callingFile(): string | undefined {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = STACK_DEPTH
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  return /file:\/\/(\S+\.test\.ts):\d/.exec(stack)?.[1]
}
