/** Shows a state as a word with a color and an icon, so that color is never the only signal. */
import { html, type Html } from './html.ts'
import { icon, type IconName } from './icons.ts'
import { words } from './wording.ts'

type Tone = 'good' | 'warn' | 'danger' | 'info' | 'quiet'

const ICONS: Record<Tone, IconName> = {
  good: 'check',
  warn: 'warning',
  danger: 'cross',
  info: 'clock',
  quiet: 'next',
}

/** Maps a state to its tone. Others are shown in a neutral tone under their own name. */
const TONES: Record<string, Tone> = {
  active: 'good',
  available: 'good',
  complete: 'good',
  delivered: 'good',
  paid: 'good',
  succeeded: 'good',
  won: 'good',
  in_transit: 'info',
  open: 'info',
  pending: 'info',
  processing: 'info',
  under_review: 'info',
  disputed: 'warn',
  needs_response: 'warn',
  partially_refunded: 'warn',
  partially_reversed: 'warn',
  refunded: 'warn',
  restricted: 'warn',
  retrying: 'warn',
  reversed: 'warn',
  failed: 'danger',
  lost: 'danger',
  rejected: 'danger',
  unsupported: 'danger',
}

export function badge(state: string, text = words(state)): Html {
  const tone = TONES[state] ?? 'quiet'
  return html`<span class="badge ${tone}">${tone !== 'quiet' && icon(ICONS[tone])}${text}</span>`
}
