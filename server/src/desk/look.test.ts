import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { ask, QUESTION } from '../../test/questions.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const reason = 'Needed to decide this case'

const logged = (subject: string) =>
  market.asOwner(
    `select l.operator_id, l.action, l.detail, w.words
       from audit_log l left join audit_words w using (words_hash) where l.subject = $1 order by seq`,
    [subject],
  )

describe('POST /looks', () => {
  test('shows a masked email, and logs who looked and why', async () => {
    const worker = await market.worker()
    const sue = await signIn(market, 'support')

    const page = await sue.get(`/objects/${worker.id}`)
    const { status, body } = await sue.post('/looks', { subject: worker.id, what: 'email', reason })

    assert(!page.text.includes(worker.email))
    assert.match(page.text, /w…@example\.com/)
    assert.equal(status, 200)
    assert.deepEqual(body.look, { what: 'email', value: worker.email })
    assert.deepEqual(await logged(worker.id), [
      { operator_id: sue.id, action: 'look.email', detail: '{}', words: reason },
    ])
  })

  test('shows the exact place and the number of a task, which its page hides', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const reply = await agent.post('/tasks', {
      description: 'Look at the door',
      budget_cents: 2500,
      location: { address: 'Hidden Lane 5', lat: 52.51991, lng: 13.40491 },
    })
    const call = await agent.post('/call', {
      number: '+14155552671',
      script: 'Ask when they open.',
    })
    const sue = await signIn(market, 'support')
    const { id } = reply.body.task

    const page = await sue.get(`/objects/${id}`)
    const callPage = await sue.get(`/objects/${call.body.task.id}`)
    const place = await sue.post('/looks', { subject: id, what: 'place', reason })
    const phone = await sue.post('/looks', { subject: call.body.task.id, what: 'phone', reason })

    assert(!page.text.includes('Hidden Lane') && !page.text.includes('52.51991'))
    assert(!callPage.text.includes('4155552671'))
    assert.equal(place.status, 200, place.text)
    assert.deepEqual(place.body.look.value, {
      address: 'Hidden Lane 5',
      lat: 52.51991,
      lng: 13.40491,
    })
    assert.equal(phone.body.look.value, '+14155552671')
    assert.deepEqual(
      (await logged(id)).map(({ action }) => action),
      ['look.place'],
    )
  })

  test('links to the photos of a proof work for minutes, and nothing else leads to them', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'proof_submitted', { proof_required: 'photo' })
    const trust = await signIn(market, 'trust')
    const { object } = (await trust.get(`/objects/${id}`)).body
    const [proof] = object.proofs
    assert.deepEqual(proof.media, [{ n: 0, kind: 'photo' }])

    const { body } = await trust.post('/looks', { subject: proof.id, what: 'proof', reason })
    const [{ url, expires_at, content_type }] = body.look.value.media
    const { pathname, search } = new URL(url)
    const photo = await fetch(new URL(pathname + search, market.server.addresses.api))

    assert.equal(photo.status, 200)
    assert.equal(photo.headers.get('content-type'), content_type)
    assert(Date.parse(expires_at) - market.now().getTime() <= 5 * 60_000)
    assert.deepEqual(
      (await logged(proof.id)).map(({ action, operator_id }) => [action, operator_id]),
      [['look.proof', trust.id]],
    )
  })

  test('links to the photos of a question work for minutes, after a look that is logged', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker, { ...QUESTION, photos: [PHOTO, PHOTO] })
    const plain = await ask(worker, { ...QUESTION, text: 'And without a photo?' })
    const sue = await signIn(market, 'support')
    const asked = { what: 'attachment', reason }

    const nothing = await sue.post('/looks', { subject: plain.id, ...asked })
    const { body, status } = await sue.post('/looks', { subject: id, ...asked })

    assert.equal(status, 200)
    const { media } = body.look.value
    assert.deepEqual(
      media.map(({ n, kind }: { n: number; kind: string }) => [n, kind]),
      [
        [1, 'photo'],
        [2, 'photo'],
      ],
    )
    assert(Date.parse(media[0].expires_at) - market.now().getTime() <= 5 * 60_000)
    const { pathname, search } = new URL(media[1].url)
    const photo = await fetch(new URL(pathname + search, market.server.addresses.api))
    assert.equal(photo.status, 200)
    assert.equal(nothing.status, 404)
    assert.deepEqual(
      (await logged(id)).map(({ action, operator_id }) => [action, operator_id]),
      [['look.attachment', sue.id]],
    )
    assert.deepEqual(await logged(plain.id), [])
  })

  test('refuses without a reason, without the right and without data, and logs nothing', async () => {
    const worker = await market.worker()
    const sue = await signIn(market, 'support')
    const viewer = await signIn(market, 'viewer')
    const subject = worker.id

    const statuses = [
      (await sue.post('/looks', { subject, what: 'email' })).status,
      (await sue.post('/looks', { subject, what: 'email', reason: '  ' })).status,
      (await viewer.post('/looks', { subject, what: 'email', reason })).status,
      (await sue.post('/looks', { subject, what: 'phone', reason })).status,
      (await sue.post('/looks', { subject: 'worker_x', what: 'email', reason })).status,
    ]

    assert.deepEqual(statuses, [400, 400, 403, 404, 404])
    assert.deepEqual(await logged(subject), [])
  })
})
