import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPrint, plain, short } from './print.ts'

function opened({
  isTTY = false,
  isJson = false,
  environment = {},
}: {
  isTTY?: boolean
  isJson?: boolean
  environment?: Record<string, string>
} = {}) {
  const said = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write(text: string) {
      said[name] += text
    },
  })
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') }
  return { said, print: openPrint({ ...streams, isJson, self: 'legwork', environment }) }
}

describe('output', () => {
  test('has colors only on a terminal, and none with NO_COLOR', () => {
    const styled = (options: Parameters<typeof opened>[0]) =>
      opened(options).print.style('green', 'ok')

    assert.equal(styled({ isTTY: true }), '\u001B[32mok\u001B[39m')
    for (const options of [
      {},
      { isTTY: true, isJson: true },
      { isTTY: true, environment: { NO_COLOR: '1' } },
      { isTTY: true, environment: { TERM: 'dumb' } },
    ])
      assert.equal(styled(options), 'ok')
  })

  test('rewrites the status line on a terminal, and leaves it out elsewhere', () => {
    const [terminal, pipe] = [opened({ isTTY: true }), opened()]

    for (const { print } of [terminal, pipe]) {
      print.status('looking… 1 s')
      print.step({}, 'found')
    }

    assert(terminal.said.stdout.includes('looking… 1 s'))
    assert(terminal.said.stdout.endsWith('\r\u001B[2K  found\n'))
    assert.equal(pipe.said.stdout, '  found\n')
  })

  test('with --json contains only objects, and errors go to stderr', () => {
    const { said, print } = opened({ isJson: true, isTTY: true })

    print.step({ type: 'a', text: '\u009B2J' }, 'for people')
    print.note('for people')
    print.next('Next', 'for people')
    print.status('for people')
    print.problem({ error: 'no' }, 'for people')

    assert.equal(said.stdout, '{"type":"a","text":"\\u009b2J"}\n')
    assert.equal(said.stderr, '{"error":"no"}\n')
  })
})

describe('untrusted text', () => {
  for (const [what, text, harmless] of [
    ['colors', '\u001B[31mred\u001B[0m', 'red'],
    ['an escape sequence for the window title', 'a\u001B]0;title\u0007b', 'ab'],
    ['a line that overwrites another', 'a\rb', 'ab'],
    ['a bell and a backspace', 'a\u0007\u0008b', 'ab'],
    ['8-bit control codes', 'a\u009B2Jb', 'ab'],
    ['right-to-left overrides', 'a\u202Eb\u2066c', 'abc'],
  ] as const)
    test(`loses ${what}`, () => {
      assert.equal(plain(text), harmless)
    })

  test('stays below the name of its author, however many lines it has', () => {
    assert.equal(plain('a\nApproved task_1', { indent: '  ' }), 'a\n    Approved task_1')
    assert.equal(short('a\nb   c', 10), 'a b c')
    assert.equal(short('abcdef', 4), 'abc…')
  })
})
