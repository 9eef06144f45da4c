import { z } from 'zod'
import { LANGUAGES } from '../email/languages.ts'
import { named } from '../kit/named.ts'
import type { Worker } from './queries.ts'
import { levelOf, trustScore } from './trust.ts'

/** Not to be confused with `languages`, which the worker speaks. */
export const AppLanguage = named('AppLanguage', z.enum(LANGUAGES))

/** A worker who joins without it is asked by the app, which the API does not require. */
export const Adult = z
  .literal(true, { error: 'must be true: workers are 18 or older' })
  .optional()
  .describe('You are 18 or older and accept the terms; recorded with their version')

/** The worker's own account, as returned by registration and login. */
export const AccountView = named(
  'WorkerAccount',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    mode: z.enum(['live', 'test']).describe('`test`: a simulated worker controlled by a developer'),
    status: z
      .enum(['unverified', 'active', 'suspended', 'closed'])
      .describe('`unverified` until the emailed link is opened'),
    email_verified: z.boolean(),
    app_language: AppLanguage,
    level: z.int(),
    trust_score: z.int(),
    adult_confirmed_at: z
      .string()
      .nullable()
      .describe('When you confirmed that you are 18 or older'),
    created_at: z.string(),
  }),
)

export function viewAccount(worker: Worker, now: Date): z.input<typeof AccountView> {
  return {
    id: worker.id,
    name: worker.name,
    email: worker.email,
    mode: worker.mode,
    status: worker.status,
    email_verified: worker.verified_at !== null,
    app_language: worker.app_language,
    level: levelOf(worker, now),
    trust_score: trustScore(worker, now),
    adult_confirmed_at: worker.adult_confirmed_at?.toISOString() ?? null,
    created_at: worker.created_at.toISOString(),
  }
}
