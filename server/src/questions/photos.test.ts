import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { AGENT_QUESTION, answer, ask, askAsAgent, QUESTION } from '../../test/questions.ts'
import { attachmentsOf, threadOf } from './thread.ts'

const DAY = 86_400_000
const market = await marketplace()

/** The link names the public address; this server listens elsewhere. */
function open({ url }: { url: string }): Promise<Response> {
  const { pathname, search } = new URL(url)
  return fetch(new URL(pathname + search, market.server.addresses.api))
}

describe('photos in questions', () => {
  test('201: are cleaned, and shown to whoever asked by links that expire', async () => {
    for (const [count, question] of [
      [2, async () => ask(await market.worker(), { ...QUESTION, photos: [PHOTO, PHOTO] })],
      [1, async () => askAsAgent(await market.agent(), { ...AGENT_QUESTION, photos: [PHOTO] })],
    ] as const) {
      const { messages } = await question()
      const { photos } = messages[0]

      assert.equal(photos.length, count)
      const [photo] = photos
      assert.equal(photo.content_type, 'image/jpeg')
      assert(photo.width > 0 && photo.height > 0)
      const served = await open(photo)
      const bytes = Buffer.from(await served.arrayBuffer())
      assert.deepEqual([served.status, served.headers.get('content-type')], [200, 'image/jpeg'])
      assert(bytes.length > 0)
      market.advance(DAY)
      assert.equal((await open(photo)).status, 403)
    }
  })

  test('201: lose where and when they were taken', async () => {
    const taken = await sharp({
      create: { width: 40, height: 30, channels: 3, background: { r: 90, g: 120, b: 80 } },
    })
      .jpeg()
      .withExif({
        IFD0: { Copyright: 'secret' },
        IFD2: { DateTimeOriginal: '2026:11:19 03:00:00' },
        IFD3: { GPSLatitudeRef: 'N' },
      })
      .toBuffer()
    assert(taken.includes('Exif'))

    const { messages } = await ask(await market.worker(), {
      ...QUESTION,
      photos: [`data:image/jpeg;base64,${taken.toString('base64')}`],
    })

    const bytes = Buffer.from(await (await open(messages[0].photos[0])).arrayBuffer())
    const { width, exif } = await sharp(bytes).metadata()
    assert.deepEqual([width, exif], [40, undefined])
    assert(!bytes.includes('secret'))
  })

  test('201: are added by a reply, numbered over the whole question, and listed at the desk', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker, { ...QUESTION, photos: [PHOTO] })
    await answer(market, id)

    const { status, body } = await worker.post(`/worker/questions/${id}/replies`, {
      text: 'Like this.',
      photos: [PHOTO],
    })

    assert.equal(status, 201)
    assert.deepEqual(
      body.question.messages.map(({ photos }: { photos: unknown[] }) => photos.length),
      [1, 0, 1],
    )
    const thread = await threadOf(market.background, id)
    assert.deepEqual(
      thread!.messages.map(({ attachments }) => attachments.map(({ n }) => n)),
      [[1], [], [2]],
    )
    const looked = await attachmentsOf(market.background, id, {
      now: market.now(),
      minutes: 5,
    })
    assert.deepEqual(
      looked.map(({ n, content_type }) => [n, content_type]),
      [
        [1, 'image/jpeg'],
        [2, 'image/jpeg'],
      ],
    )
    assert.equal((await open(looked[1]!)).status, 200)
  })

  test('201: the same words with another photo are another message; a retry with the same key is not', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker, QUESTION)
    const body = { text: 'Like this.', photos: [PHOTO] }
    const send = (key: string) =>
      worker.post(`/worker/questions/${id}/replies`, body, { 'idempotency-key': key })

    await send('first')
    await send('second')
    const { body: last } = await send('second')
    const again = await ask(worker, { ...QUESTION, photos: [PHOTO] })

    assert.equal(last.question.message_count, 3)
    assert.notEqual(again.id, id)
  })

  test('400: not a photo, or four of them, and nothing is asked', async () => {
    const worker = await market.worker()
    const wrong = [
      { ...QUESTION, photos: [`data:application/pdf;base64,${btoa('%PDF-1.4')}`] },
      { ...QUESTION, photos: [PHOTO, PHOTO, PHOTO, PHOTO] },
    ]

    for (const body of wrong) {
      const { status, text } = await worker.post('/worker/questions', body)
      assert.equal(status, 400, text)
    }

    assert.deepEqual((await worker.get('/worker/questions')).body.questions, [])
  })

  test('409: more than 30 photos in 24 hours', async () => {
    const worker = await market.worker()
    await market.asOwner(
      `insert into question_photos (id, worker_id, created_at, expires_at)
       select 'upl_' || $1 || i, $1, $2, $2::timestamptz + interval '1 day' from generate_series(1, 29) i`,
      [worker.id, market.now()],
    )

    const { status, body } = await worker.post('/worker/questions', {
      ...QUESTION,
      photos: [PHOTO, PHOTO],
    })

    assert.deepEqual([status, body.code, body.limit], [409, 'too_many_files', 30])
  })
})
