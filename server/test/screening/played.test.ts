/**
 * Rules and a classifier together, on a real server: every task of the half `measure` is posted, and a server that plays
 * the classifier answers about those that the rules let through or doubt. It knows the labels, and some of its answers
 * are wrong, unsure or no answers at all. So the table shows what the gate makes of given answers, not how good a model
 * is.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { classificationsDue } from '../../src/moderation/classify.ts'
import { SECTIONS } from '../../src/screening/policy.ts'
import { marketplace } from '../harness.ts'
import { openReceiver } from '../receiver.ts'
import { sweepEverywhere } from '../run-sweep.ts'
import { confusionOf, type Fate, percentOf, renderConfusion } from './confusion.ts'
import { labelledTasks } from './labelled-tasks.ts'

const SAFETY = readFileSync(new URL('../../../docs/safety.md', import.meta.url), 'utf8')
const TASKS = labelledTasks('measure')
/** Of each label's 180 tasks, every so many-th gets this answer. */
const WRONG_EVERY = 30
const UNSURE_EVERY = 60
const BROKEN_EVERY = 60

/** The longest text of a task: no two tasks share it. */
const KEYS = TASKS.map(({ body }) => JSON.stringify(longestOf(body)).slice(1, -1))

function longestOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value)
    .map(longestOf)
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '')
}

/** The task's place among those of its label. */
const placeOf = (at: number) =>
  TASKS.slice(0, at).filter(({ label }) => label === TASKS[at]!.label).length

function played(content: string): string {
  const at = KEYS.findIndex((key) => content.includes(key))
  assert(at >= 0, 'the classifier is asked about one of the tasks')
  const { label } = TASKS[at]!
  const place = placeOf(at)
  if (place % BROKEN_EVERY === 13) return 'I think that this is fine.'
  if (place % UNSURE_EVERY === 7) return '{"verdict":"unsure","section":null}'
  const isWrong = label === 'abuse' && place % WRONG_EVERY === 1
  return label === 'abuse' && !isWrong
    ? JSON.stringify({ verdict: 'not_allowed', section: SECTIONS[place % SECTIONS.length] })
    : '{"verdict":"allowed","section":null}'
}

const classifier = await openReceiver({ after: (end) => after(end) }, ({ body }, response) => {
  const content = played(body.messages[1].content)
  response.end(JSON.stringify({ choices: [{ message: { content } }] }))
})
const market = await marketplace({
  settings: {
    CLASSIFIER_URL: `http://127.0.0.1:${classifier.port}/v1`,
    CLASSIFIER_READS: 'all',
  },
})

describe('the rules and a classifier that reads all tasks', () => {
  const fates = new Map<string, Fate>()

  before(async () => {
    const agent = await market.agent({ balanceCents: 10_000_000, freeTasks: false })
    const ids = new Map<string, string>()
    for (const { id, path, body } of TASKS) {
      const { status, body: answer, text } = await agent.post(path, body)
      if (status === 201) ids.set(id, answer.task.id)
      else assert.equal(answer.code, 'task_refused', text)
    }
    while ((await sweepEverywhere(market, classificationsDue)) > 0) await market.work()
    for (const { id } of TASKS) {
      const taskId = ids.get(id)
      const task = taskId && (await agent.get(`/tasks/${taskId}`)).body.task
      if (!task || task.status_reason === 'screening_refused') fates.set(id, 'refused')
      else fates.set(id, task.status_reason === 'screening' ? 'waiting' : 'listed')
    }
  })

  test('stop or park at least 95 % of the abuse, refuse at most 0.5 % of the benign tasks and park at most 5 %', (t) => {
    const { all } = confusionOf('measure', ({ id }) => fates.get(id)!)
    const stopped = percentOf(all.abuse, 'refused', 'waiting')
    const [refused, waiting] = [percentOf(all.benign, 'refused'), percentOf(all.benign, 'waiting')]
    t.diagnostic(
      `abuse refused or waiting: ${stopped.toFixed(1)} %; benign refused: ${refused.toFixed(1)} %, ` +
        `waiting: ${waiting.toFixed(1)} %`,
    )
    assert(stopped >= 95)
    assert(refused <= 0.5)
    assert(waiting <= 5)
  })

  test('do what docs/safety.md says, class by class', (t) => {
    const table = renderConfusion(confusionOf('measure', ({ id }) => fates.get(id)!))
    t.diagnostic(`\n${table}`)
    assert(SAFETY.includes(table), `docs/safety.md needs this table:\n${table}`)
  })
})
