/** The dashboard has no rules of its own: whatever it does, it asks the control API to do. */
import { runControl } from '../../control.ts'
import type { PageCall } from '../route.ts'

/** What came of it; a refusal in the words of the processor. */
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
