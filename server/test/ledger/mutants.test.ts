/**
 * Proves that the simulation detects bugs: each mutant breaks one money rule, in a movement or in the SQL that posts
 * it, and must be caught on histories that pass with the correct rules.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openDb } from '../../src/kit/db.ts'
import { auditLedger } from '../../src/ledger/audit-checks.ts'
import * as movements from '../../src/ledger/movements.ts'
import type { Entry, Line } from '../../src/ledger/movements.ts'
import { freshDatabase } from '../harness.ts'
import type { Rules } from './model.ts'
import { noCounts, play, prepare, steps } from './simulation.ts'

const HISTORIES = 40
const histories = fc.sample(steps, { seed: 7, numRuns: HISTORIES })

const POST = readFileSync(path.join(import.meta.dirname, '../../functions/ledger_post.sql'), 'utf8')

/** The same movement with some of its lines changed. */
const withLines = (entry: Entry, change: (line: Line, i: number) => Line | Line[]): Entry => ({
  ...entry,
  lines: entry.lines.flatMap(change),
})

let unique = 0
const neverTheSame = (entry: Entry): Entry => {
  unique += 1
  return { ...entry, key: `${entry.key}:${unique}` }
}

/** A mutant, and what must catch it: a word of the violation, the refusal or the broken invariant. */
const MOVEMENTS: Record<string, { rules: Partial<Rules>; by: RegExp }> = {
  'the commission is rounded half up': {
    rules: {
      escrowRelease: (of) => {
        const extra = Math.round(of.grossCents * 0.18) - Math.floor((of.grossCents * 18) / 100)
        return withLines(movements.escrowRelease(of), (line, i) => {
          if (line.credit === 'rev:commission')
            return { ...line, amountCents: line.amountCents + extra }
          return i === 0 ? { ...line, amountCents: line.amountCents - extra } : line
        })
      },
    },
    by: /worker_\w+: payable|commission/,
  },
  'the commission is taken from each share': {
    rules: {
      escrowRelease: (of) => {
        const { entry, paid } = releaseParts(of)
        const gross = Math.floor(of.grossCents / paid)
        const cut = Math.floor(gross * 0.18)
        return withLines(entry, (line) => {
          if (line.credit === 'liab:worker_payable') return { ...line, amountCents: gross - cut }
          if (line.credit === 'rev:commission')
            return { ...line, amountCents: of.grossCents - paid * (gross - cut) }
          return line
        })
      },
    },
    by: /worker_\w+: payable|commission/,
  },
  'the odd cents of a split are lost': {
    rules: {
      escrowRelease: (of) => {
        const { entry, least } = releaseParts(of)
        return withLines(entry, (line) =>
          line.credit === 'liab:worker_payable' ? { ...line, amountCents: least } : line,
        )
      },
    },
    by: /worker_\w+: payable|escrow/,
  },
  'the odd cents go to the last worker': {
    rules: {
      escrowRelease: (of) => {
        const { entry } = releaseParts(of)
        const shares = entry.lines
          .filter(({ credit }) => credit === 'liab:worker_payable')
          .map(({ amountCents }) => amountCents)
          .reverse()
        return withLines(entry, (line, i) =>
          line.credit === 'liab:worker_payable' ? { ...line, amountCents: shares[i]! } : line,
        )
      },
    },
    by: /worker_\w+: payable/,
  },
  'unearned money stays in escrow': {
    rules: {
      escrowRelease: (of) =>
        withLines(movements.escrowRelease(of), (line) =>
          line.credit === 'agent' || line.credit === 'exp:promo' ? [] : line,
        ),
    },
    by: /agent_\w+: wallet|task_\w+: escrow|replayed/,
  },
  'half a share is paid as a full one': {
    rules: {
      escrowRelease: (of) =>
        movements.escrowRelease({ ...of, percents: of.workerIds.map(() => 100) }),
    },
    by: /worker_\w+: payable/,
  },
  'a commission is taken from a compensation': {
    rules: {
      cancelCompensation: (of) =>
        withLines(movements.cancelCompensation(of), (line) => {
          const cut = Math.floor(line.amountCents * 0.18)
          return line.credit !== 'liab:worker_payable' || cut === 0
            ? line
            : [
                { ...line, amountCents: line.amountCents - cut },
                { ...line, credit: 'rev:commission', amountCents: cut },
              ]
        }),
    },
    by: /worker_\w+: payable/,
  },
  'the rest of a compensated budget stays in escrow': {
    rules: {
      cancelCompensation: (of) =>
        withLines(movements.cancelCompensation(of), (line) =>
          line.credit === 'agent' || line.credit === 'exp:promo' ? [] : line,
        ),
    },
    by: /agent_\w+: wallet|task_\w+: escrow|exp:promo|mismatch/,
  },
  'a tip for several workers reaches only the first': {
    rules: {
      tip: (of) =>
        movements.tip({
          ...of,
          tips: [
            {
              workerId: of.tips[0]!.workerId,
              cents: of.tips.reduce((sum, { cents }) => sum + cents, 0),
            },
          ],
        }),
    },
    by: /worker_\w+: payable/,
  },
  'the processor’s fee is ignored': {
    rules: { processorFee: (of) => ({ ...movements.processorFee(of), lines: [] }) },
    by: /processorFee: replayed instead of posted/,
  },
  'the fee of a chargeback is ignored': {
    rules: { chargeback: (of) => movements.chargeback({ ...of, feeCents: 0 }) },
    by: /asset:processor_balance/,
  },
  'a chargeback debits only the wallet': {
    rules: {
      chargeback: (of) =>
        withLines(movements.chargeback(of), (line) =>
          line.debit === 'agent' ? { ...line, debit: 'liab:agent_wallet' } : line,
        ),
    },
    by: /chargeback: insufficient instead of posted/,
  },
  'a chargeback notified twice is booked twice': {
    rules: { chargeback: (of) => neverTheSame(movements.chargeback(of)) },
    by: /(chargeback|operatorFunding|processorCharge): posted instead of/,
  },
  'a deposit notified twice is credited twice': {
    rules: { deposit: (of) => neverTheSame(movements.deposit(of)) },
    by: /deposit: posted instead of/,
  },
  'the key of a deposit lacks its id': {
    rules: { deposit: (of) => ({ ...movements.deposit(of), key: 'deposit:settled' }) },
    by: /deposit: (mismatch|replayed) instead of posted/,
  },
  'a failed payout is not returned': {
    rules: {
      payoutFailed: (of) =>
        withLines(movements.payoutFailed(of), (line) => ({ ...line, credit: 'liab:suspense' })),
    },
    by: /worker_\w+: payable/,
  },
  'a reversal forgets the processor': {
    rules: {
      payoutReversed: (of) =>
        withLines(movements.payoutReversed(of), (line) => ({ ...line, debit: 'exp:goodwill' })),
    },
    by: /asset:processor_balance/,
  },
  'a reversal after fraud pays the worker again': {
    rules: { payoutReversed: (of) => movements.payoutReversed({ ...of, to: 'worker' }) },
    by: /agent_\w+: wallet|worker_\w+: payable|asset:|exp:/,
  },
  'a refunded free task is paid out to the wallet': {
    rules: {
      escrowRefund: (of) => movements.escrowRefund({ ...of, funding: 'wallet' }),
    },
    by: /agent_\w+: wallet/,
  },
  'a task’s settlement and refund have separate keys': {
    rules: {
      escrowRefund: (of) => ({
        ...movements.escrowRefund(of),
        key: `task:${of.taskId}:refund`,
      }),
    },
    by: /refused by the database \(ledger: more leaves an escrow than it holds\)/,
  },
  'a repeated settlement is posted twice': {
    rules: { escrowRelease: (of) => neverTheSame(movements.escrowRelease(of)) },
    by: /refused by the database \(ledger: more leaves an escrow than it holds\)/,
  },
  'an unmatched receipt can be credited and returned': {
    rules: {
      suspenseRefund: (of) => ({
        ...movements.suspenseRefund(of),
        key: `suspense:${of.balanceTransactionId}:returned`,
      }),
    },
    by: /suspense(Refund|ToAgent): posted instead of mismatch/,
  },
  'the marketplace keeps the tip': {
    rules: {
      tip: (of) =>
        withLines(movements.tip(of), (line) =>
          line.credit === 'liab:worker_payable' ? { ...line, credit: 'rev:commission' } : line,
        ),
    },
    by: /worker_\w+: payable/,
  },
  'a refund that fails late is not credited': {
    rules: {
      refundFailed: (of) =>
        withLines(movements.refundFailed(of), (line) => ({ ...line, credit: 'liab:suspense' })),
    },
    by: /agent_\w+: wallet/,
  },
  'a write-off is booked as a gift': {
    rules: {
      writeOff: (of) =>
        withLines(movements.writeOff(of), (line) => ({ ...line, debit: 'exp:goodwill' })),
    },
    by: /exp:bad_debt/,
  },
}

/** A place in ledger_post.sql and its replacement. */
const FUNCTIONS: Record<string, { replace: [from: string, to: string]; by: RegExp }> = {
  'a credit does not repay the debt first': {
    replace: ['first := least(a_owed[a], cents);', 'first := 0;'],
    by: /agent_owes_or_owns/,
  },
  'a charge does not become debt': {
    replace: ['a_owed[a] := a_owed[a] + cents - first;', ''],
    by: /agent_\w+: wallet|audit/,
  },
  'a wallet pays more than it has': {
    replace: ['if a_wallet[a] >= cents then', 'if true then'],
    by: /agent_wallet_not_negative/,
  },
  'a worker is paid out more than earned': {
    replace: ['if w_payable[w] >= cents then', 'if true then'],
    by: /worker_payable_not_negative/,
  },
  'more arrives than was sent': {
    replace: ['if t_cents[t] >= cents then', 'if true then'],
    by: /transit_not_negative/,
  },
  'replays are not detected': {
    replace: [`if l_key[i] = any(known_key) then e_outcome[e] := 'replayed'; end if;`, ''],
    by: /transfers_pkey|_not_negative|insufficient instead of|agent_\w+: wallet/,
  },
  'the request under a key may change': {
    replace: [`e_outcome[l_entry[i]] := 'mismatch';`, 'null;'],
    by: /replayed instead of mismatch/,
  },
  'an escrow pays more than it holds': {
    replace: [
      `if found then raise exception 'ledger: more leaves an escrow than it holds'; end if;`,
      '',
    ],
    by: /posted instead of \/more leaves an escrow/,
  },
  'the books are not separate': {
    replace: [
      'if a_mode[a] <> l_mode[i] or w_mode[w] <> l_mode[i] or t_mode[t] <> l_mode[i] then',
      'if false then',
    ],
    by: /(posted|insufficient) instead of \/crosses books/,
  },
  'a wallet is debited twice': {
    replace: ['a_wallet[a] := a_wallet[a] - cents;', 'a_wallet[a] := a_wallet[a] - 2 * cents;'],
    by: /agent_\w+: wallet|agent_wallet_not_negative/,
  },
  'a worker’s balance is not written': {
    replace: ['where b.worker_id = any(w_id) and b.worker_id = n.id;', 'where false;'],
    by: /worker_\w+: payable/,
  },
  'only the first part of a credit is recorded': {
    replace: ['and part.cents <> 0;', 'and part.no = 1 and part.cents <> 0;'],
    by: /live (asset|liab):|test (asset|liab):/,
  },
  'a split line shows the same balance twice': {
    replace: [
      `case when part.no = 1 and u.debit = 'agent' then u.agent_after + (u.cents - u.first)`,
      `case when false then null`,
    ],
    by: /statement: the balance after/,
  },
  'strangers are let in': {
    replace: [`raise exception 'ledger: % names an unknown owner', l_key[i];`, 'null;'],
    by: /instead of \/names an unknown owner/,
  },
}

describe('the simulation', () => {
  let stepsNeeded = 0
  let caught = 0

  for (const [name, { rules, by }] of Object.entries(MOVEMENTS))
    test(`catches a movement where ${name}`, async () => {
      const found = await findViolation({ rules: { ...movements, ...rules } })

      report(name, found, by)
    })

  for (const [name, { replace, by }] of Object.entries(FUNCTIONS))
    test(`catches a ledger_post where ${name}`, async () => {
      assert.equal(POST.split(replace[0]).length, 2, 'the place is there, once')
      const found = await findViolation({ functions: POST.replace(...replace) })

      report(name, found, by)
    })

  test('finds nothing wrong with the true rules on the same histories', async () => {
    const found = await findViolation({})

    assert.equal(found.violation, undefined)
    assert(found.steps >= stepsNeeded)
    assert.equal(caught, Object.keys(MOVEMENTS).length + Object.keys(FUNCTIONS).length)
    console.log(`caught: ${caught} mutants; the true rules pass ${found.steps} steps`)
  })

  function report(name: string, { violation, steps }: Found, by: RegExp): void {
    assert(violation, `survived: ${name}, through ${steps} steps`)
    console.log(`caught: ${name} — by ${violation.slice(0, 150)} after ${steps} steps`)
    assert.match(violation, by)
    caught += 1
    stepsNeeded = Math.max(stepsNeeded, steps)
  }
})

interface Found {
  violation: string | undefined
  steps: number
}

/** Runs the histories in a separate database until there is a violation. */
async function findViolation({
  rules = movements,
  functions,
}: {
  rules?: Rules
  functions?: string
}): Promise<Found> {
  const url = await freshDatabase()
  await prepare(url, functions)
  const db = openDb(url, { connectionsMax: 1, onError: assert.ifError })
  const counts = noCounts()
  try {
    for (const [i, history] of histories.entries()) {
      const violation = await play(db, history, { rules, shard: i, hasRows: i % 2 === 0, counts })
      if (violation !== undefined) return { violation, steps: counts.steps }
      const [broken] = await auditLedger(db.reader)
      if (broken)
        return {
          violation: `audit: ${broken.invariant} (${broken.subject})`,
          steps: counts.steps,
        }
    }
    return { violation: undefined, steps: counts.steps }
  } finally {
    await db.close()
  }
}

function releaseParts(of: Parameters<Rules['escrowRelease']>[0]) {
  const entry = movements.escrowRelease(of)
  const shares = entry.lines.filter(({ credit }) => credit === 'liab:worker_payable')
  return {
    entry,
    paid: Math.max(shares.length, 1),
    least: Math.min(...shares.map(({ amountCents }) => amountCents)),
  }
}
