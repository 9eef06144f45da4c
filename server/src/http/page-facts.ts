/**
 * The figures on our public pages: prices, free tasks and deadlines, from the code and this server's settings. Pages
 * name them as `{{legwork.deposit_min}}`.
 */
import type { Config } from '../config.ts'
import { escapeHtml } from '../kit/html.ts'
import { COMMISSION_BASIS_POINTS, commissionCents, formatCents } from '../kit/money.ts'
import { publicUrl } from '../kit/public-url.ts'

/** The budget in the examples, and of `POST /verify` without one. */
const EXAMPLE_CENTS = 500
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export function factsOf(config: Config) {
  const feeCents = commissionCents(EXAMPLE_CENTS, COMMISSION_BASIS_POINTS)
  return {
    public_url: publicUrl(config),
    commission: `${COMMISSION_BASIS_POINTS / 100}%`,
    example_budget: formatCents(EXAMPLE_CENTS),
    example_fee: formatCents(feeCents),
    example_net: formatCents(EXAMPLE_CENTS - feeCents),
    free_tasks: `${WORDS[config.FREE_TASKS] ?? config.FREE_TASKS} free task${config.FREE_TASKS === 1 ? '' : 's'}`,
    free_task_max: dollars(config.FREE_TASK_MAX_CENTS),
    deposit_min: dollars(config.DEPOSIT_MIN_CENTS),
    deposit_max: dollars(config.DEPOSIT_MAX_CENTS),
    not_possible: `${config.NOT_POSSIBLE_PERCENT}%`,
    cancel: `${config.CANCEL_PERCENT}%`,
    release_free: count(config.RELEASE_FREE_MINUTES, 'minute'),
    appeal: count(config.APPEAL_HOURS, 'hour'),
    appeal_answer: count(config.APPEAL_ANSWER_HOURS, 'hour'),
    held_dispute: count(config.HELD_DISPUTE_HOURS, 'hour'),
    question_time: days(config.QUESTION_HOURS),
    question_safety: days(config.QUESTION_SAFETY_HOURS),
    objection_reply: count(config.OBJECTION_REPLY_DAYS, 'day'),
    hold: count(config.HOLD_HOURS, 'hour'),
    hold_new: days(config.HOLD_HOURS_NEW),
    hold_free: days(config.HOLD_HOURS_FREE),
    new_days: count(config.AGENT_NEW_DAYS, 'day'),
    play_money: dollars(config.PLAY_MONEY_CENTS),
    test_keep: count(config.TEST_KEEP_HOURS, 'hour'),
    unverified: count(config.UNVERIFIED_WORKER_DAYS, 'day'),
    closing: count(config.ACCOUNT_CLOSING_DAYS, 'day'),
    closing_max: count(config.ACCOUNT_CLOSING_MAX_DAYS, 'day'),
    proof_keep: count(config.PROOF_KEEP_DAYS, 'day'),
    location_keep: count(config.LOCATION_KEEP_DAYS, 'day'),
    task_texts: count(config.TASK_TEXT_KEEP_DAYS, 'day'),
    unused_files: count(config.FILE_KEEP_UNUSED_HOURS, 'hour'),
    session: count(config.WORKER_TOKEN_DAYS, 'day'),
    console_session: count(config.CONSOLE_SESSION_HOURS, 'hour'),
    terms_version: config.TERMS_VERSION,
    company: config.LEGAL_COMPANY ?? 'Legwork',
    contact: contactOf(config) ?? 'the operator of this server',
    contact_link: contactLink(config),
  }
}

/** The address for people who can't or don't want to ask in the app or the console. */
export const contactOf = ({ SUPPORT_EMAIL, LEGAL_EMAIL }: Config) => SUPPORT_EMAIL ?? LEGAL_EMAIL

/** In Markdown. */
function contactLink(config: Config): string {
  const email = contactOf(config)
  return email === undefined ? 'the operator of this server' : `[${email}](mailto:${email})`
}

export type Facts = ReturnType<typeof factsOf>

/** Throws for an unknown name, so that no page shows a placeholder. */
export function fillFacts(text: string, facts: Facts, { escape = escapeHtml } = {}): string {
  return text.replaceAll(/\{\{legwork\.(\w+)\}\}/g, (_, name: string) => {
    const value = facts[name as keyof Facts] as string | undefined
    if (value === undefined) throw new Error(`a page names ${name}, which page-facts.ts lacks`)
    return escape(value)
  })
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`

const days = (hours: number) =>
  hours % 24 === 0 && hours > 48 ? count(hours / 24, 'day') : count(hours, 'hour')

/** `$20`, `$1,000`, `$2.50`. */
const dollars = (cents: number) =>
  `$${(cents / 100).toLocaleString('en-US', {
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
    maximumFractionDigits: 2,
  })}`
