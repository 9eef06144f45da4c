/** The proofs of a task as the desk shows them: the media itself is shown by a look only. */
import type { Reader } from '../../kit/db.ts'
import { filesOfProofs } from '../../files/show.ts'
import { type OwnedTask, type Proof, standingProofs } from '../../tasks/queries.ts'
import type { ObjectPage } from '../views.ts'

export interface ShownProofs {
  proofs: ObjectPage['proofs']
  text: NonNullable<ObjectPage['text']>
}

/** All standing proofs of the task, or only those of these assignments. */
export async function proofsOf(
  db: Reader,
  task: OwnedTask,
  assignmentIds?: readonly string[],
): Promise<ShownProofs> {
  const all = (await standingProofs(db, task)).filter(
    ({ assignment_id }) => assignmentIds?.includes(assignment_id) ?? true,
  )
  const files = Map.groupBy(await filesOfProofs(db, all), ({ proof_id }) => proof_id)
  return {
    proofs: all.map((proof) => ({
      id: proof.id,
      worker_id: proof.worker_id,
      outcome: proof.outcome,
      submitted_at: proof.submitted_at.toISOString(),
      checks: checksOf(proof),
      media: (files.get(proof.id) ?? []).map(({ kind }, n) => ({ n, kind })),
    })),
    text: all.flatMap(({ text, answer }) => [
      ...(text === null ? [] : [{ label: 'Proof', by: 'worker' as const, text }]),
      ...(answer === null
        ? []
        : [{ label: 'Answer', by: 'worker' as const, text: JSON.stringify(answer, null, 2) }]),
    ]),
  }
}

const checksOf = ({ checks }: Pick<Proof, 'checks'>): ObjectPage['proofs'][number]['checks'] =>
  (checks as { name: string; result: string; note?: string }[]).map(({ name, result, note }) => ({
    name,
    result,
    note: note ?? null,
  }))
