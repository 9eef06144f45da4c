/** Translations: every text is a message in text/<language>/<area>.json, in ICU syntax, and is looked up by its id. */
import { IntlMessageFormat } from 'intl-messageformat'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { begun, distanceIn, isolated, localeOf, moneyIn, numberIn, unitIn } from './figures.ts'
import type { Language } from './languages.ts'
import type english from './en.ts'
import type englishRest from './en-rest.ts'

export type TextId = keyof typeof english | keyof typeof englishRest
/** Compiled messages: plain text or a syntax tree. */
export type Messages = Record<string, string | object[]>
export type Values = Record<string, string | number | Date>
type Chunk = (parts: ReactNode) => ReactNode

export interface Text {
  (id: TextId, values?: Values): string
  /** Formats a message with tags such as `<b>words</b>`, each rendered by the function of that name. */
  rich(id: TextId, values: Record<string, string | number | Date | Chunk>): ReactNode
  language: Language
  /** Formats money; with `isShort`, whole dollars have no cents. */
  money(cents: number, options?: { isShort?: boolean }): string
  distance(km: number): string
  duration(minutes: number): string
  percent(share: number): string
  date(at: Date | string, options?: Intl.DateTimeFormatOptions): string
  /** `5 minutes ago`, `in 3 days`. */
  ago(at: Date | string, now?: number): string
  number(value: number, options?: Intl.NumberFormatOptions): string
}

const TextContext = createContext<Text | undefined>(undefined)

export function useText(): Text {
  const text = useContext(TextContext)
  if (text === undefined) throw new Error('useText needs a TextProvider around it')
  return text
}

export function TextProvider({
  language,
  messages,
  children,
}: {
  language: Language
  messages: Messages
  children: ReactNode
}) {
  const text = useMemo(() => textIn(language, messages), [language, messages])
  return <TextContext value={text}>{children}</TextContext>
}

export function textIn(language: Language, messages: Messages): Text {
  const locale = localeOf(language)
  const formats = new Map<string, IntlMessageFormat>()
  const formatOf = (id: TextId) => {
    const cached = formats.get(id)
    if (cached) return cached
    const format = new IntlMessageFormat(messages[id] as never, locale)
    formats.set(id, format)
    return format
  }
  const plain = (id: TextId, values?: Values): string => {
    const message = messages[id]
    if (message === undefined) return id
    if (typeof message === 'string') return message
    return begun(language, String(formatOf(id).format(apart(values))))
  }
  const apart = <Value,>(values: Record<string, Value> = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? isolated(language, value) : value,
      ]),
    ) as Record<string, Value>
  const unit = (value: number, name: string) => unitIn(language, value, name)

  return Object.assign(plain, {
    rich(id: TextId, values: Record<string, string | number | Date | Chunk>): ReactNode {
      const message = messages[id]
      if (typeof message === 'string' || message === undefined) return message ?? id
      const parts = formatOf(id).format<ReactNode>(apart(values) as never)
      return Array.isArray(parts)
        ? parts.map((part: ReactNode, at) => <span key={at}>{part}</span>)
        : (parts as ReactNode)
    },
    language,
    money: (cents: number, options?: { isShort?: boolean }) => moneyIn(language, cents, options),
    distance: (km: number) => distanceIn(language, km),
    duration(minutes: number) {
      const whole = Math.round(minutes)
      if (whole < 60) return unit(whole, 'minute')
      if (whole < 48 * 60) return unit(Math.round(whole / 6) / 10, 'hour')
      return unit(Math.round(whole / 1440), 'day')
    },
    percent: (share: number) =>
      numberIn(language, share, { style: 'percent', maximumFractionDigits: 0 }),
    date: (
      at: Date | string,
      options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
    ) => new Intl.DateTimeFormat(locale, options).format(new Date(at)),
    ago(at: Date | string, now = Date.now()) {
      const seconds = (new Date(at).getTime() - now) / 1000
      const [size, name] = UNITS.find(([least]) => Math.abs(seconds) >= least) ?? UNITS.at(-1)!
      return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
        Math.round(seconds / size),
        name,
      )
    },
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      numberIn(language, value, options),
  })
}

const UNITS: [number, Intl.RelativeTimeFormatUnit][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]
