/**
 * The code blocks of a page. Behind the language of a fence stands what the block is, as `name=value` pairs:
 *
 *   ```bash tab=curl              one way of several to do the same; its neighbours have tabs, too
 *   ```ts file=receiver.mjs       written to this file when the page is tested, and run by a block below
 *   ```bash background            goes on running while the blocks below run
 *   ```json answer=POST /tasks    what that endpoint answers, whole or in part
 *   ```json body=POST /tasks      what one sends there
 *   ```json error=key_cap         the body of this error
 *   ```json event=task.completed  the body of this webhook
 *   ```json tool=ask_human        the arguments of this MCP tool
 *   ```text                       what a program prints
 *
 * scripts/guide.test.ts runs all of them, or holds them against the schema that they name.
 */
export interface Fence {
  language: string
  /** `background` without a value is `''`. */
  about: Record<string, string>
  code: string
  /** Of the page, beginning with 1. */
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

export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^```(\S.*)?\n([^]*?)^```$/gm)].map(({ 1: info, 2: code, index }) => ({
    ...readInfo(info ?? ''),
    code: code!,
    line: page.slice(0, index).split('\n').length,
  }))
}
