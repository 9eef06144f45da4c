/**
 * Code blocks of a page. After the language, a fence describes the block with `name=value` pairs:
 *
 *   ```bash tab=curl              one of several ways to do the same; its neighbors have tabs, too
 *   ```ts file=receiver.mjs       written to this file when the page is tested, and run by a later block
 *   ```bash background            keeps running while later blocks run
 *   ```json answer=POST /tasks    a response of that endpoint, whole or in part
 *   ```json body=POST /tasks      a request body for it
 *   ```json error=key_cap         the body of this error
 *   ```json event=task.completed  the body of this webhook
 *   ```json tool=ask_human        the arguments of this MCP tool
 *   ```text                       the output of a program
 *
 * scripts/guide.test.ts runs all of them, or validates them against the schema that they name.
 */
export interface Fence {
  language: string
  /** A flag without a value, such as `background`, is `''`. */
  about: Record<string, string>
  code: string
  /** Line number on the page, starting at 1. */
  line: number
}

export function readInfo(info: string): Pick<Fence, 'language' | 'about'> {
  const [language = 'text', ...words] = info.trim().split(/\s+/)
  const about: Record<string, string> = {}
  let name: string | undefined
  for (const word of words) {
    const [, found, value] = /^(\w+)=(.*)$/.exec(word) ?? []
    if (found !== undefined) about[(name = found)] = value!
    else if (name === undefined || ['background', 'config'].includes(word)) about[word] = ''
    else about[name] += ` ${word}`
  }
  return { language: language === '' ? 'text' : language, about }
}
