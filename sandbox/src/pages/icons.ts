/** Small icons, always next to a word and never instead of it; screen readers skip them. */
import { html, type Html } from './html.ts'

const PATHS = {
  check: 'm4 10.5 4 4 8-9',
  cross: 'm5 5 10 10M15 5 5 15',
  clock: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.2l2.8 1.7',
  warning: 'M10 3 2 17h16L10 3M10 8v4m0 2.4v.1',
  back: 'm11.5 4.5-5.5 5.5 5.5 5.5',
  next: 'm8 4.5 5.5 5.5-5.5 5.5',
  bank: 'M3 8 10 3.5 17 8H3m1.5 0v7m3.7-7v7m3.6-7v7m3.7-7v7M3 16.5h14',
  card: 'M2.5 5h15v10.5h-15V5m0 3.5h15M5 12.5h3',
  out: 'M12 3.5H4.5v13H12M8 10h9.5m-3-3 3 3-3 3',
} as const

export type IconName = keyof typeof PATHS

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${PATHS[name]}" /></svg>`
}
