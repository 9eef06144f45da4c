/** The app's messages in whatever language it is shown, to find a button by its label. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compile, pseudo } from '../../../web/worker/build/messages.ts'

const TEXTS = path.join(import.meta.dirname, '../../../web/worker/text')
const PSEUDO = 'en-XA'
/** Message parts of this type are literal text; all others are placeholders. */
const LITERAL = 0

export const isSpoken = (language: string) =>
  new RegExp(`^  ${language}: `, 'm').test(readFileSync(path.join(TEXTS, 'languages.ts'), 'utf8'))

export interface Say {
  /** Matches the message with this id, whatever its placeholders hold. */
  (id: string): RegExp
  /** A message without placeholders. */
  plain(id: string): string
}

export function wordsIn(language: string): Say {
  const folder = path.join(TEXTS, language === PSEUDO ? 'en' : language)
  const texts = Object.assign(
    {},
    ...globSync('*.json', { cwd: folder }).map(
      (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown,
    ),
  ) as Record<string, string>
  const messageOf = (id: string) => {
    const text = texts[id]
    if (text === undefined) throw new Error(`there is no text ${id} in ${language}`)
    return language === PSEUDO ? compile(text, pseudo) : compile(text)
  }
  const say = (id: string) => {
    const message = messageOf(id)
    const parts = typeof message === 'string' ? [{ type: LITERAL, value: message }] : message
    const pattern = parts.map((part) =>
      part.type === LITERAL && 'value' in part ? escape(String(part.value)) : '[^]*',
    )
    return new RegExp(`^${pattern.join('')}$`)
  }
  return Object.assign(say, {
    plain(id: string) {
      const message = messageOf(id)
      if (typeof message !== 'string') throw new Error(`${id} has something to fill in`)
      return message
    },
  })
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
