import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { publint } from 'publint'
import { filesUnder } from './imports.ts'
import { packAll } from './pack.ts'

const ROOT = path.join(import.meta.dirname, '..')
const out = mkdtempSync(path.join(os.tmpdir(), 'legwork-packs-'))

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  exports?: Record<string, unknown>
  bin?: Record<string, string>
}

/** Packed once for all tests of this file, on first use. */
let packed: Promise<{ name: string; tarball: string; folder: string }[]> | undefined
const packs = () => {
  packed ??= packAll({ out }).then((tarballs) =>
    Object.entries(tarballs).map(([name, tarball]) => {
      const folder = mkdtempSync(path.join(out, 'unpacked-'))
      execFileSync('tar', ['-xzf', tarball, '-C', folder])
      return { name, tarball, folder: path.join(folder, 'package') }
    }),
  )
  return packed
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest

describe('npm run pack', () => {
  test('creates the packages, without findings of publint', async () => {
    for (const { name, folder } of await packs()) {
      const { messages } = await publint({ pkgDir: folder, pack: false, strict: true })

      assert.deepEqual(messages, [], name)
    }
    assert.deepEqual(
      (await packs()).map(({ name }) => name),
      ['@legwork/sdk', '@legwork/cli', '@legwork/mcp', '@legwork/adapters'],
    )
  })

  test('creates packages with correct types for ES modules and bundlers', async () => {
    for (const { tarball, folder } of await packs()) {
      // A package that is only a program has no types to check.
      if (readManifest(folder).exports === undefined) continue
      const args = [tarball, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii']
      execFileSync(path.join(ROOT, 'node_modules/.bin/attw'), args, { stdio: 'pipe' })
    }
  })

  test('packs code, types, README and LICENSE, and nothing else of the repository or the machine', async () => {
    for (const { name, folder } of await packs()) {
      const files = filesUnder(folder, '.', /./).concat(filesUnder(folder, 'dist', /./))

      const others = files.filter(
        (file) => !/^dist\/.+\.(?:js|d\.ts)$|^(?:package\.json|README\.md|LICENSE)$/.test(file),
      )
      assert.deepEqual(others, [], name)
      assert(files.includes('README.md') && files.includes('LICENSE'), name)
      assert.deepEqual(
        files.filter((file) => file.includes('.test.')),
        [],
        name,
      )
      for (const file of files) {
        const text = readFileSync(path.join(folder, file), 'utf8')
        assert(
          !text.includes(ROOT) && !text.includes('legwork-pack'),
          `${name} ${file} names a path`,
        )
        assert(!/registry\.[\w.]+|\bsrc\/[\w-]+\.ts/.test(text), `${name} ${file} names a source`)
        if (file.endsWith('.js') || file.endsWith('.d.ts'))
          assert(
            !/(?:from|import\()\s*['"]\.[^'"]*\.ts['"]/.test(text),
            `${name} ${file} imports .ts`,
          )
      }
    }
  })

  test('uses the version of the repository, and exact versions between the packages', async () => {
    const versions = new Map(
      (await packs())
        .map(({ folder }) => readManifest(folder))
        .map((one) => [one.name, one.version]),
    )

    for (const { folder } of await packs())
      for (const [name, range] of Object.entries(readManifest(folder).dependencies ?? {}))
        if (name.startsWith('@legwork/')) assert.equal(range, versions.get(name))
        else assert.match(range, /^\d/)
  })

  test('also creates the n8n node, and the wheel and the source distribution of the Python SDK', () => {
    const script = path.join(import.meta.dirname, 'pack.ts')
    const folder = mkdtempSync(path.join(out, 'all-'))

    const said = execFileSync(process.execPath, [script, folder], { encoding: 'utf8' })

    assert.match(said, /^legwork {2}\S*legwork-[\d.]+-py3-none-any\.whl$/m)
    assert.match(said, /^legwork {2}\S*legwork-[\d.]+\.tar\.gz$/m)
    assert.match(said, /^n8n-nodes-legwork {2}\S*n8n-nodes-legwork-[\d.]+\.tgz$/m)
    assert.equal(readdirSync(folder).length, 7)
  })

  test('creates packages that run without the repository', async () => {
    const [sdk] = await packs()
    const code = `
      import { Legwork } from '${sdk!.folder}/dist/legwork.js'
      const legwork = new Legwork({ apiKey: 'x', baseUrl: 'http://127.0.0.1:9', retriesMax: 0 })
      console.log(await legwork.wallet.get().catch((error) => error.code))`

    const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: out,
      encoding: 'utf8',
    })

    assert.equal(said.trim(), 'connection_failed')
  })
})
