import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { compile, pseudo } from '../build/messages.ts'
import { localeOf } from './figures.ts'
import { LANGUAGES } from './languages.ts'

type Tree = MessageFormatElement[]
type Texts = Record<string, string>

const SOURCES = path.join(import.meta.dirname, '..')
const AREAS = globSync('*.json', { cwd: path.join(import.meta.dirname, 'en') })
const TRANSLATED = Object.keys(LANGUAGES).filter((language) => !language.startsWith('en'))

/** Texts that are the same in English and another language. */
const SAME = new Set([
  'Legwork',
  'Natural Earth, GeoNames',
  'No',
  'video',
  'Video',
  'audio',
  'Software',
  'Design',
  'Total',
  'Name',
  'Agent',
  'Filter',
  'Design',
  'System',
  'GPS ±{accuracy}',
  '{seconds} s',
  '{size} kB',
  '{seconds} s · {size} kB',
  '{when} · {size} kB',
])

/** Texts that are the same in English and this language only. */
const SAME_IN: Record<string, readonly string[]> = {
  fr: [
    'photo',
    'Design',
    'Notifications',
    'Badges',
    'Excellent',
    'Date',
    'Type',
    'Agent',
    'Net',
    'Total',
    'Abusive',
    '{count, plural, one {# correction} other {# corrections}}',
  ],
}

const textsOf = (language: string, area: string) =>
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, language, area), 'utf8').normalize(),
  ) as Texts
const allOf = (language: string): Texts =>
  Object.assign({}, ...AREAS.map((area) => textsOf(language, area))) as Texts

/** In file order. JSON.parse would keep only the last of two messages with the same id. */
const idsIn = (language: string, area: string) => {
  const file = path.join(import.meta.dirname, language, area)
  return [...readFileSync(file, 'utf8').matchAll(/^ {2}"([^"]+)":/gm)].map(([, id]) => id!)
}

const english = allOf('en')

describe('every language', () => {
  test('has no duplicate message', () => {
    const twice = ['en', ...TRANSLATED].flatMap((language) => {
      const ids = AREAS.flatMap((area) => idsIn(language, area))
      return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${language}: ${id}`)
    })
    assert.deepEqual(twice, [])
  })

  for (const language of TRANSLATED) {
    const translated = allOf(language)

    test(`${language} has every English message in the same file, and no others`, () => {
      for (const area of AREAS) {
        const [theirs, ours] = [textsOf('en', area), textsOf(language, area)]
        const missing = Object.keys(theirs).filter((id) => !(id in ours))
        const beside = Object.keys(ours).filter((id) => !(id in theirs))
        assert.deepEqual({ missing, beside }, { missing: [], beside: [] })
      }
    })

    test(`${language} has the same placeholders as English`, () => {
      const differing = Object.keys(english).filter((id) => {
        const theirs = fillings(parse(english[id]!))
        const ours = fillings(parse(translated[id] ?? ''))
        // A translation may omit the plural if its text is the same for every number.
        for (const filling of theirs.keys())
          if (filling.startsWith('plural ') && !ours.has(filling)) theirs.delete(filling)
        return !isDeepStrictEqual(theirs, ours)
      })
      assert.deepEqual(differing, [])
    })

    test(`${language} has every plural form`, () => {
      const lacking = Object.entries(translated).flatMap(([id, text]) =>
        pluralsIn(parse(text)).flatMap(({ options, pluralType }) =>
          categoriesOf(language, pluralType)
            .filter((category) => !(category in options))
            .map((category) => `${id}: ${category}`),
        ),
      )
      assert.deepEqual(lacking, [])
    })

    test(`${language} has no English text left`, () => {
      const same = new Set([...SAME, ...(SAME_IN[language] ?? [])])
      const left = Object.entries(english)
        .filter(([id, text]) => translated[id] === text && hasWords(parse(text)) && !same.has(text))
        .map(([id]) => id)
      assert.deepEqual(left, [])
    })
  }
})

describe('plurals', () => {
  const say = (language: string, id: string, count: number) =>
    String(new IntlMessageFormat(allOf(language)[id]!, localeOf(language)).format({ count }))

  test('Arabic has separate forms for 0, 1, 2, few, many and hundreds', () => {
    const said = [0, 1, 2, 3, 11, 100, 103].map((count) => say('ar', 'find.count', count))
    assert.deepEqual(said, [
      'لا توجد مهام لك',
      'مهمة واحدة لك',
      'مهمتان لك',
      '3 مهام لك',
      '11 مهمة لك',
      '100 مهمة لك',
      '103 مهام لك',
    ])
  })

  test('Spanish has separate forms for one and many', () => {
    const said = [0, 1, 2].map((count) => say('es', 'find.count', count))
    assert.deepEqual(said, ['Ninguna tarea para ti', '1 tarea para ti', '2 tareas para ti'])
  })

  test('Portuguese uses the singular for 0 and 1', () => {
    const said = [0, 1, 2].map((count) => say('pt-BR', 'board.tasks', count))
    assert.deepEqual(said, ['0 tarefa', '1 tarefa', '2 tarefas'])
  })

  test('French has separate forms for one and many', () => {
    const said = [0, 1, 2].map((count) => say('fr', 'find.count', count))
    assert.deepEqual(said, [
      'Aucune mission pour vous',
      '1 mission pour vous',
      '2 missions pour vous',
    ])
  })

  test('German has separate forms for one and many', () => {
    const said = [0, 1, 2].map((count) => say('de', 'find.count', count))
    assert.deepEqual(said, ['Keine Aufgaben für dich', '1 Aufgabe für dich', '2 Aufgaben für dich'])
  })
})

test('French puts a no-break space before : ; ? ! and inside « », and uses no straight quotes', () => {
  const wrong = Object.entries(allOf('fr')).filter(([, text]) =>
    /[^\u00A0]:|[^\u202F][;?!]|«[^\u00A0]|[^\u00A0]»|['"]/.test(text),
  )
  assert.deepEqual(wrong, [])
})

test('every push message has a title and a body', () => {
  // Each kind has a setting; tests are sent by a button.
  const kinds = Object.keys(english).flatMap((id) => /^notify\.(\w+)\.hint$/.exec(id)?.[1] ?? [])
  const wordless = [...kinds, 'test'].filter(
    (kind) => !(`push.${kind}.title` in english && `push.${kind}.body` in english),
  )
  assert.equal(kinds.length, 13)
  assert.deepEqual(wordless, [])
})

test('no message of the app selects by a string, which may be wrapped in an isolate', () => {
  const choosing = Object.entries(english).filter(
    ([id, text]) =>
      !id.startsWith('push.') &&
      [...fillings(parse(text)).keys()].some((filling) => filling.startsWith('select ')),
  )
  assert.deepEqual(choosing, [])
})

test('the pseudo-language is longer than English and in brackets', () => {
  for (const [id, text] of Object.entries(english)) {
    const [first, ...rest] = pseudo(parse(text))
    const last = rest.pop()
    assert(first?.type === TYPE.literal && first.value === '⟦', id)
    assert(last?.type === TYPE.literal && /^ ·+⟧$/.test(last.value), id)
    assert.equal(rest.length, parse(text).length, id)
  }
  assert.equal(compile('Stay at home', pseudo), '⟦Sţáý áţ hömé ·····⟧')
})

describe('messages in the code', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(SOURCES, file), 'utf8'))
    .join('\n')

  test('exist', () => {
    const asked = [...code.matchAll(/\btext(?:\.rich)?\(\s*'([^']+)'/g)].map(([, id]) => id!)
    assert(asked.length > 300, 'messages are found')
    assert.deepEqual(
      asked.filter((id) => !(id in english)),
      [],
    )
  })

  test('are all used', () => {
    const patterns = [...code.matchAll(/`([a-z]+\.[\w.]*\$\{[^`\n]*)`/g)].map(
      ([, template]) => new RegExp(`^${template!.replaceAll(/\$\{[^}]*\}/g, String.raw`[\w ]+`)}$`),
    )
    const idle = Object.keys(english).filter(
      (id) => !code.includes(`'${id}'`) && !patterns.some((pattern) => pattern.test(id)),
    )
    assert.deepEqual(idle, [])
  })
})

/** Each placeholder and tag with its type, and the options of a select. */
function fillings(tree: Tree, found = new Map<string, string>()): Map<string, string> {
  for (const part of tree) {
    if (part.type === TYPE.literal || part.type === TYPE.pound) continue
    const choices = part.type === TYPE.select ? Object.keys(part.options).sort().join() : ''
    found.set(`${TYPE[part.type]} ${part.value}`, choices)
    for (const inner of insideOf(part)) fillings(inner, found)
  }
  return found
}

const pluralsIn = (tree: Tree): Extract<MessageFormatElement, { type: TYPE.plural }>[] =>
  tree.flatMap((part) => [
    ...(part.type === TYPE.plural ? [part] : []),
    ...insideOf(part).flatMap((inner) => pluralsIn(inner)),
  ])

function insideOf(part: MessageFormatElement): Tree[] {
  if (part.type === TYPE.tag) return [part.children]
  if (part.type !== TYPE.plural && part.type !== TYPE.select) return []
  return Object.values(part.options).map(({ value }) => value)
}

/** Plural categories of numbers up to 1000; beyond that, Spanish and Portuguese have one more. */
function categoriesOf(language: string, type: Intl.PluralRuleType = 'cardinal'): string[] {
  const rules = new Intl.PluralRules(language, { type })
  return [...new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)))]
}

const hasWords = (tree: Tree): boolean =>
  tree.some((part) =>
    part.type === TYPE.literal
      ? /\p{L}/u.test(part.value)
      : insideOf(part).some((inner) => hasWords(inner)),
  )

/** Modules that are part of the first load: everything that start.tsx imports, directly or through others. */
function firstLoad(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|\} from|export).*'(\.[^']+\.tsx?)'/gm,
  )
  for (const [line, target] of imports)
    if (!line.startsWith('import type')) firstLoad(path.resolve(path.dirname(file), target!), found)
  return found
}

test('the first load uses only messages of the frame and the feed; the rest arrives with other screens', () => {
  const first = ['shell', 'find'].flatMap((area) =>
    Object.keys(
      JSON.parse(readFileSync(path.join(import.meta.dirname, `en/${area}.json`), 'utf8')) as Texts,
    ),
  )
  const modules = [...firstLoad(path.join(SOURCES, 'start.tsx'))]
  const used = modules.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\btext(?:\.rich)?\(\s*(?:'([^']+)'|`([a-z]+\.)\$\{)/g,
      ),
    ].map(([, id, prefix]) => ({ file, id, prefix })),
  )

  assert(modules.length > 40 && used.length > 40)
  assert.deepEqual(
    used.filter(({ id, prefix }) =>
      id === undefined ? !first.some((one) => one.startsWith(prefix!)) : !first.includes(id),
    ),
    [],
  )
})
