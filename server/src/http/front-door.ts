/**
 * Chooses the page at `/`. Workers with a session, the installed app and phones get the worker's app. Desktop
 * browsers, search engines, link previews and programs get the front page.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { readSessionCookie } from '../workers/session-cookie.ts'

/** The request headers that decide, for `Vary`. */
export const DECIDING_HEADERS = 'cookie, sec-ch-ua-mobile, user-agent'

/** Search engines also send the name of a phone, because they index what phones see. */
const ROBOT = /bot\b|crawl|spider|slurp|compatible;|preview|externalhit/i
/** Browsers of phones have `Mobi` in their name; tablets don't, and get the front page. */
const PHONE = /\bMobi/

export function opensApp({ url, headers }: { url: string; headers: IncomingHttpHeaders }): boolean {
  // The start address of the installed app is `/?app`.
  if (new URLSearchParams(url.split('?')[1]).has('app')) return true
  if (readSessionCookie(headers.cookie) !== undefined) return true
  return isPhone(headers)
}

function isPhone(headers: IncomingHttpHeaders): boolean {
  const name = headers['user-agent'] ?? ''
  if (ROBOT.test(name)) return false
  const hint = headers['sec-ch-ua-mobile']
  // A phone that asks for the desktop site sends `?0`.
  return hint === undefined ? PHONE.test(name) : hint === '?1'
}
