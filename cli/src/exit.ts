/** What the process ends with. Scripts decide by these, so they never change their meaning. */
export const EXIT = {
  done: 0,
  /** Disputed, expired, cancelled, refused, or something went wrong. */
  failed: 1,
  usage: 2,
  /** Nothing is wrong and nothing is lost: the task goes on, and its id was printed. */
  stillWorking: 3,
  noFunds: 4,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends the command with a sentence and, if there is one, the line to type instead. */
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
