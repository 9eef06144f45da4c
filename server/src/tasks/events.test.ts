import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProofNews, viewProofNews } from './events.ts'
import type { Proof } from './queries.ts'

const proof: Proof = {
  id: 'proof_x',
  assignment_id: 'asg_x',
  task_id: 'task_x',
  agent_id: 'agent_x',
  worker_id: 'worker_x',
  text: 'Open until six',
  answer: { open: true },
  outcome: 'done',
  location: { lat: 52.5163, lng: 13.3777 },
  area: null,
  files_removed_at: null,
  captured_at: new Date(0),
  checks: [],
  submitted_at: new Date(0),
}

describe('a proof in an event', () => {
  test('has text, answer and media kinds, and a link to the rest; not the worker’s position', () => {
    const news = viewProofNews(proof, [{ id: 'upl_x', kind: 'photo' }])

    assert.deepEqual(news, {
      id: 'proof_x',
      outcome: 'done',
      text: 'Open until six',
      answer: { open: true },
      truncated: false,
      media: [{ id: 'upl_x', kind: 'photo' }],
      url: '/api/v1/tasks/task_x/proof',
      untrusted: true,
    })
    assert.deepEqual(ProofNews.strict().parse(news), news)
  })

  test('is truncated if it is long, and says so', () => {
    const long = viewProofNews({ ...proof, text: '🦊'.repeat(5000) }, [])
    const odd = viewProofNews({ ...proof, text: `x${'🦊'.repeat(1000)}` }, [])
    const large = viewProofNews({ ...proof, answer: 'x'.repeat(5000) }, [])
    const fits = viewProofNews({ ...proof, text: 'x'.repeat(2000), answer: 'x'.repeat(3998) }, [])

    assert.deepEqual([long.text, long.truncated], ['🦊'.repeat(1000), true])
    assert(odd.text!.isWellFormed() && odd.text!.length === 2000)
    assert.deepEqual([large.answer, large.text, large.truncated], [null, proof.text, true])
    assert.deepEqual([fits.text!.length, fits.truncated], [2000, false])
  })

  test('of “not possible” has no answer', () => {
    const news = viewProofNews({ ...proof, outcome: 'not_possible', answer: null }, [])

    assert.deepEqual([news.outcome, news.answer, news.truncated], ['not_possible', null, false])
  })
})
