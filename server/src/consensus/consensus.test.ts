import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { AnswerKind } from './answer.ts'
import {
  agree,
  ConsensusView,
  normalise,
  viewConsensus,
  type Vote,
  wantsMore,
} from './consensus.ts'

const YES_OR_NO: AnswerKind = { kind: 'boolean' }
const CHOICE: AnswerKind = { kind: 'enum', values: ['red', 'green', 'blue'] }
const SCALE: AnswerKind = { kind: 'number', minimum: 1, maximum: 10, isInteger: true }
const PRICE: AnswerKind = { kind: 'number', minimum: 0, isInteger: false }
const FREE: AnswerKind = { kind: 'free' }
const SHOP: AnswerKind = {
  kind: 'object',
  properties: { open: { kind: 'boolean' }, queue: { kind: 'number', isInteger: true } },
  required: [],
}
const IMPOSSIBLE = Symbol('not possible')

let names = 0
function vote(answer: unknown, accuracy = 0.8): Vote {
  names += 1
  return {
    assignmentId: `asg_${names}`,
    workerId: `worker_${names}`,
    answer: answer === IMPOSSIBLE ? null : answer,
    text: null,
    accuracy,
    outcome: answer === IMPOSSIBLE ? 'not_possible' : 'done',
  }
}
const said = (text: string, accuracy?: number) => ({ ...vote(null, accuracy), text })
const close = (actual: number | null, expected: number) =>
  assert(actual !== null && Math.abs(actual - expected) < 5e-4, `${actual} in place of ${expected}`)

/** A test case: the kind of answer, the votes (accuracy 0.8 by default), the expected result and confidence. */
type Row = [name: string, kind: AnswerKind, votes: Vote[], result: unknown, confidence: number]

describe('workers agree', () => {
  const TABLE: Row[] = [
    ['one vote alone', YES_OR_NO, [vote(true)], true, 0.8],
    ['one vote of a guesser alone', YES_OR_NO, [vote(true, 0.5)], true, 0.5],
    ['two of two', YES_OR_NO, [vote(true), vote(true)], true, 16 / 17],
    ['two of three', YES_OR_NO, [vote(true), vote(true), vote(false)], true, 0.8],
    [
      'one who is always right against two',
      CHOICE,
      [vote('red', 0.99), vote('blue', 0.6), vote('blue', 0.6)],
      'red',
      198 / 208,
    ],
    ['guessers who all say the same', YES_OR_NO, [vote(false, 0.5), vote(false, 0.5)], false, 0.5],
    ['a choice of three', CHOICE, [vote('red'), vote('red'), vote('blue')], 'red', 64 / 73],
    [
      'most think it is not possible',
      YES_OR_NO,
      [vote(IMPOSSIBLE), vote(IMPOSSIBLE), vote(true)],
      null,
      64 / 73,
    ],
    [
      'one thinks it is not possible',
      YES_OR_NO,
      [vote(true), vote(true), vote(IMPOSSIBLE)],
      true,
      64 / 73,
    ],
    [
      'objects, whatever the order of keys',
      SHOP,
      [vote({ open: true, queue: 2 }), vote({ queue: 2, open: true }), vote({ open: false })],
      { open: true, queue: 2 },
      0.8,
    ],
    [
      'texts, however typed',
      FREE,
      [said('The Shop is OPEN!'), said('the shop  is open'), said('closed')],
      'The Shop is OPEN!',
      0.8,
    ],
    [
      'an answer before the text',
      FREE,
      [{ ...said('see picture'), answer: 'Open' }, said('open')],
      'Open',
      16 / 17,
    ],
    ['a text and a photo alone', FREE, [said('open'), vote(null)], 'open', 0.8],
    ['a number alone', SCALE, [vote(7)], 7, 0.8],
    ['the middle of three', SCALE, [vote(7), vote(5), vote(6)], 6, 0.992 * (1 - 1 / 9)],
    ['between two whole numbers, the lower', SCALE, [vote(6), vote(7)], 6, 0.96 * (1 - 0.5 / 9)],
    ['between two whole numbers, a whole one', SCALE, [vote(5), vote(7)], 6, 0.96 * (1 - 1 / 9)],
    ['between two of any numbers', PRICE, [vote(2.5), vote(3)], 2.75, 0.96 * (1 - 0.25 / 2.75)],
    [
      'negative, the lower',
      { kind: 'number', minimum: -3, maximum: 0, isInteger: true },
      [vote(-2), vote(-3)],
      -3,
      0.96 * (1 - 0.5 / 3),
    ],
    [
      'an outlier does not matter',
      SCALE,
      [vote(7), vote(7), vote(7), vote(7), vote(1)],
      7,
      1 - 0.2 ** 5,
    ],
    ['exactly a third of the range apart', SCALE, [vote(2), vote(8)], 5, 0.96 * (2 / 3)],
    [
      'numbers, and one thinks it is not possible',
      SCALE,
      [vote(7), vote(7), vote(IMPOSSIBLE)],
      7,
      (2 / 3) * 0.96,
    ],
    [
      'most think there is no number',
      SCALE,
      [vote(7), vote(IMPOSSIBLE), vote(IMPOSSIBLE)],
      null,
      (2 / 3) * 0.96,
    ],
    ['zero, without ends', PRICE, [vote(0), vote(0)], 0, 0.96],
  ]
  for (const [name, kind, votes, result, confidence] of TABLE)
    test(`${name}: ${JSON.stringify(result)}`, () => {
      const agreement = agree({ kind, votes })

      assert.deepEqual(agreement.result, result)
      assert.equal(agreement.conflict, false)
      assert.equal(agreement.outcome, result === null ? 'not_possible' : 'done')
      close(agreement.confidence, confidence)
    })
})

describe('workers do not agree', () => {
  const TABLE: Row[] = [
    ['one against one', YES_OR_NO, [vote(true), vote(false)], null, 0.5],
    [
      'a tie despite different accuracies',
      YES_OR_NO,
      [vote(true, 0.9), vote(true, 0.7), vote(false, 0.7), vote(false, 0.9)],
      null,
      0.5,
    ],
    [
      'guessers against guessers',
      YES_OR_NO,
      [vote(true, 0.5), vote(true, 0.5), vote(false, 0.5)],
      null,
      0.5,
    ],
    ['three different answers', CHOICE, [vote('red'), vote('green'), vote('blue')], null, 1 / 3],
    [
      'a plurality without a majority',
      CHOICE,
      ['red', 'red', 'green', 'blue'].map((one) => vote(one)),
      null,
      64 / 80,
    ],
    ['two of four', FREE, ['a', 'A', 'b', 'c'].map((one) => said(one)), null, 64 / 80],
    ['free texts', FREE, [said('It is open'), said('Open until nine')], null, 0.5],
    ['different numbers in a text', FREE, [said('5'), said('-5')], null, 0.5],
    ['possible or not possible', YES_OR_NO, [vote(true), vote(IMPOSSIBLE)], null, 8 / 17],
    ['a number or no answer', SCALE, [vote(3), vote(IMPOSSIBLE)], null, 0.4],
    ['numbers at both ends of the scale', SCALE, [vote(1), vote(10)], null, 0.96 * 0.5],
    ['numbers all over the scale', SCALE, [vote(1), vote(5), vote(10)], null, 0.992 * 0.5],
    ['different prices', PRICE, [vote(2), vote(5)], null, 0.96 * (1 - 1.5 / 3.5)],
    [
      'numbers around zero, without bounds',
      { kind: 'number', isInteger: false },
      [vote(-1), vote(1)],
      null,
      0,
    ],
  ]
  for (const [name, kind, votes, , confidence] of TABLE)
    test(name, () => {
      const agreement = agree({ kind, votes })

      assert.equal(agreement.conflict, true)
      assert.equal(agreement.result, null)
      assert.equal(agreement.outcome, null)
      close(agreement.confidence, confidence)
    })
})

describe('votes', () => {
  test('are shown with their weights, in order: the log-odds for yes or no', () => {
    const votes = [vote(true, 0.9), vote(false), vote(true, 1), vote(false, 0.2)]

    const { votes: shown, method } = agree({ kind: YES_OR_NO, votes })

    assert.equal(method, 'weighted_majority')
    assert.deepEqual(
      shown,
      votes.map(({ assignmentId, workerId, answer }, i) => ({
        assignment_id: assignmentId,
        worker_id: workerId,
        answer,
        weight: [
          Math.log(0.9 / (1 - 0.9)),
          Math.log(0.8 / (1 - 0.8)),
          Math.log(0.99 / (1 - 0.99)),
          0,
        ][i],
      })),
    )
  })

  test('without comparable answers give neither a conflict nor a result', () => {
    for (const kind of [FREE, YES_OR_NO, SCALE]) {
      const { votes, ...agreement } = agree({ kind, votes: [vote(null), vote(null)] })

      assert.deepEqual(
        { ...agreement, method: '' },
        { method: '', outcome: null, result: null, confidence: null, conflict: false },
      )
      assert.deepEqual(
        votes.map(({ weight }) => weight),
        [0, 0],
      )
    }
  })
})

describe('any votes', () => {
  const accuracies = fc.constantFrom(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
  const answers: [AnswerKind, fc.Arbitrary<unknown>][] = [
    [YES_OR_NO, fc.constantFrom(true, false, IMPOSSIBLE)],
    [CHOICE, fc.constantFrom('red', 'green', 'blue', IMPOSSIBLE)],
    [SHOP, fc.constantFrom({ open: true }, { open: false, queue: 1 }, { queue: 1, open: false })],
    [FREE, fc.constantFrom('Yes', 'yes!', 'no', 'No.', '', null)],
    [SCALE, fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(IMPOSSIBLE))],
    [PRICE, fc.double({ min: 0, max: 1e6, noNaN: true })],
  ]
  const ballots = fc.oneof(
    ...answers.map(([kind, answer]) =>
      fc
        .array(
          fc.tuple(answer, accuracies).map((pair) => vote(...pair)),
          { minLength: 1, maxLength: 25 },
        )
        .map((votes) => ({ kind, votes })),
    ),
  )
  const shuffled = ballots.chain((ballot) =>
    fc.tuple(
      fc.constant(ballot),
      fc.shuffledSubarray(ballot.votes, { minLength: ballot.votes.length }),
    ),
  )

  test('give the same result in any order, to the last digit', () => {
    fc.assert(
      fc.property(shuffled, ([{ kind, votes }, others]) => {
        const { votes: _, ...one } = agree({ kind, votes })
        const { votes: __, ...other } = agree({ kind, votes: others })

        assert.deepEqual(one, other)
      }),
      { numRuns: 1000 },
    )
  })

  test('give a confidence from 0 to 1, and no result in a conflict', () => {
    fc.assert(
      fc.property(ballots, (ballot) => {
        const { confidence, conflict, result, outcome } = agree(ballot)

        assert(confidence === null || (confidence >= 0 && confidence <= 1))
        if (conflict) assert(result === null && outcome === null)
        if (result !== null) assert.equal(outcome, 'done')
      }),
    )
  })

  test('that are duplicated and opposed tie, and a tie is a conflict', () => {
    fc.assert(
      fc.property(fc.array(accuracies, { minLength: 1, maxLength: 12 }), (list) => {
        const votes = [
          ...list.map((accuracy) => vote(true, accuracy)),
          ...list.toReversed().map((accuracy) => vote(false, accuracy)),
        ]

        assert.equal(agree({ kind: YES_OR_NO, votes }).conflict, true)
      }),
    )
  })

  test('that agree give no conflict, and more confidence the more there are', () => {
    fc.assert(
      fc.property(fc.array(accuracies, { minLength: 2, maxLength: 25 }), (list) => {
        for (const [kind, answer] of [
          [CHOICE, 'red'],
          [SCALE, 7],
          [YES_OR_NO, IMPOSSIBLE],
        ] as const) {
          const votes = list.map((accuracy) => vote(answer, accuracy))
          const all = agree({ kind, votes })
          const fewer = agree({ kind, votes: votes.slice(1) })

          assert.equal(all.conflict, false)
          assert.equal(all.result, answer === IMPOSSIBLE ? null : answer)
          assert(all.confidence! >= fewer.confidence! - 1e-12)
        }
      }),
    )
  })

  test('give the most likely answer of the model', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('red', 'green', 'blue'), accuracies), {
          minLength: 1,
          maxLength: 7,
        }),
        (pairs) => {
          const { confidence, result } = agree({
            kind: CHOICE,
            votes: pairs.map((pair) => vote(...pair)),
          })
          const chances = ['red', 'green', 'blue'].map((truth) =>
            pairs.reduce((p, [answer, a]) => p * (answer === truth ? a : (1 - a) / 2), 1),
          )
          const all = chances.reduce((total, p) => total + p, 0)

          close(confidence, Math.max(...chances) / all)
          if (result !== null)
            close(chances[['red', 'green', 'blue'].indexOf(result as string)]! / all, confidence!)
        },
      ),
    )
  })

  test('that are integers give an integer within the scale', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 25 }),
        (list) => {
          const { result } = agree({ kind: SCALE, votes: list.map((one) => vote(one)) })

          if (result !== null) {
            assert(Number.isInteger(result))
            assert(
              (result as number) >= Math.min(...list) && (result as number) <= Math.max(...list),
            )
          }
        },
      ),
    )
  })
})

describe('a text is normalized', () => {
  for (const [text, normal] of [
    ['  Hello,   World! ', 'hello world'],
    ['ﬁne', 'fine'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Café', 'café'],
    ['Cafe\u0301', 'café'],
    ['it is 5.', 'it is 5'],
    ['-5', '-5'],
    ['3.5 km', '3.5 km'],
    ['10:30', '10:30'],
    ['“yes”', 'yes'],
    ['a\u00a0b\nc', 'a b c'],
    ['?!', '?!'],
    ['👍', '👍'],
    ['STRAẞE', 'strasse'],
  ] as const)
    test(`${JSON.stringify(text)} is ${JSON.stringify(normal)}`, () => {
      assert.equal(normalise(text), normal)
    })

  test('idempotently', () => {
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const letter = String.fromCodePoint(point)
      if (letter === letter.toLowerCase() && letter === letter.toUpperCase()) continue
      assert.equal(normalise(normalise(letter)), normalise(letter), point.toString(16))
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(normalise(normalise(text)), normalise(text))
      }),
    )
  })
})

describe('one more worker is asked', () => {
  const of = {
    min_confidence: 0.9,
    consensus_max: 5,
    received: 3,
    confidence: 0.8,
    conflict: false,
  }
  for (const [name, change, expected] of [
    ['if the confidence is too low', {}, true],
    ['in a conflict, whatever the confidence', { conflict: true, confidence: 0.95 }, true],
    [
      'in a conflict, even without a target confidence',
      { conflict: true, min_confidence: null },
      true,
    ],
    ['not if the confidence is high enough', { confidence: 0.9 }, false],
    ['not without a target confidence', { min_confidence: null }, false],
    ['not above the maximum', { received: 5 }, false],
    ['not if growing is not allowed', { consensus_max: null }, false],
    ['not if there is nothing to compare', { confidence: null }, false],
  ] as const)
    test(name, () => {
      assert.equal(wantsMore({ ...of, ...change }), expected)
    })
})

describe('the consensus view', () => {
  const task = { answer_schema: { type: 'boolean' }, consensus_count: 3, slots_extra: 0 }
  const votes = [vote(true), vote(true), vote(false)]

  test('has the result when all have answered', () => {
    const { votes: shown, ...rest } = viewConsensus(task, { votes })

    assert.deepEqual(rest, {
      needed: 3,
      received: 3,
      complete: true,
      incomplete: false,
      method: 'weighted_majority',
      result: true,
      confidence: 0.8,
      conflict: false,
      resolved_by: null,
    })
    assert.deepEqual(
      shown.map(({ weight }) => weight),
      [1.3863, 1.3863, 1.3863],
    )
    assert.deepEqual(ConsensusView.parse({ ...rest, votes: shown }), { ...rest, votes: shown })
  })

  test('has no result, confidence or conflict before that', () => {
    const view = viewConsensus({ ...task, slots_extra: 1 }, { votes: [vote(true), vote(false)] })

    assert.deepEqual(
      [view.needed, view.received, view.complete, view.result, view.confidence, view.conflict],
      [4, 2, false, null, null, false],
    )
    assert.equal(view.votes.length, 2)
    assert.equal(viewConsensus(task, { votes: [] }).received, 0)
  })

  test('has the result of the given answers after the deadline', () => {
    const view = viewConsensus(task, { votes: votes.slice(0, 2), incomplete: true })

    assert.deepEqual([view.complete, view.incomplete, view.result], [false, true, true])
  })

  test('has the override of the agent, and keeps the conflict', () => {
    const view = viewConsensus(
      { ...task, consensus_count: 2 },
      { votes: [vote(true), vote(false)], resolved: { result: false, by: 'agent' } },
    )

    assert.deepEqual([view.result, view.resolved_by, view.conflict], [false, 'agent', true])
  })
})
