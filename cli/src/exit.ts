/** Exit codes of the process. Scripts depend on them, so their meaning never changes. */
export const EXIT = {
  done: 0,
  /** Disputed, expired, canceled, refused, or another error. */
  failed: 1,
  usage: 2,
  /** Not an error: the task continues, and its id was printed. */
  stillWorking: 3,
  noFunds: 4,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the command with a message and, optionally, the command to type instead. */
export class Stop extends Error {
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}

export const usage = (message: string, hint?: string) => new Stop(EXIT.usage, message, hint)
