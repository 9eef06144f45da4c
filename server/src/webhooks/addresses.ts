/**
 * SSRF protection: events are sent only to public addresses over https. The same rule applies when an agent saves a URL
 * and again for every connection we open, because a DNS name can resolve differently a moment later. Messages are
 * written to follow the field name: `webhook_url must be an https URL`.
 */
import { Resolver } from 'node:dns/promises'
import { type BlockList, isIP } from 'node:net'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { WrongField } from '../kit/endpoint.ts'
import { isPublic, rangesOf } from './public-ranges.ts'

const PLAIN = /^https?:\/\/[^\\/?#]+(?:[/?#][^\\]*)?$/i
const PORTS = ['', '443', '8443']
const NAME_LENGTH_MAX = 253
const NAME_MS_MAX = 2000
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 1000

/** Domain suffixes that resolve only inside a local network, or nowhere. */
const NEAR_NAMES =
  'localhost localdomain local internal intranet private corp home lan home.arpa onion'.split(' ')
const LOOPBACK = ['127.0.0.1', '::1']

const isNear = (name: string, end: string) => name === end || name.endsWith(`.${end}`)

/** Checks the syntax only. `checkField` decides whether we may call the URL, and every connection checks again. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .max(2048)
  // URL parsers accept more than this and can then disagree about which host the URL names.
  .refine((url) => PLAIN.test(url), 'must have the form https://host/path')

/** The addresses to connect to, in the order to try them, or the reason not to connect. */
export type Way = { addresses: string[] } | { refused: string } | { unresolved: true }

/**
 * Returns why we don't accept this URL, or undefined. A name that doesn't resolve is accepted: it may resolve by the
 * time there is something to send, and is looked up again then.
 */
export async function checkAddress(config: Config, url: string): Promise<string | undefined> {
  const parsed = URL.parse(url)
  if (parsed === null) return 'must be an http or https URL'
  const way = await findWay(config, parsed, rememberAddresses)
  return 'refused' in way ? way.refused : undefined
}

/** For an endpoint's `check`: validates the URL in this field, if there is one. */
export async function checkField(
  config: Config,
  path: string,
  url: string | null | undefined,
): Promise<WrongField[]> {
  const message = url ? await checkAddress(config, url) : undefined
  return message === undefined ? [] : [{ path, message }]
}

/** The `check` of endpoints that take a task: validates its `callback_url`. */
export const checkCallback = ({
  config,
  body,
}: {
  config: Config
  body: { callback_url?: string | undefined }
}) => checkField(config, 'callback_url', body.callback_url)

/** Checks a URL against the rules, and resolves its host name if the decision depends on it. */
export async function findWay(config: Config, url: URL, resolve = askForAddresses): Promise<Way> {
  const guard = guardOf(config)
  const host = hostOf(url)
  const fault = faultOf(url)
  if (fault !== undefined && !(guard.hasExceptions && mayBeAnException(url)))
    return { refused: fault }

  const isLocal = isNear(host, 'localhost')
  if (isLocal ? !guard.hasExceptions : isIP(host) === 0 && !isPublicName(host))
    return { refused: notPublic(host) }
  const addresses = isLocal
    ? LOOPBACK.filter((address) => isAllowed(guard, address))
    : await resolve(guard, host)

  if (addresses.length > 0 && addresses.every((address) => isAllowed(guard, address)))
    return { addresses }
  if (fault !== undefined) return { refused: fault }
  // A non-public address among public ones is not a mistake but an attack: it bets on which one we connect to.
  if (isLocal || !addresses.every((address) => isPublic(address) || isAllowed(guard, address)))
    return { refused: notPublic(host) }
  return addresses.length > 0 ? { addresses } : { unresolved: true }
}

function faultOf(url: URL): string | undefined {
  if (holdsLogin(url)) return 'must not contain a user name or password'
  if (url.protocol !== 'https:') return 'must be an https URL'
  if (!PORTS.includes(url.port)) return 'must use port 443 or 8443'
  return undefined
}

export const holdsLogin = (url: URL) => url.username !== '' || url.password !== ''

/** In development, servers on this machine may use http and any port. */
const mayBeAnException = (url: URL) => /^https?:$/.test(url.protocol) && !holdsLogin(url)

/** Repeats only the host we were given. The resolved address would reveal our internal network. */
const notPublic = (host: string) =>
  `is not public (${host}): it must be reachable from the internet`

/** The host as normalized by the URL parser: lower case, and IPv4 always in dotted-quad form. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
}

function isPublicName(host: string): boolean {
  return (
    host.length <= NAME_LENGTH_MAX &&
    host.includes('.') &&
    host.split('.').every((label) => /^[\w-]{1,63}$/.test(label)) &&
    !NEAR_NAMES.some((end) => isNear(host, end))
  )
}

interface Guard {
  resolver: Resolver
  hasExceptions: boolean
  allowed: BlockList
  remembered: Map<string, { addresses: Promise<string[]>; until: number }>
}

const guards = new WeakMap<Config, Guard>()

function guardOf(config: Config): Guard {
  let guard = guards.get(config)
  if (guard === undefined) {
    // Not getaddrinfo: it runs in libuv's small thread pool, which a slow DNS server would block for file I/O, too.
    const resolver = new Resolver({ timeout: 600, tries: 2, maxTimeout: 1200 })
    if (config.WEBHOOK_DNS_SERVERS.length > 0) resolver.setServers(config.WEBHOOK_DNS_SERVERS)
    guard = {
      resolver,
      hasExceptions: config.WEBHOOK_ALLOW_CIDRS.length > 0,
      allowed: rangesOf(config.WEBHOOK_ALLOW_CIDRS),
      remembered: new Map(),
    }
    guards.set(config, guard)
  }
  return guard
}

function isAllowed({ allowed }: Guard, address: string): boolean {
  return allowed.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** All addresses of a host, IPv4 first; empty if the name doesn't resolve in time. */
async function askForAddresses({ resolver }: Guard, host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const answers = await Promise.all([
    orNothing(resolver.resolve4(host)),
    orNothing(resolver.resolve6(host)),
  ])
  return answers.flat()
}

async function orNothing(answer: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(resolve, NAME_MS_MAX, [])
  })
  try {
    return await Promise.race([answer, late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

/** Caches lookups for a minute, for agents that create many tasks with the same callback_url. */
function rememberAddresses(guard: Guard, host: string): Promise<string[]> {
  const { remembered } = guard
  const now = performance.now()
  const known = remembered.get(host)
  if (known !== undefined && known.until > now) return known.addresses

  const addresses = askForAddresses(guard, host)
  remembered.delete(host)
  remembered.set(host, { addresses, until: now + REMEMBERED_MS })
  const [oldest] = remembered.keys()
  if (remembered.size > REMEMBERED_MAX) remembered.delete(oldest!)
  return addresses
}
