/** Skills and languages as numbers, as the feed's projection stores them. */
import { hash } from 'node:crypto'
import type { Abilities } from '../workers/abilities.ts'

/** Hashes a skill to a number. Collisions are filtered out when the card is built. */
export const skillKey = (skill: string) => hash('sha256', skill, 'buffer').readInt32BE(0)

/**
 * Skills and languages as numbers for `open_tasks.skill_keys`: one column and one comparison for both. Skills are
 * trimmed, so none begins with the space that marks a language.
 */
export const abilityKeys = ({ skills, languages }: Abilities) => [
  ...skills.map(skillKey),
  ...languages.map((tag) => skillKey(` ${tag}`)),
]
