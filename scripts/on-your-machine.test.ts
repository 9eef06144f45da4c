/** Every command of docs/guide/on-your-machine.md works against `npm run dev`, and prints what the page says. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { type Dev, startDev } from './dev.ts'

const PAGE = path.join(import.meta.dirname, '../docs/guide/on-your-machine.md')
const BLOCK = /((?:^<!--.*-->\n)+)^```bash\n([^]*?)^```/gm
const EXPECT = /<!-- expect: (.*?) -->/g
const END = '=== end of block'

interface Block {
  /** The line of the page where the block starts. */
  line: number
  script: string
  expected: string[]
}

describe('docs/guide/on-your-machine.md', () => {
  test('every block marked <!-- run --> succeeds and prints what is expected', async (t) => {
    assert(existsSync(PAGE), 'there is no docs/guide/on-your-machine.md')
    const blocks = readBlocks(readFileSync(PAGE, 'utf8'))
    assert(blocks.length > 0, 'no ```bash block on the page is below a <!-- run -->')
    const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-readme-'))
    chmodSync(folder, 0o755)
    const names = ['PORT', 'OPS_PORT', 'DESK_PORT', 'INBOX_PORT', 'RECEIVER_PORT', 'SANDBOX_PORT']
    const ports = Object.fromEntries(names.map((name) => [name, '0']))
    const env = { LEGWORK_DATA_DIR: folder, ...ports }
    const dev = await startDev(env, new PassThrough().resume())
    t.after(async () => {
      await dev.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    const { code, output } = await runInOneShell(blocks, dev)

    const printed = output.split(`${END}\n`)
    for (const [i, { line, expected }] of blocks.entries()) {
      const said = printed[i]
      assert(
        i < printed.length - 1,
        `on-your-machine.md:${line}: ended with ${code} (set -euo pipefail) after printing:\n${said ?? ''}`,
      )
      for (const text of expected)
        assert(
          said!.includes(text),
          `on-your-machine.md:${line}: no ${text} in what it printed:\n${said}`,
        )
    }
    assert.equal(code, 0)
    t.diagnostic(`${blocks.length} blocks`)
  })

  test('the parser finds only the marked blocks, and their expected output', () => {
    const fence = '```'
    const text = [
      'Text.',
      `${fence}bash\necho unmarked\n${fence}`,
      `<!-- run -->\n<!-- expect: one -->\n<!-- expect: two -->\n${fence}bash\necho one two\n${fence}`,
      `<!-- another comment -->\n${fence}bash\necho no\n${fence}`,
      `<!-- run -->\n\n${fence}bash\necho apart\n${fence}`,
    ].join('\n')

    assert.deepEqual(readBlocks(text), [
      { line: 8, script: 'echo one two\n', expected: ['one', 'two'] },
    ])
  })
})

function readBlocks(text: string): Block[] {
  return [...text.matchAll(BLOCK)]
    .filter(([, comments]) => comments!.includes('<!-- run -->'))
    .map(({ 0: whole, 1: comments, 2: script, index }) => ({
      line: text.slice(0, index + whole.indexOf('```bash')).split('\n').length,
      script: script!,
      expected: [...comments!.matchAll(EXPECT)].map(([, expected]) => expected!),
    }))
}

/** Replaces the default ports with the ports of this run. */
async function runInOneShell(blocks: Block[], { api, ops, inbox, receiver }: Dev) {
  const script = blocks
    .map((block) => `${block.script}\necho\necho '${END}'\n`)
    .join('')
    .replaceAll(':8080', `:${new URL(api).port}`)
    .replaceAll(':9090', `:${new URL(ops).port}`)
    .replaceAll(':8025', `:${new URL(inbox!).port}`)
    .replaceAll(':8026', `:${new URL(receiver).port}`)
  const child = spawn('bash', ['-c', `set -euo pipefail\nexec 2>&1\n${script}`], {
    cwd: os.tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
