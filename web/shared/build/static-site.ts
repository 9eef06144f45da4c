/** Parts of the builds that write static pages: the docs and the front page. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { WEB } from './page.ts'

/** Writes assets below `folder/under`, with a hash of the content in their names, and returns their addresses. */
export function assetWriter(folder: string, under: string) {
  mkdirSync(path.join(folder, under), { recursive: true })
  return (name: string, bytes: string | Buffer): string => {
    const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    const [stem, extension] = name.split('.')
    const target = `${under}/${stem}-${mark}.${extension}`
    writeFileSync(path.join(folder, target), bytes)
    return `/${target}`
  }
}

/** The design tokens as plain CSS, for pages without Tailwind. */
export const plainTokens = () =>
  readFileSync(path.join(WEB, 'shared/ui/tokens.css'), 'utf8')
    .replace('@theme {', ':root {')
    .replaceAll(/^ *--[\w-]+-\*: initial;\n/gm, '')

/** Bundles a script and its dependencies into one file. */
export async function bundleScript(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    root: path.dirname(entry),
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'script' },
    },
  })
  const [{ output }] = result as unknown as [{ output: { code: string }[] }]
  return output[0]!.code
}
