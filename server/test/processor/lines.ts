/** The ledger without its ids, so the postings of two runs can be compared. */
export interface Posting {
  key: string
  kind: string
  debit: string
  credit: string
  amount_cents: number | string
  agent_id: string | null
  worker_id: string | null
  task_id: string | null
  ref_id: string | null
}

export const POSTINGS = `
  select key, kind, debit, credit, amount_cents, agent_id, worker_id, task_id, ref_id
    from transfers where mode = 'live'`

const ID = /\b[a-z]{2,6}_[0-9A-Za-z]{20,}\b/g

/**
 * One line of text for each ledger line, in an order that does not depend on time; every id is replaced by its role.
 */
export function linesOf(
  postings: readonly Posting[],
  roles: ReadonlyMap<string, string>,
): string[] {
  const role = (id: string) => roles.get(id) ?? `some ${id.split('_')[0]}`
  return postings
    .map(({ key, kind, debit, credit, amount_cents, ...owners }) => {
      const who = [owners.agent_id, owners.worker_id, owners.task_id, owners.ref_id]
        .map((id) => (id === null ? '–' : role(id)))
        .join(', ')
      return `${key.replaceAll(ID, role)} ${kind}: ${debit} → ${credit} ${amount_cents} (${who})`
    })
    .toSorted()
}
