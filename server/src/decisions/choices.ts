/**
 * The choices that the page of an object offers to an operator. A choice that the kind's preview refuses isn't offered,
 * so every listed choice can be made.
 */
import { sql } from 'kysely'
import type { Language } from '../email/languages.ts'
import type { Shards } from '../kit/db.ts'
import { ApiError } from '../kit/errors.ts'
import { readShards } from '../kit/everywhere.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import { isStopping, SWITCHES } from '../kit/switches.ts'
import { type Candidate, cents, type Field, type Found } from './candidates.ts'
import { findKind } from './kinds.ts'
import {
  aboutAttempt,
  aboutBreak,
  aboutChargeback,
  aboutDeposit,
  aboutPayout,
  aboutRefund,
  aboutWithdrawal,
} from './money-candidates.ts'
import { reasonsFor, type ReasonId } from './reasons.ts'
import type { Choice } from './views.ts'

export interface Subject {
  id: string
  /** The kind of object, such as `appeal`. */
  kind: string
}

const KEYS = ['1', '2', '3', '4'] as const

const TASKS: Field = {
  name: 'tasks',
  label: 'Tasks that it is based on',
  type: 'tasks',
  is_required: false,
}
const DAYS: Field = { name: 'days', label: 'Days', type: 'days', is_required: false }

export async function choicesFor(
  background: OperatorBackground,
  subject: Subject,
): Promise<Choice[]> {
  const { candidates, workerId } = (await FINDERS[subject.kind]?.(
    background.db.shards,
    subject.id,
  )) ?? {
    candidates: [],
  }
  const offered = []
  for (const candidate of candidates)
    if (await isPossible(background, candidate)) offered.push(candidate)
  if (offered.length === 0) return []
  const language = await languageOf(background.db.shards, workerId)
  return offered.map((candidate, at) => viewChoice(candidate, { at, language }))
}

/** The preview of a kind refuses what can't be decided now. */
async function isPossible(
  background: OperatorBackground,
  { kind, subject, input, probe }: Candidate,
): Promise<boolean> {
  const declared = findKind(kind)
  try {
    const given: unknown = declared.input.parse({ ...input, ...probe })
    await declared.preview(background, { subject, input: given })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'server_error') return false
    throw error
  }
}

function viewChoice(
  {
    label,
    kind,
    subject,
    input = {},
    fields = [],
    probe,
    isDanger = false,
    reasons = [],
  }: Candidate,
  { at, language }: { at: number; language: Language },
): Choice {
  const declared = findKind(kind)
  const whole: unknown = declared.input.parse({ ...input, ...probe })
  return {
    key: KEYS[at] ?? null,
    label,
    kind,
    subject,
    input,
    is_danger: isDanger,
    right: declared.right,
    fields,
    templates: reasonsFor(reasons, language),
    tells_person: reasons.length > 0,
    undo: declared.undo?.({ subject, input: whole })?.kind ?? null,
  }
}

async function languageOf(shards: Shards, workerId: string | undefined): Promise<Language> {
  if (workerId === undefined) return 'en'
  const worker = await shards
    .at(workerId)
    .reader.selectFrom('workers')
    .select('app_language')
    .where('id', '=', workerId)
    .executeTakeFirst()
  return worker?.app_language ?? 'en'
}

const FINDERS: Record<string, (shards: Shards, id: string) => Found | Promise<Found>> = {
  appeal: aboutAppeal,
  dispute: aboutDispute,
  task: (_, id) => aboutTask(id),
  worker: (_, id) => aboutWorker(id),
  agent: (_, id) => aboutAgent(id),
  payout: (_, id) => aboutPayout(id),
  break: aboutBreak,
  deposit: aboutDeposit,
  receiver: (_, id) => aboutReceiver(id.replace(/^receiver_/, '')),
  refund: aboutRefund,
  chargeback: aboutChargeback,
  withdrawal: aboutWithdrawal,
  attempt: (_, id) => aboutAttempt(id),
  job: aboutJob,
  notification: aboutNotification,
  switch: aboutSwitch,
  no_contact: (_, id) => aboutNoContact(id),
}

async function aboutAppeal(shards: Shards, id: string): Promise<Found> {
  const appeal = await shards
    .at(id)
    .reader.selectFrom('appeals')
    .select('worker_id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (appeal === undefined) return { candidates: [] }
  const rule = (ruling: string, label: string, reasons: ReasonId[]) => ({
    label,
    kind: 'appeal.rule',
    subject: id,
    input: { ruling },
    reasons,
  })
  return {
    workerId: appeal.worker_id,
    candidates: [
      rule('overturned', 'Pay the worker', ['proof_fits', 'agent_asked_for_less']),
      rule('split', 'Split', ['partly_done']),
      rule('upheld', 'Keep the refund', ['proof_does_not_show', 'other_place']),
    ],
  }
}

async function aboutDispute(shards: Shards, id: string): Promise<Found> {
  const { reader } = shards.at(id)
  const dispute = await reader
    .selectFrom('disputes')
    .select(['task_id', 'assignment_ids'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (dispute === undefined) return { candidates: [] }
  const slot = await reader
    .selectFrom('assignments')
    .select('worker_id')
    .where('task_id', '=', dispute.task_id)
    .where('id', '=', dispute.assignment_ids[0] ?? '')
    .executeTakeFirst()
  return {
    ...(slot && { workerId: slot.worker_id }),
    candidates: [
      {
        label: 'Reject the dispute and pay the worker',
        kind: 'dispute.decide',
        subject: id,
        input: { verdict: 'reject' },
        reasons: ['proof_fits', 'agent_asked_for_less'],
      },
      {
        label: 'Uphold the dispute and refund the agent',
        kind: 'dispute.decide',
        subject: id,
        input: { verdict: 'uphold' },
        reasons: ['proof_does_not_show', 'other_place'],
      },
    ],
  }
}

const aboutTask = (id: string): Found => ({
  candidates: [
    {
      label: 'Clear the reports',
      kind: 'report.decide',
      subject: id,
      input: { verdict: 'cleared' },
    },
    {
      label: 'Cancel the task',
      kind: 'report.decide',
      subject: id,
      input: { verdict: 'upheld' },
      isDanger: true,
      reasons: ['task_endangers', 'task_spies', 'task_illegal'],
    },
    {
      label: 'Let workers see the task',
      kind: 'screening.decide',
      subject: id,
      input: { decision: 'cleared' },
    },
    {
      label: 'Refuse the task',
      kind: 'screening.decide',
      subject: id,
      input: { decision: 'refused' },
      isDanger: true,
      reasons: ['task_endangers', 'task_spies', 'task_illegal'],
    },
  ],
})

const aboutWorker = (id: string): Found => ({
  workerId: id,
  candidates: [
    { label: 'Close the missed check-in', kind: 'check_in.close', subject: id },
    {
      label: 'Accept the objection and reinstate',
      kind: 'objection.answer',
      subject: id,
      input: { reply: 'reinstated' },
      reasons: ['review_reinstates'],
    },
    {
      label: 'Keep the decision',
      kind: 'objection.answer',
      subject: id,
      input: { reply: 'upheld' },
      isDanger: true,
      reasons: ['review_keeps'],
    },
    {
      label: 'Suspend the worker',
      kind: 'worker.suspend',
      subject: id,
      input: {},
      fields: [TASKS, DAYS],
      isDanger: true,
      reasons: ['farmed_free_tasks', 'others_photos', 'several_accounts'],
    },
    {
      label: 'Reinstate the worker',
      kind: 'worker.reinstate',
      subject: id,
      reasons: ['review_reinstates'],
    },
    {
      label: 'Replace the payout account',
      kind: 'account.replace',
      subject: id,
    },
    {
      label: 'Close the account',
      kind: 'worker.close',
      subject: id,
      fields: [TASKS],
      isDanger: true,
      reasons: ['farmed_free_tasks', 'others_photos', 'several_accounts'],
    },
    {
      label: 'Reopen the account',
      kind: 'worker.reopen',
      subject: id,
      fields: [{ name: 'email', label: 'Email of the owner', type: 'text', is_required: true }],
      probe: { email: 'owner@example.com' },
    },
  ],
})

const aboutAgent = (id: string): Found => ({
  candidates: [
    { label: 'Free the agent', kind: 'agent.free', subject: id, reasons: ['agent_freed'] },
    {
      label: 'Restrict the agent',
      kind: 'agent.restrict',
      subject: id,
      isDanger: true,
      reasons: ['agent_free_tasks', 'agent_unfair_disputes', 'task_endangers'],
    },
    {
      label: 'Identify the agent',
      kind: 'agent.identify',
      subject: id,
      input: { identified: true },
    },
    {
      label: 'Take the identification back',
      kind: 'agent.identify',
      subject: id,
      input: { identified: false },
    },
    {
      label: 'Refund deposits',
      kind: 'refund.request',
      subject: id,
      fields: [cents('Amount')],
      probe: { amount_cents: 1 },
    },
    {
      label: 'Write off what it owes',
      kind: 'debt.write_off',
      subject: id,
      fields: [cents('Amount')],
      probe: { amount_cents: 1 },
    },
  ],
})

const aboutNoContact = (id: string): Found => ({
  candidates: [
    {
      label: 'Protect the target',
      kind: 'no_contact.decide',
      subject: id,
      input: { verdict: 'confirmed' },
      reasons: ['no_contact_confirmed'],
    },
    {
      label: 'Decline, or end the protection',
      kind: 'no_contact.decide',
      subject: id,
      input: { verdict: 'declined' },
      isDanger: true,
      reasons: ['no_contact_unproven'],
    },
  ],
})

const aboutReceiver = (laneId: string): Found => ({
  candidates: [
    { label: 'Resume webhooks', kind: 'receiver.resume', subject: laneId },
    ...[6, 24].map((hours) => ({
      label: `Pause webhooks for ${hours} hours`,
      kind: 'receiver.pause',
      subject: laneId,
      input: { hours },
    })),
  ],
})

/** Only dead jobs can be run again: those of the same name, or all. */
async function aboutJob({ queues }: Shards, id: string): Promise<Found> {
  const parts = await readShards(
    queues.map(({ reader }) => reader),
    async (reader) => {
      const { rows } = await sql<{ name: string }>`
        select task_identifier as name from graphile_worker.jobs
         where id = ${Number(id.replace(/^job_/, ''))} and attempts >= max_attempts`.execute(reader)
      return rows
    },
  )
  const [job] = parts.flat()
  if (job === undefined) return { candidates: [] }
  return {
    candidates: [
      { label: `Run dead jobs named ${job.name} again`, kind: 'jobs.retry', subject: job.name },
      { label: 'Run all dead jobs again', kind: 'jobs.retry', subject: 'all' },
    ],
  }
}

async function aboutNotification({ global }: Shards, id: string): Promise<Found> {
  const event = await global.reader
    .selectFrom('processor_events')
    .select('status')
    .where('event_id', '=', id.replace(/^notification_/, ''))
    .executeTakeFirst()
  if (event?.status !== 'dead') return { candidates: [] }
  return {
    candidates: [
      {
        label: 'Handle all notifications that were given up again',
        kind: 'notifications.retry',
        subject: 'all',
      },
    ],
  }
}

async function aboutSwitch({ global }: Shards, id: string): Promise<Found> {
  const name = SWITCHES.find((known) => known === id.replace(/^switch_/, ''))
  if (name === undefined) return { candidates: [] }
  const row = await global.reader
    .selectFrom('platform_switches')
    .select('is_on')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const is_on = !row.is_on
  return {
    candidates: [
      {
        label: is_on ? 'Turn it on' : 'Turn it off',
        kind: 'switch.turn',
        subject: name,
        input: { is_on },
        isDanger: isStopping({ name, is_on }),
      },
    ],
  }
}
