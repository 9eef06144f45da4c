/** Saves the photos, videos and recordings of a task's proofs as files. */
import path from 'node:path'
import type { Legwork } from '@legwork/sdk'
import { saveProofs as save } from '@legwork/sdk/node'

export const saveProofs = (legwork: Legwork, { taskId, out }: { taskId: string; out: string }) =>
  save(legwork.tasks, taskId, out)

export const savedLine = (saved: readonly string[]) =>
  saved.length === 0 ? [] : [`proof: ${saved.map((file) => fromHere(file)).join(', ')}`]

function fromHere(file: string): string {
  const relative = path.relative('.', file)
  return relative.startsWith('..') ? file : `./${relative}`
}
