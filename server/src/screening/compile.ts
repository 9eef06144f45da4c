/**
 * Compiles the rules once into a tree of letters and a tree of words, so that a text is read once, however many rules
 * there are. The time is proportional to the length of the text: nothing backtracks.
 */
import type { Phrases, Reading } from './rule.ts'
import { withoutPrefix, wordsOf } from './tokens.ts'

interface LetterNode {
  next: Map<number, LetterNode>
  /** The word that ends here, and the prefix that does. */
  exact: number | undefined
  prefix: number | undefined
}
interface PhraseNode {
  next: Map<number, PhraseNode>
  /** The lists that contain the phrase that ends here. */
  lists: number[]
}
interface CompiledRule<R extends Reading> {
  rule: R
  all: number[]
  none: number | undefined
}

/** Separates the fields of a task, so that no phrase begins in one field and ends in the next. */
const FIELD_GAP = 3

/** A phrase of `none` clears the phrases within this many words of it, so it can't clear a whole task. */
const CLEARED_WITHIN = 12

/** Takes the fields of a task as `wordsOf` reads them. */
export type Matcher<R extends Reading> = (fields: readonly (readonly string[])[]) => R[]

export function compile<R extends Reading>(rules: readonly R[]): Matcher<R> {
  const letters: LetterNode = letterNode()
  const phrases: PhraseNode = { next: new Map(), lists: [] }
  const listIds = new Map<Phrases, number>()
  let wordCount = 0

  const wordId = (word: string, isPrefix: boolean): number => {
    let node = letters
    for (let i = 0; i < word.length; i += 1)
      node = childOf(node.next, word.charCodeAt(i), letterNode)
    if (isPrefix) return (node.prefix ??= wordCount++)
    return (node.exact ??= wordCount++)
  }
  const listId = (list: Phrases): number => {
    const known = listIds.get(list)
    if (known !== undefined) return known
    const id = listIds.size
    listIds.set(list, id)
    for (const phrase of list) {
      const parts = phrase.split(' ').flatMap((part) =>
        wordsOf(part).map((word, i, all) => ({
          word,
          isPrefix: part.endsWith('*') && i === all.length - 1,
        })),
      )
      if (parts.length === 0) throw new Error(`the phrase ${JSON.stringify(phrase)} has no word`)
      let node = phrases
      for (const { word, isPrefix } of parts)
        node = childOf(node.next, wordId(word, isPrefix), () => ({ next: new Map(), lists: [] }))
      if (!node.lists.includes(id)) node.lists.push(id)
    }
    return id
  }
  const compiled: CompiledRule<R>[] = rules.map((rule) => ({
    rule,
    all: rule.all.map(listId),
    none: rule.none && listId(rule.none),
  }))

  const known = new Map<string, readonly number[]>()
  return (fields) => {
    const found = read(fields, { letters, phrases, lists: listIds.size, known })
    return compiled.filter((one) => applies(one, found)).map(({ rule }) => rule)
  }
}

const letterNode = (): LetterNode => ({ next: new Map(), exact: undefined, prefix: undefined })

function childOf<N>(children: Map<number, N>, key: number, make: () => N): N {
  const known = children.get(key)
  if (known !== undefined) return known
  const node = make()
  children.set(key, node)
  return node
}

/** The maximum number of cached words: most words are in no rule, and the same ones come again. */
const KNOWN_MAX = 20_000
const NO_IDS: readonly number[] = []

/** The positions at which a phrase of each list ends, ascending; undefined for a list of which no phrase is found. */
type Found = (number[] | undefined)[]

function read(
  fields: readonly (readonly string[])[],
  {
    letters,
    phrases,
    lists,
    known,
  }: {
    letters: LetterNode
    phrases: PhraseNode
    lists: number
    known: Map<string, readonly number[]>
  },
): Found {
  const found: Found = []
  found.length = lists
  let at = 0
  const follow = (node: PhraseNode, id: number, reached: PhraseNode[]) => {
    const child = node.next.get(id)
    if (child === undefined) return
    if (child.next.size > 0) reached.push(child)
    for (const list of child.lists) {
      const positions = (found[list] ??= [])
      if (positions.at(-1) !== at) positions.push(at)
    }
  }
  for (const words of fields) {
    let open: PhraseNode[] = []
    for (const word of words) {
      let ids = known.get(word)
      if (ids === undefined) {
        if (known.size >= KNOWN_MAX) known.clear()
        ids = allIdsOf(word, letters)
        // A text is a slice of a request's body, which the map must not keep alive; long words are rare.
        if (word.length < 40) known.set(word, ids)
      }
      if (ids.length > 0) {
        const reached: PhraseNode[] = []
        for (const id of ids) {
          follow(phrases, id, reached)
          for (const node of open) follow(node, id, reached)
        }
        open = reached
      } else if (open.length > 0) open = []
      at += 1
    }
    at += FIELD_GAP
  }
  return found
}

function allIdsOf(word: string, letters: LetterNode): readonly number[] {
  const ids = idsOf(word, letters)
  const bare = withoutPrefix(word)
  if (bare !== undefined) ids.push(...idsOf(bare, letters))
  return ids.length === 0 ? NO_IDS : ids
}

/** The words and prefixes of the rules that the word of a text is or begins with. */
function idsOf(word: string, letters: LetterNode): number[] {
  const ids: number[] = []
  let node: LetterNode | undefined = letters
  for (let i = 0; i < word.length; i += 1) {
    node = node.next.get(word.charCodeAt(i))
    if (node === undefined) return ids
    if (node.prefix !== undefined) ids.push(node.prefix)
  }
  if (node.exact !== undefined) ids.push(node.exact)
  return ids
}

function applies({ rule, all, none }: CompiledRule<Reading>, found: Found): boolean {
  for (const list of all) if (found[list] === undefined) return false
  let lists = all.map((list) => found[list]!)
  const clearing = none === undefined ? undefined : found[none]
  if (clearing !== undefined) {
    lists = lists.map((positions) => notNear(positions, clearing))
    if (lists.some((positions) => positions.length === 0)) return false
  }
  return rule.within === undefined || areWithin(lists, rule.within)
}

/** The positions that are more than CLEARED_WITHIN words from each of the others. Both lists are ascending. */
function notNear(positions: readonly number[], others: readonly number[]): number[] {
  let next = 0
  return positions.filter((position) => {
    while (next < others.length && others[next]! < position - CLEARED_WITHIN) next += 1
    return next === others.length || others[next]! > position + CLEARED_WITHIN
  })
}

/** Whether one position of every list fits into a window of `size` words. Each position is visited once. */
function areWithin(lists: number[][], size: number): boolean {
  const next = lists.map(() => 0)
  for (;;) {
    let lowest = 0
    let highest = 0
    for (let i = 1; i < lists.length; i += 1) {
      if (lists[i]![next[i]!]! < lists[lowest]![next[lowest]!]!) lowest = i
      if (lists[i]![next[i]!]! > lists[highest]![next[highest]!]!) highest = i
    }
    if (lists[highest]![next[highest]!]! - lists[lowest]![next[lowest]!]! <= size) return true
    next[lowest]! += 1
    if (next[lowest] === lists[lowest]!.length) return false
  }
}
