/** JSON for people: indented, with each id linked to its object. */
import { Html, html } from '../html.ts'

/** Ids in the processor's format: a short prefix for the kind, then letters and digits. */
const ID = /^"((?:cs_test|pi|ch|py|re|pyr|du|tr|trr|po|acct|evt|txn|tu|issfr)_\w+)"$/
const STRING = /"(?:\\.|[^"\\])*"/g

export function jsonView(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(STRING)) {
    const id = ID.exec(match[0])?.[1]
    if (id === undefined) continue
    parts.push(html`${text.slice(end, match.index)}"<a href="/dashboard/objects/${id}">${id}</a>"`)
    end = match.index + match[0].length
  }
  parts.push(html`${text.slice(end)}`)
  return html`<pre class="json">${new Html(parts.join(''))}</pre>`
}
