/** Skills and languages: their normal form, and what a worker lacks for a task. Used by profiles, tasks and feed. */
import { z } from 'zod'

const oneSpelling = (text: string) =>
  text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Normalized to lowercase and NFC, so that equal skills compare as equal. */
export const Skill = z.string().overwrite(oneSpelling).min(1).max(50)

const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/

/** BCP 47 syntax, not checked against the registry: `en`, `pt-br`, `zh-hant-tw`. Names are mapped: `Spanish` → `es`. */
export const LanguageTag = z
  .string()
  .max(100)
  .overwrite(languageTag)
  .max(35)
  .regex(TAG, 'must be a language tag such as en or pt-br')

export interface Abilities {
  skills: readonly string[]
  languages: readonly string[]
}

/**
 * A worker's skills and languages, as the feed compares them. `pt-br` covers `pt` too; a worker who lists only `pt`
 * does not match a task that asks for `pt-br`.
 */
export function abilitiesOf({ skills, languages }: Abilities): {
  skills: string[]
  languages: string[]
} {
  return {
    skills: skills.map(oneSpelling),
    languages: [...new Set(languages.map(languageTag).flatMap(withWiderTags))],
  }
}

/** `can` comes from `abilitiesOf`. */
export function lackedBy(can: Abilities, asked: Abilities): Lacked {
  return {
    missing_skills: asked.skills.filter((skill) => !can.skills.includes(skill)),
    missing_languages: asked.languages.filter((tag) => !can.languages.includes(tag)),
  }
}

export const Lacked = z.object({
  missing_skills: z.array(z.string()),
  missing_languages: z.array(z.string()).describe('Language tags'),
})
export type Lacked = z.output<typeof Lacked>

export const lacksNothing = ({ missing_skills, missing_languages }: Lacked) =>
  missing_skills.length === 0 && missing_languages.length === 0

/** `zh-hant-tw` → `zh`, `zh-hant`, `zh-hant-tw`. Both written forms of Norwegian also match `no`. */
function withWiderTags(tag: string): string[] {
  const parts = tag.split('-')
  const wider = parts.map((_, i) => parts.slice(0, i + 1).join('-'))
  return parts[0] === 'nb' || parts[0] === 'nn' ? ['no', ...wider] : wider
}

function languageTag(text: string): string {
  const written = oneSpelling(text)
  const tag = written.replaceAll('_', '-')
  if (!/^[a-z]{2,3}(-|$)/.test(tag)) return namedLanguages().get(written) ?? tag
  return TAG.test(tag) ? currentTag(tag) : tag
}

/** Replaces deprecated codes: `iw` → `he`, `tl` → `fil`. */
function currentTag(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.toLowerCase() ?? tag
  } catch {
    return tag
  }
}

let named: Map<string, string> | undefined

/** Two-letter languages by their English name and their own name. Built on first use, which takes 30 ms. */
function namedLanguages(): Map<string, string> {
  if (named !== undefined) return named
  named = new Map()
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
  for (const first of letters)
    for (const second of letters) {
      const tag = first + second
      const name = english.of(tag)
      if (name === undefined) continue
      const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? name
      for (const one of [own, name]) named.set(oneSpelling(one), tag)
    }
  // Deprecated codes, such as `iw` for `he`, have the same name as their replacement and must not win.
  for (const tag of new Set(named.values())) {
    const current = currentTag(tag)
    if (current === tag) continue
    for (const [name, of] of named) if (of === tag) named.set(name, current)
  }
  return named
}
