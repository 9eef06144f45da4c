import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { type Risk, risksOf, type RiskyTask } from './risks.ts'

const HOUR = 3_600_000
const BERLIN = { lat: 52.52, lng: 13.405 }
/** Noon in Berlin. */
const NOON = new Date('2026-11-19T11:00:00Z')

const task = (fields: Partial<RiskyTask> = {}): RiskyTask => ({
  type: 'verification',
  title: null,
  description: 'Is the bakery open?',
  context: {},
  created_at: NOON,
  scheduled_at: null,
  deadline: new Date(NOON.getTime() + 24 * HOUR),
  ...fields,
})

describe('the risks of a task', () => {
  const texts: [string, Risk[]][] = [
    ['Photograph the shop at night', ['night', 'alone']],
    ['Count the cars on the motorway', ['traffic']],
    ['Look into the back yard', ['private_ground', 'alone']],
    ['Ist der Hinterhof nachts beleuchtet?', ['night', 'private_ground', 'alone']],
    ['Fotografiere das Schild an der Autobahn', ['traffic']],
    ['Haz una foto de noche', ['night', 'alone']],
    ['Entra en el sótano', ['private_ground', 'alone']],
    ['Photographiez la cour intérieure la nuit', ['night', 'private_ground', 'alone']],
    ['صوّر المتجر ليلًا', ['night', 'alone']],
    ['هل موقع بناء الجسر مفتوح؟', ['private_ground', 'alone']],
    ['Is the bakery open?', []],
    ['Photograph the menu of the Nightingale', []],
    ['Is the nightlife guide still in the window?', []],
    ['Kellerstraße 5: Ist das Café offen?', []],
  ]
  for (const [description, risks] of texts)
    test(`${description}: ${risks.join(', ') || 'none'}`, () => {
      assert.deepEqual(risksOf(task({ description }), BERLIN), risks)
    })

  test('tasks without a place have none', () => {
    assert.deepEqual(risksOf(task({ description: 'Call at night' }), null), [])
  })

  test('warnings of the screening need no place, and are read in the context, too', () => {
    const description = 'Buy the blue mug; we’ll reimburse you'
    const context = { script: 'Ask for a table and leave your number' }

    assert.deepEqual(risksOf(task({ description }), null), ['own_money'])
    assert.deepEqual(risksOf(task({ context }), null), ['own_number'])
    assert.deepEqual(risksOf(task({ description: 'Meet the seller at night' }), BERLIN), [
      'night',
      'alone',
      'meets_stranger',
    ])
  })

  test('night follows the place’s own clock', () => {
    const late = new Date('2026-11-19T22:30:00Z')
    const hour = { created_at: late, deadline: new Date(late.getTime() + HOUR) }
    const day = { created_at: late, deadline: new Date(late.getTime() + 24 * HOUR) }
    const scheduled = { scheduled_at: late, deadline: new Date(late.getTime() + 24 * HOUR) }

    assert.deepEqual(risksOf(task(hour), BERLIN), ['night', 'alone'])
    assert.deepEqual(risksOf(task(day), BERLIN), [])
    assert.deepEqual(risksOf(task(scheduled), BERLIN), ['night', 'alone'])
    assert.deepEqual(risksOf(task(scheduled), { lat: 37.77, lng: -122.42 }), [])
  })
})

test('the card and the page of a task show its risks', async () => {
  const market = await marketplace()
  const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
  const worker = await market.worker()
  const post = async (description: string) => {
    const { body } = await agent.post('/tasks', {
      description,
      budget_cents: 1000,
      location: BERLIN,
    })
    return body.task.id as string
  }
  const [dark, light] = [await post('Photograph the back yard at night'), await post('Is it open?')]
  await market.work()

  const { body } = await worker.get('/worker/feed?lat=52.5&lng=13.4')
  const page = (await worker.get(`/worker/feed/${dark}`)).body.task

  const risks = Object.fromEntries(
    body.tasks.map((card: { id: string; risks: string[] }) => [card.id, card.risks]),
  )
  assert.deepEqual(risks, { [dark]: ['night', 'private_ground', 'alone'], [light]: [] })
  assert.deepEqual(page.risks, ['night', 'private_ground', 'alone'])
})

describe('a task that a screening rule warns of', async () => {
  const market = await marketplace()
  const agent = await market.agent({ balanceCents: 5000 })
  const worker = await market.worker()
  const post = async (description: string) => {
    const { body } = await agent.post('/tasks', { description, budget_cents: 1000 })
    await market.work()
    return body.task
  }
  const cards = async () => (await worker.get('/worker/feed')).body.tasks

  test('is listed at once, and its card and page show the warning', async () => {
    const task = await post('Buy the blue mug; we’ll reimburse you with the receipt')

    const [card] = await cards()
    const page = (await worker.get(`/worker/feed/${task.id}`)).body.task

    assert.deepEqual([task.status, task.status_reason], ['pending', null])
    assert.deepEqual([card.id, card.risks, page.risks], [task.id, ['own_money'], ['own_money']])
    assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
  })

  test('waits if another rule doubts it, and shows the warnings once it is cleared', async () => {
    const task = await post(
      'Meet the seller and note when he leaves his home; we’ll reimburse you with the receipt',
    )

    assert.deepEqual([task.status, task.status_reason], ['pending', 'screening'])
    assert.deepEqual(await cards(), [])
    await ops(market, 'screening', task.id, 'clear', 'The man is our own model')
    await market.work()
    const [card] = await cards()
    assert.deepEqual([card.id, card.risks], [task.id, ['own_money', 'meets_stranger']])
  })
})
