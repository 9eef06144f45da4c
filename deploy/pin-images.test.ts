import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pin, pinImages } from './pin-images.ts'

const SERVER = `registry.example.com/legwork@sha256:${'a'.repeat(64)}`
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('deploy/pin-images.ts', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-pin-'))
  /** Answers like the registries that we use: first with where to get a token, then with the manifest. */
  const registry = createServer((request, response) => {
    const [, repository, tag] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(request.url!) ?? []
    if (request.url!.startsWith('/token?')) {
      response.end(
        JSON.stringify({ token: new URL(request.url!, 'http://x').searchParams.get('scope') }),
      )
    } else if (request.headers.authorization !== `Bearer repository:${repository}:pull`) {
      const realm = `http://${host}/token`
      const challenge = `Bearer realm="${realm}",scope="repository:${repository}:pull"`
      response.writeHead(401, { 'www-authenticate': challenge }).end()
    } else if (tag === 'gone') response.writeHead(404).end()
    else {
      assert.match(request.headers.accept!, /^application\/vnd\.oci\.image\.index/)
      // A registry that names a wrong digest must not be believed.
      response.writeHead(200, { 'docker-content-digest': `sha256:${'0'.repeat(64)}` })
      response.end(`manifest of ${repository}:${tag}`)
    }
  })
  let host: string

  before(async () => {
    registry.listen(0, '127.0.0.1')
    await once(registry, 'listening')
    host = `127.0.0.1:${(registry.address() as AddressInfo).port}`
  })
  after(() => {
    registry.close()
    rmSync(folder, { recursive: true })
  })

  /** Our files, with images of this test's registry instead of those on the internet. */
  function ours(name: string, change = (text: string) => text): string {
    const from = path.join(folder, name)
    cpSync(import.meta.dirname, from, { recursive: true })
    for (const file of globSync('{*.yaml,kubernetes/**/*.yaml}', { cwd: from })) {
      const text = readFileSync(path.join(from, file), 'utf8')
      const local = text.replaceAll(/(image: )((?!legwork$)[\w./-]+:[\w.-]+)$/gm, `$1${host}/$2`)
      writeFileSync(path.join(from, file), change(local))
    }
    return from
  }

  test('adds the digest of what the registry sends, by way of its token', async () => {
    const digest = digestOf('manifest of prom/prometheus:v3.5.0')

    assert.equal(
      await pin(`${host}/prom/prometheus:v3.5.0`),
      `${host}/prom/prometheus:v3.5.0@sha256:${digest}`,
    )
    assert.equal(await pin(SERVER), SERVER)
  })

  test('refuses an image that is gone, and one without a tag', async () => {
    await assert.rejects(pin(`${host}/prom/prometheus:gone`), /answers 404/)
    await assert.rejects(pin(`${host}/prom/prometheus`), /without a tag/)
  })

  test('writes files in which every image has a digest, and ours is the released one', async () => {
    const to = path.join(folder, 'released')
    const pinned = await pinImages({ from: ours('sources'), to, server: SERVER })
    const text = globSync('{compose*.yaml,kubernetes/**/*.yaml}', { cwd: to })
      .map((file) => readFileSync(path.join(to, file), 'utf8'))
      .join('\n')
    const images = [...text.matchAll(/^\s*image: (.*)$/gm)].map((match) => match[1]!)

    assert(pinned.size >= 9, `${pinned.size} images`)
    assert(images.length >= 13, `${images.length} lines`)
    for (const image of images) assert.match(image, /@sha256:[0-9a-f]{64}$/)
    assert.equal(images.filter((image) => image === SERVER).length, 6)
    assert.doesNotMatch(text, /LEGWORK_IMAGE|newTag|^\s*build:/m)
    assert.deepEqual(globSync('**/*.test.ts', { cwd: to }), [])
  })

  test('writes an overlay that kubectl renders with the digests', {
    skip: spawnSync('kubectl', ['version', '--client']).error ? 'kubectl is not installed' : false,
  }, async () => {
    const to = path.join(folder, 'rendered')
    await pinImages({ from: ours('overlays'), to, server: SERVER })
    const overlay = path.join(to, 'kubernetes/overlays/example')
    const text = execFileSync('kubectl', ['kustomize', overlay], { encoding: 'utf8' })
    const images = [...text.matchAll(/^ *(?:- )?image: (.*)$/gm)].map((match) => match[1]!)

    assert.equal(images.filter((image) => image === SERVER).length, 4)
    for (const image of images) assert.match(image, /@sha256:[0-9a-f]{64}$/)
  })

  test('fails if one image is left without a digest', async () => {
    const from = ours('unpinned', (text) => text.replace('image: legwork\n', 'image: "legwork"\n'))
    await assert.rejects(
      pinImages({ from, to: path.join(folder, 'never'), server: SERVER }),
      /has no digest|without a tag/,
    )
    await assert.rejects(
      pinImages({ from, to: path.join(folder, 'never'), server: 'legwork:latest' }),
      /has no digest/,
    )
  })
})
