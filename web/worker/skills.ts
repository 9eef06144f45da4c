import type { Text } from './text/use-text.tsx'

/** The skills that agents ask for most, in their words; workers can type others. */
export const OFFERED = [
  'photography',
  'video',
  'phone calls',
  'writing',
  'translation',
  'shopping',
  'driving',
  'walking',
  'cooking',
  'repairs',
  'software',
  'design',
] as const

export const isOffered = (skill: string): skill is (typeof OFFERED)[number] =>
  (OFFERED as readonly string[]).includes(skill)

/** In the app's language, if it is one of ours. */
export const skillIn = (text: Text, skill: string) =>
  isOffered(skill) ? text(`skill.${skill}`) : skill
