import assert from 'node:assert/strict'
import type { Mail } from '../src/email/compose.ts'
import { escapeHtml } from '../src/kit/html.ts'

/** Asserts that every line of the text is in the HTML, too. */
export function assertSameInHtml({ text, html }: Mail): void {
  for (const line of text.trim().split('\n').filter(Boolean))
    assert(html.includes(escapeHtml(line.replace(/^(?:- | {4})/, ''))), line)
}
