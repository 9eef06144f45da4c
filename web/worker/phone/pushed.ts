/** Text of push notifications: money first, in the person's language. */
import { IntlMessageFormat } from 'intl-messageformat'
import type { Answer } from '../api.ts'
import { closestLanguage } from '../text/closest-language.ts'
import { directionOf, distanceIn, isolated, localeOf, moneyIn } from '../text/figures.ts'

export interface Pushed {
  /** null for a test. */
  notice_id: string | null
  /** Only if this device has to subscribe again, with this key of the server. */
  server_key?: string
  kind: Answer<'/worker/notices'>['notices'][number]['kind'] | 'test'
  task_id: string | null
  title: string | null
  agent_name: string | null
  amount_cents: number | null
  /** Only for `paid`, if there is one. */
  tip_cents?: number
  distance_km: number | null
  until: string | null
  unread: number
  /** Only for `question_answered`. */
  question_id?: string
  /** Only for `level_lowered`. */
  level?: number
}

type Messages = Record<string, string | object[]>

/** All languages are bundled, since a service worker can't import modules later. */
const LANGUAGES: Record<string, Messages> = Object.fromEntries(
  Object.entries(
    import.meta.glob<Messages>('../text/*/push.json', { eager: true, import: 'default' }),
  ).map(([file, messages]) => [file.split('/').at(-2)!, messages]),
)

export function wordsOf(pushed: Pushed, wanted: string) {
  const language = closestLanguage(wanted, Object.keys(LANGUAGES)) ?? 'en'
  const say = (part: 'title' | 'body') =>
    format(LANGUAGES[language]![`push.${pushed.kind}.${part}`], language, pushed)
  return {
    title: say('title'),
    body: say('body'),
    lang: language,
    dir: directionOf(language),
  }
}

function format(message: string | object[] | undefined, language: string, pushed: Pushed): string {
  if (message === undefined) return pushed.title ?? ''
  if (typeof message === 'string') return message
  const { amount_cents, tip_cents, distance_km, until, agent_name, title, level } = pushed
  return String(
    new IntlMessageFormat(message as never, localeOf(language)).format({
      // Any of these can be missing, and every message handles that.
      has_amount: String(amount_cents !== null),
      has_tip: String(tip_cents !== undefined),
      has_distance: String(distance_km !== null),
      has_until: String(until !== null),
      has_agent: String(agent_name !== null),
      money: moneyIn(language, amount_cents ?? 0),
      tip: moneyIn(language, tip_cents ?? 0),
      distance: distanceIn(language, distance_km ?? 0),
      until: until === null ? '' : time(until, language),
      agent: isolated(language, agent_name ?? ''),
      task: isolated(language, title ?? ''),
      level: level ?? '',
    }),
  )
}

const time = (at: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  }).format(new Date(at))
