/** The type of a screening rule. The rules are data: rules/ has one file for each section of the policy. */
import type { Section } from './policy.ts'

/**
 * Words and phrases of any language, compared as `wordsOf` reads them. A word that ends in `*` stands for every word
 * that begins so.
 */
export type Phrases = readonly string[]

/** The fields of every rule, whatever its verdict. */
export interface Reading {
  /** The public name, as refusals tell it. It never changes its meaning. */
  id: string
  /** The team that is responsible for the rule, and the date since which it applies. */
  owner: string
  since: string
  /** Why the rule exists, for operators and for the policy page. */
  reason: string
  /** One phrase of every list must be in the text. */
  all: readonly Phrases[]
  /** The phrases must be within this many words. If absent, they may be anywhere in the task. */
  within?: number
  /** The rule doesn't count phrases that are near one of these (CLEARED_WITHIN in compile.ts). */
  none?: Phrases
  /** Texts that the rule must find, and texts that it must not. A test runs them all. */
  hits: readonly string[]
  misses: readonly string[]
}

/** A rule that is read when a task is created, and keeps it from workers. */
export interface Rule extends Reading {
  section: Section
  verdict: 'refused' | 'doubtful'
}

export const WARNINGS = ['own_money', 'meets_stranger', 'own_number', 'sealed_parcel'] as const

/** A rule that adds a line to the task's card. It is no breach of the policy, so it has no section. */
export interface WarnedRule extends Reading {
  verdict: 'warned'
  warning: (typeof WARNINGS)[number]
}

/** Reads phrases that are separated by commas, one line for each language. */
export const phrases = (text: string): Phrases =>
  text
    .split(/[,،\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
