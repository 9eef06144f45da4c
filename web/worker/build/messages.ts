/**
 * Compiles text/<language>/<area>.json into messages that the app formats without a parser: plain text stays a string,
 * anything else becomes its syntax tree. The pseudo-language is generated from the English files: longer, accented and
 * in brackets, so that hard-coded text and text that doesn't fit stand out.
 */
import { readFileSync } from 'node:fs'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'

const FILE = /\/text\/([\w-]+)\/[\w-]+\.json$/
const PSEUDO = /\/text\/en\/[\w-]+\.json\?pseudo$/

export function messages(): Plugin {
  return {
    name: 'legwork:messages',
    enforce: 'pre',
    load(id) {
      if (PSEUDO.test(id)) return moduleOf(readMessages(id.replace('?pseudo', '')), pseudo)
      return FILE.test(id) ? moduleOf(readMessages(id), (tree) => tree) : null
    },
    transform: {
      order: 'pre',
      handler: (code, id) =>
        FILE.test(id) || PSEUDO.test(id) ? { code, map: null, moduleType: 'js' } : null,
    },
  }
}

const readMessages = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>

type Tree = MessageFormatElement[]

function moduleOf(texts: Record<string, string>, change: (tree: Tree) => Tree): string {
  const compiled = Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [id, compile(text, change)]),
  )
  return `export default ${JSON.stringify(compiled)}`
}

export function compile(
  text: string,
  change: (tree: Tree) => Tree = (tree) => tree,
): string | Tree {
  const tree = change(parse(text, { captureLocation: false }))
  return tree.every(({ type }) => type === TYPE.literal)
    ? tree.map((part) => ('value' in part ? part.value : '')).join('')
    : tree
}

const ACCENTS: Record<string, string> = {
  a: 'á',
  c: 'ç',
  d: 'ð',
  e: 'é',
  g: 'ĝ',
  i: 'î',
  l: 'ļ',
  n: 'ñ',
  o: 'ö',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  y: 'ý',
}

export function pseudo(tree: Tree): Tree {
  return [
    { type: TYPE.literal, value: '⟦' },
    ...tree.map(accented),
    { type: TYPE.literal, value: ` ${'·'.repeat(Math.ceil(lengthOf(tree) * 0.4))}⟧` },
  ]
}

function accented(part: MessageFormatElement): MessageFormatElement {
  if (part.type === TYPE.literal)
    return {
      ...part,
      value: part.value.replaceAll(/[a-z]/g, (letter) => ACCENTS[letter] ?? letter),
    }
  if (part.type === TYPE.tag) return { ...part, children: part.children.map(accented) }
  if (part.type !== TYPE.plural && part.type !== TYPE.select) return part
  const options = Object.entries(part.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(accented) },
  ])
  return {
    ...part,
    options: Object.fromEntries(options) as typeof part.options,
  } as MessageFormatElement
}

function lengthOf(tree: Tree): number {
  return tree.reduce((sum, part) => {
    if (part.type === TYPE.literal) return sum + part.value.length
    return part.type === TYPE.tag ? sum + lengthOf(part.children) : sum + 4
  }, 0)
}
