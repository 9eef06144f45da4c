import type { Text } from './text/use-text.tsx'

/** What agents ask for most, by the words they use; what somebody else can, they write. */
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

/** In the language of the app, if it is one that we offer. */
export const skillIn = (text: Text, skill: string) =>
  isOffered(skill) ? text(`skill.${skill}`) : skill
