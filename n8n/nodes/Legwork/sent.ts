import { asData } from '@legwork/mcp/untrusted'

export interface TaskDetail {
  id: string
  status: string
  proofs: {
    submitted_at: string
    outcome: string
    answer?: unknown
    text: string | null
    worker: { name: string; trust_score: number }
    media: { kind: string; url: string }[]
    checks: { name: string; result: string; note: string }[]
  }[]
  dispute?: { appeals: { statement: string }[] }
  consensus?: { result: unknown }
}

/** The fields that people can't word, and one text in which all that they can is marked as data. */
export function viewOf({ id, status, proofs, dispute, consensus }: TaskDetail) {
  const appeals = dispute?.appeals ?? []
  const lines = [
    ...proofs.flatMap(({ worker, outcome, answer, text, checks }, i) => [
      `proof ${i + 1} of ${proofs.length}, by ${worker.name} (trust ${worker.trust_score})`,
      `outcome: ${outcome}`,
      ...checks.map(({ name, result, note }) => `check ${name}: ${result}; ${note}`),
      ...(answer === undefined || answer === null ? [] : [`answer: ${wordsOf(answer)}`]),
      ...(text === null ? [] : [`text: ${text}`]),
    ]),
    ...(consensus === undefined ? [] : [`consensus result: ${wordsOf(consensus.result)}`]),
    ...appeals.map(({ statement }) => `the person's appeal: ${statement}`),
  ]
  return {
    task_id: id,
    status,
    has_proof: proofs.length > 0,
    files: proofs.flatMap(({ media }) => media.map(({ kind, url }) => ({ kind, url }))),
    sent: lines.length === 0 ? '' : asData(lines),
  }
}

const wordsOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
