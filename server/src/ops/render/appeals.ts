import { formatCents } from '../../kit/money.ts'
import { ageOf, counted, plain } from '../../kit/words.ts'
import type { AppealReport, Effect, ShownAppeal } from '../appeals.ts'

export function renderAppeals({ at, to_rule, to_rule_count, unanswered }: AppealReport): string[] {
  const hidden = to_rule_count - to_rule.length
  return [
    `${counted(to_rule_count, 'appeals')} to decide, ${counted(unanswered, 'appeals')} the ` +
      'agent can still reply to',
    '',
    ...to_rule.flatMap((shown) => renderAppeal(shown, at)),
    ...(hidden === 0 ? [] : [`and ${hidden} more after these`]),
  ]
}

function renderAppeal(
  { appeal, asked, delivered, dispute, effects }: ShownAppeal,
  at: Date,
): string[] {
  const criteria = (asked.criteria as { id: string; text: string }[] | null) ?? []
  const missed = new Set(dispute.criteria)
  const checks = delivered.checks as { name: string; result: string; note: string }[]
  return [
    `${appeal.id} of ${asked.id}, replied to ${ageOf(at.getTime() - appeal.answered_at!.getTime())} ago`,
    `  asked      ${asked.type}, proof by ${asked.proof_required}: ${plain(asked.description)}`,
    ...criteria.map(
      ({ id, text }) =>
        `             - ${plain(text)}${missed.has(id) ? ' (not met according to the agent)' : ''}`,
    ),
    `  delivered  ${delivered.outcome}: ${plain(delivered.text ?? '(no text)')}`,
    ...(delivered.answer === null
      ? []
      : [`  answer     ${plain(JSON.stringify(delivered.answer))}`]),
    ...delivered.links.map((link) => `  file       ${link}`),
    ...checks
      .filter(({ result }) => result !== 'pass')
      .map(({ name, result, note }) => `  check      ${name}: ${result}, ${plain(note)}`),
    `  agent      ${dispute.category === null ? '' : `${dispute.category}: `}${plain(dispute.reason)}`,
    `  worker     ${plain(appeal.statement)}`,
    `  agent      ${plain(appeal.agent_answer!)}`,
    ...effects.map((effect) => `  ${effect.ruling.padEnd(10)} ${effectWords(effect)}`),
    `  decide     ops appeal ${appeal.id} upheld | overturned | split NOTE FOR THE WORKER`,
    '',
  ]
}

function effectWords(effect: Effect): string {
  const { ruling, worker_gets_cents, agent_pays_cents, agent_owes_cents, fund_pays_cents } = effect
  if (ruling === 'upheld') return `no money moves; ${effect.trust}`
  const owed = agent_owes_cents === 0 ? '' : ` (${formatCents(agent_owes_cents)} of it as a debt)`
  const fund =
    fund_pays_cents > 0
      ? `the fund pays ${formatCents(fund_pays_cents)}`
      : `the fund keeps ${formatCents(-fund_pays_cents)}`
  const sides = `worker ${formatCents(worker_gets_cents)}, agent ${formatCents(-agent_pays_cents)}${owed}`
  return `${sides}, ${fund}; ${effect.trust}`
}
