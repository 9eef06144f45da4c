/** Skills and languages as numbers, as the projection of the feed stores them. */
import { hash } from 'node:crypto'
import type { Abilities } from '../workers/abilities.ts'

/** A skill as a number. Two that share one are told apart when the card is made. */
export const skillKey = (skill: string) => hash('sha256', skill, 'buffer').readInt32BE(0)

/**
 * Skills and languages as the numbers of `open_tasks.skill_keys`: one column and one comparison for both. A skill is
 * trimmed, so none begins with the blank that marks a language.
 */
export const abilityKeys = ({ skills, languages }: Abilities) => [
  ...skills.map(skillKey),
  ...languages.map((tag) => skillKey(` ${tag}`)),
]
