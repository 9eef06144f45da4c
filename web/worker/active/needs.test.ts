import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byDeadline, type Need, needOf } from './needs.ts'

const MINUTE = 60_000
const NOW = Date.parse('2026-11-17T12:00:00.000Z')
const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()

type Work = Parameters<typeof needOf>[0]
const work = (of: Partial<Work['assignment']> = {}, appeal_until: string | null = null): Work => ({
  assignment: {
    status: 'accepted',
    accepted_at: at(-10),
    expires_at: at(230),
    revision_note: null,
    ...of,
  },
  appeal_until,
})

describe('a task needs the worker', () => {
  for (const [name, of, need] of [
    ['not, with most of its time left', work(), undefined],
    [
      'in the last quarter of its time',
      work({ accepted_at: at(-180), expires_at: at(60) }),
      { kind: 'hurry', until: at(60) },
    ],
    [
      'in its last 15 minutes',
      work({ accepted_at: at(-5), expires_at: at(15) }),
      { kind: 'hurry', until: at(15) },
    ],
    ['nothing after its time has run out', work({ expires_at: at(-1) }), undefined],
    ['to redo it', work({ revision_note: 'Closer, please' }), { kind: 'revision', until: at(230) }],
    ['not, while it is in review', work({ status: 'submitted', expires_at: at(5) }), undefined],
    ['to appeal', work({ status: 'disputed' }, at(4000)), { kind: 'appeal', until: at(4000) }],
    ['not, after the appeal window', work({ status: 'disputed' }, at(-1)), undefined],
  ] as const)
    test(name, () => assert.deepEqual(needOf(of, undefined, NOW), need))

  test('if its proof was refused or waits for a login, but not while it is being sent', () => {
    assert.deepEqual(
      (['refused', 'needs_login', 'waiting', 'sent'] as const).map((state) =>
        needOf(work({ expires_at: at(5) }), { state }, NOW),
      ),
      [
        { kind: 'refused', until: at(5) },
        { kind: 'needsLogin', until: null },
        undefined,
        undefined,
      ],
    )
  })

  test('the nearest deadline comes first, none last', () => {
    const needs: Need[] = [
      { kind: 'needsLogin', until: null },
      { kind: 'appeal', until: at(90) },
      { kind: 'hurry', until: at(5) },
    ]

    assert.deepEqual(
      needs.toSorted(byDeadline).map(({ kind }) => kind),
      ['hurry', 'appeal', 'needsLogin'],
    )
  })
})
