/** Finds sections of the docs. The index is made at build time and searched in the browser. */
import MiniSearch, { type AsPlainObject } from 'minisearch'
import { SYNONYMS } from './synonyms.ts'

export interface Section {
  page: string
  /** Empty for the beginning of a page. */
  heading: string
  text: string
  address: string
  /** Its score is multiplied by this. */
  weight: number
}

export interface SearchData {
  sections: Section[]
  index: AsPlainObject
}

/** Text, with the words that match in `found`. */
export type Piece = string | { found: string }

export interface Found {
  page: string
  heading: Piece[]
  excerpt: Piece[]
  address: string
}

const FOUND_MAX = 12
/** More sections of one guide would hide the other pages. */
const PER_GUIDE_MAX = 3
const EXCERPT_CHARS = 150
const LEAD_CHARS = 40
/** Combinations of synonyms in one question. */
const WORDINGS_MAX = 24
/** A section whose words match outranks one in which only a synonym does. */
const SYNONYM_WEIGHT = 0.9
const WORD = /[^\s\p{P}\p{S}]+/gu
/** Words of questions that say nothing about what is wanted. */
const STOP_WORDS = new Set(
  (
    'a about again am an and any are as at be been but by can could did do does don for from had has have how i if ' +
    'in into is isn it its ll me my not of on or our please re s should so t than that the their them then there ' +
    'these they this to too ve want was we were what when where which who why will with would you your'
  ).split(' '),
)

const wordsOf = (text: string) => text.match(WORD) ?? []

/** The form in which words are compared: lower case, without the plural; null for words that are skipped. */
function formOf(word: string): string | null {
  const lower = word.toLowerCase()
  if (STOP_WORDS.has(lower)) return null
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`
  return lower.length > 3 && /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower
}

const formsOf = (text: string) =>
  wordsOf(text)
    .map((word) => formOf(word))
    .filter((form) => form !== null)

const OPTIONS = { fields: ['page', 'heading', 'text'], tokenize: wordsOf, processTerm: formOf }

const REPLACEMENTS = Object.entries(SYNONYMS).flatMap(([term, phrases]) =>
  phrases.map((phrase) => ({ phrase: formsOf(phrase), term: formsOf(term) })),
)

export function indexOf(sections: Section[]): SearchData {
  const index = new MiniSearch(OPTIONS)
  // The beginning of a page has its title as a heading, so that it comes before sections of the same name.
  index.addAll(
    sections.map(({ page, heading, text }, id) => ({ id, page, text, heading: heading || page })),
  )
  return { sections, index: index.toJSON() }
}

export function openSearch({ sections, index: stored }: SearchData): (question: string) => Found[] {
  const index = MiniSearch.loadJS(stored, OPTIONS)

  function search({ forms, terms }: Wording, ownCount: number) {
    const isOwn = terms.length === 0
    return index
      .search(forms.join(' '), {
        boost: { heading: 4, page: 2 },
        boostDocument: (id) => sections[id as number]!.weight * (isOwn ? 1 : SYNONYM_WEIGHT),
        // The last word may still be incomplete.
        prefix: (word, i, words) => isOwn && (i === words.length - 1 || word.length > 3),
        fuzzy: (word) => (isOwn && word.length > 3 ? 0.2 : false),
        processTerm: (form) => form,
      })
      .filter(({ queryTerms }) => {
        const has = new Set(queryTerms)
        const count = has.size + ownCount - forms.length
        return (
          terms.every((term) => has.has(term)) && count >= Math.max(1, Math.floor(ownCount / 2))
        )
      })
  }

  return (question) => {
    const own = formsOf(question)
    if (own.length === 0) return []
    const best = new Map<number, { score: number; terms: Set<string> }>()
    for (const wording of wordingsOf(own))
      for (const { id, score, terms } of search(wording, own.length)) {
        const known = best.get(id as number)
        const all = new Set([...(known?.terms ?? []), ...terms])
        // A score grows with the number of words, in the sum and in a factor.
        const comparable = score * (own.length / wording.forms.length) ** 2
        best.set(id as number, { score: Math.max(comparable, known?.score ?? 0), terms: all })
      }
    return limited(
      [...best]
        .toSorted(([, a], [, b]) => b.score - a.score)
        .map(([id, { terms }]) => ({ section: sections[id]!, terms })),
    ).map(({ section: { page, heading, text, address }, terms }) => ({
      page,
      heading: marked(heading, terms),
      excerpt: excerptOf(text, terms),
      address,
    }))
  }
}

interface Wording {
  forms: string[]
  /** The words of the docs' terms in it, which a section must have. */
  terms: string[]
}

/** The question itself, then with its phrases replaced by the terms of the docs. */
function wordingsOf(own: string[]): Wording[] {
  let wordings: Wording[] = [{ forms: own, terms: [] }]
  for (const { phrase, term } of REPLACEMENTS)
    wordings = wordings.flatMap((wording) => {
      const { forms, terms } = wording
      const at = forms.findIndex((_, i) => phrase.every((word, j) => forms[i + j] === word))
      if (at === -1) return [wording]
      const replaced = forms.toSpliced(at, phrase.length, ...term)
      return [wording, { forms: replaced, terms: [...terms, ...term] }]
    })
  return wordings.slice(0, WORDINGS_MAX)
}

function limited<Entry extends { section: Section }>(entries: Entry[]): Entry[] {
  const counts = new Map<string, number>()
  return entries
    .filter(({ section: { address } }) => {
      const guide = address.split('#')[0]!
      // Each endpoint is a page of its own, as far as a reader is concerned.
      if (guide === '/docs/reference') return true
      const count = (counts.get(guide) ?? 0) + 1
      counts.set(guide, count)
      return count <= PER_GUIDE_MAX
    })
    .slice(0, FOUND_MAX)
}

/** The part of the text with the most of the found words. */
function excerptOf(text: string, terms: Set<string>): Piece[] {
  const hits = [...text.matchAll(WORD)]
    .map(({ 0: word, index }) => ({ form: formOf(word), index }))
    .filter(({ form }) => form !== null && terms.has(form))
  const countFrom = (start: number) =>
    new Set(
      hits
        .filter(({ index }) => index >= start && index < start + EXCERPT_CHARS - LEAD_CHARS)
        .map(({ form }) => form),
    ).size
  let at = 0
  let most = 0
  for (const { index } of hits) {
    const count = countFrom(index)
    if (count > most) [at, most] = [index, count]
  }
  const start = at <= LEAD_CHARS * 2 ? 0 : text.indexOf(' ', at - LEAD_CHARS) + 1
  const cut = text.slice(start, start + EXCERPT_CHARS)
  const isWhole = start + EXCERPT_CHARS >= text.length
  const shown = isWhole ? cut : `${cut.replace(/\s\S*$/, '')}\u00A0…`
  return marked(start === 0 ? shown : `…\u00A0${shown}`, terms)
}

function marked(text: string, terms: Set<string>): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const form = formOf(word)
    if (form === null || !terms.has(form)) continue
    pieces.push(text.slice(from, index), { found: word })
    from = index + word.length
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '')
}
