/** Checks color contrast, for people with low vision or in bright sunlight. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'

const WEB = path.join(import.meta.dirname, '../..')
const GROUNDS = ['bg', 'surface', 'raised']
const SOFT_GROUNDS = ['brand-soft', 'warn-soft', 'danger-soft', 'info-soft']
const ACCENT_GROUNDS = ['accent-soft']
const ART_GROUNDS = ['art-land', 'art-paper', 'art-shade', 'art-spot']
const TASK_TYPES = [
  'verification',
  'field-mission',
  'voice-proxy',
  'gut-check',
  'vibe-reader',
  'empathy-escalation',
]
const MAP_GROUNDS = ['map-water', 'map-land', 'map-green', 'map-building', 'map-road']

const TEXT_LEAST = 4.5
/** Text color → the backgrounds it is used on. */
const TEXTS: Record<string, string[]> = {
  text: [...GROUNDS, ...SOFT_GROUNDS, ...MAP_GROUNDS],
  muted: GROUNDS,
  bg: ['text'],
  brand: [...GROUNDS, ...SOFT_GROUNDS],
  'on-brand': ['brand'],
  'on-brand-soft': ['brand-soft'],
  warn: [...GROUNDS, 'warn-soft'],
  danger: [...GROUNDS, 'danger-soft'],
  'on-danger': ['danger'],
  info: [...GROUNDS, 'info-soft'],
  accent: [...GROUNDS, ...ACCENT_GROUNDS],
  'on-accent': ['accent'],
  ...Object.fromEntries(TASK_TYPES.map((type) => [type, ['surface', `${type}-soft`]])),
}

const SHAPE_LEAST = 3
/** Borders of controls, bars, marks and focus rings. */
const SHAPES: Record<string, string[]> = {
  control: GROUNDS,
  brand: GROUNDS,
  'on-brand': ['brand'],
  danger: GROUNDS,
  focus: [...GROUNDS, ...SOFT_GROUNDS],
  // The lines of illustrations.
  'on-brand-soft': ART_GROUNDS,
}

/** Purely decorative lines, exempt from contrast: spacing already separates what they separate. */
const ORNAMENTS = ['border']
const NO_COLORS = ['transparent', 'current']

const tokens = readTokens(readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8'))

describe('color contrast', () => {
  for (const [pairs, least, what] of [
    [TEXTS, TEXT_LEAST, 'as text'],
    [SHAPES, SHAPE_LEAST, 'as a shape'],
  ] as const)
    for (const [front, grounds] of Object.entries(pairs))
      for (const ground of grounds)
        test(`${front} on ${ground}, ${what}, is ${least} or more in light and dark mode`, () => {
          for (const [i, theme] of (['day', 'night'] as const).entries()) {
            const found = contrast(tokens.get(front)![i]!, tokens.get(ground)![i]!)
            assert(found >= least, `${front} on ${ground} by ${theme}: ${found.toFixed(2)}`)
          }
        })

  test('is checked for every color token', () => {
    const known = new Set([
      ...Object.keys({ ...TEXTS, ...SHAPES }),
      ...GROUNDS,
      ...SOFT_GROUNDS,
      ...MAP_GROUNDS,
      ...ACCENT_GROUNDS,
      ...ART_GROUNDS,
      ...TASK_TYPES.map((type) => `${type}-soft`),
      ...ORNAMENTS,
    ])
    assert.deepEqual(
      [...tokens.keys()].filter((name) => !known.has(name)),
      [],
    )
  })

  test('is checked for every text and background pair of one element', () => {
    const unknown = globSync('*/**/*.tsx', { cwd: WEB, exclude: ['node_modules'] }).flatMap(
      (file) =>
        pairsIn(readFileSync(path.join(WEB, file), 'utf8'))
          .filter(([front, ground]) => !TEXTS[front]?.includes(ground))
          .map(([front, ground]) => `${file}: ${front} on ${ground}`),
    )
    assert.deepEqual(unknown, [])
  })

  test('follows the WCAG formula', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
  })
})

/** Token name → its light and dark color. */
function readTokens(css: string): Map<string, [string, string]> {
  const found = css.matchAll(/--color-([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(\w+));/g)
  return new Map(
    [...found].flatMap(([, name, day, night]) =>
      NO_COLORS.includes(name!) ? [] : [[name!, [day!, night!] as [string, string]]],
    ),
  )
}

/** Pairs of text and background color within one class list, under the same variant, such as `data-[selected]:`. */
function pairsIn(source: string): [string, string][] {
  return [...source.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)].flatMap(([, ...quoted]) => {
    const classes = quoted.find((one) => one !== undefined)!.split(/\s+/)
    const of = (kind: string) =>
      classes.flatMap((one) => {
        const [, condition, name] = new RegExp(`^(.*:)?${kind}-([\\w-]+)$`).exec(one) ?? []
        return name !== undefined && tokens.has(name) ? [{ condition, name }] : []
      })
    return of('text').flatMap((front) =>
      of('bg')
        .filter(({ condition }) => condition === front.condition)
        .map((ground): [string, string] => [front.name, ground.name]),
    )
  })
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
