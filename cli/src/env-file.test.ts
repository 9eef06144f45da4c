import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { ignoreEnvFile, readEnvFile, recall, remember, writeEnvFile } from './env-file.ts'

function open(t: { after(end: () => void): void }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-env-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => path.join(folder, name)
  return { folder, at, text: (name: string) => readFileSync(at(name), 'utf8') }
}

describe('.env.local', () => {
  test('is created with owner-only permissions and read back', (t) => {
    const { folder, at, text } = open(t)

    writeEnvFile(folder, { LEGWORK_API_KEY: 'lw_test_1', LEGWORK_WEBHOOK_SECRET: 'whsec_a+b/c=' })

    assert.equal(
      text('.env.local'),
      'LEGWORK_API_KEY=lw_test_1\nLEGWORK_WEBHOOK_SECRET=whsec_a+b/c=\n',
    )
    assert.equal(statSync(at('.env.local')).mode & 0o777, 0o600)
    assert.equal(readEnvFile(folder).LEGWORK_WEBHOOK_SECRET, 'whsec_a+b/c=')
  })

  test('keeps every other line as it is', (t) => {
    const { folder, at, text } = open(t)
    writeFileSync(at('.env.local'), '# mine\n\nA="x y"\nexport LEGWORK_API_KEY=old\nB=2')

    writeEnvFile(folder, { LEGWORK_API_KEY: 'new', LEGWORK_URL: 'http://localhost/api/v1' })

    assert.equal(
      text('.env.local'),
      '# mine\n\nA="x y"\nLEGWORK_API_KEY=new\nB=2\nLEGWORK_URL=http://localhost/api/v1\n',
    )
  })

  for (const [had, has] of [
    [undefined, '.env.local\n'],
    ['node_modules', 'node_modules\n.env.local\n'],
    ['.env*.local\n', '.env*.local\n'],
    ['.env.local\n', '.env.local\n'],
    ['# .env.local\n', '# .env.local\n.env.local\n'],
  ] as const)
    test(`is added to .gitignore if that was ${JSON.stringify(had)}`, (t) => {
      const { folder, at, text } = open(t)
      if (had !== undefined) writeFileSync(at('.gitignore'), had)

      ignoreEnvFile(folder)

      assert.equal(text('.gitignore'), has)
    })
})

describe('.legwork', () => {
  test('stores values, ignores itself in git, and survives invalid JSON', (t) => {
    const { folder, at, text } = open(t)

    remember(folder, 'listen', { a: 1 })

    assert.deepEqual(recall(folder, 'listen'), { a: 1 })
    assert.equal(text('.legwork/.gitignore'), '*\n')
    assert.equal(recall(folder, 'other'), undefined)
    writeFileSync(at('.legwork/listen.json'), '{"a":')
    assert.equal(recall(folder, 'listen'), undefined)
  })
})
