import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { picture } from '../../test/files/corpus.ts'
import { marketplace } from '../../test/harness.ts'
import { filesOf } from './files.ts'
import { readyKey } from './store.ts'

const MINUTE = 60_000

const market = await marketplace()
const image = await sharp(await picture(1))
  .jpeg()
  .toBuffer()
const agent = await market.agent({ balanceCents: 90_000 })

/** A link to a proof photo as the agent gets it, rewritten to this test server's port. */
async function linked() {
  const { id, workers } = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
  const photo = `data:image/jpeg;base64,${image.toString('base64')}`
  await workers[0]!.post(`/worker/tasks/${id}/proof`, { text: 'There', photos: [photo] })
  const { body } = await agent.get(`/tasks/${id}/proof?media=url`)
  const [file] = body.proofs[0].media
  const { pathname, search } = new URL(file.url)
  return { file, url: new URL(pathname + search, market.server.addresses.api).href }
}

describe('GET /files/:id', () => {
  test('serves the file with its type, and prevents browsers from executing it', async () => {
    const { url, file } = await linked()

    const response = await fetch(url)
    const bytes = Buffer.from(await response.arrayBuffer())

    assert.equal(response.status, 200)
    assert.equal(bytes.length, file.bytes)
    assert.equal((await sharp(bytes).metadata()).format, 'jpeg')
    const header = (name: string) => response.headers.get(name)
    assert.equal(header('content-type'), 'image/jpeg')
    assert.equal(header('content-length'), String(file.bytes))
    assert.equal(header('content-disposition'), 'inline; filename="proof.jpg"')
    assert.equal(header('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(header('x-content-type-options'), 'nosniff')
    assert.equal(header('referrer-policy'), 'no-referrer')
  })

  test('serves ranges, for players that seek', async () => {
    const { url, file } = await linked()
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
    const part = async (range: string) => {
      const response = await fetch(url, { headers: { range } })
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }

    const middle = await part('bytes=100-199')
    const rest = await part('bytes=500-')
    const end = await part('bytes=-50')
    const several = await part('bytes=0-1,5-6')

    assert.deepEqual(middle, {
      status: 206,
      range: `bytes 100-199/${file.bytes}`,
      bytes: whole.subarray(100, 200),
    })
    assert.deepEqual(rest.bytes, whole.subarray(500))
    assert.deepEqual(end.bytes, whole.subarray(-50))
    assert.equal(several.status, 200)
  })

  test('416 for a range beyond its end', async () => {
    const { url, file } = await linked()

    const response = await fetch(url, { headers: { range: 'bytes=9999999-' } })
    const body = (await response.json()) as { code: string; bytes: number }

    assert.equal(response.status, 416)
    assert.equal(body.code, 'range_not_satisfiable')
    assert.equal(body.bytes, file.bytes)
  })

  test('403 when the link is 15 minutes old', async () => {
    const { url, file } = await linked()
    const expires = new Date(file.expires_at).getTime()
    assert.equal(expires, market.now().getTime() + 15 * MINUTE)

    market.advance(14 * MINUTE)
    const before = await fetch(url)
    market.advance(MINUTE)
    const after = await fetch(url)

    assert.equal(before.status, 200)
    assert.equal(after.status, 403)
    assert.equal(((await after.json()) as { code: string }).code, 'invalid_link')
  })

  test('403 when any part of the link was changed', async () => {
    const { url } = await linked()
    const other = await linked()
    const change = (edit: (link: URL) => void) => {
      const link = new URL(url)
      edit(link)
      return fetch(link)
    }

    const replies = await Promise.all([
      change((link) => link.searchParams.set('expires', '9999999999')),
      change((link) => link.searchParams.set('signature', 'A'.repeat(43))),
      change((link) => link.searchParams.set('signature', 'x')),
      change((link) => (link.pathname = new URL(other.url).pathname)),
    ])

    assert.deepEqual(
      replies.map(({ status }) => status),
      [403, 403, 403, 403],
    )
  })

  test('400 without a signature', async () => {
    const { url } = await linked()

    const response = await fetch(url.split('?')[0]!)

    assert.equal(response.status, 400)
  })

  test('404 for a deleted file', async () => {
    const { url, file } = await linked()
    await filesOf(market.server.config).store.remove(readyKey(file.id))
    const lost = await fetch(url)
    await market.asOwner('delete from files where id = $1', [file.id])

    const gone = await fetch(url)

    assert.equal(lost.status, 404)
    assert.equal(gone.status, 404)
    assert.equal(((await gone.json()) as { code: string }).code, 'file_not_found')
  })
})
