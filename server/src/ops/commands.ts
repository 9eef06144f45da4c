/** What operators can look at and do, as a table: `server ops …`. Each answers in lines of plain words. */
import { freeAgent, restrictAgent } from '../agents/restrict.ts'
import { ApiError } from '../kit/errors.ts'
import type { Background } from '../kit/job.ts'
import { formatCents } from '../kit/money.ts'
import { counted } from '../kit/words.ts'
import { decideHold } from '../payouts/decide-hold.ts'
import { retryPayout } from '../payouts/retry.ts'
import { reversePayout } from '../payouts/reverse.ts'
import { reviveEvents } from '../processor/events.ts'
import { decideReport } from '../tasks/decide-report.ts'
import { RULINGS } from '../tasks/dispute-view.ts'
import { ruleOnAppeal } from '../tasks/rule-on-appeal.ts'
import { renderAppeals, reportAppeals } from '../tasks/show-appeals.ts'
import { renderReports, waitingReports } from '../tasks/show-reports.ts'
import { refundAgent } from '../wallet/request-refund.ts'
import { writeOffDebt } from '../wallet/write-off.ts'
import { pauseReceiver, resumeReceiver } from '../webhooks/pause-receiver.ts'
import { renderWebhooks, reportWebhooks } from '../webhooks/show-webhooks.ts'
import { explainBreak } from './breaks.ts'
import { reconcile } from './reconcile.ts'
import { giveToAgent, sendBack, takeAsOurs } from './resolve-suspense.ts'
import { renderMoney, reportMoney } from './show-money.ts'
import { SWITCHES, type SwitchName, turnSwitch } from './switches.ts'
import { requestWithdrawal } from './withdraw.ts'

const HOUR_MS = 3_600_000
/** Longer than a delivery is tried makes no sense. */
const PAUSE_HOURS_MAX = 24

export interface Said {
  lines: string[]
  /** Somebody has to do something, or what was asked for was not done. */
  isBad?: boolean
}

export interface Command {
  name: string
  /** What follows the name. */
  takes: string
  does: string
  /** It only looks, and is not written down. */
  isLook?: boolean
  run(background: Background, words: string[], operator: string): Promise<Said>
}

/** The words after a command do not say what to do. */
export class Misunderstood extends Error {}

export const COMMANDS: readonly Command[] = [
  {
    name: 'money',
    takes: '[--json]',
    does: 'how the money stands; exit 1 if somebody has to look',
    isLook: true,
    async run(background, [format]) {
      const report = await reportMoney(background)
      const lines = format === '--json' ? [JSON.stringify(report, null, 2)] : renderMoney(report)
      return { lines, isBad: report.needs.length > 0 }
    },
  },
  {
    name: 'reconcile',
    takes: '',
    does: 'hold the books against the processor’s now',
    isLook: true,
    async run(background) {
      await reconcile(background)
      const report = await reportMoney(background)
      return { lines: renderMoney(report), isBad: report.needs.length > 0 }
    },
  },
  {
    name: 'webhooks',
    takes: '[--json]',
    does: 'which receivers fail, and what waits; exit 1 if somebody has to look',
    isLook: true,
    async run({ db, clock }, [format]) {
      const report = await reportWebhooks(db.reader, { now: clock.now() })
      const lines = format === '--json' ? [JSON.stringify(report, null, 2)] : renderWebhooks(report)
      return { lines, isBad: report.needs.length > 0 }
    },
  },
  {
    name: 'refund',
    takes: 'AGENT CENTS REASON',
    does: 'send unspent money of an agent back to its cards',
    async run(background, words, operator) {
      const [agentId, cents, ...reason] = words
      const refunds = await refundAgent(background, {
        agentId: named(agentId, 'an agent'),
        amountCents: centsOf(cents),
        requestedBy: operator,
        reason: sentenceOf(reason, 'a reason'),
      })
      return {
        lines: refunds.map(
          ({ id, amount_cents, deposit_id }) =>
            `${id}: ${formatCents(amount_cents)} of ${deposit_id} will be sent back`,
        ),
      }
    },
  },
  {
    name: 'write-off',
    takes: 'AGENT CENTS REASON',
    does: 'give up a debt that an agent will not pay',
    async run({ db, clock }, [agent, cents, ...reason]) {
      const agentId = named(agent, 'an agent')
      const amountCents = centsOf(cents)
      sentenceOf(reason, 'a reason')
      const { owedCents } = await db.transaction((tx) =>
        writeOffDebt(tx, { agentId, amountCents, now: clock.now() }),
      )
      const left = owedCents === 0 ? 'nothing is owed any more' : `${formatCents(owedCents)} left`
      return { lines: [`${formatCents(amountCents)} written off; ${left}`] }
    },
  },
  {
    name: 'agent restrict',
    takes: 'AGENT REASON',
    does: 'let an agent create no more tasks; what nobody has accepted is withdrawn',
    async run({ db, clock }, [agent, ...reason]) {
      const agentId = named(agent, 'an agent')
      sentenceOf(reason, 'a reason')
      const known = await db.reader
        .selectFrom('agents')
        .select('id')
        .where('id', '=', agentId)
        .executeTakeFirst()
      if (known === undefined) return { lines: [`There is no agent ${agentId}`], isBad: true }
      await db.transaction((tx) =>
        restrictAgent(tx, { agentId, why: 'operator', now: clock.now() }),
      )
      return { lines: [`${agentId} is restricted, until somebody runs \`ops agent free\``] }
    },
  },
  {
    name: 'agent free',
    takes: 'AGENT REASON',
    does: 'lift a restriction, whatever it was for',
    async run({ db }, [agent, ...reason]) {
      const agentId = named(agent, 'an agent')
      sentenceOf(reason, 'a reason')
      const isFreed = await db.transaction((tx) => freeAgent(tx, { agentId }))
      if (!isFreed) return { lines: [`${agentId} is not restricted`], isBad: true }
      return { lines: [`${agentId} may create tasks again`] }
    },
  },
  {
    name: 'reports',
    takes: '',
    does: 'what workers have reported and nobody has looked at; exit 1 if there is any',
    isLook: true,
    async run({ db, clock }) {
      const tasks = await waitingReports(db.reader)
      return { lines: renderReports(tasks, clock.now()), isBad: tasks.length > 0 }
    },
  },
  {
    name: 'report',
    takes: 'TASK clear | uphold REASON',
    does: 'let a reported task be taken again, or cancel it',
    async run({ db, clock, config }, [task, word, ...reason]) {
      const taskId = named(task, 'a task')
      const verdict = word === 'clear' ? 'cleared' : word === 'uphold' ? 'upheld' : undefined
      if (verdict === undefined) throw new Misunderstood('Say `clear` or `uphold`')
      sentenceOf(reason, 'a reason')
      const decided = await db.transaction((tx) =>
        decideReport(tx, { taskId, verdict }, { config, now: clock.now() }),
      )
      if (decided === undefined) return { lines: [`No report about ${taskId} waits`], isBad: true }
      if (verdict === 'cleared')
        return { lines: [`${taskId} is ${decided.status}, as if nothing was said`] }
      return {
        lines: [
          decided.status === 'cancelled'
            ? `${taskId} is cancelled; its workers are paid as if the agent had done so`
            : `${taskId} stays ${decided.status}: what was done for it is judged and paid`,
        ],
      }
    },
  },
  {
    name: 'payout retry',
    takes: 'PAYOUT',
    does: 'pay again what has failed or was taken back',
    async run(background, [payoutId]) {
      const payout = await retryPayout(background, { payoutId: named(payoutId, 'a payout') })
      return { lines: [`${payout.id}: ${formatCents(payout.amount_cents)}, ${payout.status}`] }
    },
  },
  {
    name: 'payout reverse',
    takes: 'PAYOUT [CENTS]',
    does: 'take a payout back, whole or in part',
    async run(background, [payoutId, cents], operator) {
      const reversed = await reversePayout(background, {
        payoutId: named(payoutId, 'a payout'),
        amountCents: cents === undefined ? undefined : centsOf(cents),
        requestedBy: operator,
      })
      switch (reversed.outcome) {
        case 'reversed': {
          const { id, reversed_cents, amount_cents } = reversed.payout
          const sums = `${formatCents(reversed_cents)} of ${formatCents(amount_cents)}`
          return { lines: [`${id}: ${sums} were taken back`] }
        }
        case 'refused':
          return { lines: [`The processor refuses: ${reversed.message}`], isBad: true }
        case 'unknown':
          return {
            lines: [`Nobody knows yet (${reversed.cause}): run the same again, it is done once`],
            isBad: true,
          }
      }
    },
  },
  {
    name: 'payout release',
    takes: 'PAYOUT REASON',
    does: 'let a held payout go',
    async run(background, [payoutId, ...reason], operator) {
      const payout = await decideHold(background, {
        payoutId: named(payoutId, 'a payout'),
        verdict: 'let_go',
        note: `${operator}: ${sentenceOf(reason, 'a reason')}`,
      })
      return { lines: [`${payout.id}: ${formatCents(payout.amount_cents)}, ${payout.status}`] }
    },
  },
  {
    name: 'suspense',
    takes: 'TRANSACTION to AGENT | back | ours',
    does: 'decide on money in suspense',
    async run(background, [transaction, verdict, agentId]) {
      const transactionId = named(transaction, 'a transaction')
      const { db, clock } = background
      const now = clock.now()
      if (verdict === 'to') {
        const agent = named(agentId, 'an agent')
        const cents = await db.transaction((tx) =>
          giveToAgent(tx, { transactionId, agentId: agent, now }),
        )
        return { lines: [`${formatCents(cents)} are in the wallet of ${agent}, or off its debt`] }
      }
      if (verdict === 'ours') {
        const cents = await db.transaction((tx) => takeAsOurs(tx, { transactionId, now }))
        return {
          lines: [`${formatCents(cents)} ${cents > 0 ? 'are our own' : 'were ours to pay'}`],
        }
      }
      if (verdict !== 'back') throw new Misunderstood('Say `to AGENT`, `back` or `ours`')
      const sent = await sendBack(background, { transactionId })
      switch (sent.outcome) {
        case 'sent':
          return { lines: [`${formatCents(sent.amountCents)} are on their way back`] }
        case 'refused':
          return { lines: [`The processor refuses: ${sent.message}`], isBad: true }
        case 'unknown':
          return {
            lines: [`Nobody knows yet (${sent.cause}): run the same again, it is done once`],
            isBad: true,
          }
      }
    },
  },
  {
    name: 'withdraw',
    takes: 'CENTS',
    does: 'take our own money out, to our bank',
    async run(background, [cents], operator) {
      const amountCents = centsOf(cents)
      // Nothing may be taken out on the strength of old books.
      await reconcile(background)
      const { db, clock } = background
      const id = await db.transaction((tx) =>
        requestWithdrawal(tx, { amountCents, operator, now: clock.now() }),
      )
      return { lines: [`${id}: ${formatCents(amountCents)} will be sent to our bank`] }
    },
  },
  {
    name: 'switch',
    takes: 'NAME on | off REASON',
    does: `stop something, or let it go on: ${SWITCHES.join(', ')}`,
    async run({ db, clock }, [name, state, ...reason], operator) {
      if (!SWITCHES.some((known) => known === name))
        throw new Misunderstood(`There are the switches ${SWITCHES.join(', ')}`)
      if (state !== 'on' && state !== 'off') throw new Misunderstood('Say `on` or `off`')
      const isOn = state === 'on'
      const words = isOn ? '' : sentenceOf(reason, 'a reason')
      await db.transaction((tx) =>
        turnSwitch(tx, {
          name: name as SwitchName,
          isOn,
          reason: words,
          operator,
          now: clock.now(),
        }),
      )
      const after = isOn
        ? 'on; reconciliation turns it off again while it has a reason to'
        : 'off, until somebody turns it on'
      return { lines: [`${name} is ${after}`] }
    },
  },
  {
    name: 'explain',
    takes: 'BREAK WORDS',
    does: 'say what a break is, so that it alarms nobody any more',
    async run({ db }, [number, ...words], operator) {
      const breakId = Number(number?.replace('#', ''))
      if (!Number.isSafeInteger(breakId)) throw new Misunderstood('Name a break by its number')
      const explained = await db.transaction((tx) =>
        explainBreak(tx, { breakId, words: sentenceOf(words, 'an explanation'), operator }),
      )
      if (explained === undefined)
        return { lines: [`There is no open break ${breakId}`], isBad: true }
      const { kind, subject, amount_cents } = explained
      const what = `${kind} ${subject}, ${formatCents(amount_cents)}`
      return { lines: [`#${breakId} (${what}) is explained, while its amount stays the same`] }
    },
  },
  {
    name: 'receiver pause',
    takes: 'AGENT [HOST] HOURS REASON',
    does: 'send no webhooks there for some hours; HOST for those of callback_urls',
    async run({ db, clock }, words) {
      const { laneId, rest } = receiverOf(words)
      const [hours, ...reason] = rest
      const until = new Date(clock.now().getTime() + hoursOf(hours) * HOUR_MS)
      sentenceOf(reason, 'a reason')
      const isKnown = await db.transaction((tx) => pauseReceiver(tx, { laneId, until }))
      if (!isKnown) return { lines: [`Nothing was ever sent to ${laneId}`], isBad: true }
      return { lines: [`${laneId} rests until ${until.toISOString()}; what comes waits for it`] }
    },
  },
  {
    name: 'receiver resume',
    takes: 'AGENT [HOST]',
    does: 'send webhooks there again, now',
    async run({ db, clock }, words) {
      const { laneId } = receiverOf(words)
      const isKnown = await db.transaction((tx) => resumeReceiver(tx, { laneId, now: clock.now() }))
      if (!isKnown) return { lines: [`Nothing was ever sent to ${laneId}`], isBad: true }
      return { lines: [`${laneId} is sent what waits for it`] }
    },
  },
  {
    name: 'appeals',
    takes: '[--json]',
    does: 'which appeals wait for a ruling, with both sides and what each would cost; exit 1 if any does',
    isLook: true,
    async run({ db, clock, config }, [format]) {
      const report = await reportAppeals(db.reader, { config, now: clock.now() })
      const lines = format === '--json' ? [JSON.stringify(report, null, 2)] : renderAppeals(report)
      return { lines, isBad: report.to_rule_count > 0 }
    },
  },
  {
    name: 'appeal',
    takes: 'APPEAL | TASK upheld | overturned | split NOTE',
    does: 'rule on an appeal; the worker reads the note',
    async run({ db, clock, config }, [appeal, verdict, ...words], operator) {
      const id = named(appeal, 'an appeal or its task')
      const ruling = RULINGS.find((known) => known === verdict)
      if (ruling === undefined) throw new Misunderstood(`Say one of ${RULINGS.join(', ')}`)
      const note = sentenceOf(words, 'a note for the worker')
      const ruled = await db.transaction((tx) =>
        ruleOnAppeal(tx, { id, ruling, note, operator, config, now: clock.now() }),
      )
      return { lines: [`${ruled.appeal.id} of ${ruled.task.id} is ${ruling}`] }
    },
  },
  {
    name: 'events retry',
    takes: '',
    does: 'handle the notifications again that were given up',
    async run({ db, clock }) {
      const count = await db.transaction((tx) => reviveEvents(tx, { now: clock.now() }))
      return { lines: [`${counted(count, 'notifications')} will be handled again`] }
    },
  },
]

/** Runs a command. Who gave it, and what came of it, is kept. */
export async function perform(
  background: Background,
  { command, words, operator }: { command: Command; words: string[]; operator: string },
): Promise<Said> {
  if (command.isLook) return command.run(background, words, operator)
  const { db, clock } = background
  const { id } = await db.transaction((tx) =>
    tx
      .insertInto('operator_actions')
      .values({ at: clock.now(), operator, command: command.name, words })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const keep = (outcome: 'done' | 'refused' | 'failed', answer: string) =>
    db.transaction((tx) =>
      tx
        .updateTable('operator_actions')
        .set({ outcome, answer: answer.slice(0, 2000) })
        .where('id', '=', id)
        .execute(),
    )
  try {
    const said = await command.run(background, words, operator)
    await keep(said.isBad ? 'refused' : 'done', said.lines.join('\n'))
    return said
  } catch (error) {
    const isRefusal = error instanceof Misunderstood || error instanceof ApiError
    await keep(isRefusal ? 'refused' : 'failed', String(error))
    throw error
  }
}

/** The command that the words begin with, and the words that are left. */
export function findCommand(words: string[]): { command: Command; rest: string[] } | undefined {
  const command = COMMANDS.find(({ name }) => {
    const own = name.split(' ')
    return own.every((word, i) => words[i] === word)
  })
  return command && { command, rest: words.slice(command.name.split(' ').length) }
}

function named(word: string | undefined, what: string): string {
  if (word === undefined || word === '') throw new Misunderstood(`Name ${what}`)
  return word
}

/** A receiver is the agent's webhook_url, or a host of its callback_urls, which never is a number. */
function receiverOf([agent, ...words]: string[]): { laneId: string; rest: string[] } {
  const agentId = named(agent, 'an agent')
  const [host] = words
  if (host === undefined || /^\d+$/.test(host)) return { laneId: agentId, rest: words }
  return { laneId: `${agentId} ${host.toLowerCase()}`, rest: words.slice(1) }
}

function hoursOf(word: string | undefined): number {
  const hours = /^\d{1,3}$/.test(word ?? '') ? Number(word) : 0
  if (hours < 1 || hours > PAUSE_HOURS_MAX)
    throw new Misunderstood(`Name the time in hours, 1 to ${PAUSE_HOURS_MAX}`)
  return hours
}

function centsOf(word: string | undefined): number {
  const cents = /^\d{1,12}$/.test(word ?? '') ? Number(word) : 0
  if (cents < 1) throw new Misunderstood('Name the amount in whole cents, as 1250 for $12.50')
  return cents
}

function sentenceOf(words: string[], what: string): string {
  const sentence = words.join(' ').trim()
  if (sentence === '') throw new Misunderstood(`Give ${what}`)
  return sentence.slice(0, 500)
}
