/**
 * Reads text that an agent wrote as blocks: paragraphs, lists, facts, options, dialogues and quotations. Text in no
 * known form stays a paragraph. Each line is looked at once, and every pattern is bounded, so the time grows with the
 * length of the text only. Pure rules.
 */

export interface Fact {
  name: string
  value: string
}

export type Block =
  | { kind: 'paragraph' | 'heading' | 'quote'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  /** `Key: value` lines. */
  | { kind: 'facts'; facts: Fact[] }
  /** Named A, B, C. */
  | { kind: 'options'; facts: Fact[] }
  /** Named by who speaks. */
  | { kind: 'dialogue'; facts: Fact[] }

/** Names that the server writes before a text of their own. A single line with another name is a sentence. */
const OWN_NAMES = ['Goal', 'Tone', 'Page']

const BULLET = /^(?:[-*•–·▪☐]|[-*] \[[ xX]?\])\s+(\S.*)$/
const NUMBERED = /^(\d{1,2})[.)]\s+(\S.*)$/
const OPTION = /^(?:Option )?\(?([A-H])[.:)]\)?\s+(\S.*)$/
const NAME_MAX = 30
const NOT_IN_NAME = /[.!?()“”"]/
const LETTER = /^\p{L}/u
const HEADING = /^#{1,6}\s+(\S.*)$|^\*\*([^*]{1,80})\*\*:?$/
const RULE = /^(?:[-*_=]{3,}|`{3,}.{0,20})$/
const QUOTES = ['“”', '„“', '«»', '‹›', '「」', '""']

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let run: Line[] = []
  const end = () => {
    if (run.length > 0) blocks.push(...blocksOf(run))
    run = []
  }
  for (const written of text.split(/\r?\n/)) {
    const line = readLine(written)
    const last = run.at(-1)
    if (line === null) end()
    else if (last?.kind === 'item' && line.kind === 'plain' && /^(?: {2}|\t)/.test(written))
      last.text += ` ${line.text}`
    else {
      if (last !== undefined && last.kind !== line.kind) end()
      run.push(line)
    }
  }
  end()
  return joined(blocks)
}

type Line =
  | { kind: 'plain' | 'heading' | 'quoted'; text: string }
  | { kind: 'item'; isOrdered: boolean; text: string }
  | { kind: 'option' | 'named'; name: string; text: string }

function readLine(written: string): Line | null {
  const line = written.trim()
  if (line === '' || RULE.test(line)) return null
  const heading = HEADING.exec(line)
  if (heading !== null) return { kind: 'heading', text: (heading[1] ?? heading[2])! }
  if (line.startsWith('>')) return { kind: 'quoted', text: line.slice(1).trim() }
  const numbered = NUMBERED.exec(line)
  if (numbered !== null) return { kind: 'item', isOrdered: true, text: numbered[2]! }
  const bullet = BULLET.exec(line)
  if (bullet !== null) return { kind: 'item', isOrdered: false, text: bullet[1]! }
  const option = OPTION.exec(line)
  if (option !== null) return { kind: 'option', name: option[1]!, text: option[2]! }
  return readNamed(line) ?? { kind: 'plain', text: line }
}

/** `Key: value`. Not one pattern, because a phone would compile it for a tenth of a second before the first list. */
function readNamed(line: string): Line | null {
  const colon = line.search(/[:：]/)
  if (colon < 1 || colon > NAME_MAX || !/^\s/.test(line.slice(colon + 1))) return null
  const name = line.slice(0, colon)
  if (NOT_IN_NAME.test(name) || !LETTER.test(name)) return null
  return { kind: 'named', name: name.trim(), text: line.slice(colon + 1).trim() }
}

/** The blocks of consecutive lines of one kind. */
function blocksOf(lines: Line[]): Block[] {
  const [first] = lines
  switch (first!.kind) {
    case 'heading':
      return lines.map(({ text }) => ({ kind: 'heading', text }))
    case 'quoted':
      return [{ kind: 'quote', text: textOf(lines) }]
    case 'item':
      return [{ kind: 'list', isOrdered: first!.isOrdered, items: lines.map(({ text }) => text) }]
    case 'option': {
      const facts = factsIn(lines)
      const isFromA = facts.every(({ name }, at) => name === 'ABCDEFGH'[at])
      return isFromA && facts.length > 1 ? [{ kind: 'options', facts }] : [paragraph(facts)]
    }
    case 'named': {
      const facts = factsIn(lines)
      const names = new Set(facts.map(({ name }) => name))
      if (names.size > 1 && names.size < facts.length) return [{ kind: 'dialogue', facts }]
      return facts.length > 1 || OWN_NAMES.includes(facts[0]!.name)
        ? [{ kind: 'facts', facts }]
        : [paragraph(facts)]
    }
    case 'plain':
      return plainBlocks(textOf(lines))
  }
}

const textOf = (lines: Line[]) => lines.map(({ text }) => text).join('\n')
const factsIn = (lines: Line[]): Fact[] =>
  lines.flatMap((line) => ('name' in line ? { name: line.name, value: line.text } : []))
const paragraph = (facts: Fact[]): Block => ({
  kind: 'paragraph',
  text: facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
})

function plainBlocks(text: string): Block[] {
  const quoted = insideQuotes(text)
  if (quoted !== null) return [{ kind: 'quote', text: quoted }]
  const data = readData(text)
  if (data.length > 0) return [{ kind: 'facts', facts: data }]
  const { before, items } = numberedWithin(text)
  return [
    ...(before === '' ? [] : [{ kind: 'paragraph' as const, text: before }]),
    ...(items.length > 0 ? [{ kind: 'list' as const, isOrdered: true, items }] : []),
  ]
}

/** The text without its quotation marks, if it is one quotation as a whole. */
function insideQuotes(text: string): string | null {
  const pair = QUOTES.find(([open]) => text.startsWith(open!))
  if (pair === undefined || text.length < 3) return null
  const inner = text.slice(1, -1)
  const isWhole = text.endsWith(pair[1]!) && !inner.includes(pair[0]!) && !inner.includes(pair[1]!)
  return isWhole ? inner : null
}

/** `1.` begins an item only after the end of a sentence: `gate 1. Then gate 2.` is no list. */
const MARK = /(?:(?<=^|\s)(\d{1,2})\)|(?<=^|[.;:,!?…]\s|\n)(\d{1,2})\.)\s+(?=\p{L})/gu

/** `First 1) do this 2) do that`: the numbers count up from 1 and are followed by words. */
function numberedWithin(text: string): { before: string; items: string[] } {
  const marks: { start: number; end: number }[] = []
  // Most texts have no numbers, and need not wait for the pattern to be compiled.
  if (!/1[.)]\s/.test(text)) return { before: text, items: [] }
  for (const mark of text.matchAll(MARK))
    if (Number(mark[1] ?? mark[2]) === marks.length + 1)
      marks.push({ start: mark.index, end: mark.index + mark[0].length })
  if (marks.length < 2) return { before: text, items: [] }
  return {
    before: text.slice(0, marks[0]!.start).trim(),
    items: marks.map(({ end }, at) => text.slice(end, marks[at + 1]?.start).trim()),
  }
}

function readData(text: string): Fact[] {
  if (!/^[{[]/.test(text) || !/[}\]]$/.test(text)) return []
  try {
    return factsOf(JSON.parse(text))
  } catch {
    return []
  }
}

const FACTS_MAX = 100
const DEPTH_MAX = 4

/** Any JSON as names and values. Names of nested objects are joined; what is deeper than a few levels is left out. */
export function factsOf(data: unknown): Fact[] {
  const facts: Fact[] = []
  const add = (names: string[], value: unknown): void => {
    if (facts.length >= FACTS_MAX || value === null || value === undefined || value === '') return
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      facts.push({ name: names.map(readable).join(' · '), value: String(value) })
    else if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
      add(names, value.join(', '))
    else if (typeof value === 'object' && names.length < DEPTH_MAX)
      for (const [name, one] of Object.entries(value))
        add([...names, Array.isArray(value) ? String(Number(name) + 1) : name], one)
  }
  add([], data)
  return facts
}

/** `pickup_code` as `Pickup code`. */
export const readable = (name: string) =>
  name
    .slice(0, 60)
    .replaceAll(/[_-]+/g, ' ')
    .replace(/^./u, (letter) => letter.toUpperCase())

/** Joins lists and facts that only an empty line separates. */
function joined(blocks: Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (block.kind === 'facts' && last?.kind === 'facts') last.facts.push(...block.facts)
    else if (block.kind === 'list' && last?.kind === 'list' && block.isOrdered === last.isOrdered)
      last.items.push(...block.items)
    else result.push(block)
  }
  return result
}
