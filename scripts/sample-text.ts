/**
 * `node scripts/sample-text.ts [SEED]` prints 40 random comments and 40 random texts that users read, for a review of
 * the English. The same seed draws the same ones from the same tree.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const COUNT = 40
const ROOT = path.join(import.meta.dirname, '..')
const SOURCES =
  /^(?:server\/(?:src|functions)|web|(?:sdk|cli|mcp|adapters|sandbox)\/src|scripts|load)\/.*(?<!\.test)\.(?:tsx?|sql)$/
const GENERATED =
  /^(?:sdk\/src\/(?:types|error-classes)|web\/operators\/types|server\/src\/kit\/(?:schema|functions))\.ts$/
const WITH_TEXTS =
  /^(?:server\/src|web\/(?:console|operators)|(?:sdk|cli|mcp|adapters|sandbox)\/src)\/.*\.tsx?$/
const MESSAGES = /^web\/worker\/text\/en\/.*\.json$/

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => !GENERATED.test(file))
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const random = seeded(Number(process.argv[2] ?? 18))

print('comments', files.filter((file) => SOURCES.test(file)).flatMap(commentsOf))
print('texts', [
  ...files.filter((file) => MESSAGES.test(file)).flatMap(messagesOf),
  ...files.filter((file) => SOURCES.test(file) && WITH_TEXTS.test(file)).flatMap(textsOf),
])

function commentsOf(file: string): string[] {
  const marks = file.endsWith('.sql')
    ? /(?:^[ \t]*-- .*\n)+/gm
    : /\/\*\*[^]*?\*\/|(?:^[ \t]*\/\/ .*\n)+/gm
  return [...read(file).matchAll(marks)].map(([text]) => {
    const words = text.replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*|--|\/\/) ?|\*\/$/gm, '')
    return `${file}: ${words.replaceAll(/\s+/g, ' ').trim()}`
  })
}

function messagesOf(file: string): string[] {
  const messages = Object.values(JSON.parse(read(file)) as Record<string, string>)
  return messages.map((text) => `${file}: ${text}`)
}

/** String literals that contain a few words. */
function textsOf(file: string): string[] {
  return [...read(file).matchAll(/'([A-Za-z][^'\\\n]* [^'\\\n]* [^'\\\n]*)'/g)]
    .map(([, text]) => `${file}: ${text}`)
    .filter((text) => !/=>|\b(?:flex|grid|text-|px-|select|where)\b/.test(text))
}

function print(what: string, all: string[]): void {
  console.log(`${COUNT} of ${all.length} ${what}\n`)
  for (let i = 0; i < COUNT; i += 1) {
    const [one] = all.splice(Math.floor(random() * all.length), 1)
    console.log(`- ${one}`)
  }
  console.log('')
}

/** A linear congruential generator is random enough to draw samples. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
