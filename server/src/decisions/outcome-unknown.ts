/**
 * The processor hasn't said what came of a request, which may have succeeded. The decision stays `agreed`, and
 * `resumeDecisions` asks again; the request takes effect only once.
 */
export class OutcomeUnknown extends Error {
  /** What the operation knows so far. */
  readonly known: unknown

  constructor(known: unknown) {
    super('the outcome is not known yet')
    this.known = known
  }
}
