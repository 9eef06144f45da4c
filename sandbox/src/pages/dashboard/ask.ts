/** The dashboard has no rules of its own: everything it does goes through the control API. */
import { runControl } from '../../control.ts'
import type { PageCall } from '../route.ts'

/** The result; an error carries the processor's message. */
export async function control(
  { sandbox }: PageCall,
  method: 'POST' | 'DELETE',
  path: string,
  given: Record<string, unknown> = {},
): Promise<{ body?: unknown; refusal?: string }> {
  const { status, body } = await runControl(sandbox, method, path, given)
  if (status < 400) return { body }
  return { refusal: (body as { error: { message: string } }).error.message }
}
