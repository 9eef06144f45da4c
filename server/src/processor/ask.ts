import type { Background } from '../kit/job.ts'
import { type Processor, processorOf } from './client.ts'
import type { Outcome } from './outcome.ts'

/** The processor could not be queried, so its state is unknown and nothing was done. */
export class ProcessorSilent extends Error {}

export function openProcessor({ config }: Pick<Background, 'config'>): Processor {
  const processor = processorOf(config)
  if (processor === undefined)
    throw new ProcessorSilent('Payments are not set up on this server: set STRIPE_SECRET_KEY')
  return processor
}

/** Returns the processor's response, or throws `ProcessorSilent`. */
export function answered<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value
  throw new ProcessorSilent(`The processor could not be queried: ${reasonOf(outcome)}`)
}

/** Like `answered`, but returns undefined if the processor has no such object. */
export function answeredIfThere<T>(outcome: Outcome<T>): T | undefined {
  const isMissing = outcome.kind === 'definite' && outcome.code === 'resource_missing'
  return isMissing ? undefined : answered(outcome)
}

function reasonOf(outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>): string {
  if (outcome.kind === 'ambiguous') return outcome.cause
  return outcome.kind === 'definite' ? outcome.message : outcome.code
}
