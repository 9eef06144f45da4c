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

/** What a task tells its worker. Anything in it that is text is read, at any depth. */
export interface Screened {
  title: string | null
  description: string
  context: unknown
  location: unknown
  criteria: unknown
  answer_schema: unknown
}

const match = compile(RULES)

/** The rules that the task matches, all fields together. */
export function screen(task: Screened): Rule[] {
  const { title, description, context, location, criteria, answer_schema } = task
  const fields: string[] = []
  collect([title, description, context, location, criteria, answer_schema], fields)
  return match(fields)
}

const matchWarned = compile(WARNED)

/** Lines for the card of a task. They never keep it from workers: `screenTask` doesn't read these rules. */
export function warningsOf({
  title,
  description,
  context,
}: Pick<Screened, 'title' | 'description' | 'context'>): WarnedRule['warning'][] {
  const fields: string[] = []
  collect([title, description, context], fields)
  return matchWarned(fields).map(({ warning }) => warning)
}

/** Numbers count too: clients send phone numbers and codes as such. */
function collect(value: unknown, fields: string[]): void {
  if (typeof value === 'string') fields.push(value)
  else if (typeof value === 'number') fields.push(String(value))
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) collect(part, fields)
}

type ScreeningConfig = Pick<
  Config,
  'PUBLIC_URL' | 'HOST' | 'PORT' | 'SCREENING_WAIT_MINUTES' | 'CLASSIFIER_URL' | 'CLASSIFIER_READS'
>
/** In place of a rule, for a task that waits only because the classifier reads all tasks. */
const EVERY_TASK = 'every_task'
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
export function screenTask(
  task: Screened & { mode: Mode; deadline: Date; rehearsal: { screening?: string } | null },
  {
    config,
    now,
    warn,
  }: {
    config: ScreeningConfig
    now: Date
    warn: Warn
  },
): { refusal?: ApiError; doubt?: Doubt } {
  const found = screen(task)
  const refusing = found.find(({ verdict }) => verdict === 'refused')
  if (refusing !== undefined) return { refusal: refusalOf(refusing, config) }
  const played = task.mode === 'test' ? task.rehearsal?.screening : undefined
  if (played === 'refused') return { refusal: refusalOf(PLAYED_RULE, config) }
  const readsAll = config.CLASSIFIER_URL !== undefined && config.CLASSIFIER_READS === 'all'
  const waits = task.mode === 'test' ? played !== undefined : found.length > 0 || readsAll
  if (!waits) return {}
  const wait = now.getTime() + config.SCREENING_WAIT_MINUTES * 60_000
  const decidesBy = new Date(Math.min(wait, task.deadline.getTime()))
  warn({
    code: 'screening',
    path: 'description',
    message:
      `This task is read before workers see it, by ${decidesBy.toISOString()} at the latest; ` +
      'if nobody has decided by then, it is cancelled and you get the whole budget back',
  })
  const rules = found.length === 0 ? [EVERY_TASK] : found.map(({ id }) => id)
  return { doubt: { rules, policy: POLICY_VERSION, decidesBy } }
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
