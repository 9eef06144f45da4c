import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import exifr from 'exifr'
import sharp from 'sharp'
import { marketplace, PHOTO } from '../../test/harness.ts'

const market = await marketplace()

/** A photo like one from a phone, with GPS coordinates in its EXIF data. */
async function phonePhoto(seed = 1): Promise<string> {
  const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, i) => (i * i * seed) % 251))
  const jpeg = await sharp(noise, { raw: { width: 64, height: 48, channels: 3 } })
    .resize(640, 480)
    .withExif({
      IFD0: { Make: 'Phone' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 18/1',
      },
    })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

describe('POST /worker/tasks/:id/proof', () => {
  test('[1-worker-proves] [4.5-proof] [3-proof-event] accepts a text, and the task goes to review', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    await market.events()

    const { status, body } = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, {
      text: 'It is open until six.',
    })

    assert.equal(status, 201)
    assert.match(body.proof.id, /^proof_[0-9a-z]{26}$/)
    assert.equal(body.task.status, 'proof_submitted')
    assert.equal(body.assignment.status, 'submitted')
    const events = (await market.events()).filter(({ task_id }) => task_id === task.id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['task.proof_submitted'],
    )
  })

  test('[2.1-photo-data] [4.1-proof] [4.1-proof-photos] accepts a photo as a data URL, without its place', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const photo = await phonePhoto()
    const sent = await exifr.gps(Buffer.from(photo.split(',')[1]!, 'base64'))

    const { status, text } = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, {
      photos: [photo],
      text: 'Here it is',
      captured_at: market.now().toISOString(),
    })
    const { body } = await agent.get(`/tasks/${task.id}/proof`)

    assert.equal(status, 201, text)
    assert.ok(sent.latitude > 52, 'the original photo contains its position')
    assert.equal(body.task_id, task.id)
    const [proof] = body.proofs
    assert.equal(proof.untrusted, true)
    assert.equal(proof.worker.id, task.workers[0]!.id)
    assert.match(proof.photos[0], /^data:image\/jpeg;base64,/)
    const kept = Buffer.from(proof.photos[0].split(',')[1], 'base64')
    assert.equal(await exifr.gps(kept), undefined)
    const { width, height } = await sharp(kept).metadata()
    assert.deepEqual([width, height], [640, 480])
    const names = proof.checks.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('duplicate_photo') && names.includes('captured_at'))
  })

  test('[2.1-detail-proofs] [4.1-get-proofs] returns links that need no key with media=url', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const photo = await phonePhoto(2)
    await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { photos: [photo] })

    const { body } = await agent.get(`/tasks/${task.id}/proof?media=url`)

    const [proof] = body.proofs
    assert.deepEqual(proof.photos, [])
    const detail = await agent.get(`/tasks/${task.id}`)
    assert.equal(detail.body.task.proofs[0].media[0].kind, 'photo')
    const link = new URL(proof.media[0].url)
    const base = new URL(market.server.addresses.api!)
    const response = await fetch(`${base.origin}${link.pathname}${link.search}`)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'image/jpeg')
    assert.equal((await response.arrayBuffer()).byteLength, proof.media[0].bytes)
  })

  test('accepts the short form of type and content; `photo` is one of the photos', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const text = await market.taskIn(agent, 'in_progress')
    const photo = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const single = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })

    const replies = [
      await text.workers[0]!.post(`/worker/tasks/${text.id}/proof`, {
        type: 'text',
        content: 'Open',
      }),
      await photo.workers[0]!.post(`/worker/tasks/${photo.id}/proof`, {
        type: 'photo',
        content: await phonePhoto(3),
      }),
      await single.workers[0]!.post(`/worker/tasks/${single.id}/proof`, { photo: PHOTO }),
    ]

    for (const reply of replies) assert.equal(reply.status, 201, reply.text)
    const { body } = await agent.get(`/tasks/${text.id}/proof`)
    assert.equal(body.proofs[0].text, 'Open')
  })

  test('400 names the missing required proof; nothing is stored', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const cases = [
      [{ proof_required: 'text' }, {}, 'text'],
      [{ proof_required: 'photo' }, { text: 'I was there' }, 'photos'],
      [{ proof_required: 'video' }, { text: 'I was there' }, 'video'],
      [{ proof_required: 'audio' }, { photos: [PHOTO] }, 'audio'],
      [{ answer_schema: { type: 'boolean' } }, { answer: 'perhaps' }, 'answer'],
      [{ answer_schema: { type: 'integer', minimum: 1, maximum: 5 } }, { answer: 6 }, 'answer'],
      [{}, { outcome: 'not_possible' }, 'text'],
      [{}, { type: 'text' }, 'content'],
      [{}, { photos: Array.from({ length: 6 }, () => PHOTO) }, 'photos'],
      [{ proof_required: 'photo' }, { photos: ['data:image/png;base64,AAAA'] }, 'photos.0'],
      [{ proof_required: 'photo' }, { photos: ['upl_00000000000000000000000000'] }, 'photos.0'],
    ] as const
    for (const [fields, proof, path] of cases) {
      const task = await market.taskIn(agent, 'in_progress', { budget_cents: 600, ...fields })
      const { status, body } = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, proof)

      assert.deepEqual([status, body.details?.[0]?.path], [400, path], JSON.stringify(fields))
      assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'in_progress')
    }
  })

  describe('accepts the variants that clients send', () => {
    const PIXEL =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg'
    const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
    const ways: [string, Record<string, unknown>][] = [
      ['one pixel without padding', { photos: [`data:image/png;base64,${PIXEL}`] }],
      ['upper case', { photos: [`data:IMAGE/PNG;BASE64,${PIXEL}==`] }],
      ['a GIF', { photos: [`data:image/gif;base64,${GIF}`] }],
      ['a GIF declared as a JPEG', { photo: `data:image/jpg;base64,${GIF}` }],
      ['line breaks', { photo: `data:image/png;base64,${PIXEL.replaceAll(/.{20}/g, '$&\r\n')}` }],
      ['bare base64', { photo: `${PIXEL}==` }],
      ['a list of one in `photo`', { photo: [`data:image/png;base64,${PIXEL}`] }],
      ['a string in `photos`', { photos: `data:image/png;base64,${PIXEL}` }],
      ['an empty text beside it', { text: '', photo: PIXEL }],
      ['a blank text beside it', { text: ' \n', photo: PIXEL }],
      ['null beside it', { text: null, photos: null, video: null, location: null, photo: PIXEL }],
      ['empty fields beside it', { photos: [], video: '', audio: '', photo: PIXEL, content: '' }],
      ['empty photos beside it', { photos: ['', `data:image/png;base64,${PIXEL}`] }],
      ['the short form', { type: 'photo', content: `data:image/png;base64,${PIXEL}` }],
      ['the short form with a list', { type: 'photo', content: [PIXEL] }],
      ['only content', { content: `data:image/png;base64,${PIXEL}` }],
      ['type beside photos', { type: 'photo', photos: [PIXEL] }],
      ['wrapped in proof', { proof: { photos: [`data:image/png;base64,${PIXEL}`] } }],
      ['wrapped in proof, short', { proof: { type: 'photo', content: PIXEL } }],
      ['proof as content', { proof: `data:image/png;base64,${PIXEL}` }],
    ]
    for (const [how, body] of ways)
      test(how, async () => {
        const agent = await market.agent({ balanceCents: 5000 })
        const task = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })

        const sent = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, body)

        assert.equal(sent.status, 201, sent.text)
        assert.equal(sent.body.warnings, undefined)
        assert.equal(sent.body.proof.files.length, 1)
        assert.equal(sent.body.proof.text, null)
      })

    const texts: [string, Record<string, unknown>][] = [
      ['type beside text', { type: 'text', text: 'Open' }],
      ['only content', { content: 'Open' }],
      ['proof as content', { proof: 'Open' }],
      ['wrapped in proof', { proof: { text: 'Open' } }],
      ['with empty photos', { text: 'Open', photos: [], photo: '' }],
    ]
    for (const [how, body] of texts)
      test(`a text: ${how}`, async () => {
        const agent = await market.agent({ balanceCents: 5000 })
        const task = await market.taskIn(agent, 'in_progress')

        const sent = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, body)

        assert.deepEqual([sent.status, sent.body.proof?.text], [201, 'Open'], sent.text)
      })

    const missing: [string, Record<string, unknown>, string][] = [
      ['photo', { text: 'I was there', photos: [] }, 'photos are required for this task'],
      ['photo', { photos: [''], photo: ' ' }, 'photos are required for this task'],
      ['video', { video: '' }, 'video is required for this task'],
      ['text', { text: ' ' }, 'text is required for this task'],
    ]
    for (const [proof_required, body, error] of missing)
      test(`400 for ${JSON.stringify(body)} if a ${proof_required} is required`, async () => {
        const agent = await market.agent({ balanceCents: 5000 })
        const task = await market.taskIn(agent, 'in_progress', { proof_required })

        const sent = await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, body)

        assert.deepEqual([sent.status, sent.body.error], [400, error])
      })
  })

  test('a text that is only the answer counts as the answer', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { answer_schema: { type: 'boolean' } })

    await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'Yes' })

    const { body } = await agent.get(`/tasks/${task.id}/proof`)
    assert.equal(body.proofs[0].answer, true)
  })

  test('accepts a proof without the typed answer, and notifies the agent', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const created = await agent.post('/verify', { question: 'Is the bakery open?' })
    const worker = await market.worker()
    const { id } = created.body.task
    await worker.post(`/worker/tasks/${id}/accept`)

    const { status } = await worker.post(`/worker/tasks/${id}/proof`, {
      type: 'photo',
      content: await phonePhoto(6),
    })

    assert.equal(status, 201)
    const [proof] = (await agent.get(`/tasks/${id}/proof`)).body.proofs
    assert.equal(proof.answer, null)
    assert.ok(
      proof.checks.some(
        ({ name, result }: { name: string; result: string }) =>
          name === 'answer' && result === 'warn',
      ),
    )
  })

  test('404 for a task that the worker does not hold, 409 after the assignment has ended', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const task = await market.taskIn(agent, 'in_progress')
    const released = await market.taskIn(agent, 'in_progress')
    const done = await market.taskIn(agent, 'completed')
    const stranger = await market.worker()
    await released.workers[0]!.post(`/worker/tasks/${released.id}/release`, {})
    const proof = { text: 'Done' }

    const none = await stranger.post(`/worker/tasks/${task.id}/proof`, proof)
    const back = await released.workers[0]!.post(`/worker/tasks/${released.id}/proof`, proof)
    const paid = await done.workers[0]!.post(`/worker/tasks/${done.id}/proof`, proof)

    assert.deepEqual([none.status, none.body.code], [404, 'assignment_not_found'])
    assert.deepEqual(
      [back.status, back.body.code, back.body.status],
      [409, 'assignment_ended', 'released'],
    )
    assert.deepEqual([paid.status, paid.body.status], [409, 'approved'])
  })

  test('the same idempotency key again: the same response, one proof, one file', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const proof = { photos: [await phonePhoto(4)] }
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, proof, headers)

    const [one, two] = await Promise.all([send(), send()])
    const three = await send()

    assert.deepEqual([one.status, two.status, three.status], [201, 201, 201])
    assert.equal(three.text, one.text)
    assert.equal(two.text, one.text)
    const { body } = await agent.get(`/tasks/${task.id}/proof`)
    assert.equal(body.proofs.length, 1)
    assert.equal(body.proofs[0].photos.length, 1)
  })

  test('accepts a photo of another task, and warns the agent', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const first = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const second = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
    const photos = [await phonePhoto(5)]

    await first.workers[0]!.post(`/worker/tasks/${first.id}/proof`, { photos })
    const { status } = await second.workers[0]!.post(`/worker/tasks/${second.id}/proof`, { photos })

    assert.equal(status, 201)
    const { body } = await agent.get(`/tasks/${second.id}/proof`)
    const check = body.proofs[0].checks.find(
      ({ name }: { name: string }) => name === 'duplicate_photo',
    )
    assert.equal(check.result, 'fail')
  })

  describe('for a consensus task', () => {
    test('[2.1-detail-consensus] [4.1-get-consensus] [3-consensus-event] each proof is counted and sent', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'in_progress', {
        consensus_count: 3,
        answer_schema: { type: 'boolean' },
      })
      await market.events()

      const states = []
      for (const [i, worker] of task.workers.entries()) {
        await worker.post(`/worker/tasks/${task.id}/proof`, { answer: i !== 1 })
        const { body } = await agent.get(`/tasks/${task.id}`)
        states.push([body.task.status, body.task.consensus.received, body.task.consensus.result])
      }

      assert.deepEqual(states, [
        ['in_progress', 1, null],
        ['in_progress', 2, null],
        ['proof_submitted', 3, true],
      ])
      const told = (await market.events()).filter(({ type }) => type === 'task.consensus_proof')
      assert.deepEqual(
        told.map(({ data }) => (data as { consensus: unknown }).consensus),
        [
          { received: 1, needed: 3, complete: false },
          { received: 2, needed: 3, complete: false },
          {
            received: 3,
            needed: 3,
            complete: true,
            incomplete: false,
            method: 'weighted_majority',
            result: true,
            confidence: 0.8,
            conflict: false,
            resolved_by: null,
          },
        ],
      )
      const { consensus } = (await agent.get(`/tasks/${task.id}`)).body.task
      assert.deepEqual(
        [consensus.needed, consensus.complete, consensus.conflict, consensus.method],
        [3, true, false, 'weighted_majority'],
      )
      assert.equal(consensus.votes.length, 3)
    })

    test('no worker sees another’s answer', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'in_progress', { consensus_count: 2 })
      await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { text: 'a secret answer' })

      const own = await task.workers[1]!.get(`/worker/tasks/${task.id}`)
      const list = await task.workers[1]!.get('/worker/tasks')

      assert.equal(`${own.text}${list.text}`.includes('secret'), false)
    })

    test('one worker at a time is added until the confidence is reached, or the maximum', async () => {
      const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
      const fields = {
        budget_cents: 2000,
        consensus_count: 2,
        consensus_max: 4,
        min_confidence: 0.9,
        answer_schema: { type: 'boolean' },
      }
      const task = await market.taskIn(agent, 'in_progress', fields)
      await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { answer: true })
      await task.workers[1]!.post(`/worker/tasks/${task.id}/proof`, { answer: false })
      const grown = (await agent.get(`/tasks/${task.id}`)).body.task

      const more = []
      for (let i = 0; i < 2; i += 1) {
        const worker = await market.worker()
        more.push(worker)
        assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
        await worker.post(`/worker/tasks/${task.id}/proof`, { answer: true })
      }
      const done = (await agent.get(`/tasks/${task.id}`)).body.task
      const { body } = await agent.post(`/tasks/${task.id}/approve`)

      assert.deepEqual([grown.status, grown.consensus.needed], ['in_progress', 3])
      assert.deepEqual(
        [done.status, done.consensus.needed, done.consensus.result],
        ['proof_submitted', 4, true],
      )
      assert.deepEqual(
        body.settlement.workers.map(({ net_cents }: { net_cents: number }) => net_cents),
        [410, 410, 410, 410],
      )
    })

    test('the shares of workers who were not needed are refunded', async () => {
      const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
      const task = await market.taskIn(agent, 'in_progress', {
        budget_cents: 2000,
        consensus_count: 2,
        consensus_max: 4,
        min_confidence: 0.9,
        answer_schema: { type: 'boolean' },
      })
      for (const worker of task.workers)
        await worker.post(`/worker/tasks/${task.id}/proof`, { answer: true })

      const { body } = await agent.post(`/tasks/${task.id}/approve`)

      assert.equal(body.settlement.refunded_cents, 1000)
      assert.equal(await market.balance(agent.id), 1000)
    })
  })
})
