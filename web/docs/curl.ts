/** Parses a curl command on a page into the request that the Run button sends. */
export interface Call {
  method: string
  /** Relative to the base URL; may contain a variable such as `$TASK_ID`. */
  path: string
  body?: string | undefined
}

/** Undefined unless the command is exactly one curl call to our API. */
export function callOf(command: string): Call | undefined {
  const text = command.replaceAll(/\\\n\s*/g, ' ').trim()
  if (text.split(/\bcurl\b/).length !== 2 || /\n/.test(text.replaceAll(/'[^']*'/g, ''))) return
  const address = /\$LEGWORK_URL(\/[^\s"']*)/.exec(text)
  if (!address) return
  const body = /(?:--json|-d) '([^']*)'/.exec(text)?.[1]
  const method = /(?:-X|--request) (\w+)/.exec(text)?.[1] ?? (body === undefined ? 'GET' : 'POST')
  return { method, path: address[1]!, body }
}
