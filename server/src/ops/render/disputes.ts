import { formatCents } from '../../kit/money.ts'
import { ageOf, counted, plain } from '../../kit/words.ts'
import type { HeldDisputeReport, ShownHeldDispute } from '../disputes.ts'

export function renderDisputes({ at, waiting, waiting_count }: HeldDisputeReport): string[] {
  if (waiting_count === 0) return ['No held disputes to decide']
  const hidden = waiting_count - waiting.length
  return [
    `${counted(waiting_count, 'held disputes')} to decide`,
    '',
    ...waiting.flatMap((shown) => renderDispute(shown, at)),
    ...(hidden === 0 ? [] : [`and ${hidden} more after these`]),
  ]
}

function renderDispute(
  { dispute, asked, agent, delivered, uphold, reject }: ShownHeldDispute,
  at: Date,
): string[] {
  const criteria = (asked.criteria as { id: string; text: string }[] | null) ?? []
  const missed = new Set(dispute.criteria)
  const leftMs = dispute.decides_by!.getTime() - at.getTime()
  const category = dispute.category === null ? '' : `${dispute.category}: `
  return [
    `${dispute.id} of ${dispute.task_id}, held for ${ageOf(at.getTime() - dispute.created_at.getTime())}, ` +
      (leftMs > 0 ? `the worker is paid in ${ageOf(leftMs)}` : 'the worker is being paid'),
    `  asked      ${asked.type}, proof by ${asked.proof_required}: ${plain(asked.description)}`,
    ...criteria.map(
      ({ id, text }) =>
        `             - ${plain(text)}${missed.has(id) ? ' (not met according to the agent)' : ''}`,
    ),
    `  agent      ${category}${plain(dispute.reason)}`,
    `             ${plain(agent.name)} (${agent.id}): ` +
      `${counted(agent.disputes_24h, 'disputes')} and ${counted(agent.reviewed_24h, 'tasks')} ` +
      `reviewed in 24 h; ${counted(agent.disputes, 'disputes')} in total, ${agent.overturned} ` +
      'decided for the worker',
    ...delivered.flatMap(renderProof),
    `  uphold     ${upholdWords(uphold)}`,
    `  reject     ${rejectWords(reject)}`,
    `  decide     ops dispute ${dispute.id} uphold | reject NOTE FOR BOTH SIDES`,
    '',
  ]
}

function renderProof(proof: ShownHeldDispute['delivered'][number]): string[] {
  const { worker } = proof
  const checks = proof.checks as { name: string; result: string; note: string }[]
  return [
    `  delivered  ${proof.outcome}: ${plain(proof.text ?? '(no text)')}`,
    ...(proof.answer === null ? [] : [`  answer     ${plain(JSON.stringify(proof.answer))}`]),
    ...proof.links.map((link) => `  file       ${link}`),
    ...checks
      .filter(({ result }) => result !== 'pass')
      .map(({ name, result, note }) => `  check      ${name}: ${result}, ${plain(note)}`),
    `  worker     ${worker.id}: trust ${worker.trust_score}, ${worker.approved} approved, ${worker.disputed} disputed`,
  ]
}

function upholdWords({
  agent_gets_back_cents: agent,
  fund_gets_back_cents: fund,
  touches_trust,
}: ShownHeldDispute['uphold']): string {
  const money =
    agent > 0
      ? `${formatCents(agent)} back to the agent`
      : fund > 0
        ? `${formatCents(fund)} back to the promotional fund`
        : 'the share is refunded when the other proofs are settled'
  const trust = touches_trust ? 'counts against the worker’s trust' : 'does not affect trust'
  return `worker $0.00, ${money}; ${trust}; the worker can appeal`
}

function rejectWords({
  workers_get_cents,
  commission_cents,
  verdict_until,
}: ShownHeldDispute['reject']): string {
  const paid = `worker ${formatCents(workers_get_cents)}, commission ${formatCents(commission_cents)}`
  return verdict_until === null
    ? `${paid}, paid at once from escrow`
    : `${paid}, with the rest of the task: by the agent’s verdict, or on ${verdict_until.toISOString()}`
}
