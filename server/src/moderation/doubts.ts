/** Why a task waits for its screening, in words for an operator. */
import { wordsOf } from '../screening/tokens.ts'
import { wordingEvidence } from '../screening/wording.ts'

/** The rules by name. For the rule `wording`, the phrases of the shown texts that are most like those of abuse. */
export function doubtsOf(texts: readonly string[], rules: readonly string[]): string {
  const evidence = wordingEvidence(texts.map(wordsOf)).map((phrase) => `“${phrase}”`)
  return rules
    .map((rule) => (rule === 'wording' ? `wording: ${evidence.join(', ')}` : rule))
    .join('; ')
}
