/**
 * Where events may be sent: to public addresses, by https. One rule for what an agent gives us and for every connection
 * that we open, since a name may lead elsewhere a moment later. What is said of an address reads after its name:
 * `webhook_url must be an https address`.
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

/** Ends of names that lead to nobody, or to whoever is near. */
const NEAR_NAMES =
  'localhost localdomain local internal intranet private corp home lan home.arpa onion'.split(' ')
const LOOPBACK = ['127.0.0.1', '::1']

const isNear = (name: string, end: string) => name === end || name.endsWith(`.${end}`)

/** How such an address is written; `checkField` says whether it may be called, and every connection asks again. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: 'is not an http or https address', abort: true })
  .max(2048)
  // Parsers forgive more than that, and then find one host where another eye sees another.
  .refine((url) => PLAIN.test(url), 'must be written as https://host/path')

/** Where a connection may be opened, in the order to try; or why not. */
export type Way = { addresses: string[] } | { refused: string } | { unresolved: true }

/**
 * Why this address can't be given to us, or undefined. A name that does not resolve may do so when there is something
 * to send: it is asked for again then.
 */
export async function checkAddress(config: Config, url: string): Promise<string | undefined> {
  const parsed = URL.parse(url)
  if (parsed === null) return 'is not an http or https address'
  const way = await findWay(config, parsed, rememberAddresses)
  return 'refused' in way ? way.refused : undefined
}

/** For an endpoint's `check`: what is wrong with the address in this field, if there is one. */
export async function checkField(
  config: Config,
  path: string,
  url: string | null | undefined,
): Promise<WrongField[]> {
  const message = url ? await checkAddress(config, url) : undefined
  return message === undefined ? [] : [{ path, message }]
}

/** Holds an address against the rules, and asks for its name where that is what decides. */
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
  // One that is not public among others is no mistake: somebody tries which one we take.
  if (isLocal || !addresses.every((address) => isPublic(address) || isAllowed(guard, address)))
    return { refused: notPublic(host) }
  return addresses.length > 0 ? { addresses } : { unresolved: true }
}

function faultOf(url: URL): string | undefined {
  if (holdsLogin(url)) return 'must not hold a user name or password'
  if (url.protocol !== 'https:') return 'must be an https address'
  if (!PORTS.includes(url.port)) return 'must have port 443 or 8443'
  return undefined
}

export const holdsLogin = (url: URL) => url.username !== '' || url.password !== ''

/** In development, servers on this machine are called by http and on any port. */
const mayBeAnException = (url: URL) => /^https?:$/.test(url.protocol) && !holdsLogin(url)

/** Only what was given to us is repeated: to which of our neighbours a name leads is nobody's business. */
const notPublic = (host: string) => `is not public (${host}): it must be one that anybody can reach`

/** As the parser of addresses wrote it: in lower case, an address of IPv4 with four numbers, whatever it was before. */
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
    // Not the system's own way, whose few threads a slow server of names would fill, and files wait for them, too.
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

/** All addresses of a host, those of IPv4 first; none when its name does not resolve in time. */
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

/** For those who create many tasks with one callback_url: their host is asked for once a minute. */
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
