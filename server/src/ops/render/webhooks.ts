import { ageOf, counted, section } from '../../kit/words.ts'
import type { FailingReceiver, WebhookReport } from '../webhooks.ts'

export function renderWebhooks(report: WebhookReport): string[] {
  const { at, waiting, receivers_waiting, oldest_at, due_since, in_outbox, receivers } = report
  const age = (since: Date | null) => ageOf(at.getTime() - (since ?? at).getTime())
  const shownOf = (state: string) =>
    receivers
      .filter((receiver) => stateOf(receiver) === state)
      .flatMap((receiver) => receiverLines(receiver, at))
  const all = report.failing + report.disabled + report.paused
  return [
    `Webhooks at ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    '',
    waiting === 0
      ? 'Waiting: nothing'
      : `Waiting: ${counted(waiting, 'deliveries')} to ` +
        `${counted(receivers_waiting, 'receivers')}, the oldest event is from ${age(oldest_at)} ` +
        'ago',
    'Late: ' +
      `${due_since === null ? 'no delivery is due' : `the first delivery has been due for ${age(due_since)}`}`,
    `In the outbox: ${counted(in_outbox, 'events')}`,
    '',
    ...section(`Failing (${report.failing})`, shownOf('failing')),
    ...section(`Disabled (${report.disabled})`, shownOf('disabled')),
    ...section(`Paused by an operator (${report.paused})`, shownOf('paused')),
    ...(all > receivers.length
      ? [`The ${receivers.length} receivers with the most waiting events are listed.`, '']
      : []),
    report.needs.length === 0 ? 'No action needed.' : `Action needed: ${report.needs.join('; ')}.`,
  ]
}

function stateOf({ disabled_at, failing_since }: FailingReceiver): string {
  if (disabled_at !== null) return 'disabled'
  return failing_since === null ? 'paused' : 'failing'
}

function receiverLines(receiver: FailingReceiver, at: Date): string[] {
  const { agent_id, name, email, host, waiting, last_status, last_error } = receiver
  return [
    `${host ?? 'no URL'} of ${name} (${agent_id}, ${email})`,
    `    ${howItFares(receiver, at)}; ${waiting} waiting${nextTry(receiver, at)}`,
    ...(last_error === null && last_status === null
      ? []
      : [`    last: ${last_error ?? `responded with ${last_status}`}`]),
  ]
}

function howItFares(receiver: FailingReceiver, at: Date): string {
  const { failing_since, failures, disabled_at, disabled_for } = receiver
  const age = (since: Date) => ageOf(at.getTime() - since.getTime())
  if (disabled_at !== null)
    return (
      `disabled for ${age(disabled_at)}, ` +
      `${disabled_for === 'gone' ? 'it responded with 410' : 'it kept failing for days'}`
    )
  if (failing_since === null) return 'paused'
  return `failing for ${age(failing_since)}, ${counted(failures, 'failures')} in a row`
}

function nextTry({ next_try_at }: FailingReceiver, at: Date): string {
  if (next_try_at === null) return ''
  const seconds = Math.max(0, Math.ceil((next_try_at.getTime() - at.getTime()) / 1000))
  return `, next attempt in ${seconds < 120 ? `${seconds} s` : ageOf(seconds * 1000)}`
}
