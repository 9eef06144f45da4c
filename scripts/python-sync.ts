/**
 * Generates the synchronous client of the Python SDK, `_sync`, from the asynchronous one, `_async`: the same code
 * without `async` and `await`.
 */

const HEAD = (file: string) => `# Generated from _async/${file} by npm run generate.\n`

const REPLACEMENTS: [RegExp, string][] = [
  [/\bAwaitable\[(?=tuple)([^]*?\]\])\]/g, '$1'],
  [/\bAwaitable\[str\]/g, 'str'],
  [/, Awaitable\b/g, ''],
  [/\b(?:async|await) /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\baclose\b/g, 'close'],
  [/\b__a(enter|exit)__/g, '__$1__'],
]

export function renderSync(file: string, source: string): string {
  const text = REPLACEMENTS.reduce((all, [from, to]) => all.replaceAll(from, to), source)
  const left = /\b(?:async|await|Awaitable)\b/.exec(text)
  if (left) throw new Error(`${file}: the synchronous client would contain ${left[0]}`)
  return `${HEAD(file)}\n${text}`.trimEnd() + '\n'
}
