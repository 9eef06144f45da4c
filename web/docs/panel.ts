/** Renders a code block as a dark panel with a title bar; alternatives share one frame. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { callOf } from './curl.ts'
import type { Fence } from './fences.ts'
import { escape } from './html.ts'

hljs.registerLanguage('bash', bash)
hljs.registerLanguage('http', http)
hljs.registerLanguage('json', json)
hljs.registerLanguage('python', python)
hljs.registerLanguage('ts', typescript)
hljs.registerLanguage('js', typescript)

const NAMES: Record<string, string> = {
  bash: 'Terminal',
  http: 'HTTP',
  js: 'JavaScript',
  json: 'JSON',
  python: 'Python',
  text: 'Output',
  ts: 'TypeScript',
}

/** Runnable with a test key; excludes calls that would change who the reader is logged in as. */
const RUNNABLE = /LEGWORK_URL\/(?!agents\/register|console\/)[^]*LEGWORK_API_KEY/

export type Block = Pick<Fence, 'language' | 'about' | 'code'>

export function panelOf({ language, about, code }: Block): string {
  const shown = code.replace(/\n$/, '')
  const call = language === 'bash' && RUNNABLE.test(shown) ? callOf(shown) : undefined
  const run =
    call === undefined
      ? ''
      : ` data-method="${call.method}" data-path="${escape(call.path)}"${
          call.body === undefined ? '' : ` data-body="${escape(call.body)}"`
        }`
  return `<div class="panel" data-name="${escape(nameOf({ language, about }))}"${run}>
<div class="caption">${escape(captionOf({ language, about }))}</div>
<pre tabindex="0"><code>${highlight(shown, language)}</code></pre>
</div>`
}

/** Adjacent blocks with a tab share one frame; without JavaScript they appear one below the other. */
export function panelsOf(blocks: Block[]): string {
  const frames: Block[][] = []
  for (const block of blocks) {
    const last = frames.at(-1)
    if (block.about.tab !== undefined && last?.[0]!.about.tab !== undefined) last.push(block)
    else frames.push([block])
  }
  return frames
    .map((frame) =>
      frame.length === 1
        ? panelOf(frame[0]!)
        : `<div class="tabs">${frame.map((block) => panelOf(block)).join('\n')}</div>`,
    )
    .join('\n')
}

const nameOf = ({ language, about }: Pick<Block, 'language' | 'about'>) =>
  about.tab ?? NAMES[language] ?? language

function captionOf({ language, about }: Pick<Block, 'language' | 'about'>): string {
  if (about.tab !== undefined) return about.tab
  if (about.file !== undefined) return about.file
  if (about.answer !== undefined) return `Response of ${about.answer}`
  if (about.body !== undefined) return `Body of ${about.body}`
  if (about.error !== undefined) return `Error ${about.error}`
  if (about.event !== undefined) return `Event ${about.event}`
  if (about.tool !== undefined) return `Arguments of ${about.tool}`
  if (about.config !== undefined) return 'Configuration'
  return NAMES[language] ?? language
}

const highlight = (code: string, language: string) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escape(code)
