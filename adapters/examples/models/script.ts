/** The next step of a scripted model. The stand-ins for models in this folder follow a script, so that no key is needed. */

/** The texts of the last tool result; none at the beginning. */
export type Read = string[]
export type Step = { tool: string; args: Record<string, unknown> } | { says: string }
export type Script = (read: Read) => Step

/** Asks, waits until there is proof, and says that it has read it. */
export const askAndWait =
  (question: Record<string, unknown>): Script =>
  (read) => {
    const [ours = ''] = read
    const [, taskId] = /^task_id: (\S+)$/m.exec(ours) ?? []
    if (read.length === 0) return { tool: 'ask_human', args: question }
    if (/^status: (?:pending|in_progress)/m.test(ours))
      return { tool: 'wait_for_human', args: { task_id: taskId } }
    return { says: `I have read what the person sent for ${taskId}.` }
  }
