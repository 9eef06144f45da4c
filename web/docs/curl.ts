/** A curl command of a page, as the call that it makes: what the browser sends when somebody presses Run. */
export interface Call {
  method: string
  /** Behind the base address, perhaps with `$TASK_ID` in it. */
  path: string
  body?: string | undefined
}

/** Nothing for what is not one curl call of our API and no more. */
export function callOf(command: string): Call | undefined {
  const text = command.replaceAll(/\\\n\s*/g, ' ').trim()
  if (text.split(/\bcurl\b/).length !== 2 || /\n/.test(text.replaceAll(/'[^']*'/g, ''))) return
  const address = /\$LEGWORK_URL(\/[^\s"']*)/.exec(text)
  if (!address) return
  const body = /(?:--json|-d) '([^']*)'/.exec(text)?.[1]
  const method = /(?:-X|--request) (\w+)/.exec(text)?.[1] ?? (body === undefined ? 'GET' : 'POST')
  return { method, path: address[1]!, body }
}
