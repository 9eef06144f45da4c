/** Asks a logged-in worker for the password again: whoever finds an unlocked phone has a session, but no password. */
import { z } from 'zod'
import { testWorker, wrongPassword } from './errors.ts'
import { verifyPassword } from './passwords.ts'
import type { Worker } from './queries.ts'

export const CurrentPassword = z.string().min(1).max(1000).describe('Your current password')

/** Call before the transaction, because hashing is slow. */
export async function provePassword(
  { mode, password_hash }: Pick<Worker, 'mode' | 'password_hash'>,
  password: string,
): Promise<void> {
  if (mode === 'test') throw testWorker()
  const { isRight } = await verifyPassword(password, password_hash)
  if (!isRight) throw wrongPassword()
}
