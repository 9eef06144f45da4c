import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Draft, type DraftFile, emptyDraft } from '../phone/draft.ts'
import { locationOf, missingIn, nextShot, proofOf } from './proof-rules.ts'

const NOW = Date.parse('2026-05-04T10:00:00Z')
const HERE = { lat: 53.598149, lng: 9.723101, accuracyM: 8 }
const AT_A_PLACE = { location: { address: 'Moorweg 12', lat: 53.6, lng: 9.7 }, area: 'Wedel' }

const draft = (change: Partial<Draft> = {}): Draft => ({
  ...emptyDraft('worker_1', 'task_1'),
  ...change,
})
const file = (kind: DraftFile['kind'], change: Partial<DraftFile> = {}): DraftFile => ({
  id: crypto.randomUUID(),
  kind,
  content_type: 'x/y',
  bytes: 1,
  at: NOW,
  source: 'camera',
  quality: null,
  fix: null,
  durationS: null,
  ...change,
})
const task = (proof_required: 'photo' | 'video' | 'audio' | 'text') => ({
  proof_required,
  answer_schema: null,
})

describe('the first missing part of a proof', () => {
  for (const [what, required, change, missing] of [
    ['is the proof if there is no photo', 'photo', {}, 'proof'],
    [
      'is the proof if there is a photo instead of a video',
      'video',
      { files: [file('photo')] },
      'proof',
    ],
    ['is none if the photo is there', 'photo', { files: [file('photo')] }, null],
    ['is the text if the task asks only for text', 'text', { text: ' ' }, 'words'],
    [
      'is the text if a report of “not possible” is empty',
      'photo',
      { outcome: 'not_possible' },
      'words',
    ],
    [
      'is none if a report of “not possible” has a text',
      'video',
      { outcome: 'not_possible', text: 'Gone' },
      null,
    ],
  ] as const)
    test(what, () => {
      assert.equal(missingIn(task(required), draft(change as Partial<Draft>)), missing)
    })

  test('is the answer if it does not match the schema', () => {
    const asked = { ...task('text'), answer_schema: { type: 'integer' as const } }

    assert.equal(missingIn(asked, draft({ answer: 'many' })), 'answer')
    assert.equal(missingIn(asked, draft({ answer: 3 })), null)
  })
})

describe('the camera', () => {
  test('takes what the task asks for, at most five photos', () => {
    const photos = Array.from({ length: 5 }, () => file('photo'))

    assert.deepEqual(nextShot(task('video'), draft()), { kind: 'video', taken: 0, isFull: false })
    assert.deepEqual(nextShot(task('photo'), draft({ files: photos })), {
      kind: 'photo',
      taken: 5,
      isFull: true,
    })
  })

  test('takes a photo for “not possible”, whatever the task asks for, and ignores earlier videos', () => {
    const found = draft({ outcome: 'not_possible', files: [file('video')] })

    assert.deepEqual(nextShot(task('video'), found), { kind: 'photo', taken: 0, isFull: false })
    assert.equal(nextShot(task('text'), found).kind, 'photo')
  })
})

describe('a proof request', () => {
  test('contains a location even if no photo has one', () => {
    const sent = { lat: 53.598, lng: 9.723, accuracy_m: 88 }

    assert.deepEqual(locationOf(AT_A_PLACE, draft(), HERE), sent)
    assert.deepEqual(
      locationOf(AT_A_PLACE, draft({ files: [file('photo', { fix: HERE })] }), null),
      sent,
    )
    assert.equal(locationOf(AT_A_PLACE, draft(), null), null)
    assert.equal(locationOf({ location: null, area: null }, draft(), HERE), null)
  })

  test('has the time of the first photo, and no answer if the task was not possible', () => {
    const files = [file('photo', { at: NOW - 2000 }), file('photo', { at: NOW - 5000 })]
    const made = draft({ files, text: ' Open ', answer: true })

    assert.deepEqual(proofOf(made, null, NOW), {
      outcome: 'done',
      captured_at: '2026-05-04T09:59:55.000Z',
      text: 'Open',
      answer: true,
    })
    assert.deepEqual(proofOf({ ...made, outcome: 'not_possible', files: [] }, null, NOW), {
      outcome: 'not_possible',
      captured_at: '2026-05-04T10:00:00.000Z',
      text: 'Open',
    })
  })
})
