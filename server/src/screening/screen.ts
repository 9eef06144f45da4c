/**
 * Screens the text of a task before anything is written. It runs in the request and calls nothing, so an ordinary task
 * is listed at once.
 */
import type { Config } from '../config.ts'
import type { Mode, Warn } from '../kit/endpoint.ts'
import type { ApiError } from '../kit/errors.ts'
import { compile } from './compile.ts'
import { taskRefused } from './errors.ts'
import { POLICY_VERSION, policyUrl } from './policy.ts'
import type { Rule, WarnedRule } from './rule.ts'
import { RULES } from './rules.ts'
import { WARNED } from './rules/warned.ts'
import { wordsOf } from './tokens.ts'
import { type Fields, THRESHOLD, THRESHOLD_PAID, wordingScore } from './wording.ts'

/** What a task tells its worker. Anything in it that is text is read, at any depth. */
export interface Screened {
  title: string | null
  description: string
  context: unknown
  location: unknown
  criteria: unknown
  answer_schema: unknown
}

/** The words of every field, for all that reads a task. */
export function wordsOfTask({
  title,
  description,
  context,
  location,
  criteria,
  answer_schema,
}: Partial<Screened>): Fields {
  const fields: Fields[number][] = []
  collect([title, description, context, location, criteria, answer_schema], fields)
  return fields
}

const match = compile(RULES)

/** The rules that the task matches, all fields together, and how much its wording is that of abuse. */
export function screen(task: Screened): { rules: Rule[]; wording: number } {
  const { title, description, context, location, criteria, answer_schema } = task
  const told = wordsOfTask({ title, description, context })
  const place = wordsOfTask({ location })
  const checked = wordsOfTask({ criteria })
  const typed = wordsOfTask({ answer_schema })
  return {
    rules: match([...told, ...place, ...checked, ...typed]),
    // The names of streets and the words of a schema say nothing about the purpose.
    wording: wordingScore([...told, ...checked]),
  }
}

const matchWarned = compile(WARNED)

/** Lines for the card of a task. They never keep it from workers: `screenTask` doesn't read these rules. */
export const warningsOf = ({
  title,
  description,
  context,
}: Pick<Screened, 'title' | 'description' | 'context'>): WarnedRule['warning'][] =>
  matchWarned(wordsOfTask({ title, description, context })).map(({ warning }) => warning)

/** Numbers count too: clients send phone numbers and codes as such. */
function collect(value: unknown, fields: Fields[number][]): void {
  if (typeof value === 'string') fields.push(wordsOf(value))
  else if (typeof value === 'number') fields.push(wordsOf(String(value)))
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collect(part, fields)
}

type ScreeningConfig = Pick<
  Config,
  | 'PUBLIC_URL'
  | 'HOST'
  | 'PORT'
  | 'SCREENING'
  | 'SCREENING_WAIT_MINUTES'
  | 'CLASSIFIER_URL'
  | 'CLASSIFIER_READS'
>
/** In place of a rule, for a task that waits only because the classifier reads all tasks. */
const EVERY_TASK = 'every_task'
/** In place of a rule, for a task whose wording is that of abuse. */
const WORDING = 'wording'
/** What a script of test mode is refused by. */
const PLAYED_RULE = { id: 'played', section: 'watching-people' } as const

/** Why a task waits to be read, and until when. */
export interface Doubt {
  rules: string[]
  policy: string
  decidesBy: Date
}

/**
 * A task is refused, waits for a person, or neither. Test mode has no operators: there a task waits only if its script
 * asks for it.
 */
export async function screenTask(
  task: Screened & { mode: Mode; deadline: Date; rehearsal: { screening?: string } | null },
  {
    config,
    now,
    tier,
    warn,
  }: {
    config: ScreeningConfig
    now: Date
    /** Reads the tier of the task's agent. Only called if the wording is doubtful, which is rare. */
    tier: () => Promise<string>
    warn: Warn
  },
): Promise<{ refusal?: ApiError; doubt?: Doubt }> {
  if (config.SCREENING === 'off') return {}
  const { rules: found, wording } = screen(task)
  const refusing = found.find(({ verdict }) => verdict === 'refused')
  if (refusing !== undefined) return { refusal: refusalOf(refusing, config) }
  const played = task.mode === 'test' ? task.rehearsal?.screening : undefined
  if (played === 'refused') return { refusal: refusalOf(PLAYED_RULE, config) }
  const rules =
    task.mode === 'live'
      ? await doubtsAbout({ found, wording }, { config, tier })
      : played === undefined
        ? []
        : [EVERY_TASK]
  if (rules.length === 0) return {}
  const wait = now.getTime() + config.SCREENING_WAIT_MINUTES * 60_000
  const decidesBy = new Date(Math.min(wait, task.deadline.getTime()))
  warn({
    code: 'screening',
    path: 'description',
    message:
      `This task is read before workers see it, by ${decidesBy.toISOString()} at the latest; ` +
      'if nobody has decided by then, it is cancelled and you get the whole budget back',
  })
  return { doubt: { rules, policy: POLICY_VERSION, decidesBy } }
}

async function doubtsAbout(
  { found, wording }: { found: Rule[]; wording: number },
  { config, tier }: { config: ScreeningConfig; tier: () => Promise<string> },
): Promise<string[]> {
  const doubts = found.map(({ id }) => id)
  if (wording > THRESHOLD && wording > thresholdOf(await tier())) doubts.push(WORDING)
  const readsAll = config.CLASSIFIER_URL !== undefined && config.CLASSIFIER_READS === 'all'
  return doubts.length === 0 && readsAll ? [EVERY_TASK] : doubts
}

/** The more is known about who pays, the clearer the wording of abuse must be to make a task wait. */
function thresholdOf(tier: string): number {
  if (tier === 'identified') return Number.POSITIVE_INFINITY
  return tier === 'paid' ? THRESHOLD_PAID : THRESHOLD
}

/**
 * The refusal of a note that the worker of this task would get, if the task and the note together break the policy. The
 * worker's time is running, so a note can't wait for a person: what would make a task wait is refused here.
 */
export function refusalOfNote(
  task: Screened,
  note: string,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): ApiError | undefined {
  const before = new Set(match(wordsOfTask(task)))
  const broken = match(wordsOfTask({ ...task, description: `${task.description}\n${note}` }))
  const added = broken.find((rule) => !before.has(rule))
  return added && refusalOf(added, config)
}

function refusalOf(
  rule: Pick<Rule, 'id' | 'section'>,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): ApiError {
  return taskRefused({
    rule: rule.id,
    section: rule.section,
    policy_version: POLICY_VERSION,
    policy_url: policyUrl(config, rule.section),
    contest:
      'Send POST /api/v1/agents/questions with a live key, the subject task, and a text with the request_id ' +
      'of this response and the reason why the task is allowed',
  })
}
