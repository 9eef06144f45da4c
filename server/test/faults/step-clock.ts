/** Loaded first in a child process; the parent shifts the wall clock with a message `{ stepMs }`. */
const RealDate = Date
let stepMs = 0

globalThis.Date = class extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + stepMs)
    else super(...args)
  }
  static override now(): number {
    return RealDate.now() + stepMs
  }
} as DateConstructor

process.on('message', (message: { stepMs?: number }) => {
  if (message.stepMs !== undefined) stepMs = message.stepMs
})
