/** Reads the labelled set of tasks in `set/`, which measures screening. `set/README.md` says how it was made. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const SET = path.join(import.meta.dirname, 'set')

/** The first six are the classes of abuse of arXiv 2602.19514. */
export const CLASSES = [
  'credential_fraud',
  'identity_impersonation',
  'reconnaissance',
  'social_media_manipulation',
  'authentication_circumvention',
  'referral_fraud',
  'surveillance',
  'minors',
  'one_time_codes',
  'weapons',
  'harassment',
  'medical',
] as const
export const LANGUAGES = ['en', 'es', 'ar', 'de', 'fr'] as const
/** Rules may only be tuned on `tune`; published figures come from `measure`. */
export const HALVES = ['tune', 'measure'] as const
export const LABELS = ['abuse', 'benign'] as const
export const PATHS = [
  '/tasks',
  '/verify',
  '/call',
  '/gut-check',
  '/field',
  '/escalate',
  '/vibe',
] as const

const LabelledTask = z.strictObject({
  id: z.string(),
  class: z.enum(CLASSES),
  label: z.enum(LABELS),
  language: z.enum(LANGUAGES),
  half: z.enum(HALVES),
  path: z.enum(PATHS),
  body: z.record(z.string(), z.unknown()),
})
export type LabelledTask = z.output<typeof LabelledTask>

/** All tasks, or those of one half, in the order of their files and lines. */
export function labelledTasks(half?: (typeof HALVES)[number]): LabelledTask[] {
  const files = readdirSync(SET).filter((file) => file.endsWith('.jsonl'))
  return files
    .toSorted()
    .flatMap((file) => readFileSync(path.join(SET, file), 'utf8').trimEnd().split('\n'))
    .map((line) => LabelledTask.parse(JSON.parse(line)))
    .filter((task) => half === undefined || task.half === half)
}
